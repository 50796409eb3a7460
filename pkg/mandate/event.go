package mandate

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// EventKind is the kind of a mandate's event.
type EventKind string

// The kinds of events. Confirmed: the bank allows debits for the first time; limited: the bank's limit per debit is below the agreed one;
// refused: the mandate does not allow the next bill; replaced: another mandate took its place; ended: no more debits. NotSetUp is an end
// before the bank confirmed the mandate; it is stored as ended.
const (
	EventRequested EventKind = "requested"
	EventConfirmed EventKind = "confirmed"
	EventLimited   EventKind = "limited"
	EventRefused   EventKind = "refused"
	EventPaused    EventKind = "paused"
	EventResumed   EventKind = "resumed"
	EventSkipped   EventKind = "skipped"
	EventUnskipped EventKind = "unskipped"
	EventReplaced  EventKind = "replaced"
	EventStopped   EventKind = "stopped"
	EventEnded     EventKind = "ended"
	EventNotSetUp  EventKind = "not_set_up"
)

// Actor is the cause of an event.
type Actor string

// The actors. Bank is the bank, or the customer in the bank's app, as the gateway reports it. System is the product, for example at an
// erasure.
const (
	ActorCustomer Actor = "customer"
	ActorBank     Actor = "bank"
	ActorSystem   Actor = "system"
)

// Event is a change of a mandate. RenewOn is the renewal concerned, or nil. Amount is the limit or the bill, or nil.
type Event struct {
	ID           string            `db:"id"`
	FranchiserID string            `db:"franchiser_id"`
	MandateID    string            `db:"mandate_id"`
	At           time.Time         `db:"at"`
	Kind         EventKind         `db:"kind"`
	Actor        Actor             `db:"actor"`
	After        State             `db:"state"` // the mandate's state after the event
	RenewOn      *subscription.Day `db:"renew_on"`
	Amount       *money.Paise      `db:"amount_paise"`
	Cause        Cause             `db:"cause"`
	Method       Method            `db:"method"` // the mandate's method
}

const (
	eventsSQL = `SELECT e.id, e.franchiser_id, e.mandate_id, e.at, CASE WHEN e.kind = 'ended' AND e.state = 'failed' AND NOT EXISTS (
			SELECT FROM mandate_events c WHERE c.mandate_id = e.mandate_id AND c.kind = 'confirmed') THEN 'not_set_up' ELSE e.kind END AS kind, e.actor,
			e.state, e.renew_on, e.amount_paise, e.cause, m.method
		FROM mandate_events e JOIN mandates m ON m.id = e.mandate_id WHERE e.franchiser_id = $1`

	insertMandateEventSQL = `
		INSERT INTO mandate_events (id, franchiser_id, mandate_id, at, kind, actor, state, renew_on, amount_paise, cause)
		VALUES (:id, :franchiser_id, :mandate_id, :at, :kind, :actor, :state, :renew_on, :amount_paise, :cause)
		ON CONFLICT DO NOTHING`
	mandateEventsSQL = eventsSQL + ` ORDER BY e.at DESC, e.id DESC LIMIT 100`
	mandateEventSQL  = eventsSQL + ` AND e.id = $2`
)

// noteTx stores an event with the mandate's present state.
func (s store) noteTx(ctx context.Context, tx *sqlx.Tx, m Mandate, e Event) error {
	_, err := s.noteOnceTx(ctx, tx, m, e)
	return err
}

// noteOnceTx is noteTx and returns the event's id, empty if the refusal of that renewal's bill is already stored.
func (store) noteOnceTx(ctx context.Context, tx *sqlx.Tx, m Mandate, e Event) (string, error) {
	e.ID, e.FranchiserID, e.MandateID, e.After = id.New(), m.FranchiserID, m.ID, m.State
	done, err := tx.NamedExecContext(ctx, insertMandateEventSQL, e)
	if err != nil {
		return "", fmt.Errorf("note an event of a mandate: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return "", err //nolint:wrapcheck // the driver always knows
	}
	return e.ID, nil
}

// events returns the franchiser's newest mandate events, newest first.
func (store) events(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Event, error) {
	var rows []Event
	if err := tx.SelectContext(ctx, &rows, mandateEventsSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("list events of mandates: %w", err)
	}
	return rows, nil
}

// bankChangedTx stores the bank's changes to a mandate and informs the customer. before and limit are the previous values.
func (s *Service) bankChangedTx(ctx context.Context, tx *sqlx.Tx, m Mandate, before State, limit money.Paise, now time.Time) error {
	if m.Cap != limit {
		if err := s.store.noteTx(ctx, tx, m, Event{Kind: EventLimited, Actor: ActorBank, At: now, Amount: &m.Cap}); err != nil {
			return err
		}
	}
	if m.State == before {
		return nil
	}
	kind, template, email := changeTo(before, m.State)
	about, err := s.store.noteOnceTx(ctx, tx, m, Event{Kind: kind, Actor: ActorBank, At: now})
	if err != nil || template == "" || m.StopAskedAt != nil { // the customer who stopped it knows
		return err
	}
	return s.tellOfTx(ctx, tx, m.FranchiserID, about, now, template, email)
}

// changeTo returns the event of a change by the bank, with the templates of its messages, if any.
func changeTo(before, after State) (kind EventKind, sms, email string) {
	switch {
	case before == StateRequested && after == StateActive:
		return EventConfirmed, message.TemplateMandateActive, message.TemplateMandateActiveEmail
	case after == StateActive:
		return EventResumed, "", ""
	case after == StatePaused:
		return EventPaused, message.TemplateMandatePaused, message.TemplateMandatePausedEmail
	case before == StateRequested: // the page shows this at once, and a customer who left it did not want the mandate
		return EventEnded, "", ""
	default:
		return EventEnded, message.TemplateMandateEnded, message.TemplateMandateEndedEmail
	}
}

// refusal is a bill that a mandate does not allow.
type refusal struct {
	renewOn subscription.Day
	amount  money.Paise
	cause   Cause
}

// refusedTx informs the customer, once per renewal, that the mandate does not allow its bill and that a new mandate is needed.
func (s *Service) refusedTx(ctx context.Context, tx *sqlx.Tx, m Mandate, r refusal, now time.Time) error {
	about, err := s.store.noteOnceTx(ctx, tx, m, Event{
		Kind: EventRefused, Actor: ActorSystem, At: now, RenewOn: &r.renewOn, Amount: &r.amount, Cause: r.cause,
	})
	if err != nil || about == "" {
		return err
	}
	return s.tellOfTx(ctx, tx, m.FranchiserID, about, now, message.TemplateMandateRefused, message.TemplateMandateRefusedEmail)
}
