package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachRuleOfTheBooksHasATitle(t *testing.T) {
	t.Parallel()
	named := titles()
	require.Len(t, named, len(Invariants()))
	for _, name := range Invariants() {
		require.NotEmpty(t, named[name], name)
	}
}
