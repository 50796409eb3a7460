package support

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/textmessage"
)

// The kinds of message that staff send to a customer.
const (
	messageInvoice = "invoice_link"
	messageConsent = "view_consent"
)

const (
	// messagePause is the least time between two messages about the same thing.
	messagePause = 59 * time.Second
	// invoiceMessageLife is how long an invoice's message is worth sending.
	invoiceMessageLife = 24 * time.Hour
)

// SendMessageArgs asks a worker to send one message; what it says is never an argument.
type SendMessageArgs struct {
	MessageID string `json:"message_id"`
}

// Kind names the job.
func (SendMessageArgs) Kind() string { return "send_support_message" }

// message is one row of support_messages.
type message struct {
	ID           string    `db:"id"`
	FranchiserID string    `db:"franchiser_ref"`
	Kind         string    `db:"kind"`
	InvoiceID    *string   `db:"invoice_id"`
	ViewID       *string   `db:"view_id"`
	CreatedAt    time.Time `db:"created_at"`
	ExpiresAt    time.Time `db:"expires_at"`
}

// ResendInvoice sends the customer an SMS with the number of the document and the page where it is downloaded. KindNotFound
// for a document that is not the customer's, KindRateLimited within a minute of the last such message.
func (h *CustomerActions) ResendInvoice(ctx context.Context, p staff.Principal, in Request, invoiceID string) (Done, error) {
	a := staff.Action{Action: "resend_invoice", Target: "invoice:" + invoiceID}
	return h.once(ctx, p, in, a, func(tx *sqlx.Tx) (Done, error) {
		number, err := invoiceNumberTx(ctx, tx, in.FranchiserID, invoiceID)
		if err != nil {
			return Done{}, err
		}
		now := h.clock.Now()
		last, err := lastMessageTx(ctx, tx, in.FranchiserID, messageInvoice, &invoiceID)
		if err != nil {
			return Done{}, err
		}
		if last != nil && now.Sub(*last) < messagePause {
			return Done{}, errs.RateLimited(messagePause - now.Sub(*last))
		}
		jobID, err := sendTx(ctx, tx, h.jobs, message{
			ID: id.New(), FranchiserID: in.FranchiserID, Kind: messageInvoice, InvoiceID: &invoiceID,
			CreatedAt: now, ExpiresAt: now.Add(invoiceMessageLife),
		})
		return Done{Message: number + " is on its way to the customer by SMS.", JobID: &jobID}, err
	})
}

// sendTx keeps the message and the job that sends it.
func sendTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, m message) (int64, error) {
	if err := insertMessageTx(ctx, tx, m); err != nil {
		return 0, err
	}
	o := queue.Options{MaxAttempts: 8, Subject: queue.Subject{FranchiserID: m.FranchiserID}}
	if m.Kind == messageConsent {
		o.Queue = queue.QueueOTP // somebody waits on the phone
	}
	if m.InvoiceID != nil {
		o.Subject.InvoiceID = *m.InvoiceID
	}
	return jobs.InsertTx(ctx, tx, SendMessageArgs{MessageID: m.ID}, o)
}

// MessageSender sends the messages of staff; it lives in the worker, the only process that knows the provider.
type MessageSender struct {
	db        *sqlx.DB
	sms       account.SMS
	clock     clock.Clock
	keys      secret.Keyring
	publicURL string
	logger    *slog.Logger
}

// NewMessageSender returns a courier; publicURL is the site's, without a slash at its end.
func NewMessageSender(db *sqlx.DB, sms account.SMS, clk clock.Clock, keys secret.Keyring, publicURL string, logger *slog.Logger) *MessageSender {
	return wiring.Complete(&MessageSender{db: db, sms: sms, clock: clk, keys: keys, publicURL: publicURL, logger: logger})
}

// Send sends the message of a row unless it was sent, or its view is asked for no more. It fails with KindInvalid where no
// later try can help: it expired, or the provider refuses the number for good.
func (c *MessageSender) Send(ctx context.Context, messageID string) error {
	var out *outgoing
	err := postgres.InTx(ctx, c.db, func(tx *sqlx.Tx) error {
		var err error
		out, err = outgoingTx(ctx, tx, messageID)
		return err
	})
	if err != nil || out == nil {
		return err
	}
	if !c.clock.Now().Before(out.ExpiresAt) {
		return c.failed(ctx, out.ID, account.ErrTooLate())
	}
	if err := c.sms.Send(ctx, c.textMessage(*out)); err != nil {
		return c.failed(ctx, out.ID, err)
	}
	return postgres.InTx(ctx, c.db, func(tx *sqlx.Tx) error { return markSentTx(ctx, tx, out.ID, c.clock.Now()) })
}

func (c *MessageSender) textMessage(o outgoing) account.TextMessage {
	m := account.TextMessage{ID: o.ID, Mobile: o.Mobile, ExpiresAt: o.ExpiresAt}
	if o.Kind == messageConsent {
		m.Template, m.Values = textmessage.TemplateViewConsent, []string{consentCode(c.keys, *o.ViewID)}
	} else {
		m.Template, m.Values = textmessage.TemplateInvoiceLink, []string{o.Number}
	}
	return textmessage.Site{URL: c.publicURL}.Compose(m)
}

// failed notes for support why the message did not go out, and returns the cause.
func (c *MessageSender) failed(ctx context.Context, messageID string, cause error) error {
	ctx = context.WithoutCancel(ctx) // a provider that timed out has used the context up
	err := postgres.InTx(ctx, c.db, func(tx *sqlx.Tx) error { return markFailedTx(ctx, tx, messageID, errs.As(cause).Code) })
	if err != nil {
		c.logger.WarnContext(ctx, "failure of a message not noted", log.Error(err))
	}
	return cause
}
