package message

import (
	"context"
	"log/slog"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Source stores pending messages in rows. A row's id is the id of its message and the argument of the job that sends
// it.
type Source interface {
	// Waiting returns the row's message as of now, without its text; nil if it was sent or is no longer needed.
	Waiting(ctx context.Context, rowID string) (*Message, error)
	// MarkSent records that the message was sent.
	MarkSent(ctx context.Context, rowID string) error
	// MarkFailed records, for support, the error code of a failed send.
	MarkFailed(ctx context.Context, rowID, code string) error
}

// RowArgs are the arguments of a job that sends a row's message.
type RowArgs interface {
	Kind() string
	// RowID returns the id of the row.
	RowID() string
}

// Outbox sends pending messages from any source; it runs in the worker, the only process that has the providers.
type Outbox struct {
	sms    SMS
	email  SMS                                         `wiring:"optional"`
	byApp  SMS                                         `wiring:"optional"`
	smsIn  func(template string, l i18n.Language) bool `wiring:"optional"`
	site   Site
	clock  clock.Clock
	logger *slog.Logger
}

// OutboxOptions are the parts of an Outbox. NewOutbox panics if a part is nil that is not optional.
type OutboxOptions struct {
	SMS SMS
	// Email sends e-mails; without it each e-mail fails for good.
	Email SMS `wiring:"optional"`
	// WhatsApp sends messages by WhatsApp; without it each of them fails for good.
	WhatsApp SMS `wiring:"optional"`
	// SMSIn reports which SMS are registered with the operators in a language other than English; optional.
	SMSIn func(template string, l i18n.Language) bool `wiring:"optional"`
	// Site is the site of the messages' links.
	Site   Site
	Clock  clock.Clock
	Logger *slog.Logger
}

// NewOutbox returns an outbox.
func NewOutbox(o OutboxOptions) *Outbox {
	return wiring.Complete(&Outbox{
		sms: o.SMS, email: o.Email, byApp: o.WhatsApp, smsIn: o.SMSIn, site: o.Site, clock: o.Clock, logger: o.Logger,
	})
}

// LanguageOf returns the language in which the message can go to a reader of l: English for an SMS that is not registered in l.
func (o *Outbox) LanguageOf(name string, l i18n.Language) i18n.Language {
	if _, isSMS := template(name); isSMS && (o.smsIn == nil || !o.smsIn(name, l)) {
		return i18n.English
	}
	return l.Or()
}

// send sends by the channel of the message. A message that does not fit its template is refused before any sender is called, in tests too.
func (o *Outbox) send(ctx context.Context, m Message) error {
	if err := m.Fits(); err != nil {
		return channelOf(m).named(errMisfit(err))
	}
	switch {
	case IsWhatsApp(m.Template) && o.byApp == nil:
		return errs.New(errs.KindInvalid, "whatsapp_off", "WhatsApp is not set up.")
	case IsWhatsApp(m.Template):
		return o.byApp.Send(ctx, o.site.Compose(m))
	case m.Email == "":
		return o.sms.Send(ctx, o.site.Compose(m))
	case o.email == nil:
		return errs.New(errs.KindInvalid, "email_off", "E-mail is not set up.")
	default:
		return o.email.Send(ctx, o.site.Compose(m))
	}
}

// ErrTooLate reports that a message has expired and will never be sent.
func ErrTooLate() *errs.Error {
	return errs.New(errs.KindInvalid, "too_late", "The message expired before it could be sent.")
}

// Send sends the message of a row unless it is no longer needed. It fails with KindInvalid if no retry can help: the
// message expired, or the provider permanently refuses the number. After any other failure the same call sends the same
// message.
func (o *Outbox) Send(ctx context.Context, from Source, rowID string) error {
	m, err := from.Waiting(ctx, rowID)
	if err != nil || m == nil {
		return err
	}
	if !m.ExpiresAt.IsZero() && !o.clock.Now().Before(m.ExpiresAt) {
		return o.failed(ctx, from, rowID, ErrTooLate())
	}
	if err := o.send(ctx, *m); err != nil {
		return o.failed(ctx, from, rowID, err)
	}
	return from.MarkSent(ctx, rowID)
}

// failed records why the message was not sent, and returns the cause.
func (o *Outbox) failed(ctx context.Context, from Source, rowID string, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin) // a provider that timed out has used up the context
	defer cancel()
	if err := from.MarkFailed(ctx, rowID, errs.As(cause).Code); err != nil {
		o.logger.WarnContext(ctx, "failure of a message not noted", log.Error(err))
	}
	return cause
}
