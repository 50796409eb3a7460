package mandate

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestTheDiagramsAreTheTables(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "A mandate.", states())
	testkit.RequireDiagram(t, "README.md", "A debit.", debitStates())
	testkit.RequireStatesMove(t)
}
