package webhook

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Kind is what an event tells.
type Kind string

// KindTest is the event that staff send to try an endpoint.
const KindTest Kind = "webhook.test"

// Kinds returns every kind that an endpoint can be told of, in the order of the documents. The triggers of migration 0360 write them.
func Kinds() []Kind {
	return []Kind{
		"account.created", "account.updated", "account.closed",
		"subscription.activated", "subscription.changed", "subscription.renewed", "subscription.expired", "subscription.cancelled",
		"invoice.issued", "credit_note.issued",
		"tenant.live", "tenant.updated",
		"outlet.opened", "outlet.changed", "outlet.closed",
		"partner.joined",
	}
}

// Known reports whether an endpoint can be told of the kind.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }

// Version is that of the payloads. A field may be added under the same version; none is renamed or taken away.
const Version = 1

// Event is one thing that happened. Data holds ids and states, nothing personal: a receiver asks the API for more.
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
