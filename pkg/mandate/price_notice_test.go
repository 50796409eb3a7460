package mandate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// The notice of another price goes by the day that mandates name, which has to be the one on which the notice of the debit is submitted.
func TestPriceOfADebit_EachRail_IsFixedOnTheNoticeDay(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		method mandate.Method
		wait   int // days until the plan begins
		days   int
	}{{mandate.MethodUPI, 0, 4}, {mandate.MethodCard, 0, 4}, {mandate.MethodENACH, 0, 7}, {mandate.MethodUPI, 30, 3}} {
		t.Run(fmt.Sprintf("%s after %d days", tc.method, tc.wait), func(t *testing.T) {
			t.Parallel()
			b := enter(t)
			for range tc.wait {
				if b.Clock.Now().In(clock.IST).Day() != 1 { // a term that begins on the 1st
					b.Live(1)
				}
			}
			b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
			b.Live(20)
			if tc.method == mandate.MethodENACH {
				b.Mandates.Authorise(b.ask(tc.method), mandate.ProviderActive)
				b.hours(3)
			} else {
				b.Live(4)
				b.register(tc.method)
			}
			require.Equal(t, "active", b.state())
			require.Equal(t, tc.days, b.Count(`SELECT fixed_days FROM debited_renewals WHERE franchiser_id = $1 AND by_mandate`, b.Buyer))
			b.until("noticed")
			require.Equal(t, tc.days, b.Count(`SELECT renew_on - (noticed_at AT TIME ZONE 'Asia/Kolkata')::date FROM mandate_debits
				WHERE franchiser_id = $1 AND state = 'noticed'`, b.Buyer))

			_, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
			require.NoError(t, err)
			require.Zero(t, b.Count(`SELECT fixed_days FROM debited_renewals WHERE franchiser_id = $1`, b.Buyer), "manual payments fix the price on their own day")
		})
	}
}
