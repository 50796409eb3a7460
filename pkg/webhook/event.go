package webhook

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Kind is the kind of an event.
type Kind string

// KindTest is the event that staff send to try an endpoint.
const KindTest Kind = "webhook.test"

// Kinds returns every kind to which an endpoint can subscribe, in the order of the documents. The triggers of migration 0360 write them.
func Kinds() []Kind {
	return []Kind{
		"account.created", "account.updated", "account.closed",
		"subscription.activated", "subscription.changed", "subscription.renewed", "subscription.expired", "subscription.cancelled",
		"invoice.issued", "credit_note.issued",
		"tenant.live", "tenant.updated",
		"outlet.opened", "outlet.changed", "outlet.closed",
		"partner.joined",
		"delivery.changed",
	}
}

// Known reports whether an endpoint can subscribe to the kind.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }

// Version is the version of the payloads. Within a version fields may be added, but not renamed or removed.
const Version = 1

// Event is one event. Data holds ids and states but no personal data: a receiver fetches more from the API.
type Event struct {
	ID   string          `db:"event_id"`
	Kind Kind            `db:"kind"`
	At   time.Time       `db:"at"`
	Data json.RawMessage `db:"data"`
}

// Payload returns the body that tells of the event, the same bytes each time.
func (e Event) Payload() ([]byte, error) {
	body, err := json.Marshal(struct {
		Type      Kind            `json:"type"`
		Version   int             `json:"version"`
		Timestamp time.Time       `json:"timestamp"`
		Data      json.RawMessage `json:"data"`
	}{e.Kind, Version, e.At.UTC(), e.Data})
	if err != nil {
		return nil, fmt.Errorf("write event: %w", err)
	}
	return body, nil
}
