package recovery

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestMobileChange_Diagram_MatchesTheStateTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "../README.md", "A change of a lost mobile", mobileChangeStates())
}
