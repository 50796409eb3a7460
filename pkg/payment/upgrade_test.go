package payment_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// documents lists a franchiser's documents: kind, regime, value before discount, discount, heads and total, in paise.
func (b *bundle) documents(franchiser string) []string {
	b.T.Helper()
	var list []string
	require.NoError(b.T, b.DB.Owner.Select(&list, `SELECT concat_ws(' ', i.kind, i.place_of_supply, i.discount_paise, i.taxable_paise,
		i.cgst_paise, i.sgst_paise, i.igst_paise, i.total_paise, (SELECT 'to ' || o.number FROM invoices o WHERE o.id = i.original_id))
		FROM invoices i WHERE i.franchiser_id = $1 ORDER BY i.issued_at, i.series DESC, i.number`, franchiser))
	return list
}

func (b *bundle) move(franchiser, state string) {
	b.T.Helper()
	_, err := b.DB.Owner.Exec(`UPDATE business_addresses SET state_id = $2 WHERE franchiser_id = $1`, franchiser, state)
	require.NoError(b.T, err)
}

// Given a plan bought in Maharashtra, when the customer moves to Karnataka and upgrades on the same day, then the whole old plan is
// returned by a credit note with CGST and SGST, the new one is invoiced in full with IGST, and the gateway charges the difference.
func TestUpgrade_AfterAMoveToAnotherState_CreditsTheOldPlanWithItsOwnTaxes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.Franchiser("27")
	first := b.Pay(f, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.Equal(t, money.FromRupees(1_59_300), first.Amount)
	b.move(f, "29")
	target := b.Tier(3, 2)
	list, discount := target.Price(plan.TypeYearly)
	value := list - discount
	up := b.Pay(f, story.Buy(target, plan.TypeYearly))
	require.Equal(t, value+value.MulBps(1800)-money.FromRupees(1_59_300), up.Amount)
	number := b.Text(`SELECT number FROM invoices WHERE payment_id = $1 AND kind = 'invoice'`, b.PaymentOf(first))
	require.Equal(t, []string{
		"invoice 27 1500000 13500000 1215000 1215000 0 15930000",
		sprint("invoice 29", discount, value, 0, 0, value.MulBps(1800), value+value.MulBps(1800)),
		"credit_note 27 0 13500000 1215000 1215000 0 15930000 to " + number,
	}, b.documents(f))
	require.Zero(t, b.Balance("receivable"))
	require.Zero(t, b.Balance("customer_credit"))
	require.Zero(t, b.Balance("output_cgst"))
	require.Equal(t, -value.MulBps(1800), b.Balance("output_igst"))
	require.Equal(t, first.Amount+up.Amount, b.Balance("gateway_clearing"))
	b.Balanced()
}

// Given a rate that fell from 18% to 12%, then unused days paid at 18% are returned at 18%.
func TestUpgrade_TaxRateLowered_CreditsUnusedDaysAtTheRatePaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Tax(0, 1200)
	target := b.Tier(3, 2)
	list, discount := target.Price(plan.TypeYearly)
	up := b.Pay(b.Buyer, story.Buy(target, plan.TypeYearly))
	require.Equal(t, list-discount+(list-discount).MulBps(1200)-money.FromRupees(1_59_300), up.Amount)
	b.Balanced()
}

// Given add-ons bought in the middle of a term, then an upgrade credits each invoice with its own note.
func TestUpgrade_SeveralInvoices_EachHasItsOwnCreditNote(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(t00, plan.TypeYearly))
	b.Live(100)
	b.Pay(b.Buyer, b.AddOns(b.Buyer, t00.AddOns[2].ID))
	b.Live(65)
	b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	var titles []string
	require.NoError(t, b.DB.Owner.Select(&titles, `SELECT DISTINCT title FROM order_credits ORDER BY title`))
	require.ElementsMatch(t, []string{t00.Title(), t00.AddOns[2].Name}, titles)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note' AND applied_payment_id IS NOT NULL`))
	require.Equal(t, 0, b.Count(`SELECT count(*) FROM (SELECT original_id FROM invoices WHERE kind = 'credit_note' GROUP BY 1 HAVING count(*) > 1) x`))
	require.Zero(t, b.Balance("receivable"))
	require.Zero(t, b.Balance("customer_credit"))
	b.Balanced()
}

// Given a plan whose value was used for an upgrade, then staff can refund only its invoice's remainder. A refund made at the gateway anyway
// ends the plan: the next upgrade credits none of it.
func TestRefund_ValueUsedForAnUpgrade_IsNotRefundedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 1), plan.TypeYearly))
	require.ErrorIs(t, b.GiveBack(b.PaymentOf(first), first.Amount-money.Rupee), reversal.ErrRefundTooMuch)
	require.ErrorIs(t, b.GiveBack(b.PaymentOf(first), 0), reversal.ErrRefundTooMuch)

	require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", b.Gateway.RefundNotice(first.TransactionID, "R-own", first.Amount-money.Rupee)))
	b.Work()
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Balanced()
	next := b.Ask(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.Zero(t, b.Count(`SELECT count(*) FROM order_credits WHERE order_id = $1`, next.OrderID))
}

// Given a refund between requesting and paying for an upgrade, then the upgrade does not apply and its money is
// refunded: the credit it relied on is gone.
func TestUpgrade_CreditRefundedBeforeItIsPaid_IsNotApplied(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	up := b.Ask(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.NoError(t, b.GiveBack(b.PaymentOf(first), money.FromRupees(500)))
	b.Settle(up, payment.StatusPaid)
	require.Equal(t, "refunded", b.State(up))
	require.Contains(t, b.Standing(b.Buyer), "active")
	b.Balanced()
	require.Equal(t, up.Amount, b.backOf().Done, "all of it")

	again := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.Equal(t, up.Amount+money.FromRupees(500), again.Amount)
	b.Balanced()
}

// Given a refund under way, then an upgrade credits only the remainder.
func TestUpgrade_RefundUnderWay_CreditsOnlyTheRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.SetSlow(true)
	require.NoError(t, b.GiveBack(b.PaymentOf(first), money.FromRupees(59_300)))
	up := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.Equal(t, "paid", b.State(up))
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds`), Done: true})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds`)))
	require.Equal(t, first.Amount, money.Paise(b.Count(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`)))
	b.Balanced()
}

// Given an upgrade whose payment was refunded in full, then its credit can be refunded by bank, up to its amount.
func TestUpgrade_PaymentRefundedInFull_CreditIsPayableByBank(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	up := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.NoError(t, b.GiveBack(b.PaymentOf(up), 0))
	require.Equal(t, "refunded", b.State(up))
	require.Contains(t, b.Standing(b.Buyer), "active", "what the first payment paid of it is not back")
	b.Balanced()
	asked, err := b.Reversals.RequestCreditNote(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(up), "HDFCN52026112112345678", "all back", "key-bank-1")
	require.NoError(t, err)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "transfer seen")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "done", b.Text(`SELECT state FROM reversals WHERE id = $1`, asked.ID))
	require.Contains(t, b.Standing(b.Buyer), "expired")
	_, err = b.Reversals.RequestCreditNote(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(up), "HDFCN52026112112345679", "more", "key-bank-2")
	require.ErrorIs(t, err, reversal.ErrRefundTooMuch)
	require.Zero(t, b.Balance("revenue")+b.Balance("refunds"))
	b.Balanced()
}

func sprint(head string, amounts ...money.Paise) string {
	for _, a := range amounts {
		head += " " + strconv.FormatInt(int64(a), 10)
	}
	return head
}

// Given a refund after 30 November of the year after the invoice's, then the money is returned by a note without GST, in a
// series of its own, and the output tax stays due.
func TestRefund_AfterTheTimeLimit_HasACreditNoteWithoutGST(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly)) // 2 November 2026: until 30 November 2027
	tax := b.Balance("output_igst")
	b.Pass(394 * story.Day)
	require.NoError(t, b.GiveBack(b.PaymentOf(r), money.FromRupees(5_900)))
	require.Equal(t, "CC/27-28/000001 true 590000 0 590000", b.Text(`SELECT concat_ws(' ', number, commercial::text, taxable_paise,
		igst_paise, total_paise) FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, tax, b.Balance("output_igst"))
	require.NoError(t, b.GiveBack(b.PaymentOf(r), 0))
	require.Equal(t, r.Amount, money.Paise(b.Count(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`)))
	require.Equal(t, "refunded", b.State(r))
	b.Balanced()
}

func TestRefund_OnTheLastDayOfTheTimeLimit_ReducesTheTax(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Pass(393 * story.Day)
	require.NoError(t, b.GiveBack(b.PaymentOf(r), 0))
	require.Equal(t, "CN/27-28/000001 false", b.Text(`SELECT concat_ws(' ', number, commercial::text) FROM invoices WHERE kind = 'credit_note'`))
	require.Zero(t, b.Balance("output_igst"))
	b.Balanced()
}

func TestCreditNote_InternalNoteOfStaff_IsNotPrinted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	in := reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindRefund, Amount: money.FromRupees(500),
		Reason: "shouted at Ravi on the phone", Key: "key-one-1",
	}
	_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, in)
	require.NoError(t, err)
	b.Work()
	in.Key, in.PrintedReason = "key-two-2", "Price adjusted as agreed"
	asked, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, in)
	require.NoError(t, err)
	require.Equal(t, "shouted at Ravi on the phone", asked.Reason)
	b.Work()
	require.Equal(t, refund.ReasonRefund+" | Price adjusted as agreed",
		b.Text(`SELECT string_agg(reason, ' | ' ORDER BY number) FROM invoices WHERE kind = 'credit_note'`))
	in.Key, in.PrintedReason = "key-three", strings.Repeat("long ", 25)
	_, err = b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, in)
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
}

// Given money held because its amount is wrong, then it has a receipt voucher, and a refund voucher that
// names it once it is returned.
func TestHeldPayment_Released_HasAReceiptVoucherAndARefundVoucher(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Settlements.Compare(t.Context(), settlement.CompareArgs{}))
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	r.Amount = money.FromRupees(11_800)
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "held", b.State(r))
	require.Equal(t, "receipt_voucher RV/26-27/000001 29 igst 1000000 180000 1180000", b.Text(`SELECT concat_ws(' ', kind, number,
		place_of_supply, regime, taxable_paise, igst_paise, total_paise) FROM invoices`))
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices`), "once")
	_, err := b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "wrong amount", "key-one-1")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "FV/26-27/000001 RV/26-27/000001 1180000", b.Text(`SELECT concat_ws(' ', v.number, o.number, v.total_paise)
		FROM invoices v JOIN invoices o ON o.id = v.original_id WHERE v.kind = 'refund_voucher'`))
	b.Balanced()

	b.Gateway.CaptureAgain(r.TransactionID, "ANOTHER", r.Amount)
	for range 12 {
		b.Pass(24 * time.Hour)
		require.NoError(t, b.Settlements.Compare(t.Context(), settlement.CompareArgs{}))
	}
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM refunds WHERE state = 'done'`), "a second capture goes back as well")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'refund_voucher'`), "it had no receipt voucher")
	b.Balanced()
}
