package payment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestRefund_ByStaff_IsLimitedToTheRemainder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments`)
	require.NoError(t, b.GiveBack(paymentID, money.FromRupees(59_300)))
	require.ErrorIs(t, b.GiveBack(paymentID, money.FromRupees(1_00_001)), reversal.ErrRefundTooMuch)
	require.NoError(t, b.GiveBack(paymentID, 0), "the rest")
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, int(money.FromRupees(1_59_300)), b.Count(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`))
	require.ErrorIs(t, b.GiveBack(paymentID, 1), reversal.ErrNotRefundable)
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM staff_actions`), "two requests, one approval")
	b.Balanced()
}

func TestRefund_AboveTheLimit_NeedsASecondPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments`)
	small, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, money.FromRupees(1_00_000), "goodwill", "key-one-1")
	require.NoError(t, err)
	require.Equal(t, approval.Approved, small.State)
	b.Work()

	split, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, 1, "one more paisa", "key-two-2")
	require.NoError(t, err)
	require.Equal(t, approval.Waiting, split.State, "counted together with what went back before")
	b.Work()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds`))
	_, err = b.Reversals.Approve(b.Asha.Sign(t.Context()), b.Asha, split.ID, "I say so")
	require.ErrorIs(t, err, approval.ErrOwnRequest)
	_, err = b.Reversals.RequestRefund(b.Ravi.Sign(t.Context()), b.Ravi, b.Buyer, paymentID, 1, "me too", "key-three")
	require.ErrorIs(t, err, reversal.ErrReversalOpen)

	declined, err := b.Reversals.Decline(b.Ravi.Sign(t.Context()), b.Ravi, split.ID, "not for a paisa")
	require.NoError(t, err)
	require.Equal(t, approval.Declined, declined.State)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, split.ID, "or yes")
	require.ErrorIs(t, err, approval.ErrDecided)
	b.Work()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds`))

	list, total, err := b.Reversals.List(b.Asha.Sign(t.Context()), "", b.Buyer, 10, 0)
	require.NoError(t, err)
	require.Equal(t, 2, total)
	require.Equal(t, []approval.State{approval.Declined, approval.Done}, []approval.State{list[0].State, list[1].State})
	require.Equal(t, "ravi", list[0].DecidedByName)
	for _, r := range append(list, small) { // shown to the approver
		require.Equal(t, "Asha Kulkarni ₹1,59,300 "+b.Text(`SELECT transaction_id FROM payments`), r.CustomerName+" "+r.Paid.Display()+" "+r.TransactionID)
		require.Equal(t, b.Text(`SELECT plan_name || ' · ' || service_name FROM orders`), r.Bought)
		require.Equal(t, b.Gateway.Name(), r.Gateway)
	}
	b.Balanced()
}

func TestReversalRequest_RepeatedKey_ReturnsTheFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments`)
	var first reversal.Reversal
	for i := range 3 {
		r, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, money.FromRupees(500), "goodwill", "key-one-1")
		require.NoError(t, err)
		if i == 0 {
			first = r
		}
		require.Equal(t, first.ID, r.ID)
		b.Work()
	}
	require.NoError(t, b.Worker.Reversals.Reverse(t.Context(), first.ID), "a job that was killed after its effect")
	b.Work()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds`))
	_, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, money.FromRupees(501), "goodwill", "key-one-1")
	require.ErrorIs(t, err, payment.ErrKeyReused)
	b.Balanced()
}

func TestCreditNote_MoneyReturnedByBank_RefundsThePayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments`)
	asked, err := b.Reversals.RequestCreditNote(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, "HDFCN52026112112345678", "too old for the gateway", "key-one-1")
	require.NoError(t, err)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "transfer seen")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, "done bank HDFCN52026112112345678", b.Text(`SELECT concat_ws(' ', state, channel, bank_reference) FROM refunds`))
	require.Empty(t, b.Gateway.RefundRequests(), "nothing was asked of the gateway")
	require.Equal(t, int(r.Amount), b.Count(`SELECT total_paise FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, -int(r.Amount), b.Count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'bank'`))
	b.Balanced()
}

func TestReversalRequest_InvalidInput_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments`)
	good := reversal.Input{
		FranchiserID: b.Buyer, PaymentID: paymentID, Kind: reversal.KindRefund, Amount: 100, Reason: "goodwill", Key: "key-one-1",
	}
	for field, change := range map[string]func(*reversal.Input){
		"amount":          func(in *reversal.Input) { in.Amount = -1 },
		"reason":          func(in *reversal.Input) { in.Reason = " " },
		"idempotency_key": func(in *reversal.Input) { in.Key = "short" },
		"kind":            func(in *reversal.Input) { in.Kind = "gift" },
		"bank_reference":  func(in *reversal.Input) { in.Kind = reversal.KindCreditNote },
		"payment_id":      func(in *reversal.Input) { in.PaymentID = "1" },
	} {
		in := good
		change(&in)
		_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, in)
		require.Contains(t, errs.As(err).Fields, field, "%v", err)
	}
	long := good
	long.Reason = strings.Repeat("x", 501)
	_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, long)
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	_, err = b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, good)
	require.ErrorIs(t, err, reversal.ErrNotRefundable, "nothing was paid yet")
	b.Settle(r, payment.StatusPaid)
	foreign := good
	foreign.FranchiserID = b.Franchiser("27")
	_, err = b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, foreign)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "another customer's payment")
	require.Zero(t, b.Count(`SELECT count(*) FROM reversals`))
	require.Zero(t, b.Count(`SELECT count(*) FROM staff_actions`))

	asked, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, good)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`UPDATE payments SET surplus = true`)
	require.NoError(t, err)
	b.Work()
	found, err := b.Reversals.Find(b.Asha.Sign(t.Context()), asked.ID)
	require.NoError(t, err)
	require.Equal(t, approval.Failed, found.State)
	require.Equal(t, reversal.ErrNotRefundable.Message, found.Failure)
}

func TestUpgrade_PlanPartlyRefunded_CreditsOnlyTheRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	credit := func() money.Paise {
		up := b.Ask(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
		return money.Paise(b.Count(`SELECT coalesce(sum(taxable_paise), 0) FROM order_credits WHERE order_id = $1`, up.OrderID))
	}
	require.Equal(t, money.FromRupees(1_35_000), credit())
	require.NoError(t, b.GiveBack(b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID), money.FromRupees(59_000)))
	require.Equal(t, money.FromRupees(1_35_000-50_000), credit(), "59,000 with 18% of tax are 50,000")
	require.NoError(t, b.GiveBack(b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID), 0))
	require.Zero(t, credit())
	b.Balanced()
}

func TestReversalRequest_WithoutAmount_NeedsAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	in := reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindRefund, Reason: "bought by mistake", Key: "key-one-1",
	}
	for _, kind := range []reversal.Kind{reversal.KindRefund, reversal.KindCreditNote, reversal.KindChargeback} {
		nothing := in
		nothing.Kind = kind
		switch kind {
		case reversal.KindCreditNote:
			nothing.BankReference = "HDFCN52026112112345678"
		case reversal.KindChargeback:
			nothing.DisputeID = "CB-1"
		default:
		}
		_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, nothing)
		require.Contains(t, errs.As(err).Fields, "amount", "%s: an amount of nought is no amount", kind)
	}
	both := in
	both.Amount, both.All = 100, true
	_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, both)
	require.Contains(t, errs.As(err).Fields, "amount", "either an amount or all of it")
	require.Zero(t, b.Count(`SELECT count(*) FROM reversals`))

	in.All = true
	asked, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, in)
	require.NoError(t, err)
	require.Equal(t, r.Amount, asked.Amount)
	again, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, in)
	require.NoError(t, err)
	require.Equal(t, asked.ID, again.ID)
}

func TestReversalRequest_PrintedReason_IsSeparateFromTheInternalNote(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	ask := func(key, printed string) (reversal.Reversal, error) {
		return b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
			FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindRefund, Amount: money.FromRupees(500),
			Reason: "rude on the phone, let him have it", PrintedReason: printed, Key: key,
		})
	}
	for _, printed := range []string{"no", strings.Repeat("x", 201), "two\x00words"} {
		_, err := ask("key-bad-1", printed)
		require.Contains(t, errs.As(err).Fields, "printed_reason", "%q", printed)
	}
	asked, err := ask("key-one-1", "  Service   not used ")
	require.NoError(t, err)
	require.Equal(t, "Service not used", asked.PrintedReason)
	_, err = ask("key-one-1", "Something else")
	require.ErrorIs(t, err, payment.ErrKeyReused)
	b.Work()
	_, err = ask("key-two-2", "")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "Service not used, Refund", b.Text(`SELECT string_agg(reason, ', ' ORDER BY sequence) FROM invoices WHERE kind = 'credit_note'`))

	_, err = b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindRelease, Reason: "as agreed", PrintedReason: "Wrong amount", Key: "key-three",
	})
	require.Contains(t, errs.As(err).Fields, "printed_reason", "a held payment has no credit note to print it on")
}

// Given a second capture whose refund the gateway refuses permanently, then staff book the bank transfer that paid it,
// once: the customer is owed nothing more, and no credit note is issued, because nothing was invoiced.
func TestBankTransfer_OfAFailedRefund_IsBookedOnceWithoutCreditNote(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	paymentID := b.PaymentOf(r)
	transfer := func(key string) (reversal.Reversal, error) {
		return b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
			FranchiserID: b.Buyer, PaymentID: paymentID, Kind: reversal.KindBankTransfer, BankReference: "HDFCN52026112112345678",
			Reason: "the account is closed", Key: key,
		})
	}
	_, err := transfer("key-none-1")
	require.ErrorIs(t, err, reversal.ErrNothingOwed)

	b.Gateway.SlowRefunds(r.TransactionID)
	b.Gateway.DecideAs(r.TransactionID, "second", payment.StatusPaid, r.Amount)
	_, err = b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.Work()
	_, err = transfer("key-none-2")
	require.ErrorIs(t, err, reversal.ErrNothingOwed, "the gateway is at it")
	refund := b.Text(`SELECT id FROM refunds`)
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds`), Failed: true, Reason: "closed"})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), refund))
	owed := func() int {
		return b.Count(`SELECT sum(credit_paise - debit_paise) FROM ledger_lines WHERE account = 'customer_credit'`)
	}
	require.Equal(t, int(r.Amount), owed())

	asked, err := transfer("key-paid-1")
	require.NoError(t, err)
	require.Equal(t, r.Amount, asked.Amount)
	b.Work()
	require.Zero(t, owed())
	require.Equal(t, "paid", b.State(r), "the first capture paid for the plan")
	require.Equal(t, "surplus done bank second HDFCN52026112112345678",
		b.Text(`SELECT concat_ws(' ', reason, state, channel, gateway_payment_id, bank_reference) FROM refunds WHERE state = 'done'`))
	require.Equal(t, -int(r.Amount), b.Count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'bank'`))
	require.Zero(t, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note'`))
	_, err = transfer("key-paid-2")
	require.ErrorIs(t, err, reversal.ErrNothingOwed, "it is paid")
	b.Balanced()
}

// Given a bank transfer that is booked or requested, then no other refund of any customer or payment is booked under its UTR, whatever its
// case or dashes, neither on request nor on execution; declining the request frees it.
func TestBankTransfer_UTRUsedBefore_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.Franchiser("29")
	first := b.PaymentOf(b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly)))
	r := b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	second := b.PaymentOf(r)
	book := func(franchiser, paymentID, utr string, kind reversal.Kind) (reversal.Reversal, error) {
		return b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
			FranchiserID: franchiser, PaymentID: paymentID, Kind: kind, All: kind == reversal.KindCreditNote, BankReference: utr,
			Reason: "too old for the gateway", Key: string(kind) + utr + paymentID,
		})
	}
	refused := func() {
		t.Helper()
		for _, utr := range []string{"HDFCN52026112112345678", "HDFCn52026112112345678", "HDFC-N5-2026112112345678"} {
			_, err := book(other, second, utr, reversal.KindCreditNote)
			require.ErrorIs(t, err, reversal.ErrTransferBooked)
		}
	}
	asked, err := book(b.Buyer, first, "hdfcn52026112112345678", reversal.KindCreditNote)
	require.NoError(t, err)
	require.Equal(t, "waiting HDFCN52026112112345678", string(asked.State)+" "+asked.BankReference)
	again, err := book(b.Buyer, first, "hdfcn52026112112345678", reversal.KindCreditNote)
	require.NoError(t, err)
	require.Equal(t, asked.ID, again.ID, "the same request")
	refused()
	_, err = b.Reversals.Decline(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "no such transfer")
	require.NoError(t, err)

	b.Gateway.SlowRefunds(r.TransactionID)
	b.Gateway.DecideAs(r.TransactionID, "second", payment.StatusPaid, r.Amount)
	_, err = b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.Work()
	refund := b.Text(`SELECT id FROM refunds`)
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds`), Failed: true, Reason: "closed"})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), refund))
	_, err = book(other, second, "HDFCN52026112112345678", reversal.KindBankTransfer)
	require.NoError(t, err, "it was declined before")
	b.Work()
	refused()
	_, err = book(b.Buyer, first, "HDFCN52026112112345678", reversal.KindCreditNote)
	require.ErrorIs(t, err, reversal.ErrTransferBooked)

	asked, err = book(b.Buyer, first, "SBIN52026112100000001", reversal.KindCreditNote)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`UPDATE reversals SET bank_reference = 'HDFCN52026112112345678' WHERE id = $1`, asked.ID) // bypassing the API
	require.NoError(t, err)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "transfer seen")
	require.NoError(t, err)
	b.Work()
	asked, err = b.Reversals.Find(b.Asha.Sign(t.Context()), asked.ID)
	require.NoError(t, err)
	require.Equal(t, "failed "+reversal.ErrTransferBooked.Message, string(asked.State)+" "+asked.Failure)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds WHERE channel = 'bank'`))
	b.Balanced()
}
