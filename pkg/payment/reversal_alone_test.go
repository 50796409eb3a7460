package payment_test

import (
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// refund requests a partial refund as the staff member.
func (b *bundle) refund(p staff.Principal, paymentID string, amount money.Paise) (reversal.Reversal, error) {
	return b.Reversals.RequestRefund(p.Sign(b.T.Context()), p, b.Text(`SELECT franchiser_id FROM payments WHERE id = $1`, paymentID), paymentID,
		amount, "goodwill", id.New())
}

func (b *bundle) payments(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = b.PaymentOf(b.Pay(b.Franchiser("27"), story.Buy(b.Tier(0, 0), plan.TypeYearly)))
	}
	return list
}

// Given many payments, when one admin refunds less than the limit of each, then anything above the limit within one day in India
// awaits a second person.
func TestRefund_OneAdminAboveTheDailyLimit_NeedsASecondPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of := b.payments(4)
	state := func(p staff.Principal, paymentID string, rupees int64) approval.State {
		r, err := b.refund(p, paymentID, money.FromRupees(rupees))
		require.NoError(t, err)
		return r.State
	}
	require.Equal(t, approval.Approved, state(b.Asha, of[0], 60_000))
	require.Equal(t, approval.Approved, state(b.Asha, of[1], 40_000))
	require.Equal(t, approval.Waiting, state(b.Asha, of[2], 1), "it is one rupee above the limit")
	require.Equal(t, approval.Approved, state(b.Ravi, of[3], 60_000), "another's day")
	b.Work()
	b.Pass(24 * time.Hour)
	require.Equal(t, approval.Approved, state(b.Asha, of[0], 40_000), "a new day")
}

// Given an admin who opened a colleague's account, then both share one daily limit, also under concurrency and in the job. Other admins
// have their own.
func TestRefund_TwoLinkedAdminAccounts_ShareTheDailyLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of := b.payments(8)
	_, err := b.DB.Owner.Exec(`INSERT INTO staff_openings (staff_id, opened_by, way, opened_at, counts_until) VALUES ($1, $2, 'invited', $3, $4)`,
		b.Ravi.StaffID, b.Asha.StaffID, b.Clock.Now(), b.Clock.Now().Add(7*24*time.Hour))
	require.NoError(t, err)
	var all sync.WaitGroup
	for i, paymentID := range of[:6] {
		all.Go(func() {
			_, err := b.refund([]staff.Principal{b.Asha, b.Ravi}[i%2], paymentID, money.FromRupees(30_000))
			require.NoError(t, err)
		})
	}
	all.Wait()
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM reversals WHERE state = 'approved'`))
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM reversals WHERE state = 'waiting' AND needs_approval`))
	b.Work()
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM refunds`))
	third, err := member.Add(t.Context(), b.DB.Owner, "Farah", staff.RoleAdmin, b.Clock.Now())
	require.NoError(t, err)
	r, err := b.refund(third, of[6], money.FromRupees(90_000))
	require.NoError(t, err)
	require.Equal(t, approval.Approved, r.State, "a colleague whom nobody opened has a day of their own")
	b.Pass(8 * 24 * time.Hour)
	for _, p := range []staff.Principal{b.Asha, b.Ravi} {
		r, err := b.refund(p, of[7], money.FromRupees(1_000))
		require.NoError(t, err)
		require.Equal(t, approval.Approved, r.State)
		b.Work()
	}
}

func TestRefund_ConcurrentRequests_StayWithinTheDailyLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of := b.payments(6)
	var all sync.WaitGroup
	for _, paymentID := range of {
		all.Go(func() {
			_, err := b.refund(b.Asha, paymentID, money.FromRupees(30_000))
			require.NoError(t, err)
		})
	}
	all.Wait()
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM reversals WHERE state = 'approved'`))
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM reversals WHERE state = 'waiting' AND needs_approval`))
}

// Given a waiting request, and one inserted directly into the database, when their jobs are enqueued by hand, then
// nothing is paid.
func TestRefundJob_EnqueuedByHandWithoutApproval_PaysNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of := b.payments(2)
	waiting, err := b.refund(b.Asha, of[0], money.FromRupees(1_00_001))
	require.NoError(t, err)
	require.Equal(t, approval.Waiting, waiting.State)
	forged := id.New()
	_, err = b.DB.Owner.Exec(`INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key,
		requested_by, requested_at) SELECT $1, franchiser_id, id, 'refund', 10000100, 'mine', 'approved', false, 'by-hand-1', $2, $3
		FROM payments WHERE id = $4`, forged, b.Asha.StaffID, b.Clock.Now(), of[1])
	require.NoError(t, err)
	jobs := testkit.NewInserter(t, b.DB.API)
	for _, reversalID := range []string{waiting.ID, forged} {
		require.NoError(t, postgres.InTx(t.Context(), b.DB.API, func(tx *sqlx.Tx) error {
			_, err := jobs.InsertTx(t.Context(), tx, reversal.Args{ReversalID: reversalID}, queue.Options{Queue: queue.QueuePayments})
			return err
		}))
	}
	b.Work()
	require.Zero(t, b.Count(`SELECT count(*) FROM refunds`))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM reversals WHERE state = 'waiting' AND needs_approval`))

	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, forged, "It is right all the same")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds`))
}

// Given what an admin refunded alone today, when further requests of theirs with other dates are inserted directly into the
// database, then they await a second person like any other.
func TestRefund_RequestsWithForgedDates_NeedASecondPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of := b.payments(3)
	_, err := b.refund(b.Asha, of[0], money.FromRupees(60_000))
	require.NoError(t, err)
	b.Work()
	jobs := testkit.NewInserter(t, b.DB.API)
	for i, at := range []time.Time{b.Clock.Now().AddDate(0, 0, -1), b.Clock.Now().AddDate(0, 0, 3)} {
		forged := id.New()
		_, err = b.DB.Owner.Exec(`INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key,
			requested_by, requested_at) SELECT $1, franchiser_id, id, 'refund', 6000000, 'mine', 'approved', false, 'by-hand-' || $1::uuid::text, $2, $3
			FROM payments WHERE id = $4`, forged, b.Asha.StaffID, at, of[i+1])
		require.NoError(t, err)
		require.NoError(t, postgres.InTx(t.Context(), b.DB.API, func(tx *sqlx.Tx) error {
			_, err := jobs.InsertTx(t.Context(), tx, reversal.Args{ReversalID: forged}, queue.Options{Queue: queue.QueuePayments})
			return err
		}))
	}
	b.Work()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds`))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM reversals WHERE state = 'waiting' AND needs_approval`))
}
