package support_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// owes requires that the work list and the customer's page name these amounts as to be transferred.
func (b *counter) owes(amounts ...money.Paise) {
	b.T.Helper()
	var listed, known []money.Paise
	require.NoError(b.T, postgres.InTx(b.Asha.Sign(b.T.Context()), b.DB.API, func(tx *sqlx.Tx) error {
		for _, source := range desk.WorkSources() {
			if source.Kind != "failed_refund" {
				continue
			}
			items, total, err := source.Read(b.T.Context(), tx, b.Clock.Now(), 10)
			if err != nil {
				return err
			}
			require.Len(b.T, amounts, total)
			for _, item := range items {
				require.Equal(b.T, b.Buyer, item.CustomerID)
				listed = append(listed, item.Amount)
			}
		}
		return nil
	}))
	require.NoError(b.T, postgres.InTenantTx(b.T.Context(), b.DB.API, b.Buyer, func(tx *sqlx.Tx) error {
		issues, err := desk.IssuesTx(b.T.Context(), tx, b.Buyer)
		for _, issue := range issues {
			if issue.Kind == desk.IssueRefund {
				known = append(known, issue.Amount)
			}
		}
		return err
	}))
	require.ElementsMatch(b.T, amounts, listed)
	require.ElementsMatch(b.T, amounts, known)
}

// transferred books a bank transfer of staff's to the customer.
func (b *counter) transferred(of checkout.Requested, amount money.Paise, utr string) {
	b.T.Helper()
	r, err := b.Reversals.Request(b.Asha.Sign(b.T.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(of), Kind: reversal.KindCreditNote, Amount: amount, BankReference: utr, Reason: "Transferred today", Key: utr,
	})
	require.NoError(b.T, err)
	if r.NeedsApproval {
		_, err = b.Reversals.Approve(b.Ravi.Sign(b.T.Context()), b.Ravi, r.ID, "Seen in the statement")
		require.NoError(b.T, err)
	}
	b.Work()
}

// chain buys the plan of each tier, each as an upgrade of the one before on the same day, and returns the payments.
func (b *counter) chain(tiers ...plan.Tier) []checkout.Requested {
	b.T.Helper()
	var paid []checkout.Requested
	for _, tier := range tiers {
		paid = append(paid, b.Pay(b.Buyer, story.Buy(tier, plan.TypeYearly)))
	}
	return paid
}

// setOff returns what credit notes paid of upgrades.
func (b *counter) setOff() money.Paise {
	b.T.Helper()
	return b.money(`SELECT sum(total_paise) FROM invoices WHERE applied_payment_id IS NOT NULL`)
}

// refunded requires these completed refunds of the payments, through gateways.
func (b *counter) refunded(payments []checkout.Requested, amounts ...money.Paise) {
	b.T.Helper()
	for i, r := range payments {
		var got money.Paise
		require.NoError(b.T, b.DB.Owner.Get(&got, `SELECT coalesce(sum(amount_paise), 0) FROM refunds
			WHERE payment_id = $1 AND state = 'done' AND channel = 'gateway'`, b.PaymentOf(r)))
		require.Equal(b.T, amounts[i], got, "payment %d", i+1)
		require.Equal(b.T, r.Amount-amounts[i], b.Gateway.Left(r.TransactionID), "payment %d at the gateway", i+1)
	}
}

// uncredited requires that this amount of the payment's invoice is neither credited nor set off.
func (b *counter) uncredited(of checkout.Requested, want money.Paise) {
	b.T.Helper()
	var got money.Paise
	require.NoError(b.T, b.DB.Owner.Get(&got, `SELECT i.total_paise - (SELECT coalesce(sum(n.total_paise), 0) FROM invoices n WHERE n.original_id = i.id)
		FROM invoices i WHERE i.kind = 'invoice' AND i.payment_id = $1`, b.PaymentOf(of)))
	require.Equal(b.T, want, got)
}

// told requires that the customer, whose plan ended today, gets messages with these amounts.
func (b *counter) told(byGateway, byTransfer money.Paise) {
	b.T.Helper()
	var ended subscription.Day
	require.NoError(b.T, b.DB.Owner.Get(&ended, `SELECT expired_on FROM subscriptions WHERE franchiser_id = $1`, b.Buyer))
	back, err := b.API.History.GoingBack(b.T.Context(), b.Buyer, ended)
	require.NoError(b.T, err)
	require.Equal(b.T, [2]money.Paise{byGateway, byTransfer}, [2]money.Paise{back.ByGateway, back.ByTransfer})
}

// sound requires that the books balance and that no rule of the world is broken.
func (b *counter) sound() {
	b.T.Helper()
	b.Balanced()
	broken, err := b.Hold(b.T.Context(), false)
	require.NoError(b.T, err)
	require.Empty(b.T, broken)
	require.Zero(b.T, b.Balance("receivable"))
	require.Zero(b.T, b.Balance("customer_credit"))
}

// Given an upgrade on the day of the purchase, then cancelling refunds each payment at its gateway, with a credit note of the upgrade's
// invoice for each refund, and nothing waits for staff.
func TestCancelPlan_UpgradePaidBySetOff_RefundsBothPayments(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
	first, up := paid[0], paid[1]
	setOff := b.setOff()
	require.Equal(t, first.Amount, setOff)
	act, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err)
	require.Equal(t, up.Amount+setOff, act.Amount)
	require.Equal(t, up.Amount.Display(), b.fact(act, "Credit note and refund of "+up.TransactionID))
	number := b.Text(`SELECT number FROM invoices WHERE kind = 'invoice' ORDER BY sequence DESC LIMIT 1`)
	require.Equal(t, setOff.Display(), b.fact(act, "Credit note of invoice "+number+", and refund of what "+first.TransactionID+" paid of it"))
	require.NotContains(t, fmt.Sprint(act.Facts), "transferred")
	done := b.do2(act)
	require.Equal(t, "The plan has ended. "+act.Amount.Display()+" is on its way back.", done.Outcome)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.refunded(paid, first.Amount, up.Amount)
	b.told(first.Amount+up.Amount, 0)
	require.Equal(t, "refunded refunded", b.State(first)+" "+b.State(up))
	b.owes()
	b.uncredited(up, 0)
	require.Equal(t, 2, b.count(`SELECT count(*) FROM invoices n JOIN refunds r ON r.id = n.refund_id
		JOIN invoices o ON o.id = n.original_id WHERE n.total_paise = r.amount_paise AND o.number = '`+number+`'`))
	require.Zero(t, b.Balance("output_igst"))
	require.Zero(t, b.Balance("revenue")+b.Balance("refunds"))
	b.sound()

	// Doing it again, asking about the refunds again and hearing of them again change nothing.
	require.NoError(t, b.worker.Perform(t.Context(), act.ID))
	for _, r := range paid {
		require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds WHERE payment_id = $1`, b.PaymentOf(r))))
		_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
		require.NoError(t, err)
	}
	b.Work()
	require.Equal(t, 2, b.count(`SELECT count(*) FROM refunds`))
	b.refunded(paid, first.Amount, up.Amount)
	b.sound()
}

// Given two upgrades, then each of the three payments returns what it brought in.
func TestCancelPlan_UpgradedTwice_RefundsEachPaymentNewestFirst(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(0, 2), b.Tier(3, 2))
	done := b.do(support.ActCancelPlan, support.ActContent{})
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Equal(t, paid[0].Amount+paid[1].Amount+paid[2].Amount, done.Amount)
	b.refunded(paid, paid[0].Amount, paid[1].Amount, paid[2].Amount)
	b.uncredited(paid[2], 0)
	b.owes()
	b.sound()
}

// Given two upgrades and some days of use, then the newest payments return the unused part, and the first keeps what was used.
func TestCancelPlan_UpgradedTwiceAndUsed_LeavesTheRestWithTheOldestPayment(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(0, 2), b.Tier(3, 2))
	b.Live(10)
	done := b.do(support.ActCancelPlan, support.ActContent{})
	require.Equal(t, approval.Done, done.State, done.Outcome)
	old := done.Amount - paid[1].Amount - paid[2].Amount
	require.Positive(t, old)
	require.Less(t, old, paid[0].Amount)
	b.refunded(paid, old, paid[1].Amount, paid[2].Amount)
	b.uncredited(paid[2], paid[0].Amount-old)
	require.Equal(t, "paid", b.State(paid[0]))
	b.owes()
	b.sound()
}

// Given an upgrade whose earlier payments can take only a part, then staff have one task for the rest until they have transferred it.
func TestCancelPlan_FirstPaymentCannotTakeAll_OwesTheRestUntilItIsTransferred(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(b *counter, first checkout.Requested){
		"the payment is too old":        func(b *counter, _ checkout.Requested) { b.Gateway.Window = time.Nanosecond },
		"less than the gateway refunds": func(b *counter, first checkout.Requested) { b.Gateway.Least = first.Amount + 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := acting(t)
			paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
			first, up := paid[0], paid[1]
			b.Pass(time.Minute)
			before(b, first)
			act, err := b.ask(support.ActCancelPlan, support.ActContent{})
			require.NoError(t, err)
			require.Equal(t, up.Amount, act.Amount)
			owed := first.Amount
			require.Contains(t, b.fact(act, "To be transferred by you, besides"), owed.Display()+" that earlier invoices paid by set-off")
			done := b.do2(act)
			require.Equal(t, "The plan has ended. "+act.Amount.Display()+" is on its way back. "+owed.Display()+
				" was paid by invoices that were set off and waits under Money: transfer it, and book that with its UTR.", done.Outcome)
			b.owes(owed)
			b.told(up.Amount, owed)
			b.Balanced()
			trail, err := b.API.Trails.Trail(b.Asha.Sign(t.Context()), b.Books, up.TransactionID)
			require.NoError(t, err)
			require.Equal(t, owed, trail.Left, "what staff can book as transferred")
			b.Pass(time.Hour)
			b.transferred(up, 500*money.Rupee, "OURN42026112500001")
			b.owes(owed - 500*money.Rupee)
			b.transferred(up, owed-500*money.Rupee, "OURN42026112500002")
			b.owes()
			b.told(up.Amount, owed)
			b.uncredited(up, 0)
			b.Balanced()
		})
	}
}

// Given an upgrade whose first payment a bank took back in part, then the customer gets only the remainder of that payment.
func TestCancelPlan_FirstPaymentPartlyChargedBack_RefundsTheRest(t *testing.T) {
	t.Parallel()
	const part = 1000 * money.Rupee
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
	b.Pass(time.Minute)
	b.Dispute(paid[0], "d1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: part})
	_, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.ErrorIs(t, err, act.ErrEarlierDisputed)
	b.Dispute(paid[0], "d1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: part})
	b.Pass(time.Minute)
	done := b.do(support.ActCancelPlan, support.ActContent{})
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Equal(t, paid[0].Amount+paid[1].Amount-part, done.Amount)
	b.owes()
	require.Equal(t, paid[0].Amount+paid[1].Amount, b.money(`SELECT sum(amount_paise) FROM refunds WHERE state = 'done'`))
	b.Balanced()
}

// Given refunds that gateways refuse one after the other, then staff owe all of them, and each until it is transferred.
func TestCancelPlan_SeveralRefundsRefused_OwesTheirSum(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]int{"upgrade, then earlier": {2, 1}, "earlier, then upgrade": {1, 2}, "two earlier": {1, 0}, "all": {2, 0, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := acting(t)
			paid := b.chain(b.Tier(0, 0), b.Tier(0, 2), b.Tier(3, 2))
			for _, i := range order {
				b.Gateway.SlowRefunds(paid[i].TransactionID)
			}
			require.Equal(t, approval.Done, b.do(support.ActCancelPlan, support.ActContent{}).State)
			var owed []money.Paise
			for _, i := range order {
				b.Pass(time.Hour)
				sent := b.Text(`SELECT id FROM refunds WHERE state = 'sent' AND payment_id = $1`, b.PaymentOf(paid[i]))
				b.Gateway.EndRefund(payment.RefundOutcome{
					RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE id = $1`, sent), Failed: true, Reason: "The account is closed",
				})
				require.NoError(t, b.Worker.Refunds.Send(t.Context(), sent))
				owed = append(owed, paid[i].Amount)
			}
			b.owes(owed...)
			var sum money.Paise
			for _, amount := range owed {
				sum += amount
			}
			require.Equal(t, sum, b.money(`SELECT owed_to_franchiser('`+b.Buyer+`')`), "an erasure waits for all of it")
			b.Pass(time.Hour)
			b.transferred(paid[2], sum, "OURN42026112500001")
			b.owes()
			b.uncredited(paid[2], 0)
			b.sound()
		})
	}
}

// Given a refused refund of the first payment that staff owe, then a bank that takes that payment back leaves nothing to transfer, and no task.
func TestCancelPlan_BankTakesTheFirstPaymentAfterItsRefundWasRefused_RefusesTheTransfer(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
	b.Gateway.SlowRefunds(paid[0].TransactionID)
	require.Equal(t, approval.Done, b.do(support.ActCancelPlan, support.ActContent{}).State)
	b.Pass(time.Hour)
	sent := b.Text(`SELECT id FROM refunds WHERE state = 'sent'`)
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "A dispute is open"})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), sent))
	b.Dispute(paid[0], "d1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: paid[0].Amount})
	_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(paid[1]), Kind: reversal.KindCreditNote, Amount: paid[0].Amount, BankReference: "OURN42026112500009",
		Reason: "Transferred today", Key: "taken-back",
	})
	require.Error(t, err)
	require.Equal(t, paid[0].Amount+paid[1].Amount, b.money(`SELECT sum(amount_paise) FROM refunds WHERE state = 'done'`))
	b.owes()
	require.Zero(t, b.money(`SELECT owed_to_franchiser('`+b.Buyer+`')`))
	b.Balanced()
}

// Given an upgrade whose first payment a bank takes back, so that the plan ends, then staff owe what is unused of the other payments.
func TestDispute_FirstPaymentOfAnUpgradeLost_OwesTheUnusedPartOfTheOthers(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
	first, up := paid[0], paid[1]
	b.Pass(time.Minute)
	extra := b.Pay(b.Buyer, b.AddOns(b.Buyer, b.Tier(3, 2).AddOns[0].ID))
	b.Live(73)
	b.Dispute(first, "d1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: first.Amount})
	require.Contains(t, b.Standing(b.Buyer), "expired")
	used := (first.Amount + up.Amount).Prorate(73, 365)
	owed := b.money(`SELECT sum(amount_paise) FROM refunds WHERE state = 'failed' AND payment_id = '` + b.PaymentOf(up) + `'`)
	require.InDelta(t, float64(up.Amount-used), float64(owed), 2, "the used days are paid from what is left")
	unused := b.money(`SELECT sum(amount_paise) FROM refunds WHERE state = 'failed' AND payment_id = '` + b.PaymentOf(extra) + `'`)
	require.InDelta(t, float64(extra.Amount.Prorate(292, 365)), float64(unused), 2)
	b.owes(owed, unused)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM refunds WHERE state = 'done'`), "nothing is returned before staff decide")
	b.Pass(time.Hour)
	require.NoError(t, b.GiveBack(b.PaymentOf(up), owed))
	b.owes(unused)
	b.transferred(extra, unused, "OURN42026112500001")
	b.owes()
	b.Balanced()
}

// Given a plan of which only money that was set off is unused, and whose payment is too old, then it is cancelled and staff transfer that.
func TestCancelPlan_OnlySetOffMoneyIsUnused_OwesItByTransfer(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.chain(b.Tier(0, 1), b.Tier(0, 2))
	require.Equal(t, approval.Done, b.do(support.ActSwitchPlan, switchTo(b.Tier(0, 0), plan.TypeYearly, subscription.SettleRefund)).State)
	b.Live(30)
	open, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err)
	_, err = b.asked.Withdraw(b.Asha.Sign(t.Context()), b.Asha, open.ID, "Another way")
	require.NoError(t, err)
	b.Gateway.Window = time.Nanosecond
	done := b.do(support.ActCancelPlan, support.ActContent{})
	require.Equal(t, approval.Done, done.State, done.Outcome)
	b.owes(open.Amount)
	b.sound()
}

// Given such a cancellation whose refund the first payment's gateway refuses, then staff transfer that amount, once.
func TestCancelPlan_FirstPaymentsRefundRefused_WaitsUntilTransferred(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
	first, up := paid[0], paid[1]
	b.Gateway.SlowRefunds(first.TransactionID)
	require.Equal(t, approval.Done, b.do(support.ActCancelPlan, support.ActContent{}).State)
	b.owes()
	b.refunded(paid[1:], up.Amount)
	b.Pass(time.Hour)
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "The account is closed"})
	sent := b.Text(`SELECT id FROM refunds WHERE state = 'sent'`)
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), sent))
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), sent))
	b.owes(first.Amount)
	b.told(up.Amount, first.Amount)
	b.sound()
	// The first payment owes nothing itself: its money belongs to the upgrade.
	_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(first), Kind: reversal.KindCreditNote, Amount: first.Amount, BankReference: "OURN42026112500009",
		Reason: "Transferred today", Key: "wrong-one",
	})
	require.ErrorIs(t, err, reversal.ErrRefundTooMuch)
	b.transferred(up, first.Amount, "OURN42026112500001")
	b.owes()
	b.uncredited(up, 0)
	b.sound()
}

// Given such a cancellation whose refund of the upgrade is refused, then that waits, and the first payment is refunded all the same.
func TestCancelPlan_UpgradesRefundRefused_StillRefundsTheFirstPayment(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
	up := paid[1]
	b.Gateway.SlowRefunds(up.TransactionID)
	require.Equal(t, approval.Done, b.do(support.ActCancelPlan, support.ActContent{}).State)
	b.Pass(time.Hour)
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "The account is closed"})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds WHERE state = 'sent'`)))
	b.refunded(paid[:1], paid[0].Amount)
	b.owes(up.Amount)
	b.transferred(up, up.Amount, "OURN42026112500001")
	b.owes()
	b.uncredited(up, 0)
	b.sound()
}

// Given a refund through the first payment that is under way, then a plan that the customer buys meanwhile stays when it is done.
func TestCancelPlan_BoughtAgainBeforeTheRefundIsDone_KeepsTheNewPlan(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
	b.Gateway.SlowRefunds(paid[0].TransactionID)
	require.Equal(t, approval.Done, b.do(support.ActCancelPlan, support.ActContent{}).State)
	b.Pass(time.Hour)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Done: true})
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds WHERE state = 'sent'`)))
	b.refunded(paid, paid[0].Amount, paid[1].Amount)
	require.Contains(t, b.Standing(b.Buyer), "active")
	b.sound()
}

// Given an open request to give money of the first payment back, then the plan is not cancelled.
func TestCancelPlan_RequestOfTheFirstPaymentOpen_IsRefused(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 0), b.Tier(3, 2))
	_, err := b.DB.Owner.Exec(`INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key, requested_by, requested_at)
		VALUES (uuidv7(), $1, $2, 'refund', 100, 'Goodwill', 'waiting', true, 'key-open-1', $3, $4)`, b.Buyer, b.PaymentOf(paid[0]), b.Asha.StaffID, b.Clock.Now())
	require.NoError(t, err)
	_, err = b.ask(support.ActCancelPlan, support.ActContent{})
	require.ErrorIs(t, err, reversal.ErrReversalOpen)
}

// Given an upgrade that staff switch to a plan cheaper than the first, then both payments refund the difference. A later cancellation
// refunds the rest through the first payment, and nothing twice.
func TestSwitchPlan_MoreThanTheUpgradePaid_RefundsTheEarlierPaymentToo(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 1), b.Tier(0, 2))
	first, up := paid[0], paid[1]
	cheap := b.Tier(0, 0)
	done := b.do(support.ActSwitchPlan, switchTo(cheap, plan.TypeYearly, subscription.SettleRefund))
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Greater(t, done.Amount, up.Amount)
	b.refunded(paid, done.Amount-up.Amount, up.Amount)
	require.Equal(t, cheap.ID, b.service())
	require.Contains(t, b.Standing(b.Buyer), "active")
	b.owes()
	b.sound()

	b.Live(73)
	cancel := b.do(support.ActCancelPlan, support.ActContent{})
	require.Equal(t, approval.Done, cancel.State, cancel.Outcome)
	require.InDelta(t, float64((cheap.Yearly-cheap.YearlyDiscount).Prorate(292, 365)*118/100), float64(cancel.Amount), 3)
	b.refunded(paid, done.Amount-up.Amount+cancel.Amount, up.Amount)
	b.uncredited(up, first.Amount+up.Amount-done.Amount-cancel.Amount)
	b.owes()
	b.sound()
}

// Given such a switch whose first payment can take nothing, then the rest waits for staff, and what is left of the plan is worth no more
// than the cheaper one.
func TestSwitchPlan_FirstPaymentTooOld_OwesTheRestOnce(t *testing.T) {
	t.Parallel()
	b := acting(t)
	paid := b.chain(b.Tier(0, 1), b.Tier(0, 2))
	up := paid[1]
	b.Gateway.Window = time.Nanosecond
	b.Pass(time.Minute)
	act, err := b.ask(support.ActSwitchPlan, switchTo(b.Tier(0, 0), plan.TypeYearly, subscription.SettleRefund))
	require.NoError(t, err)
	owed := act.Amount - up.Amount
	require.Contains(t, b.fact(act, "To be transferred by you, besides"), owed.Display())
	done := b.perform(act)
	if act.State == approval.Waiting {
		done = b.do2(act)
	}
	require.Contains(t, done.Outcome, owed.Display()+" was paid by invoices that were set off and waits under Money")
	b.owes(owed)
	b.Balanced()
	worth := func() money.Paise {
		up := b.Ask(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
		return money.Paise(b.Count(`SELECT credit_paise FROM orders WHERE id = $1`, up.OrderID))
	}
	cheap := (b.Tier(0, 0).Yearly - b.Tier(0, 0).YearlyDiscount) * 118 / 100
	require.Equal(t, cheap, worth())
	b.Pass(time.Hour)
	b.transferred(up, owed, "OURN42026112500001")
	b.owes()
	require.Equal(t, cheap, worth(), "the transfer takes nothing off it again")
	b.Balanced()
}
