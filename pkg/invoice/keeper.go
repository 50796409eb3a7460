package invoice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// The pace of the check: about a hundred thousand documents a day, at forty look-ups a second while it runs.
const (
	checkPage = 50
	checkMost = 1000
	checkPace = 25 * time.Millisecond
)

// ErrDrawnDifferently reports that this release or its certificate renders a document differently from the one handed out, so
// that it cannot be stored again under the recorded hash.
var ErrDrawnDifferently = errors.New("invoice: drawn differently from what was handed out")

// Lookout reports whether the object store has an object under a key; pkg/adapter/objectstore implements it.
type Lookout interface {
	Has(ctx context.Context, key string) (bool, error)
}

// Keeper checks that the object store has every document that the database has recorded there; it works with the
// worker's database role.
type Keeper struct {
	db      *sqlx.DB
	clock   clock.Clock
	printer *Printer
	objects Lookout
	pace    time.Duration
	store   store
}

// NewKeeper returns a keeper on the worker's pool.
func NewKeeper(db *sqlx.DB, clk clock.Clock, printer *Printer, objects Lookout) *Keeper {
	return wiring.Complete(&Keeper{db: db, clock: clk, printer: printer, objects: objects, pace: checkPace})
}

// Losses are the documents that the check found to be missing from the object store.
type Losses struct {
	Count int64 `db:"count"`
	// Different counts the documents that rendered again with a different result.
	Different int64 `db:"different"`
	// Since is when the first of them was found missing, Checked when all documents were last checked; nil for never. UTC.
	Since   *time.Time `db:"since"`
	Checked *time.Time `db:"checked"`
}

// LossesTx returns the counts of lost documents; every database role may call it.
func LossesTx(ctx context.Context, tx *sqlx.Tx) (Losses, error) { return store{}.losses(ctx, tx) }

// Losses returns the counts of lost documents.
func (k *Keeper) Losses(ctx context.Context) (l Losses, err error) {
	err = postgres.InTx(ctx, k.db, func(tx *sqlx.Tx) error {
		l, err = k.store.losses(ctx, tx)
		return err
	})
	return l, err
}

// Check continues where the last check stopped, until the last document, checkMost documents, or until enough returns true. Each page is
// recorded separately; if the store does not answer, the check ends and keeps its records.
func (k *Keeper) Check(ctx context.Context, enough func() bool) error {
	for seen := 0; seen < checkMost && !enough(); seen += checkPage {
		ended, err := k.checkPage(ctx)
		if err != nil || ended {
			return err
		}
	}
	return nil
}

func (k *Keeper) checkPage(ctx context.Context) (ended bool, err error) {
	var page []kept
	err = postgres.InTx(ctx, k.db, func(tx *sqlx.Tx) error {
		page, err = k.store.nextToCheck(ctx, tx, checkPage)
		return err
	})
	if err != nil {
		return false, err
	}
	seen := look{ended: len(page) < checkPage}
	var failure error
	for _, d := range page {
		var there bool
		if there, failure = k.look(ctx, d.ObjectKey); failure != nil {
			seen.ended = false
			break
		}
		seen.after = d.InvoiceID
		if there {
			seen.there = append(seen.there, d.InvoiceID)
		} else {
			seen.lost = append(seen.lost, d.InvoiceID)
		}
	}
	noted := context.WithoutCancel(ctx)
	noted, cancel := context.WithTimeout(noted, noteTimeout)
	defer cancel()
	err = postgres.InTx(noted, k.db, func(tx *sqlx.Tx) error { return k.store.noteLook(noted, tx, seen, k.clock.Now()) })
	return seen.ended, errors.Join(failure, err)
}

// noteTimeout is how long recording a page may take once the job's time is up.
const noteTimeout = 5 * time.Second

func (k *Keeper) look(ctx context.Context, key string) (bool, error) {
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(k.pace):
		return k.objects.Has(ctx, key)
	}
}

// Restore renders lost documents again, each once per job, and stores those whose bytes equal the issued file, until all are done or enough
// returns true. A document that renders differently stays lost and is marked. If a run was killed, the next one resumes it.
func (k *Keeper) Restore(ctx context.Context, jobID int64, enough func() bool) (finished bool, err error) {
	for !enough() {
		var invoiceID string
		err := postgres.InTx(ctx, k.db, func(tx *sqlx.Tx) error {
			invoiceID, err = k.store.nextLost(ctx, tx, jobID)
			return err
		})
		if err != nil || invoiceID == "" {
			return err == nil, err
		}
		err = k.printer.PutBack(ctx, invoiceID)
		different := errors.Is(err, ErrDrawnDifferently)
		if err != nil && !different {
			return false, err
		}
		err = postgres.InTx(ctx, k.db, func(tx *sqlx.Tx) error {
			if different {
				return k.store.markDifferent(ctx, tx, invoiceID, jobID)
			}
			return k.store.found(ctx, tx, []string{invoiceID})
		})
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// PutBack renders a recorded document and stores the same bytes under the same key. It returns ErrNotFound for one
// that was never rendered, and ErrDrawnDifferently.
func (p *Printer) PutBack(ctx context.Context, invoiceID string) error {
	invoice, recorded, printed, err := p.load(ctx, invoiceID)
	if err != nil {
		return err
	}
	if !printed {
		return ErrNotFound
	}
	body, err := p.renderer.Render(invoice)
	if err != nil {
		return fmt.Errorf("render %s: %w", invoice.Number, err)
	}
	if doc := p.document(invoice, body); doc.SHA256 != recorded.SHA256 {
		return fmt.Errorf("%s: %w", invoice.Number, ErrDrawnDifferently)
	}
	if err := p.objects.Put(ctx, recorded.ObjectKey, contentType, body); err != nil {
		return fmt.Errorf("store %s: %w", invoice.Number, err)
	}
	return nil
}
