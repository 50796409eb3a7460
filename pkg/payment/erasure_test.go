package payment_test

import (
	"context"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

func TestNothingIsSoldToAnAccountThatIsToBeErased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	refused := func(w subscription.PurchaseIntent) {
		t.Helper()
		_, asked := b.request(b.owner, w)
		_, seen := b.api.Preview(t.Context(), b.owner, w)
		for _, err := range []error{asked, seen} {
			require.Error(t, err)
			require.Equal(t, errs.KindConflict, errs.KindOf(err))
			require.Equal(t, "erasure_scheduled", errs.As(err).Code)
		}
	}
	erase := func(set string) {
		t.Helper()
		_, err := b.db.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = `+set+` WHERE id = $1`, b.owner)
		require.NoError(t, err)
	}
	wish := buy(b.tier(0, 0), plan.TypeYearly)

	open := b.ask(b.owner, wish)
	require.NotNil(t, open.Session)
	erase("now()")
	refused(wish) // neither the open charge again, nor another one
	refused(buy(b.tier(1, 1), plan.TypeMonthly))
	erase("NULL")
	b.pay(b.owner, wish)

	id := b.text(`SELECT id FROM subscriptions WHERE franchiser_id = $1`, b.owner)
	b.pass(340 * 24 * time.Hour)
	erase("now()")
	refused(subscriptionWish(id))
	refused(subscription.PurchaseIntent{SubscriptionID: id, AddOnIDs: []string{b.tier(0, 0).AddOns[0].ID}})
	trial := b.franchiser("29")
	_, err := b.db.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`, trial)
	require.NoError(t, err)
	require.Equal(t, "erasure_scheduled", errs.As(startTrial(b, trial)).Code)
	erase("NULL")
	b.pay(b.owner, subscriptionWish(id))
	b.books()
}

// Given a charge that was opened before, when it is paid while the account is to be erased, or after, then all of it goes back
// and nothing was bought.
func TestWhatIsPaidWhileAnErasureIsScheduledGoesBack(t *testing.T) {
	t.Parallel()
	for name, erase := range map[string]string{
		"scheduled": `UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`,
		"done": `UPDATE franchisers SET erasure_requested_at = now() - interval '8 days', erased_at = now(), mobile = 'erased ' || id, email = ''
			WHERE id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			r := b.ask(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
			require.NotNil(t, r.Session)
			_, err := b.db.Owner.Exec(erase, b.owner)
			require.NoError(t, err)
			b.settle(r, payment.StatusPaid)
			b.work()
			require.Zero(t, b.count(`SELECT count(*) FROM subscriptions WHERE franchiser_id = $1`, b.owner))
			require.Zero(t, b.count(`SELECT count(*) FROM invoices WHERE franchiser_id = $1`, b.owner))
			require.Equal(t, 1, b.count(`SELECT count(*) FROM refunds WHERE franchiser_id = $1 AND reason = 'surplus'`, b.owner))
			o := b.order(r)
			require.Equal(t, []any{"failed", "This account was to be erased when this payment arrived, so nothing was bought. All of it was refunded."}, []any{o.PaymentState, o.Reason})
			b.books()
		})
	}
}

// Given a customer, then what is owed to it is all that has to go back and is not back yet, for its own eyes and for the worker's.
func TestWhatIsOwedToACustomer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.franchiser("29")
	owes := func(want money.Paise, why string) {
		t.Helper()
		for _, db := range []*sqlx.DB{b.db.API, b.db.Worker} {
			for franchiser, want := range map[string]money.Paise{b.owner: want, other: 0} {
				require.NoError(t, postgres.InTenantTx(t.Context(), db, franchiser, func(tx *sqlx.Tx) error {
					for _, read := range []func(context.Context, *sqlx.Tx, string) (money.Paise, error){payment.Debts{}.OwedTx, payment.Debts{}.LockOwedTx} {
						owed, err := read(t.Context(), tx, franchiser)
						require.NoError(t, err)
						require.Equal(t, want, owed, why)
					}
					return nil
				}))
			}
		}
	}
	owes(0, "nothing was paid")
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	owes(0, "it paid for the plan")

	asked, err := b.desk.RequestRefund(b.asha.Sign(t.Context()), b.asha, b.owner, b.paymentOf(r), money.FromRupees(500), "goodwill", "key-one-1")
	require.NoError(t, err)
	require.Equal(t, payment.ReversalApproved, asked.State)
	owes(money.FromRupees(500), "it is approved and not done")
	b.work()
	owes(0, "it is back")

	b.gateway.SlowRefunds(r.TransactionID)
	b.gateway.DecideAs(r.TransactionID, "second", payment.StatusPaid, r.Amount)
	_, err = b.api.Returned(t.Context(), b.gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.work()
	owes(r.Amount, "it is on its way")
	b.gateway.EndRefund(payment.RefundOutcome{
		RefundID: b.text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "closed",
	})
	require.NoError(t, b.worker.SendRefund(t.Context(), b.text(`SELECT id FROM refunds WHERE state = 'sent'`)))
	owes(r.Amount, "the gateway refused it")
	_, err = b.desk.Request(b.asha.Sign(t.Context()), b.asha, payment.ReversalInput{
		FranchiserID: b.owner, PaymentID: b.paymentOf(r), Kind: payment.ReversalBankTransfer, BankReference: "HDFCN52026112112345678",
		Reason: "the account is closed", Key: "key-two-2",
	})
	require.NoError(t, err)
	owes(r.Amount, "the transfer is not booked, and is no second debt")
	b.work()
	owes(0, "it was paid by bank")
}

// Given money of an invoice that staff want to give back, then it is owed while a second admin is waited for, and after the gateway
// refused it for good, until it is given back in another way.
func TestARefundOfAnInvoiceIsOwedUntilItIsBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owes := func(want money.Paise, why string) {
		t.Helper()
		require.NoError(t, postgres.InTenantTx(t.Context(), b.db.Worker, b.owner, func(tx *sqlx.Tx) error {
			owed, err := payment.Debts{}.OwedTx(t.Context(), tx, b.owner)
			require.Equal(t, want, owed, why)
			return err
		}))
	}
	large := b.pay(b.owner, buy(b.tier(3, 2), plan.TypeYearly))
	waiting, err := b.refund(b.asha, b.paymentOf(large), money.FromRupees(1_00_001))
	require.NoError(t, err)
	require.Equal(t, payment.ReversalWaiting, waiting.State)
	owes(money.FromRupees(1_00_001), "a second admin is waited for")
	_, err = b.desk.Decline(b.ravi.Sign(t.Context()), b.ravi, waiting.ID, "she keeps it")
	require.NoError(t, err)
	owes(0, "it was declined")

	b.gateway.SlowRefunds(large.TransactionID)
	for range 2 { // the second one is the same refund, tried again
		_, err = b.refund(b.asha, b.paymentOf(large), money.FromRupees(500))
		require.NoError(t, err)
		b.work()
		b.gateway.EndRefund(payment.RefundOutcome{
			RefundID: b.text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "closed",
		})
		require.NoError(t, b.worker.SendRefund(t.Context(), b.text(`SELECT id FROM refunds WHERE state = 'sent'`)))
		owes(money.FromRupees(500), "the gateway refused it")
		b.pass(time.Hour)
	}
	_, err = b.desk.Request(b.asha.Sign(t.Context()), b.asha, payment.ReversalInput{
		FranchiserID: b.owner, PaymentID: b.paymentOf(large), Kind: payment.ReversalCreditNote, Amount: money.FromRupees(500),
		BankReference: "HDFCN52026112112345678", Reason: "the account is closed", Key: "key-two-2",
	})
	require.NoError(t, err)
	owes(money.FromRupees(500), "the transfer is not booked, and is no second debt")
	b.work()
	owes(0, "it was paid by bank")
}

func startTrial(b *bundle, franchiser string) error {
	return postgres.InTx(b.t.Context(), b.db.API, func(tx *sqlx.Tx) error {
		return b.world.APISubs.StartTrialTx(b.t.Context(), tx, franchiser)
	})
}

// Given refunds of an invoice that failed for good, then what is owed is what failed less what was tried after it, whatever else of the
// payment goes back, and staff are shown as much.
func TestWhatFailedRefundsOweIsASum(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.nextDays(1)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	paid := b.paymentOf(r)
	owes := func(want money.Paise, why string) {
		t.Helper()
		require.NoError(t, postgres.InTenantTx(t.Context(), b.db.Worker, b.owner, func(tx *sqlx.Tx) error {
			owed, err := payment.Debts{}.OwedTx(t.Context(), tx, b.owner)
			require.Equal(t, want, owed, why)
			return err
		}))
		shown := b.count(`SELECT coalesce(sum(amount_paise), 0)::bigint FROM waiting_money_of_all() WHERE kind = 'refund'`)
		failed := b.count(`SELECT count(*) FROM refunds WHERE state = 'failed'`) > 0
		open := b.count(`SELECT count(*) FROM refunds WHERE state IN ('requested', 'sent')`) > 0
		if require.False(t, failed && want == 0, why); failed && !open {
			require.Equal(t, want, money.Paise(shown), why)
		}
	}
	fail := func() {
		t.Helper()
		b.gateway.EndRefund(payment.RefundOutcome{
			RefundID: b.text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent' ORDER BY created_at, id LIMIT 1`), Failed: true, Reason: "closed",
		})
		require.NoError(t, b.worker.SendRefund(t.Context(), b.text(`SELECT id FROM refunds WHERE state = 'sent' ORDER BY created_at, id LIMIT 1`)))
	}
	b.gateway.SlowRefunds(r.TransactionID)
	for range 2 {
		_, err := b.refund(b.asha, paid, money.FromRupees(500))
		require.NoError(t, err)
		b.work()
	}
	owes(money.FromRupees(1_000), "both are on their way")
	b.pass(time.Hour)
	fail()
	fail()
	owes(money.FromRupees(1_000), "both failed")
	b.pass(time.Hour)

	_, err := b.desk.Request(b.asha.Sign(t.Context()), b.asha, payment.ReversalInput{
		FranchiserID: b.owner, PaymentID: paid, Kind: payment.ReversalCreditNote, Amount: money.FromRupees(500),
		BankReference: "HDFCN52026112112345678", Reason: "the account is closed", Key: "key-two-2",
	})
	require.NoError(t, err)
	b.work()
	owes(money.FromRupees(500), "one was paid by bank")

	b.gateway.CaptureAgain(r.TransactionID, "ANOTHER", r.Amount)
	b.nextDays(12)
	b.gateway.EndRefund(payment.RefundOutcome{
		RefundID: b.text(`SELECT gateway_refund_id FROM refunds WHERE gateway_payment_id = 'ANOTHER'`), Done: true,
	})
	b.nextDays(2)
	require.Equal(t, "done", b.text(`SELECT state FROM refunds WHERE gateway_payment_id = 'ANOTHER'`))
	owes(money.FromRupees(500), "another capture is other money")

	_, err = b.refund(b.asha, paid, money.FromRupees(500))
	require.NoError(t, err)
	b.work()
	owes(money.FromRupees(500), "it is tried again")
	b.pass(time.Hour)
	fail()
	owes(money.FromRupees(500), "it is the same money")
}
