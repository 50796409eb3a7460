package contact

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// ReceiveArgs are the arguments of the job that moves one arrived message into its request.
type ReceiveArgs struct {
	InboundID string `json:"inbound_id"`
}

// Kind returns the job's kind.
func (ReceiveArgs) Kind() string { return "receive_contact_message" }

// inbound is a message as it arrived.
type inbound struct {
	ID         string    `db:"id"`
	Channel    Channel   `db:"channel"`
	ExternalID string    `db:"external_id"`
	Sender     string    `db:"sender"`
	Verified   bool      `db:"verified"`
	Raw        []byte    `db:"raw"`
	ReceivedAt time.Time `db:"received_at"`
}

// Inbox stores messages as they arrive by e-mail and WhatsApp, each once; it runs in the API. A job moves each into its request.
type Inbox struct {
	db     *sqlx.DB
	jobs   *queue.Inserter
	clock  clock.Clock
	secret []byte `wiring:"optional"`
}

// NewInbox returns an inbox; the secret checks the signature of the e-mail provider's calls. An empty secret refuses all e-mails.
func NewInbox(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, secret string) *Inbox {
	return wiring.Complete(&Inbox{db: db, jobs: jobs, clock: clk, secret: []byte(secret)})
}

const (
	// maxSkew is how far the provider's clock may differ from ours.
	maxSkew = 5 * time.Minute
	// MaxPosted is the largest body of a posted e-mail: the e-mail in base64, and its frame.
	MaxPosted = MaxEmail/3*4 + 4096
)

// postedEmail is the body that the e-mail provider posts.
type postedEmail struct {
	// Message is the e-mail as it arrived (RFC 5322), in base64.
	Message string `json:"message"`
	// SenderAuthenticated means that SPF or DKIM passed for the domain of From.
	SenderAuthenticated bool `json:"sender_authenticated"`
}

// Posted is a signed call of the e-mail provider: the headers of Standard Webhooks, and the raw body.
type Posted struct {
	ID, Timestamp, Signature string
	Body                     []byte
}

// TakeEmail stores an e-mail. It fails with KindNotFound without a secret, with KindForbidden for a wrong or old signature, and with
// KindMalformed for a body that is no e-mail. A repeated call changes nothing.
func (i *Inbox) TakeEmail(ctx context.Context, p Posted) error {
	if len(i.secret) == 0 {
		return errs.NotFound()
	}
	if !i.signed(p) {
		return errs.Forbidden()
	}
	var in postedEmail
	if json.Unmarshal(p.Body, &in) != nil {
		return errs.Malformed("The e-mail could not be read.")
	}
	raw, err := base64.StdEncoding.DecodeString(in.Message)
	switch {
	case err != nil || len(raw) == 0:
		return errs.Malformed("The e-mail could not be read.")
	case len(raw) > MaxEmail:
		return errs.New(errs.KindTooLarge, "email_too_large", "An e-mail may have at most 12 MB.")
	}
	external, from := externalID(raw)
	return i.keep(ctx, inbound{Channel: ChannelEmail, ExternalID: external, Sender: from, Verified: in.SenderAuthenticated && from != "", Raw: raw})
}

func (i *Inbox) signed(p Posted) bool {
	seconds, err := strconv.ParseInt(p.Timestamp, 10, 64)
	if err != nil || p.ID == "" {
		return false
	}
	at := time.Unix(seconds, 0)
	if skew := i.clock.Now().Sub(at); skew > maxSkew || skew < -maxSkew {
		return false
	}
	want := webhook.Sign([][]byte{i.secret}, p.ID, at, p.Body)
	for given := range strings.FieldsSeq(p.Signature) {
		if hmac.Equal([]byte(given), []byte(want)) {
			return true
		}
	}
	return false
}

// TakeWhatsApp stores a message that the provider's signed webhook reported; it implements message.Conversations.
func (i *Inbox) TakeWhatsApp(ctx context.Context, reply message.WhatsAppReply) error {
	raw, err := json.Marshal(reply)
	if err != nil {
		return fmt.Errorf("keep a message by WhatsApp: %w", err)
	}
	return i.keep(ctx, inbound{Channel: ChannelWhatsApp, ExternalID: reply.Ref, Sender: reply.Mobile, Verified: true, Raw: raw})
}

// Undelivered lets the worker see to a reply that WhatsApp took and could not deliver; it implements message.Conversations.
func (i *Inbox) Undelivered(ctx context.Context, entryID string) error {
	return postgres.InTx(ctx, i.db, func(tx *sqlx.Tx) error {
		_, err := i.jobs.InsertTx(ctx, tx, SendReplyArgs{EntryID: entryID}, queue.Options{MaxAttempts: replyAttempts})
		return err
	})
}

const insertInboundSQL = `
INSERT INTO contact_inbound (id, channel, external_id, sender, verified, raw, received_at)
VALUES (:id, :channel, :external_id, :sender, :verified, :raw, :received_at) ON CONFLICT DO NOTHING`

func (i *Inbox) keep(ctx context.Context, m inbound) error {
	m.ID, m.ReceivedAt = id.New(), i.clock.Now()
	return postgres.InTx(ctx, i.db, func(tx *sqlx.Tx) error {
		done, err := tx.NamedExecContext(ctx, insertInboundSQL, m)
		if err != nil {
			return fmt.Errorf("keep an arrived message: %w", err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 { // it waits already
			return err
		}
		_, err = i.jobs.InsertTx(ctx, tx, ReceiveArgs{InboundID: m.ID}, queue.Options{})
		return err
	})
}
