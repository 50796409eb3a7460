package support

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestTheDiagramOfActsIsTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "An act", actStates())
}

func TestEachKindOfActHasItsTitleOnTheWorkList(t *testing.T) {
	t.Parallel()
	for _, kind := range []ActKind{
		ActShortPayment, ActCorrectRecipient, ActCancelPlan, ActSwitchPlan, ActResetAuthenticator, ActChangeMobile, ActOutageGrace,
	} {
		require.NotContains(t, kind.title(), string(kind))
	}
}
