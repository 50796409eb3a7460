package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/admin/command"
)

func TestAdmin_NoCommandOrHelp_ListsEveryCommand(t *testing.T) {
	t.Parallel()
	for _, words := range [][]string{nil, {"help"}} {
		var out bytes.Buffer
		require.NoError(t, run(t.Context(), command.Call{Out: &out}, words...))
		for _, c := range commands() {
			require.Contains(t, out.String(), "\n  "+c.Name, "%v", words)
			require.NotEmpty(t, c.Uses, c.Name)
		}
	}
}

func TestAdmin_UnknownCommand_IsNamed(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, run(t.Context(), command.Call{}, "sneed"), "no command is called sneed")
}

func TestAdmin_WrongWords_NameTheCommandAndItsForms(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, run(t.Context(), command.Call{}, "documents", "move"), "documents: want documents copy, documents compare")
}
