package support

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestTheDiagramOfActsIsTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "An act", actStates())
}
