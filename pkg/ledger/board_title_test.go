package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
)

func TestInvariants_EachOne_HasATitle(t *testing.T) {
	t.Parallel()
	named := ledger.Titles()
	require.Len(t, named, len(ledger.Invariants()))
	for _, name := range ledger.Invariants() {
		require.NotEmpty(t, named[name], name)
	}
}
