package mandate_test

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestDiagrams_MatchTheStateTables(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "STATES.md", "A mandate is", mandate.States())
	testkit.RequireDiagram(t, "STATES.md", "A debit is", mandate.DebitStates())
	testkit.RequireStatesMove(t)
}
