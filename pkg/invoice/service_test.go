package invoice_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// shelf is an in-memory object store.
type shelf struct {
	mu    sync.Mutex
	files map[string][]byte
}

func (s *shelf) Put(_ context.Context, key, _ string, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[key] = body
	return nil
}

func (*shelf) Presign(_ context.Context, key, filename string, life time.Duration) (string, error) {
	return fmt.Sprintf("https://files.example/%s?as=%s&for=%s", key, filename, life), nil
}

// press renders a document as its number and total; it fails while jammed.
type press struct {
	jammed  bool
	release string
}

func (p *press) Render(i invoice.Invoice) ([]byte, error) {
	if p.jammed {
		return nil, errors.New("paper jam")
	}
	return fmt.Appendf(nil, "%s%s %s %s", p.release, i.Number, i.Recipient.Name, i.Totals.Total), nil
}

type bundle struct {
	db      *testkit.Database
	clock   *clock.Fake
	service *invoice.Service
	printer *invoice.Printer
	press   *press
	shelf   *shelf
	asha    string
	ravi    string
}

func supplier() invoice.Supplier {
	return invoice.Supplier{
		Name: "Franchise 360 Private Limited", Address: []string{"4th Floor, Nariman Point", "Mumbai 400021"},
		GSTIN: "27AAPFU0939F1ZV", StateCode: "27", Email: "accounts@franchise360.example", Phone: "+91 22 4000 0360",
	}
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{
		db: testkit.NewDatabase(t), clock: testkit.NewClock(), press: &press{}, shelf: &shelf{files: map[string][]byte{}},
	}
	b.withReturns(t, nil)
	b.printer = invoice.NewPrinter(invoice.PrinterOptions{DB: b.db.Worker, Clock: b.clock, Renderer: b.press, Objects: b.shelf})
	b.asha, b.ravi = b.franchiser(t, "9876543210"), b.franchiser(t, "9876543211")
	return b
}

func (b *bundle) franchiser(t *testing.T, mobile string) string {
	t.Helper()
	franchiserID := id.New()
	_, err := b.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, $2, 'a@b.in', 'x', '1', $3, $3)`, franchiserID, mobile, b.clock.Now())
	require.NoError(t, err)
	return franchiserID
}

// plan creates a payment and returns the input of its invoice, for a plan bought for a year.
func (b *bundle) plan(t *testing.T, franchiserID string) invoice.IssueInput {
	t.Helper()
	paymentID, err := testkit.PaidPayment(t.Context(), b.db.Owner, franchiserID, 1_59_300_00, false, b.clock.Now())
	require.NoError(t, err)
	return invoice.IssueInput{
		FranchiserID: franchiserID, PaymentID: paymentID,
		Recipient: invoice.Recipient{Name: "Asha Traders", Address: []string{"12/4, MG Road", "Pune 411001"}, StateCode: "27"},
		Lines: []invoice.LineInput{{
			Description: "Start up · Expansion, annual", Detail: "2 Nov 2026 – 1 Nov 2027", SAC: invoice.SACSoftware,
			RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00,
		}},
		Paid:    1_59_300_00,
		Receipt: invoice.Receipt{TransactionID: "T1", GatewayID: "403993715531", Method: "UPI", PaidAt: testkit.Start()},
	}
}

func (b *bundle) refund(t *testing.T, of invoice.Invoice, amount money.Paise) string {
	t.Helper()
	refundID, err := testkit.DoneRefund(t.Context(), b.db.Owner, of.FranchiserID, of.PaymentID, int64(amount), b.clock.Now())
	require.NoError(t, err)
	return refundID
}

func (b *bundle) issue(t *testing.T, in invoice.IssueInput) (invoice.Invoice, error) {
	t.Helper()
	var issued invoice.Invoice
	err := postgres.InTenantTx(t.Context(), b.db.API, in.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		issued, err = b.service.IssueTx(t.Context(), tx, in)
		return err
	})
	return issued, err
}

func (b *bundle) credit(t *testing.T, in invoice.CreditNoteInput) (invoice.Invoice, error) {
	t.Helper()
	var issued invoice.Invoice
	err := postgres.InTenantTx(t.Context(), b.db.API, in.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		issued, err = b.service.IssueCreditNoteTx(t.Context(), tx, in)
		return err
	})
	return issued, err
}

func TestIssue_CapturedPayment_IsReadBackAndQueuedForRendering(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.plan(t, b.asha)

	issued, err := b.issue(t, in)
	require.NoError(t, err)
	require.Equal(t, "FP/26-27/000001", issued.Number)
	require.Equal(t, "FP-26-27-000001.pdf", issued.Filename())
	require.Equal(t, invoice.Tax{CGST: 12_150_00, SGST: 12_150_00}, issued.Totals.Tax)
	require.Equal(t, money.Paise(1_59_300_00), issued.Totals.Total)
	require.Equal(t, "Rupees One Lakh Fifty Nine Thousand Three Hundred Only", issued.Totals.Total.Words())

	byID, err := b.service.Find(t.Context(), b.asha, issued.ID)
	require.NoError(t, err)
	require.Equal(t, issued, byID, "what is read is what was issued")
	byPayment, err := b.service.Find(t.Context(), b.asha, in.PaymentID)
	require.NoError(t, err)
	require.Equal(t, issued, byPayment)

	var jobs []string
	require.NoError(t, b.db.Owner.Select(&jobs, `SELECT args::text FROM river_job WHERE kind = 'render_invoice' AND queue = 'documents'`))
	require.Equal(t, []string{`{"invoice_id": "` + issued.ID + `"}`}, jobs)
}

func TestIssue_SamePaymentTwice_ReturnsTheFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.plan(t, b.asha)
	first, err := b.issue(t, in)
	require.NoError(t, err)
	again, err := b.issue(t, in)
	require.NoError(t, err)
	require.Equal(t, first, again)

	var invoices, jobs int
	require.NoError(t, b.db.Owner.Get(&invoices, `SELECT count(*) FROM invoices`))
	require.NoError(t, b.db.Owner.Get(&jobs, `SELECT count(*) FROM river_job`))
	require.Equal(t, 1, invoices)
	require.Equal(t, 1, jobs)
}

func TestIssue_EachPlaceOfSupply_HasItsTax(t *testing.T) {
	t.Parallel()
	b := setup(t)
	away := b.plan(t, b.asha)
	away.Recipient.StateCode = "29"
	issued, err := b.issue(t, away)
	require.NoError(t, err)
	require.Equal(t, invoice.RegimeInterState, issued.Regime)
	require.Equal(t, invoice.Tax{IGST: 24_300_00}, issued.Totals.Tax)
	require.Equal(t, invoice.StateCode("29"), issued.PlaceOfSupply)

	zone := b.plan(t, b.asha)
	zone.Recipient.SEZ = true
	issued, err = b.issue(t, zone)
	require.NoError(t, err)
	require.Equal(t, invoice.Tax{IGST: 24_300_00}, issued.Totals.Tax)
}

func TestIssue_InputDoesNotAddUp_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cases := map[string]struct {
		change func(*invoice.IssueInput)
		want   error
	}{
		"a paisa less":      {func(in *invoice.IssueInput) { in.Paid-- }, invoice.ErrTotalMismatch},
		"no lines":          {func(in *invoice.IssueInput) { in.Lines = nil }, invoice.ErrBadInput},
		"nothing paid":      {func(in *invoice.IssueInput) { in.Paid = 0 }, invoice.ErrBadInput},
		"no name":           {func(in *invoice.IssueInput) { in.Recipient.Name = " " }, invoice.ErrBadInput},
		"no State":          {func(in *invoice.IssueInput) { in.Recipient.StateCode = "" }, invoice.ErrBadInput},
		"no description":    {func(in *invoice.IssueInput) { in.Lines[0].Description = "" }, invoice.ErrBadInput},
		"letters as SAC":    {func(in *invoice.IssueInput) { in.Lines[0].SAC = "99A331" }, invoice.ErrBadInput},
		"discount too much": {func(in *invoice.IssueInput) { in.Lines[0].Discount = 1_50_000_01 }, invoice.ErrBadInput},
		"negative amount":   {func(in *invoice.IssueInput) { in.Lines[0].Amount = -1 }, invoice.ErrBadInput},
		"payment no id":     {func(in *invoice.IssueInput) { in.PaymentID = "7" }, invoice.ErrBadInput},
	}
	for name, c := range cases {
		in := b.plan(t, b.asha)
		c.change(&in)
		_, err := b.issue(t, in)
		require.ErrorIs(t, err, c.want, name)
	}
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	require.Equal(t, int64(1), issued.Sequence, "refusals used no number")
}

// Of twenty concurrent payments, half roll back after their invoice. The remaining numbers have no gap.
func TestNumbers_ConcurrentRollbacks_HaveNoGap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rollback := errors.New("something later failed")
	var wg sync.WaitGroup
	failures := make(chan error, 20)
	for i := range 20 {
		in := b.plan(t, b.asha)
		wg.Go(func() {
			err := postgres.InTenantTx(t.Context(), b.db.API, b.asha, func(tx *sqlx.Tx) error {
				if _, err := b.service.IssueTx(t.Context(), tx, in); err != nil {
					return err
				}
				if i%2 == 0 {
					return rollback
				}
				return nil
			})
			if err != nil && !errors.Is(err, rollback) {
				failures <- err
			}
		})
	}
	wg.Wait()
	close(failures)
	require.NoError(t, <-failures)

	var sequences pq.Int64Array
	require.NoError(t, b.db.Owner.Get(&sequences, `SELECT array_agg(sequence ORDER BY sequence) FROM invoices`))
	require.Equal(t, pq.Int64Array{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, sequences)
}

func TestNumbers_FirstOfTheFinancialYear_IsOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for at, want := range map[time.Time]string{
		time.Date(2027, time.March, 31, 23, 59, 59, 0, clock.IST): "FP/26-27/000001",
		time.Date(2027, time.April, 1, 0, 0, 0, 0, clock.IST):     "FP/27-28/000001",
	} {
		in := b.plan(t, b.asha)
		in.IssuedAt = at
		issued, err := b.issue(t, in)
		require.NoError(t, err)
		require.Equal(t, want, issued.Number)
		require.True(t, issued.IssuedAt.Equal(at))
	}
}

// Two credit notes of a refund in two parts cancel the invoice, and a third is refused.
func TestCreditNotes_TwoParts_CancelTheInvoice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.plan(t, b.asha)
	original, err := b.issue(t, in)
	require.NoError(t, err)

	half := invoice.CreditNoteInput{
		FranchiserID: b.asha, InvoiceID: original.ID, RefundID: b.refund(t, original, 59_300_00), Amount: 59_300_00, Reason: "Downgraded",
	}
	first, err := b.credit(t, half)
	require.NoError(t, err)
	require.Equal(t, "CN/26-27/000001", first.Number)
	require.Equal(t, "FP/26-27/000001", first.OriginalNumber)
	require.Equal(t, money.Paise(59_300_00), first.Totals.Total)
	require.Equal(t, first.Totals.CGST, first.Totals.SGST)
	require.Equal(t, money.Paise(4_522_88), first.Totals.CGST)

	again, err := b.credit(t, half)
	require.NoError(t, err)
	require.Equal(t, first, again, "once per refund")

	rest := invoice.CreditNoteInput{FranchiserID: b.asha, InvoiceID: in.PaymentID, RefundID: b.refund(t, original, 1_00_000_00), Reason: "Cancelled"}
	second, err := b.credit(t, rest)
	require.NoError(t, err)
	require.Equal(t, "CN/26-27/000002", second.Number)
	require.Equal(t, original.Totals.CGST, first.Totals.CGST+second.Totals.CGST)
	require.Equal(t, original.Totals.Taxable, first.Totals.Taxable+second.Totals.Taxable)
	read, err := b.service.Find(t.Context(), b.asha, second.ID)
	require.NoError(t, err)
	require.Equal(t, second, read)

	_, err = b.credit(t, invoice.CreditNoteInput{FranchiserID: b.asha, InvoiceID: original.ID, RefundID: id.New(), Amount: 1})
	require.ErrorIs(t, err, invoice.ErrCreditTooLarge)
	_, err = b.credit(t, invoice.CreditNoteInput{FranchiserID: b.asha, InvoiceID: first.ID, RefundID: id.New(), Amount: 1})
	require.ErrorIs(t, err, invoice.ErrBadInput, "no credit note of a credit note")
	_, err = b.credit(t, invoice.CreditNoteInput{FranchiserID: b.ravi, InvoiceID: original.ID, RefundID: id.New(), Amount: 1})
	require.ErrorIs(t, err, invoice.ErrNotFound)
}

func TestCreditNotes_Concurrent_NeverExceedTheInvoice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	original, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 5 {
		refundID := b.refund(t, original, 60_000_00)
		wg.Go(func() {
			_ = postgres.InTenantTx(t.Context(), b.db.API, b.asha, func(tx *sqlx.Tx) error {
				_, err := b.service.IssueCreditNoteTx(t.Context(), tx, invoice.CreditNoteInput{
					FranchiserID: b.asha, InvoiceID: original.ID, RefundID: refundID, Amount: 60_000_00,
				})
				return err
			})
		})
	}
	wg.Wait()
	var credited int64
	require.NoError(t, b.db.Owner.Get(&credited, `SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, int64(1_20_000_00), credited, "two fit, the others were refused")
}

func TestDocument_OfAnotherFranchiser_IsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.plan(t, b.asha)
	issued, err := b.issue(t, in)
	require.NoError(t, err)
	for _, unknown := range []string{issued.ID, in.PaymentID, id.New(), "", "'; DROP TABLE invoices", strings.Repeat("9", 36)} {
		_, err := b.service.Find(t.Context(), b.ravi, unknown)
		require.ErrorIs(t, err, invoice.ErrNotFound)
		_, err = b.service.Link(t.Context(), b.ravi, unknown)
		require.ErrorIs(t, err, invoice.ErrNotFound)
	}
	var seen int
	require.NoError(t, b.db.API.Get(&seen, `SELECT count(*) FROM invoices`))
	require.Zero(t, seen, "without a franchiser nothing is seen")

	other := b.plan(t, b.asha)
	err = postgres.InTenantTx(t.Context(), b.db.API, b.ravi, func(tx *sqlx.Tx) error {
		_, err := b.service.IssueTx(t.Context(), tx, other)
		return err
	})
	require.True(t, postgres.Violates(err, "42501", ""), "a foreign insert is refused by the database: %v", err)
	other.FranchiserID = b.ravi
	_, err = b.issue(t, other)
	require.True(t, postgres.Violates(err, "23503", ""), "another's payment cannot be invoiced: %v", err)
}

// Two transactions run on either side of midnight, and the later one takes its number first. Dates still follow numbers.
func TestNumbers_LaterTransactionFirst_DatesFollowNumbers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	midnight := time.Date(2026, time.November, 3, 0, 0, 0, 0, clock.IST)
	after, before := b.plan(t, b.asha), b.plan(t, b.asha)
	after.IssuedAt, before.IssuedAt = midnight, midnight.Add(-time.Second)
	first, err := b.issue(t, after)
	require.NoError(t, err)
	second, err := b.issue(t, before)
	require.NoError(t, err)
	require.Equal(t, first.Sequence+1, second.Sequence)
	require.Equal(t, first.IssuedAt, second.IssuedAt)
}

// Before rendering the answer is "being prepared", after it a link; rendering again changes nothing.
func TestLink_BeforeAndAfterRendering(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.plan(t, b.asha)
	issued, err := b.issue(t, in)
	require.NoError(t, err)

	link, err := b.service.Link(t.Context(), b.asha, in.PaymentID)
	require.NoError(t, err)
	require.False(t, link.Ready())
	require.Equal(t, "FP/26-27/000001", link.Number)

	b.press.jammed = true
	_, err = b.printer.Print(t.Context(), issued.ID)
	require.ErrorContains(t, err, "paper jam")
	link, err = b.service.Link(t.Context(), b.asha, issued.ID)
	require.NoError(t, err)
	require.False(t, link.Ready())

	b.press.jammed = false
	doc, err := b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	require.Contains(t, doc.ObjectKey, doc.SHA256)
	require.Len(t, b.shelf.files, 1)

	b.clock.Advance(time.Hour)
	again, err := b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	require.Equal(t, doc, again)
	require.Len(t, b.shelf.files, 1)

	link, err = b.service.Link(t.Context(), b.asha, in.PaymentID)
	require.NoError(t, err)
	require.True(t, link.Ready())
	require.Equal(t, "https://files.example/"+doc.ObjectKey+"?as=FP-26-27-000001.pdf&for=5m0s", link.URL)
	require.Equal(t, "FP/26-27/000001", link.Number)
	require.Equal(t, b.clock.Now().Add(5*time.Minute), link.ExpiresAt)

	_, err = b.service.Link(t.Context(), b.asha, b.plan(t, b.asha).PaymentID)
	require.ErrorIs(t, err, invoice.ErrUnavailable, "a payment that has no invoice")
	_, err = b.service.Link(t.Context(), b.asha, b.plan(t, b.ravi).PaymentID)
	require.ErrorIs(t, err, invoice.ErrNotFound)

	_, err = b.printer.Print(t.Context(), id.New())
	require.ErrorIs(t, err, invoice.ErrNotFound)
	_, err = b.printer.Print(t.Context(), "nonsense")
	require.ErrorIs(t, err, invoice.ErrNotFound)
}

// Printing a lost document again restores the same bytes under the same key. A release that renders differently does not replace the issued
// file.
func TestPrint_LostDocument_RestoresTheSameBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	doc, err := b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	body := b.shelf.files[doc.ObjectKey]
	delete(b.shelf.files, doc.ObjectKey)

	again, err := b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	require.Equal(t, doc, again)
	require.Equal(t, body, b.shelf.files[doc.ObjectKey])

	b.press.release = "2"
	later, err := b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	require.Equal(t, doc, later)
	require.Len(t, b.shelf.files, 1)
}

func TestPrint_ConcurrentWorkers_KeepOneDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	docs := make([]invoice.Document, 4)
	var wg sync.WaitGroup
	for i := range docs {
		wg.Go(func() { docs[i], _ = b.printer.Print(t.Context(), issued.ID) })
	}
	wg.Wait()
	for _, doc := range docs {
		require.Equal(t, docs[0], doc)
	}
	require.NotEmpty(t, docs[0].SHA256)
	require.Len(t, b.shelf.files, 1)
}

func TestDocuments_AreImmutable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	_, err = b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)

	for _, statement := range []string{
		`UPDATE invoices SET total_paise = total_paise, reason = 'other'`,
		`DELETE FROM invoices`,
		`TRUNCATE invoices CASCADE`,
		`UPDATE invoice_lines SET description = 'other'`,
		`DELETE FROM invoice_lines`,
		`UPDATE invoice_documents SET sha256 = sha256`,
		`DELETE FROM invoice_documents`,
	} {
		_, err := b.db.Owner.Exec(statement)
		require.True(t, postgres.Violates(err, "23001", ""), "%s: %v", statement, err)
		err = postgres.InTenantTx(t.Context(), b.db.API, b.asha, func(tx *sqlx.Tx) error {
			_, err := tx.Exec(statement)
			return err
		})
		require.True(t, postgres.Violates(err, "42501", ""), "%s: %v", statement, err)
	}

	_, err = b.db.Owner.Exec(`UPDATE invoices SET irn = 'a', ack_no = 'b', signed_qr = 'c', ack_at = issued_at`)
	require.NoError(t, err, "registration fills its fields once")
	_, err = b.db.Owner.Exec(`UPDATE invoices SET ack_at = ack_at + interval '1 day'`)
	require.True(t, postgres.Violates(err, "23001", ""), "%v", err)
	_, err = b.db.Owner.Exec(`UPDATE invoices SET irn = 'z'`)
	require.True(t, postgres.Violates(err, "23001", ""), "%v", err)
}

func TestPersonalData_ExportContainsAndErasureKeepsDocuments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	err = postgres.InTenantTx(t.Context(), b.db.API, b.asha, func(tx *sqlx.Tx) error {
		section, data, err := b.service.ExportTx(t.Context(), tx, b.asha)
		require.NoError(t, err)
		require.Equal(t, "invoices", section)
		text, err := json.Marshal(data)
		require.NoError(t, err)
		require.Contains(t, string(text), `"number":"FP/26-27/000001"`)
		require.Contains(t, string(text), `"total":"159300.00"`)
		require.Contains(t, string(text), `"description":"Start up · Expansion, annual"`)
		require.NoError(t, b.service.MoveTx(t.Context(), tx, b.asha, "9876543212"))
		return b.service.EraseTx(t.Context(), tx, b.asha)
	})
	require.NoError(t, err)
	kept, err := b.service.Find(t.Context(), b.asha, issued.ID)
	require.NoError(t, err)
	require.Equal(t, issued, kept)
	err = postgres.InTenantTx(t.Context(), b.db.API, b.ravi, func(tx *sqlx.Tx) error {
		_, data, err := b.service.ExportTx(t.Context(), tx, b.ravi)
		require.Nil(t, data)
		return err
	})
	require.NoError(t, err)
}

func TestRecipientName_PrefersTheLegalName(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Asha Traders LLP", invoice.RecipientName(" Asha Traders LLP ", "Asha", "Rao"))
	require.Equal(t, "Asha Rao", invoice.RecipientName("", " Asha", "Rao "))
	require.Equal(t, "Asha Rao", invoice.RecipientName("asha@example.in", "Asha", "Rao"))
	require.Equal(t, "Café@Pune", invoice.RecipientName("Café@Pune", "", ""), "a sign in a name makes no address of it")
	for _, half := range [][3]string{{"", "", "Rao"}, {" ", "Asha", " "}, {"", "", ""}, {"a@b.in", "", ""}, {"", "a@b.in", "Rao"}} {
		require.Empty(t, invoice.RecipientName(half[0], half[1], half[2]), "%q", half)
	}
}

func TestSummary_GroupsBySACAndRate(t *testing.T) {
	t.Parallel()
	lines, totals, err := invoice.Compute(invoice.RegimeState, []invoice.LineInput{
		{Description: "Plan", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: 100_00},
		{Description: "Set-up", SAC: invoice.SACSetUp, RateBps: 1800, Quantity: 1, Amount: 50_00},
		{Description: "Add-on", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 2, Amount: 30_00, Discount: 10_00},
	})
	require.NoError(t, err)
	rows := invoice.Invoice{Lines: lines, Totals: totals}.Summary()
	require.Equal(t, []invoice.SummaryRow{
		{SAC: "997331", RateBps: 1800, Taxable: 120_00, Tax: invoice.Tax{CGST: 10_80, SGST: 10_80}},
		{SAC: "998314", RateBps: 1800, Taxable: 50_00, Tax: invoice.Tax{CGST: 4_50, SGST: 4_50}},
	}, rows)
}
