package payment_test

import (
	"context"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func TestPurchase_ErasureScheduled_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	refused := func(w subscription.PurchaseIntent) {
		t.Helper()
		_, asked := b.Request(b.Buyer, w)
		_, seen := b.API.Checkout.Preview(t.Context(), b.Buyer, w)
		for _, err := range []error{asked, seen} {
			require.Error(t, err)
			require.Equal(t, errs.KindConflict, errs.KindOf(err))
			require.Equal(t, "erasure_scheduled", errs.As(err).Code)
		}
	}
	erase := func(set string) {
		t.Helper()
		_, err := b.DB.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = `+set+` WHERE id = $1`, b.Buyer)
		require.NoError(t, err)
	}
	wish := story.Buy(b.Tier(0, 0), plan.TypeYearly)

	open := b.Ask(b.Buyer, wish)
	require.NotNil(t, open.Session)
	erase("now()")
	refused(wish) // neither the open charge nor a new one
	refused(story.Buy(b.Tier(1, 1), plan.TypeMonthly))
	erase("NULL")
	b.Pay(b.Buyer, wish)

	id := b.Text(`SELECT id FROM subscriptions WHERE franchiser_id = $1`, b.Buyer)
	b.Pass(340 * 24 * time.Hour)
	erase("now()")
	refused(world.Renewal(id))
	refused(subscription.PurchaseIntent{SubscriptionID: id, AddOnIDs: []string{b.Tier(0, 0).AddOns[0].ID}})
	trial := b.Franchiser("29")
	_, err := b.DB.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`, trial)
	require.NoError(t, err)
	require.Equal(t, "erasure_scheduled", errs.As(b.Trial(trial)).Code)
	erase("NULL")
	b.Pay(b.Buyer, world.Renewal(id))
	b.Balanced()
}

// Given an open charge, when it is paid while the account's erasure is scheduled, or after it, then all of it is refunded and
// nothing is bought.
func TestPayment_DuringOrAfterErasure_IsRefunded(t *testing.T) {
	t.Parallel()
	for name, erase := range map[string]string{
		"scheduled": `UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`,
		"done": `UPDATE franchisers SET erasure_requested_at = now() - interval '8 days', erased_at = now(), mobile = 'erased ' || id, email = ''
			WHERE id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
			require.NotNil(t, r.Session)
			_, err := b.DB.Owner.Exec(erase, b.Buyer)
			require.NoError(t, err)
			b.Settle(r, payment.StatusPaid)
			b.Work()
			require.Zero(t, b.Count(`SELECT count(*) FROM subscriptions WHERE franchiser_id = $1`, b.Buyer))
			require.Zero(t, b.Count(`SELECT count(*) FROM invoices WHERE franchiser_id = $1`, b.Buyer))
			require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds WHERE franchiser_id = $1 AND reason = 'surplus'`, b.Buyer))
			o := b.order(r)
			require.Equal(t, []any{"failed", "This account was to be erased when this payment arrived, so nothing was bought. All of it was refunded."}, []any{o.PaymentState, o.Reason})
			b.Balanced()
		})
	}
}

// OwedTx covers everything still to be returned to a customer, for the customer's role and for the worker's.
func TestOwedTx_RefundAtEachStep_IsOwedUntilPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.Franchiser("29")
	owes := func(want money.Paise, why string) {
		t.Helper()
		for _, db := range []*sqlx.DB{b.DB.API, b.DB.Worker} {
			for franchiser, want := range map[string]money.Paise{b.Buyer: want, other: 0} {
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
	paid := func(want bool) {
		t.Helper()
		for franchiser, want := range map[string]bool{b.Buyer: want, other: false} {
			require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.API, franchiser, func(tx *sqlx.Tx) error {
				ever, err := payment.Debts{}.HasPaidTx(t.Context(), tx, franchiser)
				require.Equal(t, want, ever)
				return err
			}))
		}
	}
	owes(0, "nothing was paid")
	paid(false)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	owes(0, "it paid for the plan")
	paid(true)

	asked, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), money.FromRupees(500), "goodwill", "key-one-1")
	require.NoError(t, err)
	require.Equal(t, approval.Approved, asked.State)
	owes(money.FromRupees(500), "it is approved and not done")
	b.Work()
	owes(0, "it is back")

	b.Gateway.SlowRefunds(r.TransactionID)
	b.Gateway.DecideAs(r.TransactionID, "second", payment.StatusPaid, r.Amount)
	_, err = b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.Work()
	owes(r.Amount, "it is on its way")
	b.Gateway.EndRefund(payment.RefundOutcome{
		RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "closed",
	})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds WHERE state = 'sent'`)))
	owes(r.Amount, "the gateway refused it")
	_, err = b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindBankTransfer, BankReference: "HDFCN52026112112345678",
		Reason: "the account is closed", Key: "key-two-2",
	})
	require.NoError(t, err)
	owes(r.Amount, "the transfer is not booked, and is no second debt")
	b.Work()
	owes(0, "it was paid by bank")
}

// Given a refund of an invoiced payment, then it counts as owed while it awaits a second admin, and after the gateway refused it
// permanently, until the money is returned in another way.
func TestOwedTx_RefundOfAnInvoice_IsOwedUntilPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owes := func(want money.Paise, why string) {
		t.Helper()
		require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) error {
			owed, err := payment.Debts{}.OwedTx(t.Context(), tx, b.Buyer)
			require.Equal(t, want, owed, why)
			return err
		}))
	}
	large := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	waiting, err := b.refund(b.Asha, b.PaymentOf(large), money.FromRupees(1_00_001))
	require.NoError(t, err)
	require.Equal(t, approval.Waiting, waiting.State)
	owes(money.FromRupees(1_00_001), "a second admin is waited for")
	_, err = b.Reversals.Decline(b.Ravi.Sign(t.Context()), b.Ravi, waiting.ID, "she keeps it")
	require.NoError(t, err)
	owes(0, "it was declined")

	b.Gateway.SlowRefunds(large.TransactionID)
	for range 2 { // the second one retries the same refund
		_, err = b.refund(b.Asha, b.PaymentOf(large), money.FromRupees(500))
		require.NoError(t, err)
		b.Work()
		b.Gateway.EndRefund(payment.RefundOutcome{
			RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "closed",
		})
		require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds WHERE state = 'sent'`)))
		owes(money.FromRupees(500), "the gateway refused it")
		b.Pass(time.Hour)
	}
	_, err = b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(large), Kind: reversal.KindCreditNote, Amount: money.FromRupees(500),
		BankReference: "HDFCN52026112112345678", Reason: "the account is closed", Key: "key-two-2",
	})
	require.NoError(t, err)
	owes(money.FromRupees(500), "the transfer is not booked, and is no second debt")
	b.Work()
	owes(0, "it was paid by bank")
}

// Given permanently failed refunds of an invoice, then the debt is their sum less later retries, and staff see that amount. Other refunds
// of the payment do not change it.
func TestOwedTx_FailedRefunds_OweTheirSumLessRetries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.nextDays(1)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	paid := b.PaymentOf(r)
	owes := func(want money.Paise, why string) {
		t.Helper()
		require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) error {
			owed, err := payment.Debts{}.OwedTx(t.Context(), tx, b.Buyer)
			require.Equal(t, want, owed, why)
			return err
		}))
		shown := b.Count(`SELECT coalesce(sum(amount_paise), 0)::bigint FROM waiting_money_of_all() WHERE kind = 'refund'`)
		failed := b.Count(`SELECT count(*) FROM refunds WHERE state = 'failed'`) > 0
		open := b.Count(`SELECT count(*) FROM refunds WHERE state IN ('requested', 'sent')`) > 0
		if require.False(t, failed && want == 0, why); failed && !open {
			require.Equal(t, want, money.Paise(shown), why)
		}
	}
	fail := func() {
		t.Helper()
		b.Gateway.EndRefund(payment.RefundOutcome{
			RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent' ORDER BY created_at, id LIMIT 1`), Failed: true, Reason: "closed",
		})
		require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds WHERE state = 'sent' ORDER BY created_at, id LIMIT 1`)))
	}
	b.Gateway.SlowRefunds(r.TransactionID)
	for range 2 {
		_, err := b.refund(b.Asha, paid, money.FromRupees(500))
		require.NoError(t, err)
		b.Work()
	}
	owes(money.FromRupees(1_000), "both are on their way")
	b.Pass(time.Hour)
	fail()
	fail()
	owes(money.FromRupees(1_000), "both failed")
	b.Pass(time.Hour)

	_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: paid, Kind: reversal.KindCreditNote, Amount: money.FromRupees(500),
		BankReference: "HDFCN52026112112345678", Reason: "the account is closed", Key: "key-two-2",
	})
	require.NoError(t, err)
	b.Work()
	owes(money.FromRupees(500), "one was paid by bank")

	b.Gateway.CaptureAgain(r.TransactionID, "ANOTHER", r.Amount)
	b.nextDays(12)
	b.Gateway.EndRefund(payment.RefundOutcome{
		RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE gateway_payment_id = 'ANOTHER'`), Done: true,
	})
	b.nextDays(2)
	require.Equal(t, "done", b.Text(`SELECT state FROM refunds WHERE gateway_payment_id = 'ANOTHER'`))
	owes(money.FromRupees(500), "another capture is other money")

	_, err = b.refund(b.Asha, paid, money.FromRupees(500))
	require.NoError(t, err)
	b.Work()
	owes(money.FromRupees(500), "it is tried again")
	b.Pass(time.Hour)
	fail()
	owes(money.FromRupees(500), "it is the same money")
}
