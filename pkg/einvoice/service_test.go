package einvoice_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// portal registers in memory. It fails with err, refuses with refusal, or loses the answer to a registration.
type portal struct {
	now       func() time.Time
	known     map[string]einvoice.Registration
	err       error
	refusal   *einvoice.RefusalError
	lost      bool
	calls     int
	otherName bool
}

func (p *portal) Register(_ context.Context, d einvoice.Document) (einvoice.Registration, error) {
	p.calls++
	if p.err != nil {
		return einvoice.Registration{}, p.err
	}
	if p.refusal != nil {
		return einvoice.Registration{}, p.refusal
	}
	irn := einvoice.IRN(d.Seller.GSTIN, "2026-27", d.Doc.Type, d.Doc.Number)
	if _, ok := p.known[irn]; ok {
		return einvoice.Registration{}, &einvoice.RefusalError{Code: "2150", Message: "Duplicate IRN", IRN: irn}
	}
	if p.otherName {
		d.Buyer.GSTIN = "29AAPFU0939F1ZR"
	}
	inner, _ := json.Marshal(d)
	body, _ := json.Marshal(map[string]string{"data": string(inner)})
	p.known[irn] = einvoice.Registration{
		IRN: irn, AckNo: "112010036563310", AckAt: p.now(), SignedQR: "qr",
		SignedInvoice: "e30." + base64.RawURLEncoding.EncodeToString(body) + ".c2ln",
	}
	if p.lost {
		return einvoice.Registration{}, context.DeadlineExceeded
	}
	return p.known[irn], nil
}

func (p *portal) ByIRN(_ context.Context, irn string) (einvoice.Registration, error) {
	r, ok := p.known[irn]
	if !ok {
		return r, einvoice.ErrUnknown
	}
	return r, nil
}

type shelf map[string][]byte

func (s shelf) Put(_ context.Context, key, _ string, body []byte) error {
	s[key] = body
	return nil
}

func (shelf) Presign(context.Context, string, string, time.Duration) (string, error) { return "", nil }

// press prints the number and the registration.
type press struct{}

func (press) Render(i invoice.Invoice) ([]byte, error) {
	return []byte(i.Number + i.IRN + i.SignedQR), nil
}

type bundle struct {
	db        *testkit.Database
	clock     *clock.Fake
	portal    *portal
	invoices  *invoice.Service
	printer   *invoice.Printer
	registrar *einvoice.Registrar
	shelf     shelf
	asha      string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{db: testkit.NewDatabase(t), clock: testkit.NewClock(), shelf: shelf{}, asha: id.New()}
	b.portal = &portal{now: b.clock.Now, known: map[string]einvoice.Registration{}}
	from := b.clock.Now().Add(-time.Hour)
	b.registerFrom(t, from)
	b.printer = invoice.NewPrinter(invoice.PrinterOptions{
		DB: b.db.Worker, Clock: b.clock, Renderer: press{}, Objects: b.shelf, RegisterFrom: from,
	})
	b.registrar = einvoice.NewRegistrar(b.db.Worker, testkit.NewInserter(t, b.db.Worker), b.clock, b.portal)
	_, err := b.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, '9876543210', 'a@b.in', 'x', '1', $2, $2)`, b.asha, b.clock.Now())
	require.NoError(t, err)
	return b
}

// registerFrom rebuilds the service of documents, which are registered from that moment on.
func (b *bundle) registerFrom(t *testing.T, from time.Time) {
	t.Helper()
	supplier := invoice.Supplier{Name: "Franchise 360 Private Limited", Address: []string{"Nariman Point", "Mumbai 400021"}, GSTIN: "27AAPFU0939F1ZV", StateCode: "27"}
	b.invoices = invoice.NewService(invoice.Options{
		DB: b.db.API, Jobs: testkit.NewInserter(t, b.db.API), Clock: b.clock, Objects: b.shelf, Payments: payment.Lookup{},
		Supplier: supplier, RegisterFrom: from,
	})
}

func (b *bundle) issue(t *testing.T, gstin string) invoice.Invoice {
	t.Helper()
	paymentID, err := testkit.PaidPayment(t.Context(), b.db.Owner, b.asha, 1_59_300_00, false, b.clock.Now())
	require.NoError(t, err)
	var issued invoice.Invoice
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, b.asha, func(tx *sqlx.Tx) error {
		issued, err = b.invoices.IssueTx(t.Context(), tx, invoice.IssueInput{
			FranchiserID: b.asha, PaymentID: paymentID, Paid: 1_59_300_00,
			Recipient: invoice.Recipient{Name: "Asha Traders", Address: []string{"12/4, MG Road", "Pune 411001"}, StateCode: "27", GSTIN: gstin},
			Lines: []invoice.LineInput{{
				Description: "Start up · Expansion, annual", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00,
			}},
		})
		return err
	}))
	return issued
}

// jobs returns the kinds of jobs of the document that wait.
func (b *bundle) jobs(t *testing.T, invoiceID string) []string {
	t.Helper()
	var kinds []string
	require.NoError(t, b.db.Owner.Select(&kinds, `SELECT kind FROM river_job WHERE args->>'invoice_id' = $1 ORDER BY kind`, invoiceID))
	return kinds
}

func (b *bundle) state(t *testing.T, invoiceID string) (state, code string) {
	t.Helper()
	require.NoError(t, b.db.Owner.QueryRow(`SELECT state, code FROM einvoice_registrations WHERE invoice_id = $1`, invoiceID).Scan(&state, &code))
	return state, code
}

func (b *bundle) document(t *testing.T, invoiceID string) invoice.Invoice {
	t.Helper()
	i, err := b.invoices.Find(t.Context(), b.asha, invoiceID)
	require.NoError(t, err)
	return i
}

const registeredGSTIN = "27AAQCA8719H1Z6"

func TestDocument_WithRecipientGSTIN_IsRegisteredBeforeItIsRendered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	consumer := b.issue(t, "")
	require.Equal(t, []string{"render_invoice"}, b.jobs(t, consumer.ID))
	_, err := b.printer.Print(t.Context(), consumer.ID)
	require.NoError(t, err)

	company := b.issue(t, registeredGSTIN)
	require.Equal(t, []string{"register_invoice"}, b.jobs(t, company.ID))
	_, err = b.printer.Print(t.Context(), company.ID)
	require.ErrorIs(t, err, invoice.ErrUnregistered)

	require.NoError(t, b.registrar.Register(t.Context(), company.ID))
	got := b.document(t, company.ID)
	require.Equal(t, []string{einvoice.IRNOf(company), "112010036563310", "qr"}, []string{got.IRN, got.AckNo, got.SignedQR})
	require.True(t, b.portal.now().Equal(got.AckAt), got.AckAt)
	require.Equal(t, []string{"recheck_einvoice", "register_invoice", "render_invoice"}, b.jobs(t, company.ID))
	doc, err := b.printer.Print(t.Context(), company.ID)
	require.NoError(t, err)
	require.Equal(t, company.Number+got.IRN+"qr", string(b.shelf[doc.ObjectKey]))
	require.NoError(t, b.registrar.Register(t.Context(), company.ID), "a second run")
	require.Equal(t, 1, b.portal.calls)
	require.ErrorIs(t, b.registrar.Register(t.Context(), id.New()), invoice.ErrNotFound)
	require.ErrorIs(t, b.registrar.Register(t.Context(), "x"), invoice.ErrNotFound)
}

func TestDocument_IssuedBeforeTheFirstDay_IsNotRegistered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.registerFrom(t, b.clock.Now().Add(time.Hour))
	require.Equal(t, []string{"render_invoice"}, b.jobs(t, b.issue(t, registeredGSTIN).ID))
	b.registerFrom(t, time.Time{})
	require.Equal(t, []string{"render_invoice"}, b.jobs(t, b.issue(t, registeredGSTIN).ID))
}

func TestRegister_AnswerLost_NextTryTakesTheRegistration(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company := b.issue(t, registeredGSTIN)
	b.portal.lost = true
	require.ErrorIs(t, b.registrar.Register(t.Context(), company.ID), context.DeadlineExceeded)
	state, _ := b.state(t, company.ID)
	require.Equal(t, "waiting", state)
	require.Empty(t, b.document(t, company.ID).IRN)
	require.NoError(t, b.registrar.Register(t.Context(), company.ID))
	require.Equal(t, einvoice.IRNOf(company), b.document(t, company.ID).IRN)
}

func TestRegister_Refused_IsKeptAndCanBeRetried(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company := b.issue(t, registeredGSTIN)
	for _, c := range []struct {
		refusal einvoice.RefusalError
		final   bool
	}{{einvoice.RefusalError{Code: "3074", Message: "State code"}, true}, {einvoice.RefusalError{Code: "3028", Message: "GSTIN", Later: true}, false}} {
		b.portal.refusal = &c.refusal
		err := b.registrar.Register(t.Context(), company.ID)
		require.Equal(t, c.final, einvoice.Final(err))
		state, code := b.state(t, company.ID)
		require.Equal(t, []string{"refused", c.refusal.Code}, []string{state, code})
	}
	b.portal.refusal, b.portal.err = nil, errors.New("the portal is down")
	require.ErrorContains(t, b.registrar.Register(t.Context(), company.ID), "down")
	state, _ := b.state(t, company.ID)
	require.Equal(t, "waiting", state)
	b.portal.err = nil
	require.NoError(t, b.registrar.Register(t.Context(), company.ID))
	state, code := b.state(t, company.ID)
	require.Equal(t, []string{"registered", ""}, []string{state, code})
	var tries int
	require.NoError(t, b.db.Owner.Get(&tries, `SELECT tries FROM einvoice_registrations`))
	require.Equal(t, 4, tries)
}

func TestRegister_NumberBelongsToAnotherDocument_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company := b.issue(t, registeredGSTIN)
	b.portal.otherName = true
	require.True(t, einvoice.Final(b.registrar.Register(t.Context(), company.ID)))
	require.True(t, einvoice.Final(b.registrar.Register(t.Context(), company.ID)), "also where it is a duplicate")
	_, code := b.state(t, company.ID)
	require.Equal(t, "other_document", code)
	require.Empty(t, b.document(t, company.ID).IRN)
}

func TestCancellation_AtThePortal_IsFoundAfterADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kept, gone := b.issue(t, registeredGSTIN), b.issue(t, registeredGSTIN)
	for _, i := range []invoice.Invoice{kept, gone} {
		require.NoError(t, b.registrar.Register(t.Context(), i.ID))
	}
	r := b.portal.known[einvoice.IRNOf(gone)]
	r.Cancelled = true
	b.portal.known[r.IRN] = r
	want := map[string]string{kept.ID: "registered", gone.ID: "cancelled"}
	for invoiceID, state := range want {
		require.NoError(t, b.registrar.Recheck(t.Context(), invoiceID))
		got, _ := b.state(t, invoiceID)
		require.Equal(t, state, got)
	}
	b.portal.known = nil // too old to be shown
	require.NoError(t, b.registrar.Recheck(t.Context(), kept.ID))
}

// takenBack issues the credit note of the whole invoice.
func (b *bundle) takenBack(t *testing.T, of invoice.Invoice) (note invoice.Invoice) {
	t.Helper()
	refund, err := testkit.DoneRefund(t.Context(), b.db.Owner, b.asha, of.PaymentID, int64(of.Totals.Total), b.clock.Now())
	require.NoError(t, err)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, b.asha, func(tx *sqlx.Tx) error {
		note, err = b.invoices.IssueCreditNoteTx(t.Context(), tx, invoice.CreditNoteInput{
			FranchiserID: b.asha, InvoiceID: of.ID, RefundID: refund, Amount: of.Totals.Total, Reason: "Cancelled at the portal", IssuedAt: b.clock.Now(),
		})
		return err
	}))
	return note
}

// A refused registration waits for staff until it is registered, and a registration cancelled at the portal until the invoice is reversed.
func TestWorkList_RefusedOrCancelledRegistrations_WaitForStaff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sunita, err := member.Add(t.Context(), b.db.Owner, "Sunita", staff.RoleFinance, b.clock.Now())
	require.NoError(t, err)
	waiting := func() map[string]string {
		wrong := map[string]string{}
		require.NoError(t, postgres.InTx(sunita.Sign(t.Context()), b.db.API, func(tx *sqlx.Tx) error {
			items, total, err := einvoice.WorkSources()[0].Read(t.Context(), tx, b.clock.Now(), 10)
			require.Len(t, items, total)
			for _, i := range items {
				number, recipient, _ := strings.Cut(i.Title, " · ")
				require.Equal(t, "Asha Traders", recipient)
				wrong[number] = i.Wrong
			}
			return err
		}))
		return wrong
	}
	require.Empty(t, waiting())
	refused, gone := b.issue(t, registeredGSTIN), b.issue(t, registeredGSTIN)
	require.NoError(t, b.registrar.Register(t.Context(), gone.ID))
	r := b.portal.known[einvoice.IRNOf(gone)]
	r.Cancelled = true
	b.portal.known[r.IRN] = r
	require.NoError(t, b.registrar.Recheck(t.Context(), gone.ID))
	b.portal.refusal = &einvoice.RefusalError{Code: "3028", Message: "The GSTIN is not active"}
	require.Error(t, b.registrar.Register(t.Context(), refused.ID))
	require.Equal(t, map[string]string{
		refused.Number: "The portal refused it: The GSTIN is not active (3028).", gone.Number: "It was cancelled at the portal, and counts for nothing there: the month's return leaves it out.",
	}, waiting())

	b.portal.refusal = nil
	require.NoError(t, b.registrar.Register(t.Context(), refused.ID))
	b.takenBack(t, gone)
	require.Empty(t, waiting())

	// A credit note cancelled at the portal, whose invoice is still valid, is in no return.
	note := b.takenBack(t, refused)
	require.NoError(t, b.registrar.Register(t.Context(), note.ID))
	require.Empty(t, waiting())
	r = b.portal.known[einvoice.IRNOf(note)]
	r.Cancelled = true
	b.portal.known[r.IRN] = r
	require.NoError(t, b.registrar.Recheck(t.Context(), note.ID))
	require.Equal(t, map[string]string{
		note.Number: "It was cancelled at the portal, so that no return has it: the tax of its invoice is owed in full.",
	}, waiting())
	require.NoError(t, postgres.InTx(sunita.Sign(t.Context()), b.db.API, func(tx *sqlx.Tx) error {
		numbers, err := einvoice.CancelledTx(t.Context(), tx)
		require.Equal(t, map[string]bool{gone.Number: true, note.Number: true}, numbers)
		return err
	}))
	_, err = b.db.Owner.Exec(`INSERT INTO book_locks (sequence, locked_through, reason, staff_id, staff_name, recorded_at)
		VALUES (1, (date_trunc('month', $1::timestamptz AT TIME ZONE 'Asia/Kolkata') + interval '1 month - 1 day')::date, 'Filed', $2, 'Sunita', $1)`, b.clock.Now(), sunita.StaffID)
	require.NoError(t, err)
	require.Empty(t, waiting(), "the books of its month are locked")
}
