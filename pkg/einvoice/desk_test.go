package einvoice_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// unrecorded is a recorder that fails.
type unrecorded struct{ err error }

func (u unrecorded) RecordTx(context.Context, *sqlx.Tx, staff.Principal, staff.Action) error {
	return u.err
}

// Staff count and list registrations by state and page. Only a refused registration can be retried, once, with a reason, and only if the
// action is recorded.
func TestDesk_OnlyRefusedRegistrations_CanBeRetried(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha, err := member.Add(t.Context(), b.db.Owner, "asha", staff.RoleAdmin, b.clock.Now())
	require.NoError(t, err)
	signed := asha.Sign(t.Context())
	jobs := testkit.NewInserter(t, b.db.API)
	desk := einvoice.NewDesk(b.db.API, jobs, b.clock, staff.NewRecorder(b.clock), true)
	on, counts, err := desk.Counts(signed)
	require.NoError(t, err)
	require.True(t, on)
	require.Empty(t, counts)

	refused, registered, cancelled, waiting := b.issue(t, registeredGSTIN), b.issue(t, registeredGSTIN), b.issue(t, registeredGSTIN), b.issue(t, registeredGSTIN)
	require.NoError(t, b.registrar.Register(t.Context(), registered.ID))
	require.NoError(t, b.registrar.Register(t.Context(), cancelled.ID))
	r := b.portal.known[einvoice.IRNOf(cancelled)]
	r.Cancelled = true
	b.portal.known[r.IRN] = r
	require.NoError(t, b.registrar.Recheck(t.Context(), cancelled.ID))
	b.portal.refusal = &einvoice.RefusalError{Code: "3028", Message: "GSTIN is not active"}
	require.Error(t, b.registrar.Register(t.Context(), refused.ID))
	b.portal.refusal, b.portal.err = nil, errors.New("the portal is down")
	require.Error(t, b.registrar.Register(t.Context(), waiting.ID))

	_, counts, err = desk.Counts(signed)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 1, 0}, []int{
		counts[einvoice.StateWaiting], counts[einvoice.StateRefused], counts[einvoice.StateCancelled], counts[einvoice.StateRegistered],
	}, "how many are registered is not of interest")
	for state, want := range map[einvoice.State]string{
		einvoice.StateRefused: refused.Number, einvoice.StateRegistered: registered.Number, einvoice.StateCancelled: cancelled.Number, einvoice.StateWaiting: waiting.Number,
	} {
		rows, total, err := desk.List(signed, state, 10, 0)
		require.NoError(t, err)
		require.Equal(t, 1, total, state)
		require.Equal(t, []any{want, state}, []any{rows[0].Document.Number, rows[0].State})
		isRefused, err := desk.Refused(signed, rows[0].InvoiceID)
		require.NoError(t, err)
		require.Equal(t, state == einvoice.StateRefused, isRefused, state)
	}
	rows, total, err := desk.List(signed, "", 3, 0)
	require.NoError(t, err)
	require.Equal(t, []int{3, 4}, []int{len(rows), total})
	last, total, err := desk.List(signed, "", 3, 3)
	require.NoError(t, err)
	require.Equal(t, []int{1, 4}, []int{len(last), total})
	_, _, err = desk.List(signed, "lost", 3, 0)
	require.Contains(t, errs.As(err).Fields, "state")
	isRefused, err := desk.Refused(signed, id.New())
	require.NoError(t, err, "a document without a registration")
	require.False(t, isRefused)

	for name, tc := range map[string]struct {
		document, reason string
		kind             errs.Kind
		err              error
	}{
		"registered":          {registered.ID, "Once more", errs.KindConflict, einvoice.ErrNotRefused},
		"cancelled":           {cancelled.ID, "Once more", errs.KindConflict, einvoice.ErrNotRefused},
		"waiting":             {waiting.ID, "Once more", errs.KindConflict, einvoice.ErrNotRefused},
		"no such document":    {id.New(), "Once more", errs.KindNotFound, nil},
		"no id":               {"x", "Once more", errs.KindNotFound, nil},
		"no reason":           {refused.ID, "  ", errs.KindInvalid, nil},
		"a reason of letters": {refused.ID, "a", errs.KindInvalid, nil},
	} {
		err := desk.Again(signed, asha, tc.document, tc.reason)
		require.Equal(t, tc.kind, errs.KindOf(err), name)
		if tc.err != nil {
			require.ErrorIs(t, err, tc.err, name)
		}
	}
	_, err = b.db.Owner.Exec(`DELETE FROM river_job`)
	require.NoError(t, err)
	errFull := errors.New("the audit trail is full")
	require.ErrorIs(t, einvoice.NewDesk(b.db.API, jobs, b.clock, unrecorded{errFull}, true).Again(signed, asha, refused.ID, "GSTIN is active"), errFull)
	require.Empty(t, b.jobs(t, refused.ID), "what is not recorded is not asked for")
	for range 2 {
		require.NoError(t, desk.Again(signed, asha, refused.ID, "GSTIN is active"))
	}
	require.Equal(t, []string{"register_invoice"}, b.jobs(t, refused.ID), "once while it waits")
	b.portal.err = nil
	require.NoError(t, b.registrar.Register(t.Context(), refused.ID))
	require.ErrorIs(t, desk.Again(signed, asha, refused.ID, "Once more"), einvoice.ErrNotRefused)

	waits := func() (keys []string) {
		require.NoError(t, postgres.InTx(signed, b.db.API, func(tx *sqlx.Tx) error {
			items, total, err := einvoice.WorkSources()[0].Read(signed, tx, b.clock.Now(), 10)
			for _, i := range items {
				keys = append(keys, i.Key)
			}
			require.Len(t, keys, total)
			return err
		}))
		return keys
	}
	require.Contains(t, waits(), waiting.ID, "its job is gone")
	require.NoError(t, desk.Again(signed, asha, waiting.ID, "The portal answers again"))
	require.NotContains(t, waits(), waiting.ID)
	require.ErrorIs(t, desk.Again(signed, asha, waiting.ID, "Once more"), einvoice.ErrNotRefused, "a job asks already")

	unsigned, _, err := desk.List(t.Context(), "", 10, 0)
	require.True(t, err != nil || len(unsigned) == 0, "nobody sees them but staff")
}

// overtaken is a portal at which another worker registers the same document before it answers.
type overtaken struct {
	*portal

	first func() error
}

func (o *overtaken) Register(ctx context.Context, d einvoice.Document) (einvoice.Registration, error) {
	if first := o.first; first != nil {
		o.first = nil
		if err := first(); err != nil {
			return einvoice.Registration{}, err
		}
	}
	return o.portal.Register(ctx, d)
}

// Two workers register one document at once. The second takes the registration of the first, so that the document has one IRN and is
// rendered once.
func TestRegister_TwoWorkersAtOnce_RegistersOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company := b.issue(t, registeredGSTIN)
	late := &overtaken{portal: b.portal, first: func() error { return b.registrar.Register(t.Context(), company.ID) }}
	second := einvoice.NewRegistrar(b.db.Worker, testkit.NewInserter(t, b.db.Worker), b.clock, late)
	require.NoError(t, second.Register(t.Context(), company.ID))
	require.Equal(t, 2, b.portal.calls)
	state, code := b.state(t, company.ID)
	require.Equal(t, []string{"registered", ""}, []string{state, code})
	got := b.document(t, company.ID)
	require.Equal(t, []string{einvoice.IRNOf(company), "112010036563310", "qr"}, []string{got.IRN, got.AckNo, got.SignedQR})
	rendered := 0
	for _, kind := range b.jobs(t, company.ID) {
		if kind == "render_invoice" {
			rendered++
		}
	}
	require.Equal(t, 1, rendered)

	// One that is refused to the second worker while the first has registered it stays registered.
	other := b.issue(t, registeredGSTIN)
	late.first = func() error {
		err := b.registrar.Register(t.Context(), other.ID)
		b.portal.refusal = &einvoice.RefusalError{Code: "3074", Message: "State code"}
		return err
	}
	require.Error(t, second.Register(t.Context(), other.ID))
	state, code = b.state(t, other.ID)
	require.Equal(t, []string{"registered", ""}, []string{state, code})
	require.Equal(t, einvoice.IRNOf(other), b.document(t, other.ID).IRN)
}

// If a registration was cancelled at the portal before its answer arrived, it is refused permanently and no invoice is made of it.
func TestRegister_RegistrationWithdrawnBeforeTheAnswer_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company := b.issue(t, registeredGSTIN)
	b.portal.lost = true
	require.ErrorIs(t, b.registrar.Register(t.Context(), company.ID), context.DeadlineExceeded)
	b.portal.lost = false
	kept := b.portal.known[einvoice.IRNOf(company)]
	gone := kept
	gone.Cancelled = true
	b.portal.known[kept.IRN] = gone
	err := b.registrar.Register(t.Context(), company.ID)
	require.True(t, einvoice.Final(err), "its number cannot be registered again")
	state, code := b.state(t, company.ID)
	require.Equal(t, []string{"refused", "cancelled"}, []string{state, code})
	require.Empty(t, b.document(t, company.ID).IRN)

	unread := gone
	unread.SignedQR = ""
	b.portal.known[kept.IRN] = unread
	require.True(t, einvoice.Final(b.registrar.Register(t.Context(), company.ID)))
	_, code = b.state(t, company.ID)
	require.Equal(t, "other_document", code)

	require.Equal(t, errs.KindNotFound, errs.KindOf(b.registrar.Recheck(t.Context(), id.New())))
}

// forgetfulPortal has registered a document and no longer shows it; it refuses a repeated registration with code.
type forgetfulPortal struct {
	*portal
	code, irn string
}

func (p forgetfulPortal) Register(_ context.Context, d einvoice.Document) (einvoice.Registration, error) {
	for _, r := range p.known {
		refusal := &einvoice.RefusalError{Code: p.code, Message: "As the portal says it."}
		if p.code == "2150" {
			refusal.IRN, refusal.AckNo, refusal.AckAt = r.IRN, r.AckNo, r.AckAt
		}
		if p.irn != "" {
			refusal.IRN = p.irn
		}
		return einvoice.Registration{}, refusal
	}
	return einvoice.Registration{}, einvoice.ErrUnknown
}

func (forgetfulPortal) ByIRN(context.Context, string) (einvoice.Registration, error) {
	return einvoice.Registration{}, einvoice.ErrUnknown
}

// lostRegistration is a document that the portal registered, and whose answer was lost.
func (b *bundle) lostRegistration(t *testing.T) invoice.Invoice {
	t.Helper()
	company := b.issue(t, registeredGSTIN)
	b.portal.lost = true
	require.ErrorIs(t, b.registrar.Register(t.Context(), company.ID), context.DeadlineExceeded)
	b.portal.lost = false
	return company
}

func (b *bundle) registrarAt(t *testing.T, p einvoice.Portal) *einvoice.Registrar {
	t.Helper()
	return einvoice.NewRegistrar(b.db.Worker, testkit.NewInserter(t, b.db.Worker), b.clock, p)
}

func TestRegister_DuplicateThatThePortalNoLongerShows_KeepsAcknowledgementAndWaitsForStaff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company := b.lostRegistration(t)
	b.clock.Advance(4 * 24 * time.Hour)
	err := b.registrarAt(t, forgetfulPortal{portal: b.portal, code: "2150"}).Register(t.Context(), company.ID)
	require.True(t, einvoice.Final(err), "the job ends")
	state, code := b.state(t, company.ID)
	require.Equal(t, []string{"unsigned", "2150"}, []string{state, code})
	var irn, ackNo string
	var at time.Time
	require.NoError(t, b.db.Owner.QueryRow(`SELECT irn, ack_no, acknowledged_at FROM einvoice_registrations`).Scan(&irn, &ackNo, &at))
	known := b.portal.known[einvoice.IRNOf(company)]
	require.Equal(t, []string{known.IRN, known.AckNo}, []string{irn, ackNo})
	require.True(t, known.AckAt.Equal(at))
	require.Empty(t, b.document(t, company.ID).IRN, "a document without a signed QR code is not printed")

	// After 30 days the portal would refuse a repeated registration as too old, so the known IRN is queried instead.
	b.clock.Advance(40 * 24 * time.Hour)
	err = b.registrarAt(t, forgetfulPortal{portal: b.portal, code: "2305"}).Register(t.Context(), company.ID)
	require.True(t, einvoice.Final(err))
	state, code = b.state(t, company.ID)
	require.Equal(t, []string{"unsigned", "2150"}, []string{state, code})

	require.NoError(t, b.registrar.Register(t.Context(), company.ID), "a portal that shows it again ends the wait")
	state, code = b.state(t, company.ID)
	require.Equal(t, []string{"registered", ""}, []string{state, code})
	require.Equal(t, known.IRN, b.document(t, company.ID).IRN)
}

func TestRegister_TooOldButRegisteredInTime_IsTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company := b.lostRegistration(t)
	b.portal.refusal = &einvoice.RefusalError{Code: "2305", Message: "The document is older than 30 days."}
	require.NoError(t, b.registrar.Register(t.Context(), company.ID))
	state, _ := b.state(t, company.ID)
	require.Equal(t, "registered", state)

	other := b.issue(t, registeredGSTIN)
	require.True(t, einvoice.Final(b.registrar.Register(t.Context(), other.ID)))
	state, code := b.state(t, other.ID)
	require.Equal(t, []string{"refused", "2305"}, []string{state, code})
	var text string
	require.NoError(t, b.db.Owner.Get(&text, `SELECT message FROM einvoice_registrations WHERE invoice_id = $1`, other.ID))
	require.Contains(t, text, "30 days. An earlier answer")
}

func TestRegister_DuplicateWithAnotherIRN_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company := b.lostRegistration(t)
	err := b.registrarAt(t, forgetfulPortal{b.portal, "2150", "0f"}).Register(t.Context(), company.ID)
	require.True(t, einvoice.Final(err))
	state, code := b.state(t, company.ID)
	require.Equal(t, []string{"refused", "other_document"}, []string{state, code})
}

func TestRunningOut_UnregisteredDocuments_AreListedByIssueDate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.portal.refusal = &einvoice.RefusalError{Code: "3028", Message: "Buyer GSTIN is invalid"}
	company := b.issue(t, registeredGSTIN)
	require.Error(t, b.registrar.Register(t.Context(), company.ID))
	list := func(before time.Time) (issued []time.Time) {
		require.NoError(t, postgres.InTx(t.Context(), b.db.Worker, func(tx *sqlx.Tx) error {
			var err error
			issued, err = einvoice.RunningOutTx(t.Context(), tx, before)
			return err
		}))
		return issued
	}
	require.Empty(t, list(company.IssuedAt))
	require.Len(t, list(company.IssuedAt.Add(time.Second)), 1)
	b.portal.refusal = nil
	require.NoError(t, b.registrar.Register(t.Context(), company.ID))
	require.Empty(t, list(company.IssuedAt.Add(time.Second)))
}
