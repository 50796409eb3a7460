package support_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// owes requires that the work list and the customer's page name these amounts as to be transferred.
func (b *desk) owes(amounts ...money.Paise) {
	b.T.Helper()
	var listed, known []money.Paise
	require.NoError(b.T, postgres.InTx(b.Asha.Sign(b.T.Context()), b.DB.API, func(tx *sqlx.Tx) error {
		for _, source := range payment.WorkSources() {
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
		issues, err := payment.IssuesTx(b.T.Context(), tx, b.Buyer)
		for _, issue := range issues {
			known = append(known, issue.Amount)
		}
		return err
	}))
	require.ElementsMatch(b.T, amounts, listed)
	require.ElementsMatch(b.T, amounts, known)
}

// transferred books a bank transfer of staff's to the customer.
func (b *desk) transferred(of payment.Requested, amount money.Paise, utr string) {
	b.T.Helper()
	r, err := b.Reversals.Request(b.Asha.Sign(b.T.Context()), b.Asha, payment.ReversalInput{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(of), Kind: payment.ReversalCreditNote, Amount: amount, BankReference: utr, Reason: "Transferred today", Key: utr,
	})
	require.NoError(b.T, err)
	if r.NeedsApproval {
		_, err = b.Reversals.Approve(b.Ravi.Sign(b.T.Context()), b.Ravi, r.ID, "Seen in the statement")
		require.NoError(b.T, err)
	}
	b.Work()
}

// Given an upgrade that an earlier payment paid for in part, then cancelling gives back the last payment at its gateway, and the unused rest
// waits for staff, who transfer it, until they have booked all of it.
func TestCancelPlan_UpgradePaidBySetOff_OwesTheRestUntilItIsTransferred(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	up := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	setOff := b.money(`SELECT sum(total_paise) FROM invoices WHERE applied_payment_id IS NOT NULL`)
	require.Positive(t, setOff)
	act, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err)
	require.Equal(t, up.Amount, act.Amount)
	require.Contains(t, fmt.Sprint(act.Facts), "{To be transferred by you, besides "+setOff.Display()+" that earlier invoices paid by set-off")
	done := b.do2(act)
	require.Equal(t, "The plan has ended. "+up.Amount.Display()+" is on its way back. "+setOff.Display()+
		" was paid by invoices that were set off and waits under Money: transfer it, and book that with its UTR.", done.Outcome)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	require.Equal(t, int(up.Amount), b.count(`SELECT sum(amount_paise) FROM refunds WHERE state = 'done'`))
	b.owes(setOff)
	b.Balanced()
	trail, err := b.API.Trail(b.Asha.Sign(t.Context()), b.Books, up.TransactionID)
	require.NoError(t, err)
	require.Equal(t, setOff, trail.Left, "what staff can book as transferred")
	b.Pass(time.Hour)
	const some = 1000 * money.Rupee
	b.transferred(up, some, "OURN42026112500001")
	b.owes(setOff - some)
	b.transferred(up, setOff-some, "OURN42026112500002")
	b.owes()
	require.Equal(t, setOff+up.Amount, b.money(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note' AND applied_payment_id IS NULL`))
	require.Zero(t, b.Balance("receivable"))
	b.Balanced()
}

// Given such a cancellation whose refund the gateway refuses, then all of it waits until it is transferred.
func TestCancelPlan_SetOffAndRefusedRefund_BothWaitUntilTransferred(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	up := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	setOff := b.money(`SELECT sum(total_paise) FROM invoices WHERE applied_payment_id IS NOT NULL`)
	b.Gateway.SetSlow(true)
	require.Equal(t, support.ActDone, b.do(support.ActCancelPlan, support.ActContent{}).State)
	b.owes(setOff)
	b.Clock.Advance(time.Hour)
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE state = 'sent'`), Failed: true, Reason: "The account is closed"})
	require.NoError(t, b.Worker.SendRefund(t.Context(), b.Text(`SELECT id FROM refunds WHERE state = 'sent'`)))
	b.owes(setOff, up.Amount)
	b.Pass(time.Hour)
	b.transferred(up, up.Amount, "OURN42026112500001")
	b.owes(setOff)
	b.transferred(up, setOff, "OURN42026112500002")
	b.owes()
	b.Balanced()
}
