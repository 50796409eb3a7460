package mandate_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Why a debit failed is a variable of an SMS, whose length operators limit.
func TestCauses_EachLanguage_FitAnSMS(t *testing.T) {
	t.Parallel()
	for _, c := range []mandate.Cause{
		mandate.CauseNone, mandate.CauseInsufficient, mandate.CauseTechnical, mandate.CauseOutOfHours, mandate.CauseNoNotice, mandate.CausePaused, mandate.CauseDeclined, mandate.CauseEnded, mandate.CauseAboveCap, mandate.CauseExpires,
		mandate.CauseAuthenticate, mandate.CauseLost, mandate.CauseCycleUsed, mandate.CauseOther,
	} {
		for _, l := range i18n.Languages() {
			require.True(t, l.Has("", c.Text()) && l.Has("", c.Advice(true)), "%s in %s", c, l)
			require.LessOrEqual(t, utf8.RuneCountInString(l.Say(c.Text())), message.MaxValue, "%s in %s", c, l)
		}
	}
}
