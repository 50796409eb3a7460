package support_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestTheDiagramOfActsIsTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "An action in", support.ActStates())
}

func TestEachKindOfActHasItsTitleOnTheWorkList(t *testing.T) {
	t.Parallel()
	for _, kind := range []support.ActKind{
		support.ActShortPayment, support.ActCorrectRecipient, support.ActCancelPlan, support.ActSwitchPlan, support.ActResetAuthenticator, support.ActChangeMobile, support.ActOutageGrace,
	} {
		require.NotContains(t, kind.Title(), string(kind))
	}
}
