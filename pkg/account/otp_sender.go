package account

import (
	"context"
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// OTPSender sends what the service has asked to be sent; it lives in the worker, the only process that knows the provider.
type OTPSender struct {
	db     *sqlx.DB
	sms    message.SMS
	clock  clock.Clock
	keys   secret.Keyring
	host   string
	logger *slog.Logger
}

// NewOTPSender returns a courier; host is the site's, to which browsers bind the code that they fill in.
func NewOTPSender(db *sqlx.DB, sms message.SMS, clk clock.Clock, keys secret.Keyring, host string, logger *slog.Logger) *OTPSender {
	return wiring.Complete(&OTPSender{db: db, sms: sms, clock: clk, keys: keys, host: host, logger: logger})
}

// ErrTooLate says that a message is worth nothing any more and will not be sent, then or later.
func ErrTooLate() *errs.Error {
	return errs.New(errs.KindInvalid, "too_late", "The code expired before it could be sent.")
}

// SendCode sends the SMS of a row unless it was sent, used, or superseded by a newer one. It fails with KindInvalid
// where no later try can help: the code expired, or the provider refuses the number for good. After any other failure
// the same call sends the same code.
func (c *OTPSender) SendCode(ctx context.Context, codeID string) error {
	row, ok, err := outgoingByID(ctx, c.db, codeID)
	if err != nil {
		return err
	}
	if !ok || row.SentAt != nil || row.UsedAt != nil || row.Superseded || row.Message == messageNone {
		return nil
	}
	if row.expired(c.clock.Now()) {
		return c.failed(ctx, row.ID, ErrTooLate())
	}
	if err := c.sms.Send(ctx, row.textMessage(c.keys, c.host)); err != nil {
		return c.failed(ctx, row.ID, err)
	}
	_, err = changed(ctx, c.db, "mark sent", markSentSQL, row.ID, c.clock.Now())
	return err
}

// failed notes for support why the message did not go out, and returns the cause.
func (c *OTPSender) failed(ctx context.Context, codeID string, cause error) error {
	ctx = context.WithoutCancel(ctx) // a provider that timed out has used the context up
	if _, err := changed(ctx, c.db, "mark failed", markFailedSQL, codeID, errs.As(cause).Code); err != nil {
		c.logger.WarnContext(ctx, "failure of a message not noted", log.Error(err))
	}
	return cause
}
