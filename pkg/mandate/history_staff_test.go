package mandate_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/member"
	"github.com/franchise360/franchise360/pkg/testkit/world"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// history reads what staff see of the buyer's mandates.
func (b *life) history() []mandate.History {
	b.T.Helper()
	var all []mandate.History
	require.NoError(b.T, postgres.InTenantTx(b.T.Context(), b.DB.API, b.Buyer, func(tx *sqlx.Tx) (err error) {
		all, err = mandate.HistoryTx(b.T.Context(), tx, b.Buyer)
		return err
	}))
	return all
}

func (b *life) problems(overdue bool) []mandate.Problem {
	b.T.Helper()
	var until subscription.Day
	require.NoError(b.T, b.DB.Owner.Get(&until, `SELECT paid_until FROM subscriptions WHERE franchiser_id = $1`, b.Buyer))
	return mandate.Problems(b.history(), until, overdue, b.Clock.Now())
}

func TestProblems_FailedDebitAndEndedMandate_NameTheReason(t *testing.T) {
	t.Parallel()
	b := begin(t)
	require.Empty(t, b.problems(false))
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	found := b.problems(false)
	require.Len(t, found, 1)
	require.False(t, found[0].Bad)
	require.Regexp(t, `^The debit of ₹1[\d,.]+ for the renewal on .* failed: there was not enough money\. It is tried again on `, found[0].Text)

	b.Mandates.SetState(b.id, mandate.ProviderRevoked)
	b.hours(10 * 24)
	found = b.problems(true)
	require.Len(t, found, 2)
	require.Regexp(t, `The bank ended the mandate .*\(revoked\); renewals are paid manually\.$`, found[1].Text)

	newest := b.history()[0]
	require.Equal(t, mandate.StateRevoked, newest.State)
	require.NotEmpty(t, newest.Debits)
	require.Equal(t, mandate.CauseInsufficient, newest.Debits[len(newest.Debits)-1].Cause)
	b.safe()
}

// The timeline names the system, not the customer, as the actor of a debit's payment.
func TestTimeline_PaymentOfADebit_IsBegunByTheSystem(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("paid")
	source := desk.TimelineSources()[0]
	require.Equal(t, "payment", source.Name)
	var actors []string
	require.NoError(t, b.DB.Owner.Select(&actors, `SELECT actor FROM (`+source.SQL+`) s JOIN payments p ON p.id = s.id::uuid WHERE p.by_mandate`, b.Buyer))
	require.Equal(t, []string{"system"}, actors)
}

func TestProblems_PaidDebit_AreEmpty(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("paid")
	require.Empty(t, b.problems(false))
	require.NoError(t, b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()))
	require.Equal(t, "The customer has paused automatic renewal: nothing is debited until it is resumed.", b.problems(false)[0].Text)
}

func TestWorklist_StopUnconfirmedForADay_IsListed(t *testing.T) {
	t.Parallel()
	b := begin(t)
	sunita, err := member.Add(t.Context(), b.DB.Owner, "Sunita "+b.Buyer[:8], staff.RoleSupport, b.Clock.Now())
	require.NoError(t, err)
	list := worklist.NewService(b.DB.API, b.Clock, staff.NewRecorder(b.Clock), support.Subjects{}, mandate.WorkSources())
	rows := func() []worklist.Row {
		groups, err := list.List(sunita.Sign(t.Context()), sunita)
		require.NoError(t, err)
		return groups[0].Rows
	}
	_, err = b.DB.Owner.Exec(`UPDATE mandates SET stop_asked_at = $2 WHERE franchiser_id = $1`, b.Buyer, b.Clock.Now())
	require.NoError(t, err)
	b.Pass(23 * time.Hour)
	require.Empty(t, rows())
	require.Empty(t, b.problems(false))
	b.Pass(2 * time.Hour)
	require.Len(t, rows(), 1)
	require.Equal(t, b.mandate(), rows()[0].Key)
	require.Equal(t, "Mandate "+b.id+" by UPI", rows()[0].Title)
	require.True(t, b.problems(false)[0].Bad)
	b.run() // the gateway answers, and the row goes
	require.Empty(t, rows())
}
