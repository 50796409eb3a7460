package plan

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestChangeStates_DiagramEqualsTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "States of a change", changeStates())
}
