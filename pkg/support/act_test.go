package support_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestActStates_DiagramEqualsTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "An action in", support.ActStates())
}

func TestActKinds_EachOne_HasItsTitle(t *testing.T) {
	t.Parallel()
	for _, kind := range []support.ActKind{
		support.ActShortPayment, support.ActCorrectRecipient, support.ActCancelPlan, support.ActSwitchPlan, support.ActResetAuthenticator, support.ActChangeMobile, support.ActOutageGrace,
	} {
		require.NotContains(t, kind.Title(), string(kind))
	}
}
