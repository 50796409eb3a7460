package payment_test

import (
	"sync"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// Only an unreduced invoice of this customer is corrected, and only once under concurrency. Verify-books finds later changes of the three
// documents.
func TestCorrectInvoice_ConcurrentTries_CorrectOnceAndVerifyBooksFindsChanges(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	paid := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	wrong := b.Text(`SELECT id FROM invoices`)
	pune := invoice.Recipient{Name: "Pune Sweets LLP", Address: []string{"12 Camp Road", "Pune 411001"}, StateCode: "27", GSTIN: "27AAQCA8719H1Z6"}
	correct := func(franchiser, invoiceID string, to invoice.Recipient) error {
		return postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
			_, err := b.Worker.Acts.CorrectTx(t.Context(), tx, franchiser, invoiceID, to, b.Clock.Now())
			return err
		})
	}
	var now invoice.Recipient
	require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
		document, err := invoice.DocumentTx(t.Context(), tx, wrong)
		now = document.Recipient
		return err
	}))
	require.ErrorIs(t, correct(b.Buyer, wrong, now), invoice.ErrSameRecipient)
	for name, of := range map[string][2]string{"another customer's": {b.Franchiser("27"), wrong}, "nobody's": {b.Buyer, id.New()}, "no id": {b.Buyer, "x"}} {
		require.Equal(t, errs.KindNotFound, errs.KindOf(correct(of[0], of[1], pune)), name)
	}
	asked, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(paid), Kind: reversal.KindRefund, All: true, Reason: "They want it back", Key: id.New(),
	})
	require.NoError(t, err)
	require.Equal(t, approval.Waiting, asked.State)
	require.ErrorIs(t, correct(b.Buyer, wrong, pune), reversal.ErrReversalOpen, "somebody has yet to decide whether it goes back")
	_, err = b.Reversals.Decline(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "They keep it")
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices`), "nothing of that left a document")

	var all sync.WaitGroup
	failures := make([]error, 3)
	for i := range failures {
		all.Go(func() { failures[i] = correct(b.Buyer, wrong, pune) })
	}
	all.Wait()
	done := 0
	for _, err := range failures {
		if err == nil {
			done++
			continue
		}
		require.ErrorIs(t, err, invoice.ErrReplaced)
	}
	require.Equal(t, 1, done)
	require.ErrorIs(t, correct(b.Buyer, b.Text(`SELECT id FROM invoices WHERE kind = 'credit_note'`), pune), invoice.ErrNotCorrectable)
	b.Balanced()

	for name, c := range map[string][2]string{
		"the new one is replaced, too": {
			`UPDATE invoices SET replaced = true WHERE corrects_id = $1 AND kind = 'invoice'`, `UPDATE invoices SET replaced = false WHERE corrects_id = $1 AND kind = 'invoice'`,
		},
		"its note is a part":   {`UPDATE invoices SET total_paise = total_paise - 1, igst_paise = igst_paise - 1 WHERE original_id = $1`, `UPDATE invoices SET total_paise = total_paise + 1, igst_paise = igst_paise + 1 WHERE original_id = $1`},
		"another value":        {`UPDATE invoices SET taxable_paise = taxable_paise - 1, amount_paise = amount_paise - 1, total_paise = total_paise - 1 WHERE corrects_id = $1 AND kind = 'invoice'`, `UPDATE invoices SET taxable_paise = taxable_paise + 1, amount_paise = amount_paise + 1, total_paise = total_paise + 1 WHERE corrects_id = $1 AND kind = 'invoice'`},
		"of another payment":   {`UPDATE invoices SET payment_id = corrects_id WHERE corrects_id = $1 AND kind = 'invoice'`, `UPDATE invoices SET payment_id = (SELECT id FROM payments) WHERE corrects_id = $1 AND kind = 'invoice'`},
		"nothing in its place": {`UPDATE invoices SET corrects_id = NULL WHERE corrects_id = $1 AND kind = 'invoice'`, `UPDATE invoices SET corrects_id = $1 WHERE corrects_id IS NULL AND kind = 'invoice' AND id <> $1`},
	} {
		write := func(sql string) {
			tx, err := b.DB.Owner.Beginx()
			require.NoError(t, err)
			_, err = tx.Exec(`SET LOCAL session_replication_role = replica`) // no trigger, no foreign key
			require.NoError(t, err)
			_, err = tx.Exec(sql, wrong)
			require.NoError(t, err, name)
			require.NoError(t, tx.Commit())
		}
		write(c[0])
		report, err := b.Books.Verify(t.Context())
		require.NoError(t, err)
		broken := map[string]bool{}
		for _, f := range report.Findings {
			broken[f.Check] = true
		}
		require.True(t, broken["replaced_invoices_are_taken_back"], "%s: %v", name, report.Findings)
		write(c[1])
		b.Balanced()
	}
}
