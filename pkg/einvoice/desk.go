package einvoice

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Desk shows staff the registrations. It runs with the API's role.
type Desk struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	on       bool
	store    store
}

// NewDesk returns the desk; on reports whether documents are registered at all.
func NewDesk(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, recorder Recorder, on bool) *Desk {
	return wiring.Complete(&Desk{db: db, jobs: jobs, clock: clk, recorder: recorder, on: on})
}

// Counts returns whether documents are registered, and how many there are in each state but registered.
func (d *Desk) Counts(ctx context.Context) (on bool, counts map[State]int, err error) {
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		counts, err = d.store.counts(ctx, tx)
		return err
	})
	return d.on, counts, err
}

// List returns registrations in the state, all if it is empty, the latest change first, and how many there are. An unknown state is a
// validation error.
func (d *Desk) List(ctx context.Context, state State, limit, offset int) (rows []Row, total int, err error) {
	if state != "" && !slices.Contains(states().States(), state) {
		return nil, 0, errs.Invalid("Choose one of the states.").Field("state", "Choose one of the states.")
	}
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if rows, err = d.store.list(ctx, tx, state, limit, offset); err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]string, 0, len(rows))
		for _, row := range rows {
			ids = append(ids, row.InvoiceID)
		}
		documents, err := invoice.RegisteredDocumentsTx(ctx, tx, ids)
		if err != nil {
			return err
		}
		for n := range rows {
			rows[n].Document = documents[rows[n].InvoiceID]
		}
		total = rows[0].All
		return nil
	})
	return rows, total, err
}

// Refused reports whether the portal refused the document, or does not show its signed QR code: it therefore has no PDF.
func (d *Desk) Refused(ctx context.Context, invoiceID string) (refused bool, err error) {
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		row, err := d.store.one(ctx, tx, invoiceID)
		if errs.KindOf(err) == errs.KindNotFound {
			return nil
		}
		refused = row.State.needsStaff()
		return err
	})
	return refused, err
}

// RefusedOf is Refused for the franchiser whose document it may be; false for everybody else.
func (d *Desk) RefusedOf(ctx context.Context, franchiserID, invoiceID string) (refused bool, err error) {
	err = postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		refused, err = d.store.refusedOf(ctx, tx, franchiserID, invoiceID)
		return err
	})
	return refused, err
}

// StateTx returns the state of a document's registration, empty if the portal was never called. The transaction has to carry the proof of a
// member of staff.
func StateTx(ctx context.Context, tx *sqlx.Tx, invoiceID string) (State, error) {
	row, err := store{}.one(ctx, tx, invoiceID)
	if errs.KindOf(err) == errs.KindNotFound {
		return "", nil
	}
	return row.State, err
}

// CancelledTx returns the numbers of the documents that were cancelled at the portal: no return of outward supplies has them. The
// transaction has to carry the proof of a member of staff.
func CancelledTx(ctx context.Context, tx *sqlx.Tx) (map[string]bool, error) {
	const most = 1000
	numbers := map[string]bool{}
	for passed := 0; ; passed += most {
		rows, err := store{}.list(ctx, tx, StateCancelled, most, passed)
		if err != nil || len(rows) == 0 {
			return numbers, err
		}
		ids := make([]string, 0, len(rows))
		for _, row := range rows {
			ids = append(ids, row.InvoiceID)
		}
		documents, err := invoice.RegisteredDocumentsTx(ctx, tx, ids)
		if err != nil {
			return nil, err
		}
		for _, d := range documents {
			numbers[d.Number] = true
		}
		if len(rows) < most {
			return numbers, nil
		}
	}
}

// Again retries a refused registration, or one whose job used up its tries. It returns errs.NotFound for a document without a registration, or ErrNotRefused.
func (d *Desk) Again(ctx context.Context, p staff.Principal, invoiceID, reason string) error {
	if !id.Valid(invoiceID) {
		return errs.NotFound()
	}
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		row, err := d.store.one(ctx, tx, invoiceID)
		if err != nil {
			return err
		}
		may := row.State.needsStaff()
		if row.State == StateWaiting {
			if may, err = d.store.lost(ctx, tx, invoiceID); err != nil {
				return err
			}
		}
		if !may {
			return ErrNotRefused
		}
		documents, err := invoice.RegisteredDocumentsTx(ctx, tx, []string{invoiceID})
		if err != nil {
			return err
		}
		i := invoice.Invoice{ID: invoiceID, FranchiserID: row.FranchiserID}
		if err := invoice.RegisterTx(ctx, tx, d.jobs, i); err != nil {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "register_invoice", Target: "invoice:" + invoiceID, FranchiserRef: &row.FranchiserID, Reason: reason,
			Before: staff.JSON(map[string]any{"state": row.State, "code": row.Code}),
			After:  staff.JSON(map[string]any{"number": documents[invoiceID].Number}),
		})
	})
}
