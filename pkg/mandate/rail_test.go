package mandate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// A debit by UPI is made in the calendar month of its renewal's day, and decided within the grace by every rail.
func TestDebitTime_StaysWithinTheRailsCycle(t *testing.T) {
	t.Parallel()
	s := mandate.DefaultSettings()
	date := func(month time.Month, day, hour int) time.Time {
		return time.Date(2026, month, day, hour, 0, 0, 0, clock.IST)
	}
	for name, of := range map[string]struct {
		method  mandate.Method
		renewOn time.Time
		now     time.Time
		at      time.Time // zero: not any more
	}{
		"in time":                            {mandate.MethodUPI, date(3, 31, 0), date(3, 20, 9), date(3, 30, 6)},
		"as late as the month allows":        {mandate.MethodUPI, date(3, 20, 0), date(3, 22, 9), date(3, 24, 9)},
		"in the next month":                  {mandate.MethodUPI, date(3, 31, 0), date(3, 29, 9), time.Time{}},
		"on the last day of a month":         {mandate.MethodUPI, date(4, 1, 0), date(3, 20, 9), date(4, 1, 6)},
		"a card knows no month":              {mandate.MethodCard, date(3, 31, 0), date(3, 29, 9), date(3, 31, 9)},
		"a bank account is decided in grace": {mandate.MethodENACH, date(3, 10, 0), date(3, 11, 9), time.Time{}},
		"in the evening peak":                {mandate.MethodUPI, date(3, 20, 0), date(3, 19, 18), date(3, 21, 21).Add(30 * time.Minute)},
		"after the grace":                    {mandate.MethodCard, date(3, 10, 0), date(3, 15, 9), time.Time{}},
	} {
		at, inTime := s.Earliest(mandate.Mandate{Method: of.method}, subscription.DayOf(of.renewOn), nil, of.now)
		require.Equal(t, !of.at.IsZero(), inTime, name)
		if inTime {
			require.WithinDuration(t, of.at, at, 0, name)
		}
	}
}

func TestMayFollow_TemporaryCauses_AllowARetry(t *testing.T) {
	t.Parallel()
	s, m := mandate.DefaultSettings(), mandate.Mandate{Gateway: "razorpay", Method: mandate.MethodUPI}
	now := time.Date(2026, 3, 1, 6, 0, 0, 0, clock.IST)
	asked := mandate.DebitRow{State: mandate.DebitFailed, Number: 1, NoticedAt: &now, AskedAt: &now}
	for cause, want := range map[mandate.Cause]bool{
		mandate.CauseInsufficient: true, mandate.CauseTechnical: true, mandate.CausePaused: true, mandate.CauseDeclined: false, mandate.CauseEnded: false, mandate.CauseLost: false, mandate.CauseCycleUsed: false,
		mandate.CauseAboveCap: false,
	} {
		d := asked
		d.Cause = cause
		require.Equal(t, want, s.MayFollow(m, d), cause)
		d.Number = 4
		require.False(t, s.MayFollow(m, d), cause)
	}
	asked.Cause = mandate.CauseInsufficient
	oneACycle := mandate.DefaultSettings()
	oneACycle.OneACycle = map[string]bool{"razorpay": true}
	require.False(t, oneACycle.MayFollow(mandate.Mandate{Gateway: "razorpay", Method: mandate.MethodUPI}, asked))
	require.True(t, oneACycle.MayFollow(mandate.Mandate{Gateway: "razorpay", Method: mandate.MethodENACH}, asked), "only the cycle of UPI is the month")
	require.True(t, oneACycle.MayFollow(mandate.Mandate{Gateway: "payu", Method: mandate.MethodUPI}, asked))
	require.True(t, s.MayFollow(m, mandate.DebitRow{State: mandate.DebitFailed, Number: 1, Cause: mandate.CauseAboveCap}), "it was never asked of the bank")
	require.False(t, s.MayFollow(m, mandate.DebitRow{State: mandate.DebitPaid, Number: 1}))
}

// UPI and cards cannot debit a bill above the approval limit, so advising a higher mandate limit would be wrong.
func TestRefuses_BillAboveTheApprovalLimit_DoesNotAdviseAHigherLimit(t *testing.T) {
	t.Parallel()
	s := mandate.DefaultSettings()
	for _, m := range []mandate.Method{mandate.MethodUPI, mandate.MethodCard} {
		of := mandate.Mandate{Method: m, Cap: mandate.AFALimit, EndsOn: 30_000}
		require.Equal(t, mandate.CauseAuthenticate, s.Refuses(of, plan.TypeMonthly, mandate.AFALimit+1, 20_000), m)
		require.Equal(t, mandate.CauseNone, s.Refuses(of, plan.TypeMonthly, mandate.AFALimit, 20_000), m)
		of.Cap = mandate.AFALimit / 2
		require.Equal(t, mandate.CauseAboveCap, s.Refuses(of, plan.TypeMonthly, mandate.AFALimit, 20_000), m)
	}
	require.Equal(t, mandate.CauseAboveCap, s.Refuses(mandate.Mandate{Method: mandate.MethodENACH, Cap: mandate.AFALimit, EndsOn: 30_000}, plan.TypeMonthly, mandate.AFALimit+1, 20_000))
	require.Contains(t, mandate.CauseAuthenticate.Advice(false), "eNACH")
}
