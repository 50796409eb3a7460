package payment_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// heldPayment requests a charge and has the gateway capture a rupee less.
func (b *bundle) heldPayment(w subscription.PurchaseIntent) checkout.Requested {
	b.T.Helper()
	r := b.Ask(b.Buyer, w)
	asked := r.Amount
	r.Amount -= 100
	b.Settle(r, payment.StatusPaid)
	require.Equal(b.T, "held", b.State(r))
	r.Amount = asked
	return r
}

// heldBack is what both the preview and the request of a wish answer while money is held: nothing may be begun for it.
func (b *bundle) heldBack(w subscription.PurchaseIntent, r checkout.Requested, amount string) {
	b.T.Helper()
	_, preview := b.API.Checkout.Preview(b.T.Context(), b.Buyer, w)
	_, request := b.Request(b.Buyer, w)
	for _, err := range []error{preview, request} {
		require.ErrorIs(b.T, err, checkout.ErrHeld)
		require.Contains(b.T, errs.As(err).Message, amount)
		require.Equal(b.T, "/checkout/result/success?transaction_id="+r.TransactionID, errs.As(err).Data["redirect_to"])
	}
}

// Given a payment held for its wrong amount, then the customer is not charged for the same need until staff release it. A free change and
// other purchases stay possible.
func TestCharge_MoneyHeldForTheSameNeed_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	monthly := story.Buy(b.Tier(0, 0), plan.TypeMonthly)
	r := b.heldPayment(monthly)

	b.heldBack(monthly, r, "₹14,749")
	b.heldBack(story.Buy(b.Tier(1, 0), plan.TypeYearly), r, "₹14,749")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments`), "no second transaction")
	other := b.Franchiser("27")
	b.Ask(other, monthly)

	orders, _, err := b.API.History.Orders(t.Context(), b.Buyer, history.Query{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, "Under review", orders[0].Status)
	require.Equal(t, money.FromRupees(14_749), orders[0].Returned.Captured)
	rows, _, err := b.API.History.Payments(t.Context(), b.Buyer, history.Query{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(14_749), rows[0].Moved(), "what left the account")

	_, err = b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "another amount came", "release-1")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "refunded", b.State(r))
	orders, _, err = b.API.History.Orders(t.Context(), b.Buyer, history.Query{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, "Inactive", orders[0].Status, "it can be paid again")
	b.Pay(b.Buyer, monthly)
	b.Balanced()
}

// Given a payment that the gateway calls pending, then its order says that it is being confirmed until it is known, and only then
// whether it is to be paid.
func TestOrder_PendingPayment_ShowsBeingConfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	status := func() string {
		orders, _, err := b.API.History.Orders(t.Context(), b.Buyer, history.Query{Limit: 1})
		require.NoError(t, err)
		return orders[0].Status
	}
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	outcome := func() string {
		found, err := b.API.History.Result(t.Context(), b.Buyer, r.TransactionID)
		require.NoError(t, err)
		state, _, _ := found.Outcome()
		return state
	}
	require.Equal(t, "Inactive", status(), "asked for, and not yet tried")
	require.Equal(t, history.ResultConfirming, outcome(), "the gateway was not asked yet")
	b.Settle(r, payment.StatusOpened)
	require.Equal(t, "created", b.State(r))
	require.Equal(t, "Inactive", status(), "its page was opened, and nothing was paid there")
	require.Equal(t, history.ResultUnpaid, outcome())
	b.Settle(r, payment.StatusPending)
	require.Equal(t, history.ResultConfirming, outcome())
	require.Equal(t, "pending", b.State(r))
	require.Equal(t, "Being confirmed", status())
	b.Settle(r, payment.StatusFailed)
	require.Equal(t, "Inactive", status(), "it can be paid again")
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "Active", status())
}

func TestResult_BrowserClaimsAPaymentAfterTheOpenedPage_IsConfirming(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Settle(r, payment.StatusOpened)
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	found, err := b.API.History.Result(t.Context(), b.Buyer, r.TransactionID)
	require.NoError(t, err)
	state, _, _ := found.Outcome()
	require.Equal(t, history.ResultConfirming, state, "the gateway was not asked yet")
}

func TestHeldPayment_ForAPlan_BlocksNoAddOns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeYearly))
	upgrade := story.Buy(b.Tier(1, 0), plan.TypeYearly)
	r := b.heldPayment(upgrade)
	b.heldBack(upgrade, r, r.Amount.Display()[:len("₹3")])
	b.Pay(b.Buyer, b.AddOns(b.Buyer, tier.AddOns[1].ID))
	_, err := b.API.Checkout.Preview(t.Context(), b.Buyer, story.Buy(tier, plan.TypeMonthly))
	require.NoError(t, err, "a smaller plan at the renewal costs nothing now")
}

func TestHeldPayment_ForAnAddOn_BlocksOnlyAddOns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeYearly))
	addOn := b.AddOns(b.Buyer, tier.AddOns[1].ID)
	r := b.heldPayment(addOn)
	b.heldBack(addOn, r, (r.Amount - 100).Display())
	b.Ask(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeYearly))
}

// Given a key whose payment is held, then asking again with it says so and not that it was paid.
func TestRequest_SameKeyAsAHeldPayment_ReportsThatItIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := checkout.Input{Intent: story.Buy(b.Tier(0, 0), plan.TypeMonthly), Key: "key-held-1"}
	r, err := b.API.Checkout.Request(t.Context(), b.Buyer, in)
	require.NoError(t, err)
	r.Amount--
	b.Settle(r, payment.StatusPaid)
	_, err = b.API.Checkout.Request(t.Context(), b.Buyer, in)
	require.ErrorIs(t, err, checkout.ErrHeld)
}

// Given held money that staff give back, then the result page follows it: on its way, and back when it is, by which way.
func TestResult_HeldPaymentReleased_ShowsTheRefund(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.heldPayment(story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	came := r.Amount - 100
	require.Equal(t, "held", b.result(r)[0])
	b.Gateway.SlowRefunds(r.TransactionID)
	_, err := b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "another amount came", "release-1")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, []string{"failed", "The amount received differs from the amount due. It is being refunded.", "charged"}, b.result(r))
	back := b.backOf()
	require.Equal(t, history.BackOnItsWay, back.State())
	require.Equal(t, came, back.Going)
	require.Zero(t, back.DoneAt)
	require.Equal(t, payment.ChannelGateway, back.Channel)
	b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))

	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds`), Done: true})
	b.Pass(25 * time.Hour)
	require.Equal(t, []string{"failed", "The amount received differs from the amount due. It was refunded.", "charged"}, b.result(r))
	found, err := b.API.History.Result(t.Context(), b.Buyer, r.TransactionID)
	require.NoError(t, err)
	require.Equal(t, history.BackFully, found.Returned.State())
	require.Equal(t, came, found.Returned.Done)
	require.Equal(t, came, found.Moved())
	require.False(t, found.Returned.DoneAt.IsZero())
}

// Given held money whose refund fails for good, then result, payment and order say alike that staff see to it, until they paid it
// by bank.
func TestHeldPayment_RefundFails_IsShownAsWithStaffUntilPaidByBank(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.heldPayment(story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	came := r.Amount - 100
	b.Gateway.SlowRefunds(r.TransactionID)
	_, err := b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "another amount came", "release-1")
	require.NoError(t, err)
	b.Work()
	asked := func() int {
		found, err := b.API.History.Result(t.Context(), b.Buyer, r.TransactionID)
		require.NoError(t, err)
		return found.PollAfter()
	}
	require.Equal(t, 60, asked(), "it is on its way back")
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds`), Failed: true, Reason: "closed"})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds`)))

	reason := "The amount received differs from the amount due. It could not be refunded yet; our team is working on it."
	require.Equal(t, []string{"failed", reason, "charged"}, b.result(r))
	require.Equal(t, reason, b.order(r).Reason)
	back := b.backOf()
	require.Equal(t, history.BackLookedAt, back.State())
	require.Equal(t, came, back.Owed)
	require.Zero(t, back.Going)
	require.Equal(t, 60, asked(), "staff are at it")
	_, err = b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "once more", "release-2")
	require.ErrorIs(t, err, reversal.ErrNotHeld, "it was released")

	_, err = b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindBankTransfer, BankReference: "HDFCN52026112112345678",
		Reason: "the account is closed", Key: "key-paid-1",
	})
	require.NoError(t, err)
	b.Work()
	back = b.backOf()
	require.Equal(t, history.BackFully, back.State())
	require.Zero(t, back.Owed)
	require.Equal(t, "The amount received differs from the amount due. It was refunded.", b.result(r)[1])
	require.Zero(t, asked(), "all of it is back")
	b.Balanced()
}

// The reason recorded when a refund begins is updated with its outcome.
func TestPaymentReason_RefundEnds_ShowsItsOutcome(t *testing.T) {
	t.Parallel()
	going := history.Returned{Captured: 100, Going: 100}
	owed := history.Returned{Captured: 100, Owed: 100}
	done := history.Returned{Captured: 100, Done: 100}
	for _, c := range []struct {
		reason string
		back   history.Returned
		want   string
	}{
		{"", going, "This was paid already. The amount of this payment is being refunded."},
		{"", owed, "This was paid already. The amount of this payment could not be refunded yet; our team is working on it."},
		{"", done, "This was paid already. The amount of this payment was refunded."},
		{"Gone. All of it is being refunded.", owed, "Gone. It could not be refunded yet; our team is working on it."},
		{
			"Nothing was changed and all of it is being refunded. Please order again.", owed,
			"Nothing was changed and it could not be refunded yet; our team is working on it. Please order again.",
		},
	} {
		r := history.Result{
			Row:       history.Row{Payment: payment.Payment{State: payment.StatePaid, Surplus: true, Reason: c.reason}, Returned: c.back},
			OrderPaid: true,
		}
		_, reason, _ := r.Outcome()
		require.Equal(t, c.want, reason)
	}
}

// Given a capture after the plan changed, then the message does not claim that the plan had been paid already.
func TestCapture_PlanChangedBefore_SaysWhyItIsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeYearly))
	up := b.Ask(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	b.Pay(b.Buyer, b.AddOns(b.Buyer, tier.AddOns[1].ID))
	b.Settle(up, payment.StatusPaid)
	require.Equal(t, []string{
		"failed", "Your plan had changed by the time this payment arrived, so what it was for was no longer available. All of it was refunded.", "charged",
	}, b.result(up))
}

func TestResult_PaymentCancelledByTheCustomer_IsNotAFailure(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Gateway.Decide(r.TransactionID, payment.StatusFailed, r.Amount)
	b.Gateway.Change(r.TransactionID, func(o *payment.Outcome) {
		o.Reason, o.Cancelled = "Transaction failed due to customer pressing cancel button.", true
	})
	_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.Work()
	require.Equal(t, []string{"failed", "You cancelled the payment.", "unknown"}, b.result(r), "a success may still come")
	rows, _, err := b.API.History.Payments(t.Context(), b.Buyer, history.Query{Limit: 1})
	require.NoError(t, err)
	require.True(t, rows[0].Cancelled())
	b.Settle(r, payment.StatusPaid)
	rows, _, err = b.API.History.Payments(t.Context(), b.Buyer, history.Query{Limit: 1})
	require.NoError(t, err)
	require.False(t, rows[0].Cancelled(), "it was paid after all")
}

// Given a plan replaced by an upgrade, then its order ended on the last day that was not credited. The upgrade's row names its invoice and
// what paid the rest.
func TestOrder_ReplacedByAnUpgrade_EndsOnTheLastUncreditedDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Live(10)
	up := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.Equal(t, "Active 2027-11-11 2027-11-12", b.OrderLine(0))
	require.Equal(t, "Replaced 2026-11-11 -", b.OrderLine(1))
	rows, _, err := b.API.History.Payments(t.Context(), b.Buyer, history.Query{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, up.Amount, rows[0].Moved())
	require.Positive(t, rows[0].Returned.Applied)
	require.Equal(t, up.Amount+rows[0].Returned.Applied, rows[0].Returned.InvoiceTotal())
	require.Zero(t, rows[1].Returned.Applied)
	require.Equal(t, first.Amount, rows[1].Returned.InvoiceTotal())
	note := rows[1].Returned.Documents[1]
	require.Equal(t, b.Count(`SELECT igst_paise FROM invoices WHERE kind = 'credit_note'`), int(note.Tax))
	require.Equal(t, rows[0].Returned.Applied, note.Total)
	require.Equal(t, "12 Nov 2026 to 1 Nov 2027, 355 of 365 days", b.Text(`SELECT l.detail FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id
		WHERE i.kind = 'credit_note'`), "the days that are credited, so that the buyer can reckon it")
	require.Equal(t, int(money.FromRupees(1_35_000).Prorate(355, 365)), b.Count(`SELECT taxable_paise FROM invoices WHERE kind = 'credit_note'`))
}

// Given add-ons that were bought by themselves, when an upgrade takes them over, then their order ended with the plan that they were for.
func TestAddOnOrder_TakenOverByAnUpgrade_EndsWithItsPlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	small := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(small, plan.TypeYearly))
	b.Pay(b.Buyer, b.AddOns(b.Buyer, small.AddOns[2].ID))
	require.Equal(t, "Active 2027-11-01 -", b.OrderLine(0))
	b.Live(10)
	b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.Equal(t, "Active 2027-11-11 2027-11-12", b.OrderLine(0))
	require.Equal(t, "Replaced 2026-11-11 -", b.OrderLine(1))
}

// Given a dispute known only from an unsigned notice, then it is not shown to the customer.
func TestDispute_KnownOnlyFromAnUnsignedWebhook_IsNotShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	require.Equal(t, history.BackDisputed, b.backOf().State())
	_, err := b.DB.Owner.Exec(`UPDATE disputes SET confirmed = false`)
	require.NoError(t, err)
	require.Equal(t, history.BackNone, b.backOf().State())
}

// The gateway or a lost dispute returns held money: the payment is released, its rest is refunded too, and it has one refund voucher.
func TestHeldPayment_RefundedByGatewayOrBank_IsReleasedWithItsRest(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]func(b *bundle, r checkout.Requested, amount money.Paise){
		"at the gateway's dashboard": func(b *bundle, r checkout.Requested, amount money.Paise) {
			require.NoError(b.T, b.API.Notices.Notified(b.T.Context(), world.GatewayName, b.Gateway.RefundNotice(r.TransactionID, "RG-1", amount)))
			b.Work()
		},
		"by a dispute that is lost": func(b *bundle, r checkout.Requested, amount money.Paise) {
			b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: amount})
		},
	} {
		for _, all := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " all ", all), func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				r := b.heldPayment(story.Buy(b.Tier(0, 0), plan.TypeMonthly))
				came := r.Amount - 100
				amount := came
				if !all {
					amount -= 1_000
				}
				back(b, r, amount)
				b.Work()
				require.Equal(t, "refunded", b.State(r))
				require.Equal(t, came, money.Paise(b.Count(`SELECT sum(amount_paise) FROM refunds WHERE state = 'done'`)))
				require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'refund_voucher'`))
				_, err := b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "another amount came", "release-1")
				require.ErrorIs(t, err, reversal.ErrNotHeld)
				b.Balanced()
			})
		}
	}
}

// Given a held payment of which the bank took two thirds, when the gateway permanently refuses to refund the rest, then the rest is owed in
// full.
func TestHeldPayment_RefundOfItsRestFails_IsOwed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.heldPayment(story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	came := r.Amount - 100
	taken := came / 3 * 2
	b.Gateway.SlowRefunds(r.TransactionID)
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: taken})
	b.Work()
	b.Gateway.EndRefund(payment.RefundOutcome{
		RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "closed",
	})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds WHERE state = 'sent'`)))
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) error {
		owed, err := payment.Debts{}.OwedTx(t.Context(), tx, b.Buyer)
		require.Equal(t, came-taken, owed)
		return err
	}))
	require.Equal(t, came-taken, money.Paise(b.Count(`SELECT sum(amount_paise)::bigint FROM waiting_money_of_all() WHERE kind = 'refund'`)))
	b.Balanced()
}

// Given a held payment and a second capture, then the second is refunded automatically, and the first stays held.
func TestHeldPayment_SecondCapture_IsRefundedAndTheFirstStaysHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.nextDays(1)
	r := b.heldPayment(story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Gateway.CaptureAgain(r.TransactionID, "ANOTHER", r.Amount-100)
	b.nextDays(12)
	require.Equal(t, "held", b.State(r))
	require.Equal(t, "ANOTHER done", b.Text(`SELECT gateway_payment_id || ' ' || state FROM refunds`))
	b.Balanced()
}
