// Package webhook sends events to the operator's systems. It stores the endpoints, the sent events and the answers. The message format is
// that of Standard Webhooks.
package webhook

import (
	"context"
	"encoding/json"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// State is the state of an endpoint.
type State string

// The states of an endpoint. A removed one keeps its rows; nothing brings it back.
const (
	StateEnabled  State = "enabled"
	StateDisabled State = "disabled"
	StateRemoved  State = "removed"
)

// DisabledFor is why an endpoint is disabled.
type DisabledFor string

// The reasons: staff disabled it, it answered 410 Gone, or every delivery failed for FailingFor.
const (
	DisabledForStaff   DisabledFor = "staff"
	DisabledForGone    DisabledFor = "gone"
	DisabledForFailing DisabledFor = "failing"
)

// DeliveryState is what became of telling one endpoint of one event.
type DeliveryState string

// The states of a delivery. A held one belongs to an endpoint that was disabled; a failed one used up its attempts. Staff can have both
// sent again.
const (
	DeliveryWaiting   DeliveryState = "waiting"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed"
	DeliveryHeld      DeliveryState = "held"
)

const (
	// FailingFor is how long every delivery to an endpoint fails until it is disabled.
	FailingFor = 5 * 24 * time.Hour
	// oldSecretFor is how long the secret before a rotation signs too.
	oldSecretFor = 24 * time.Hour
	// keepFor is how long events, deliveries and attempts are kept.
	keepFor = 90 * 24 * time.Hour
	// maxAnswer is the number of bytes kept of an endpoint's answer.
	maxAnswer = 1024
	// maxEndpoints limits the endpoints, because every event is written once for each.
	maxEndpoints = 20
	// maxKinds limits the events that an endpoint names.
	maxKinds = 50
)

// Endpoint is an address of the operator that receives events.
type Endpoint struct {
	ID          string `db:"id"`
	URL         string `db:"url"`
	Description string `db:"description"`
	// Kinds are the subscribed kinds; empty means all.
	Kinds          []Kind      `db:"-"`
	State          State       `db:"state"`
	DisabledFor    DisabledFor `db:"disabled_for"`
	FailingSince   *time.Time  `db:"failing_since"`
	OldSecretUntil *time.Time  `db:"old_secret_until"`
	CreatedAt      time.Time   `db:"created_at"`
	// Waiting and Undelivered count its deliveries; undelivered ones failed or are held.
	Waiting     int `db:"waiting"`
	Undelivered int `db:"undelivered"`
}

// EndpointInput is what staff enter of an endpoint.
type EndpointInput struct {
	URL, Description string
	Kinds            []Kind
}

// check returns the normalised input, or its errors. Only https is allowed unless plain is set.
func (in EndpointInput) check(plain bool) (EndpointInput, error) {
	in.URL, in.Description = strings.TrimSpace(in.URL), strings.Join(strings.Fields(in.Description), " ")
	var v errs.Validation
	v.Check(FitsEndpoint(in.URL, plain), "url", "Enter an https address that everybody can reach, without a user or a fragment.")
	n := utf8.RuneCountInString(in.Description)
	v.Check(n >= 2 && n <= 80, "description", "Say what the endpoint is, in 2 to 80 characters.")
	v.Check(len(in.Kinds) <= maxKinds, "kinds", "There is no such event.")
	in.Kinds = append([]Kind{}, in.Kinds...)
	slices.Sort(in.Kinds)
	in.Kinds = slices.Compact(in.Kinds)
	v.Check(!slices.ContainsFunc(in.Kinds, func(k Kind) bool { return !k.Known() }), "kinds", "There is no such event.")
	return in, v.Err()
}

// endpointForm is that of the contract: letters that need no second spelling, no user and no fragment.
var endpointForm = regexp.MustCompile(`^https?://[!$-?A-~]{3,490}$`)

// FitsEndpoint reports whether an address may receive events: https, and a publicly reachable host. plain allows http and hosts of this
// machine, for development.
func FitsEndpoint(address string, plain bool) bool {
	u, err := url.Parse(address)
	if err != nil || !endpointForm.MatchString(address) || u.Opaque != "" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return false
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	if plain && (u.Scheme == "http" || u.Scheme == "https") {
		return true
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	_, notIP := netip.ParseAddr(host)
	return u.Scheme == "https" && notIP != nil && strings.Contains(host, ".") && !strings.HasSuffix(host, ".localhost")
}

// Message is a signed event on its way to an endpoint.
type Message struct {
	URL    string
	Header map[string]string
	Body   []byte
}

// Answer is an endpoint's answer; Body is cut to its beginning.
type Answer struct {
	Status int
	Body   []byte
}

// Ok reports whether the endpoint took the event.
func (a Answer) Ok() bool { return a.Status >= 200 && a.Status < 300 }

// Receiver posts messages to endpoints. It never follows a redirect and never connects to an address inside. An error means that
// there was no answer; its text is shown to staff.
type Receiver interface {
	Post(ctx context.Context, m Message) (Answer, error)
}

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID           string        `db:"id"`
	EndpointID   string        `db:"endpoint_id"`
	EventID      string        `db:"event_id"`
	Kind         Kind          `db:"kind"`
	FranchiserID string        `db:"franchiser_ref"`
	State        DeliveryState `db:"state"`
	Attempts     int           `db:"attempts"`
	At           time.Time     `db:"at"`
	LastAt       *time.Time    `db:"last_at"`
	Status       *int          `db:"status"`
}

// Attempt is one try of a delivery. Status is nil if there was no answer; Failure then says why.
type Attempt struct {
	Number  int       `db:"number"`
	At      time.Time `db:"at"`
	TookMS  int       `db:"took_ms"`
	Status  *int      `db:"status"`
	Failure string    `db:"failure"`
	Answer  string    `db:"answer"`
}

// DeliveryDetails is a delivery with the body that it sends, and its attempts, newest first.
type DeliveryDetails struct {
	Delivery
	Payload  json.RawMessage
	Tries    []Attempt
	Endpoint Endpoint
}

// DeliveryQuery selects deliveries, newest first; empty fields select all. Before is the last delivery of the page before.
type DeliveryQuery struct {
	EndpointID string
	State      DeliveryState
	Before     string
}
