package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReport_PartThatFails_IsNamedWithItsCause(t *testing.T) {
	t.Parallel()
	failed := exec.CommandContext(t.Context(), "sh", "-c", "exit 3").Run()
	command := runCommand(exec.CommandContext(t.Context(), "sh", "-c", "exit 3"))
	for name, c := range map[string]struct {
		err  error
		code int
		said string
	}{
		"nothing":     {nil, 0, ""},
		"the user":    {context.Canceled, 0, ""},
		"the command": {fmt.Errorf("restore: %w", command), 3, ""},
		"Postgres":    {fmt.Errorf("Postgres ended while it started: %w\nFATAL: data directory is of another version", failed), 1, "FATAL: data directory"},
		"a file":      {errors.New("open the backup: no such file"), 1, "open the backup"},
	} {
		var said strings.Builder
		require.Equal(t, c.code, report(&said, c.err), name)
		require.Contains(t, said.String(), c.said, name)
		require.Equal(t, c.said == "", said.Len() == 0, name)
	}
}
