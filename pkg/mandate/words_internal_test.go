package mandate

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Why a debit failed is a variable of an SMS, whose length operators limit.
func TestEveryCauseFitsAnSMSInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []Cause{
		CauseNone, CauseInsufficient, CauseTechnical, CauseOutOfHours, CauseNoNotice, CausePaused, CauseDeclined, CauseEnded, CauseAboveCap, CauseExpires,
		CauseAuthenticate, CauseLost, CauseCycleUsed, CauseOther,
	} {
		r := remedyOf(c)
		for _, l := range i18n.Languages() {
			require.True(t, l.Has("", r.text) && l.Has("", r.advice), "%s in %s", c, l)
			require.LessOrEqual(t, utf8.RuneCountInString(l.Say(r.text)), message.MaxValue, "%s in %s", c, l)
		}
	}
}
