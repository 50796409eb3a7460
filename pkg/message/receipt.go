package message

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Incoming is a provider's notice as it came in: what follows the host in its address, its headers and the body.
type Incoming struct {
	URI string
	// Headers are the x- ones, named in lower case.
	Headers map[string]string
	// Form are the fields of a form body, empty for any other.
	Form map[string][]string
	Body []byte
}

// Receipt is what a provider tells of one message in the end. Ref is its own id; MessageID is ours where it gives it back.
type Receipt struct {
	Ref, MessageID string
	Delivered      bool
	// Code says why it was not delivered, in the provider's own numbers.
	Code string
}

func (r Receipt) state() string {
	if r.Delivered {
		return stateDelivered
	}
	return stateUndelivered
}

// ReceiptReader proves that a notice is the provider's and reads it. KindForbidden where it is not, KindMalformed where it
// cannot be read; what is not final yet yields no receipt.
type ReceiptReader interface {
	ReadReceipts(p Incoming) ([]Receipt, error)
}

// maxReceipts bounds one notice; each provider sends one message's at a time, or a few.
const maxReceipts = 100

// Receipts takes in what providers tell of messages; it lives in the API.
type Receipts struct {
	db      *sqlx.DB
	readers map[string]ReceiptReader
	clock   clock.Clock
	counts  Counts
}

// Counted has the receipts counted, and returns them.
func (r *Receipts) Counted(c Counts) *Receipts {
	r.counts = c
	return r
}

// NewReceipts returns receipts over the readers by the providers' names.
func NewReceipts(db *sqlx.DB, readers map[string]ReceiptReader, clk clock.Clock) *Receipts {
	return wiring.Complete(&Receipts{db: db, readers: readers, clock: clk, counts: uncounted{}})
}

// Take keeps what a notice tells; the same notice again changes nothing, and one of a message that is not known is no
// error. KindNotFound for a provider that is not set up.
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
