package invoice_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// A document whose rendering fails is on the work list after ten minutes, oldest first, until its file exists. The preview of its job says
// what a rerun does.
func TestWorkList_DocumentWithoutAFileForTenMinutes_IsListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sunita, err := member.Add(t.Context(), b.db.Owner, "Sunita", staff.RoleFinance, b.clock.Now())
	require.NoError(t, err)
	foretold := func(args queue.Args) (p queue.JobPreview) {
		raw, err := json.Marshal(args)
		require.NoError(t, err)
		require.NoError(t, postgres.InTx(t.Context(), b.db.Worker, func(tx *sqlx.Tx) (err error) {
			p, err = invoice.JobPreviews()[args.Kind()](t.Context(), tx, raw, b.clock.Now())
			return err
		}))
		return p
	}
	waiting := func(limit int) (wrong []string, total int) {
		require.NoError(t, postgres.InTx(sunita.Sign(t.Context()), b.db.API, func(tx *sqlx.Tx) error {
			items, all, err := invoice.WorkSources()[0].Read(t.Context(), tx, b.clock.Now(), limit)
			total = all
			for _, i := range items {
				wrong = append(wrong, i.Title+": "+i.Wrong)
			}
			return err
		}))
		return wrong, total
	}
	require.Equal(t, "Would look for the document: there is none of this number → the job is cancelled.", foretold(invoice.RenderArgs{InvoiceID: id.New()}).Summary)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	b.clock.Advance(time.Minute)
	note, err := b.credit(t, invoice.CreditNoteInput{FranchiserID: b.asha, InvoiceID: issued.ID, RefundID: b.refund(t, issued, 100_00), Amount: 100_00})
	require.NoError(t, err)
	b.press.jammed = true
	_, err = b.printer.Print(t.Context(), issued.ID)
	require.ErrorContains(t, err, "paper jam")
	require.Contains(t, foretold(invoice.RenderArgs{InvoiceID: issued.ID}).Summary, "Would render FP/26-27/000001 over ₹1,59,300 to PDF")
	require.False(t, foretold(invoice.RenderArgs{InvoiceID: issued.ID}).Nothing)

	b.clock.Set(issued.IssuedAt.Add(10 * time.Minute))
	none, total := waiting(10)
	require.Empty(t, none, "ten minutes, not more")
	require.Zero(t, total)
	b.clock.Advance(time.Second)
	one, _ := waiting(10)
	require.Equal(t, []string{"FP/26-27/000001: The invoice has no PDF."}, one)
	b.clock.Advance(time.Minute)
	both, total := waiting(10)
	require.Equal(t, []string{"FP/26-27/000001: The invoice has no PDF.", "CN/26-27/000001: The credit note has no PDF."}, both)
	require.Equal(t, 2, total)
	first, total := waiting(1)
	require.Len(t, first, 1)
	require.Equal(t, 2, total, "the total counts what is not shown")

	b.press.jammed = false
	_, err = b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	left, _ := waiting(10)
	require.Equal(t, []string{"CN/26-27/000001: The credit note has no PDF."}, left)
	require.True(t, foretold(invoice.RenderArgs{InvoiceID: issued.ID}).Nothing)
	_, err = b.printer.Print(t.Context(), note.ID)
	require.NoError(t, err)
	left, _ = waiting(10)
	require.Empty(t, left)
	require.True(t, foretold(invoice.RestoreDocumentsArgs{}).Nothing, "nothing is lost")
}
