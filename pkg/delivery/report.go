package delivery

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Report is a connected system's message about a delivery. A repeated Key with the same content changes nothing.
type Report struct {
	// APIKeyID and System name the caller.
	APIKeyID, System string
	Key              string
	Content          idempotency.Fingerprint
	Change           Change
}

// Connected returns the customer's deliveries for which connected systems are responsible, ended ones aside.
func (s *Service) Connected(ctx context.Context, franchiserID string) ([]Delivery, error) {
	list, err := s.List(ctx, franchiserID)
	return slices.DeleteFunc(list, func(d Delivery) bool { return d.How != plan.ByConnected }), err
}

// ErrNotConnected refuses a report on a delivery that the product or staff make.
var ErrNotConnected = errs.New(errs.KindConflict, "not_connected", "No connected system delivers this.")

// Report moves a delivery for which connected systems are responsible, and returns it.
func (s *Service) Report(ctx context.Context, franchiserID, deliveryID string, r Report) (after Delivery, err error) {
	r.Change.Reason = oneLine(r.Change.Reason)
	var v errs.Validation
	v.Check(len([]rune(r.Change.Reason)) <= maxNote-maxSystem, "note", "Up to 400 characters.")
	v.Check(idempotency.Valid(r.Key), "idempotency_key", idempotency.Rule)
	if err := v.Err(); err != nil {
		return after, err
	}
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		before, err := s.store.lock(ctx, tx, franchiserID, deliveryID)
		if err != nil {
			return err
		}
		if before.How != plan.ByConnected {
			return ErrNotConnected
		}
		earlier, found, err := s.store.reportOf(ctx, tx, franchiserID, r)
		if err != nil || found {
			after = before
			if err == nil {
				err = r.Content.Check(earlier)
			}
			return err
		}
		c, err := r.Change.clean(before)
		if err != nil {
			return err
		}
		if after, err = s.store.with(ctx, tx, before, c, s.clock.Now()); err != nil {
			return err
		}
		after.System = r.System
		if err := s.store.save(ctx, tx, after); err != nil {
			return err
		}
		e := event{id: id.New(), kind: eventNoted, from: before.State, note: r.System, actor: actorSystem, report: &r}
		if after.State != before.State {
			e.kind = eventMoved
		}
		if r.Change.Reason != "" {
			e.note += ": " + r.Change.Reason
		}
		return s.store.insertEvent(ctx, tx, after, e)
	})
	return after, err
}

// maxSystem is the longest label of an API key, with the separator before its note.
const maxSystem = 100
