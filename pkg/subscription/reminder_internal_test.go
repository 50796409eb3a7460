package subscription

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestReminderDays_OfEachType(t *testing.T) {
	t.Parallel()
	days := func(typ plan.Type, trial bool) []int {
		var found []int
		for _, d := range reminderDays() {
			if d.Type == typ && d.Trial == trial {
				found = append(found, d.Days)
			}
		}
		return found
	}
	require.Equal(t, []int{30, 15, 7, 3, 1, 0, -1, -4}, days(plan.TypeYearly, false))
	require.Equal(t, []int{7, 3, 1, 0, -1, -4}, days(plan.TypeMonthly, false))
	require.Equal(t, []int{7, 3, 1, 0}, days(plan.TypeMonthly, true))
	require.Empty(t, days(plan.TypeYearly, true), "a trial is by the month")
	for _, d := range reminderDays() {
		require.Greater(t, d.Days, -GraceDays, "the last day of grace is told by its length")
		require.LessOrEqual(t, d.Days, YearlyRenewalWindow, "nobody is reminded of what cannot be renewed yet")
		if d.Type == plan.TypeMonthly {
			require.LessOrEqual(t, d.Days, MonthlyRenewalWindow)
		}
	}
}

// ending is a subscription whose term ends on a given day, as due_reminders sees it.
type ending struct {
	typ        plan.Type
	trial      bool
	state      State
	left       int // days from today to the last day of the term
	extra      int
	ahead      bool // the next term is paid
	expiredAgo int  // days since expiry, if expired
}

// reminded returns the reminder that such a subscription should get: the nearest of its reminder days that has come.
func (e ending) reminded() (days int, ok bool) {
	graceLeft := e.left + GraceDays + e.extra // days to the last day of grace
	switch {
	case e.ahead:
		return 0, false
	case e.state == StateExpired && e.trial:
		return -1, e.expiredAgo <= 1 && e.left == -1-e.expiredAgo
	case e.state == StateExpired:
		return -GraceDays - e.extra - 1, e.expiredAgo <= 1 && graceLeft == -1-e.expiredAgo
	case e.trial && (e.state != StateTrialing || e.left < 0), !e.trial && (e.state == StateTrialing || graceLeft < 0), e.state == StateLapsed:
		return 0, false
	}
	promised := map[plan.Type][]int{plan.TypeYearly: {30, 15, 7, 3, 1, 0, -1, -4}, plan.TypeMonthly: {7, 3, 1, 0, -1, -4}}[e.typ]
	promised = append(promised, -GraceDays-e.extra)
	if e.trial {
		promised = []int{7, 3, 1, 0}
	}
	found := 99
	for _, day := range promised {
		if e.left <= day {
			found = min(found, day)
		}
	}
	return found, found != 99
}

// Runs every subscription that could end about now through the condition that the sweep and its preview share: each is
// reminded of the right day, and of no day twice.
func TestDueReminders_EachDay_IsSelectedOnce(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	today := on(t, "2028-03-02")
	var rows []ending
	for left := -32; left <= 33; left++ {
		for _, extra := range []int{0, 1, 20} {
			for _, typ := range []plan.Type{plan.TypeMonthly, plan.TypeYearly} {
				for _, state := range []State{StateActive, StateGrace, StateLapsed} {
					rows = append(rows, ending{typ: typ, state: state, left: left, extra: extra})
				}
				rows = append(rows, ending{typ: typ, state: StateActive, left: left, extra: extra, ahead: true})
				for ago := range 4 {
					rows = append(rows, ending{typ: typ, state: StateExpired, left: left, extra: extra, expiredAgo: ago})
				}
			}
		}
		rows = append(
			rows, ending{typ: plan.TypeMonthly, trial: true, state: StateTrialing, left: left},
		)
		for ago := range 4 {
			rows = append(rows, ending{typ: plan.TypeMonthly, trial: true, state: StateExpired, left: left, expiredAgo: ago})
		}
	}
	want, byID := map[string]string{}, map[string]ending{}
	tx := db.Owner.MustBeginTx(t.Context(), nil)
	defer func() { _ = tx.Rollback() }()
	tx.MustExec(`SET LOCAL session_replication_role = replica`)
	insert, err := tx.Preparex(`INSERT INTO subscriptions (id, franchiser_id, state, revision, catalogue_revision, plan_id, service_id,
			plan_type, anchor_day, starts_on, renew_on, paid_until, trial, grace_extra, expired_on, created_at, updated_at)
		VALUES ($1, $1, $2, 1, 1, $1, $1, $3, 1, $4, $5, $6, $7, $8, $9, now(), now())`)
	require.NoError(t, err)
	defer func() { _ = insert.Close() }()
	for _, e := range rows {
		row := id.New()
		byID[row] = e
		renewOn := today + Day(e.left) + 1
		paidUntil, expiredOn := renewOn, Day(0)
		if e.ahead {
			paidUntil += 31
		}
		if e.state == StateExpired || e.state == StateLapsed {
			expiredOn = today - Day(e.expiredAgo)
		}
		insert.MustExec(row, e.state, e.typ, renewOn-400, renewOn, paidUntil, e.trial, e.extra, expiredOn)
		if days, ok := e.reminded(); ok {
			want[row] = fmt.Sprintf("%+v: %d", e, days)
		}
	}
	due := func() map[string]string {
		var found []struct {
			ID   string `db:"subscription_id"`
			Days int    `db:"days_before"`
		}
		require.NoError(t, tx.Select(&found, `SELECT subscription_id, days_before FROM due_reminders($1, $2, $3, $4)`, append([]any{today}, reminderArgs()...)...))
		got := map[string]string{}
		for _, f := range found {
			got[f.ID] = fmt.Sprint(f.Days)
		}
		return got
	}
	got := due()
	for row, days := range got {
		got[row] = fmt.Sprintf("%+v: %s", byID[row], days)
	}
	require.Greater(t, len(want), 300, "many are reminded")
	require.Equal(t, want, got)

	tx.MustExec(`INSERT INTO renewal_reminders (franchiser_id, subscription_id, renew_on, days, created_at)
		SELECT franchiser_id, subscription_id, renew_on, days_before, now() FROM due_reminders($1, $2, $3, $4)`, append([]any{today}, reminderArgs()...)...)
	require.Empty(t, due(), "what was noted is not due again")
}
