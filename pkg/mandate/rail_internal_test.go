package mandate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// A debit by UPI is made in the calendar month of its renewal's day, and decided within the grace by every rail.
func TestNoDebitLeavesItsCycle(t *testing.T) {
	t.Parallel()
	s := &Service{settings: DefaultSettings()}
	date := func(month time.Month, day, hour int) time.Time {
		return time.Date(2026, month, day, hour, 0, 0, 0, clock.IST)
	}
	for name, of := range map[string]struct {
		method  Method
		renewOn time.Time
		now     time.Time
		at      time.Time // zero: not any more
	}{
		"in time":                            {MethodUPI, date(3, 31, 0), date(3, 20, 9), date(3, 30, 6)},
		"as late as the month allows":        {MethodUPI, date(3, 20, 0), date(3, 22, 9), date(3, 24, 9)},
		"in the next month":                  {MethodUPI, date(3, 31, 0), date(3, 29, 9), time.Time{}},
		"on the last day of a month":         {MethodUPI, date(4, 1, 0), date(3, 20, 9), date(4, 1, 6)},
		"a card knows no month":              {MethodCard, date(3, 31, 0), date(3, 29, 9), date(3, 31, 9)},
		"a bank account is decided in grace": {MethodENACH, date(3, 10, 0), date(3, 11, 9), time.Time{}},
		"in the evening peak":                {MethodUPI, date(3, 20, 0), date(3, 19, 18), date(3, 21, 21).Add(30 * time.Minute)},
		"after the grace":                    {MethodCard, date(3, 10, 0), date(3, 15, 9), time.Time{}},
	} {
		at, inTime := s.earliest(Mandate{Method: of.method}, subscription.DayOf(of.renewOn), nil, of.now)
		require.Equal(t, !of.at.IsZero(), inTime, name)
		if inTime {
			require.WithinDuration(t, of.at, at, 0, name)
		}
	}
}

func TestAnotherTryFollowsOnlyWhatMayWorkAnotherDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 6, 0, 0, 0, clock.IST)
	asked := DebitRow{State: DebitFailed, Number: 1, NoticedAt: &now, AskedAt: &now}
	for cause, want := range map[Cause]bool{
		CauseInsufficient: true, CauseTechnical: true, CausePaused: true, CauseDeclined: false, CauseEnded: false, CauseLost: false, CauseCycleUsed: false,
		CauseAboveCap: false,
	} {
		d := asked
		d.Cause = cause
		require.Equal(t, want, rail{}.mayFollow(d), cause)
		d.Number = mostAttempts
		require.False(t, rail{}.mayFollow(d), cause)
	}
	asked.Cause = CauseInsufficient
	require.False(t, rail{oneACycle: true}.mayFollow(asked))
	require.True(t, rail{}.mayFollow(DebitRow{State: DebitFailed, Number: 1, Cause: CauseAboveCap}), "it was never asked of the bank")
	require.False(t, rail{}.mayFollow(DebitRow{State: DebitPaid, Number: 1}))
}

// Given a bill above what UPI and cards debit without the customer, then a higher limit is not what is advised, since there is none.
func TestABillThatNeedsApprovalIsNotSaidToNeedAHigherLimit(t *testing.T) {
	t.Parallel()
	s := Service{settings: DefaultSettings()}
	for _, m := range []Method{MethodUPI, MethodCard} {
		of := Mandate{Method: m, Cap: AFALimit, EndsOn: 30_000}
		require.Equal(t, CauseAuthenticate, s.refuses(of, plan.TypeMonthly, AFALimit+1, 20_000), m)
		require.Equal(t, CauseNone, s.refuses(of, plan.TypeMonthly, AFALimit, 20_000), m)
		of.Cap = AFALimit / 2
		require.Equal(t, CauseAboveCap, s.refuses(of, plan.TypeMonthly, AFALimit, 20_000), m)
	}
	require.Equal(t, CauseAboveCap, s.refuses(Mandate{Method: MethodENACH, Cap: AFALimit, EndsOn: 30_000}, plan.TypeMonthly, AFALimit+1, 20_000))
	require.Contains(t, CauseAuthenticate.advice(false), "eNACH")
}
