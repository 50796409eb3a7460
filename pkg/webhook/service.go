package webhook

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Errors that are safe to show.
var (
	// ErrTooMany reports that the maximum number of endpoints is reached.
	ErrTooMany = errs.New(errs.KindConflict, "too_many_endpoints", "There are 20 endpoints. Remove one first.")
	// ErrDisabled reports that nothing can be sent to an endpoint that is disabled.
	ErrDisabled = errs.New(errs.KindConflict, "endpoint_disabled", "This endpoint is disabled. Enable it first.")
	// ErrState reports that the endpoint is enabled, or disabled, already.
	ErrState = errs.New(errs.KindConflict, "endpoint_state", "This endpoint was changed meanwhile. Look at it again.")
	// ErrWaiting reports that a delivery is being sent anyway.
	ErrWaiting = errs.New(errs.KindConflict, "delivery_waiting", "This delivery is on its way already.")
)

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Prover checks the reason and the Proof of a member of staff before a change that outlives the session; staff.Accounts implements it.
type Prover interface {
	Prove(ctx context.Context, p staff.Principal, proof staff.Proof, reason string) (string, error)
}

// Service lets staff manage endpoints and look at deliveries. It runs with the API's role, which sends nothing: jobs do.
type Service struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	keys     secret.Keyring
	recorder Recorder
	prover   Prover
	plain    bool
}

// NewService returns a service on the API's pool. plain allows addresses without https and on this machine, in development.
func NewService(
	db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, keys secret.Keyring, recorder Recorder, prover Prover, plain bool,
) *Service {
	return wiring.Complete(&Service{db: db, jobs: jobs, clock: clk, keys: keys, recorder: recorder, prover: prover, plain: plain})
}

// Endpoints returns all endpoints that were not removed.
func (s *Service) Endpoints(ctx context.Context) (list []Endpoint, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list, err = endpoints(ctx, tx)
		return err
	})
	return list, err
}

// Add makes an endpoint and returns its secret, which is never shown again. It needs a Proof, because the endpoint receives customers'
// events after the session.
func (s *Service) Add(
	ctx context.Context, p staff.Principal, in EndpointInput, proof staff.Proof, reason string,
) (e Endpoint, shown string, err error) {
	in, err = in.check(s.plain)
	if err != nil {
		return e, "", err
	}
	if reason, err = s.prover.Prove(ctx, p, proof, reason); err != nil {
		return e, "", err
	}
	endpointID, key := id.New(), RandomSecret()
	sealed, err := s.keys.Seal(secret.PurposeWebhook, binding(endpointID), key)
	if err != nil {
		return e, "", err
	}
	e, err = s.act(ctx, p, "add_webhook", endpointID, reason, func(tx *sqlx.Tx, _ Endpoint) error {
		list, err := endpoints(ctx, tx)
		if err != nil {
			return err
		}
		if len(list) >= maxEndpoints {
			return ErrTooMany
		}
		return insertEndpoint(ctx, tx, endpointID, in, sealed, s.clock.Now())
	})
	return e, ShowSecret(key), err
}

// Change gives an endpoint another address, description or choice of events. It needs a Proof, because the events go to the address.
func (s *Service) Change(
	ctx context.Context, p staff.Principal, endpointID string, in EndpointInput, proof staff.Proof, reason string,
) (Endpoint, error) {
	in, err := in.check(s.plain)
	if err != nil {
		return Endpoint{}, err
	}
	if reason, err = s.prover.Prove(ctx, p, proof, reason); err != nil {
		return Endpoint{}, err
	}
	return s.act(ctx, p, "change_webhook", endpointID, reason, func(tx *sqlx.Tx, _ Endpoint) error {
		return updateEndpoint(ctx, tx, endpointID, in, s.clock.Now())
	})
}

// Rotate gives an endpoint another secret and returns it. The one before signs too for a day. It needs a Proof.
func (s *Service) Rotate(
	ctx context.Context, p staff.Principal, endpointID string, proof staff.Proof, reason string,
) (e Endpoint, shown string, err error) {
	if reason, err = s.prover.Prove(ctx, p, proof, reason); err != nil {
		return e, "", err
	}
	key := RandomSecret()
	sealed, err := s.keys.Seal(secret.PurposeWebhook, binding(endpointID), key)
	if err != nil {
		return e, "", err
	}
	e, err = s.act(ctx, p, "rotate_webhook", endpointID, reason, func(tx *sqlx.Tx, _ Endpoint) error {
		now := s.clock.Now()
		return rotateSecret(ctx, tx, endpointID, sealed, now.Add(oldSecretFor), now)
	})
	return e, ShowSecret(key), err
}

// Enable sends future events to an endpoint; ResendSince sends the held ones. It needs a Proof.
func (s *Service) Enable(ctx context.Context, p staff.Principal, endpointID string, proof staff.Proof, reason string) (Endpoint, error) {
	reason, err := s.prover.Prove(ctx, p, proof, reason)
	if err != nil {
		return Endpoint{}, err
	}
	return s.act(ctx, p, "enable_webhook", endpointID, reason, func(tx *sqlx.Tx, e Endpoint) error {
		if e.State != StateDisabled {
			return ErrState
		}
		return setEndpointState(ctx, tx, endpointID, StateEnabled, "", s.clock.Now())
	})
}

// Disable holds all events of an endpoint.
func (s *Service) Disable(ctx context.Context, p staff.Principal, endpointID, reason string) (Endpoint, error) {
	return s.act(ctx, p, "disable_webhook", endpointID, reason, func(tx *sqlx.Tx, e Endpoint) error {
		if e.State != StateEnabled {
			return ErrState
		}
		return setEndpointState(ctx, tx, endpointID, StateDisabled, DisabledForStaff, s.clock.Now())
	})
}

// Remove ends an endpoint for good.
func (s *Service) Remove(ctx context.Context, p staff.Principal, endpointID, reason string) error {
	_, err := s.act(ctx, p, "remove_webhook", endpointID, reason, func(tx *sqlx.Tx, _ Endpoint) error {
		return setEndpointState(ctx, tx, endpointID, StateRemoved, DisabledForStaff, s.clock.Now())
	})
	return err
}

// Test sends an endpoint an event that tells of nothing, and returns the delivery.
func (s *Service) Test(ctx context.Context, p staff.Principal, endpointID, reason string) (deliveryID string, err error) {
	_, err = s.act(ctx, p, "test_webhook", endpointID, reason, func(tx *sqlx.Tx, e Endpoint) error {
		if e.State != StateEnabled {
			return ErrDisabled
		}
		event := Event{ID: id.New(), Kind: KindTest, At: s.clock.Now(), Data: json.RawMessage(`{"endpoint_id":"` + e.ID + `"}`)}
		if err := insertEvent(ctx, tx, event); err != nil {
			return err
		}
		deliveryID = id.New()
		if err := insertDelivery(ctx, tx, deliveryID, event.ID, e.ID); err != nil {
			return err
		}
		return s.enqueue(ctx, tx, deliveryID, "")
	})
	return deliveryID, err
}

// act performs and records what staff do to an endpoint, and returns the endpoint afterwards. A new one is empty before.
func (s *Service) act(ctx context.Context, p staff.Principal, action, endpointID, reason string, do func(tx *sqlx.Tx, before Endpoint) error) (Endpoint, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Endpoint{}, err
	}
	var after Endpoint
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var before Endpoint
		if action != "add_webhook" {
			if before, err = endpointByID(ctx, tx, endpointID); err != nil {
				return err
			}
		}
		if err := do(tx, before); err != nil {
			return err
		}
		if action != "remove_webhook" {
			if after, err = endpointByID(ctx, tx, endpointID); err != nil {
				return err
			}
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: action, Target: "webhook:" + endpointID, Reason: reason, Before: summary(before), After: summary(after),
		})
	})
	return after, err
}

// summary is the audit trail's description of an endpoint, without its secret.
func summary(e Endpoint) string {
	if e.ID == "" {
		return ""
	}
	b, _ := json.Marshal(map[string]any{ // strings always marshal
		"url": e.URL, "description": e.Description, "events": e.Kinds, "state": e.State,
	})
	return string(b)
}

const pageOfDeliveries = 50

// Deliveries returns a page of the deliveries that the query selects, newest first, and whether there are more.
func (s *Service) Deliveries(ctx context.Context, q DeliveryQuery) (list []Delivery, more bool, err error) {
	var v errs.Validation
	v.Check(q.EndpointID == "" || id.Valid(q.EndpointID), "endpoint_id", "There is no such endpoint.")
	v.Check(slices.Contains([]DeliveryState{"", DeliveryWaiting, DeliveryDelivered, DeliveryFailed, DeliveryHeld}, q.State), "state",
		"There is no such state.")
	v.Check(q.Before == "" || id.Valid(q.Before), "before", "This position in the list is not valid.")
	if err := v.Err(); err != nil {
		return nil, false, err
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list, err = deliveries(ctx, tx, q, pageOfDeliveries+1)
		return err
	})
	if len(list) > pageOfDeliveries {
		list, more = list[:pageOfDeliveries], true
	}
	return list, more, err
}

// Delivery returns a delivery with its body and its attempts.
func (s *Service) Delivery(ctx context.Context, deliveryID string) (d DeliveryDetails, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if d.Delivery, err = oneDelivery(ctx, tx, deliveryID); err != nil {
			return err
		}
		full, err := deliveryByID(ctx, tx, deliveryID, false)
		if err != nil {
			return err
		}
		if d.Payload, err = full.Payload(); err != nil {
			return err
		}
		d.Tries, err = attempts(ctx, tx, deliveryID)
		return err
	})
	return d, err
}

// Resend sends a delivery again, whatever became of it.
func (s *Service) Resend(ctx context.Context, p staff.Principal, deliveryID, reason string) (Delivery, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Delivery{}, err
	}
	var d Delivery
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		full, err := deliveryByID(ctx, tx, deliveryID, true)
		switch {
		case err != nil:
			return err
		case full.EndpointState != StateEnabled:
			return ErrDisabled
		case full.State == DeliveryWaiting:
			return ErrWaiting
		}
		if d, err = oneDelivery(ctx, tx, deliveryID); err != nil {
			return err
		}
		if err := s.again(ctx, tx, d); err != nil {
			return err
		}
		a := staff.Action{Action: "resend_webhook", Target: "delivery:" + d.ID, Reason: reason}
		if d.FranchiserID != "" {
			a.FranchiserRef = &d.FranchiserID
		}
		d.State = DeliveryWaiting
		return s.recorder.RecordTx(ctx, tx, p, a)
	})
	return d, err
}

// maxResent limits the deliveries that one call sends again; staff call again for the rest.
const maxResent = 1000

// ResendSince sends again what failed or was held for an endpoint since the moment, oldest first, and returns how many.
func (s *Service) ResendSince(ctx context.Context, p staff.Principal, endpointID string, since time.Time, reason string) (n int, err error) {
	_, err = s.act(ctx, p, "resend_webhooks", endpointID, reason, func(tx *sqlx.Tx, e Endpoint) error {
		if e.State != StateEnabled {
			return ErrDisabled
		}
		if err := lockEndpoint(ctx, tx, endpointID); err != nil {
			return err
		}
		ids, err := undelivered(ctx, tx, endpointID, since, maxResent)
		if err != nil {
			return err
		}
		n = len(ids)
		for _, deliveryID := range ids {
			d, err := oneDelivery(ctx, tx, deliveryID)
			if err != nil {
				return err
			}
			if err := s.again(ctx, tx, d); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

func (s *Service) again(ctx context.Context, tx *sqlx.Tx, d Delivery) error {
	if err := setDeliveryState(ctx, tx, d.ID, DeliveryWaiting); err != nil {
		return err
	}
	return s.enqueue(ctx, tx, d.ID, d.FranchiserID)
}

func (s *Service) enqueue(ctx context.Context, tx *sqlx.Tx, deliveryID, franchiserID string) error {
	_, err := s.jobs.InsertTx(ctx, tx, DeliverArgs{DeliveryID: deliveryID}, queue.Options{
		Queue: queue.QueueWebhooks, MaxAttempts: MaxAttempts, Subject: queue.Subject{FranchiserID: franchiserID},
	})
	return err
}
