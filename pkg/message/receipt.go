package message

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Incoming is a provider's notice as received: the URL's path and query, its headers and the body.
type Incoming struct {
	URI string
	// Headers are the x- headers, with names in lower case.
	Headers map[string]string
	// Form holds the fields of a form body, empty for any other.
	Form map[string][]string
	Body []byte
}

// Receipt is a provider's report on one message. Ref is its own id; MessageID is ours if the provider returns it.
type Receipt struct {
	Ref, MessageID string
	Delivered      bool
	// Sent means that it is on its way, which is not final; Read that it was opened. Only WhatsApp tells these.
	Sent, Read bool
	// Code is the provider's own code for why it was not delivered.
	Code string
}

func (r Receipt) state() string {
	switch {
	case r.Read:
		return stateRead
	case r.Delivered:
		return stateDelivered
	case r.Sent:
		return stateSent
	default:
		return stateUndelivered
	}
}

// ReceiptReader authenticates and parses a provider's notice. It fails with KindForbidden if the notice is not
// authentic, and with KindMalformed if it cannot be parsed; a status that is not final yields no receipt.
type ReceiptReader interface {
	ReadReceipts(p Incoming) ([]Receipt, error)
}

// maxReceipts bounds one notice; each provider sends those of one message, or a few, at a time.
const maxReceipts = 100

// Receipts stores the providers' reports on messages; it runs in the API.
type Receipts struct {
	db      *sqlx.DB
	readers map[string]ReceiptReader
	clock   clock.Clock
	counts  Counts
}

// ReceiptOptions are the parts of Receipts. NewReceipts panics if a part is nil.
type ReceiptOptions struct {
	DB *sqlx.DB
	// Readers read the notices, by provider name.
	Readers map[string]ReceiptReader
	Clock   clock.Clock
	// Counts receives the outcome of each message; Uncounted ignores it.
	Counts Counts
}

// NewReceipts returns receipts.
func NewReceipts(o ReceiptOptions) *Receipts {
	return wiring.Complete(&Receipts{db: o.DB, readers: o.Readers, clock: o.Clock, counts: o.Counts})
}

// Take stores the content of a notice; repeating a notice changes nothing, and an unknown message is not an error. It
// fails with KindNotFound for a provider that is not configured.
func (r *Receipts) Take(ctx context.Context, provider string, p Incoming) error {
	reader, ok := r.readers[provider]
	if !ok {
		return errs.NotFound()
	}
	list, err := reader.ReadReceipts(p)
	if err != nil {
		return err
	}
	if len(list) > maxReceipts {
		return errs.Malformed("The notice tells of too many messages.")
	}
	return r.take(ctx, provider, list)
}

func (r *Receipts) take(ctx context.Context, provider string, list []Receipt) error {
	for _, receipt := range list {
		templates, err := takeReceipt(ctx, r.db, provider, receipt, r.clock.Now())
		if err != nil {
			return err
		}
		for _, template := range templates {
			r.counts.Message(template, receipt.state())
		}
	}
	return nil
}
