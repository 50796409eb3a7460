package message

import (
	"context"
	"log/slog"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Source is where messages wait in rows. A row's id is the id of its message and the argument of the job that sends it.
type Source interface {
	// Waiting returns what the row has to say now, without its text; nil where it was sent or is not needed any more.
	Waiting(ctx context.Context, rowID string) (*Message, error)
	// MarkSent notes that the message went out.
	MarkSent(ctx context.Context, rowID string) error
	// MarkFailed notes for support the code of the error for which it did not.
	MarkFailed(ctx context.Context, rowID, code string) error
}

// RowArgs are the arguments of a job that sends the message of a row.
type RowArgs interface {
	Kind() string
	// RowID is the id of the row.
	RowID() string
}

// Outbox sends what waits in any source; it lives in the worker, the only process that knows the provider.
type Outbox struct {
	sms    SMS
	site   Site
	clock  clock.Clock
	logger *slog.Logger
}

// NewOutbox returns an outbox that words its messages for the site.
func NewOutbox(sms SMS, site Site, clk clock.Clock, logger *slog.Logger) *Outbox {
	return wiring.Complete(&Outbox{sms: sms, site: site, clock: clk, logger: logger})
}

// ErrTooLate says that a message is worth nothing any more and will not be sent, then or later.
func ErrTooLate() *errs.Error {
	return errs.New(errs.KindInvalid, "too_late", "The message expired before it could be sent.")
}

// Send sends the message of a row unless it is not needed any more. It fails with KindInvalid where no later try can help:
// it expired, or the provider refuses the number for good. After any other failure the same call sends the same message.
func (o *Outbox) Send(ctx context.Context, from Source, rowID string) error {
	m, err := from.Waiting(ctx, rowID)
	if err != nil || m == nil {
		return err
	}
	if !m.ExpiresAt.IsZero() && !o.clock.Now().Before(m.ExpiresAt) {
		return o.failed(ctx, from, rowID, ErrTooLate())
	}
	if err := o.sms.Send(ctx, o.site.Compose(*m)); err != nil {
		return o.failed(ctx, from, rowID, err)
	}
	return from.MarkSent(ctx, rowID)
}

// failed notes why the message did not go out, and returns the cause.
func (o *Outbox) failed(ctx context.Context, from Source, rowID string, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin) // a provider that timed out has used the context up
	defer cancel()
	if err := from.MarkFailed(ctx, rowID, errs.As(cause).Code); err != nil {
		o.logger.WarnContext(ctx, "failure of a message not noted", log.Error(err))
	}
	return cause
}
