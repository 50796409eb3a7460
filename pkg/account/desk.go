package account

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Desk does for a franchiser what two members of staff decided, in their transaction. It needs no session of the franchiser's.
type Desk struct {
	cache    cache
	messages *message.Enqueuer
}

// NewDesk returns a desk over the cache of sessions and what tells franchisers.
func NewDesk(cached *redis.Client, keys secret.Keyring, messages *message.Enqueuer) *Desk {
	return wiring.Complete(&Desk{cache: cache{redis: cached, keys: keys}, messages: messages})
}

// HasTOTPTx reports whether an authenticator app is in use.
func (d *Desk) HasTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (bool, error) {
	c, err := credentialsTx(ctx, tx, franchiserID)
	return c.TOTPEnabledAt != nil, err
}

// ResetTOTPTx takes the authenticator app and its recovery codes away, ends every session and what a password has begun, and tells the
// franchiser by SMS and e-mail; about is the id of the decision. after has to be called once the transaction is committed. It returns a
// conflict if no app is in use.
func (d *Desk) ResetTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID, about string, now time.Time) (after func(ctx context.Context), err error) {
	c, err := lockCredentialsTx(ctx, tx, franchiserID)
	if err != nil {
		return nil, err
	}
	if c.TOTPEnabledAt == nil {
		return nil, errs.New(errs.KindConflict, "no_authenticator", "No authenticator app is in use any more.")
	}
	if _, err := changed(ctx, tx, "disable authenticator", disableTOTPSQL, franchiserID); err != nil {
		return nil, err
	}
	if err := replaceRecoveryTx(ctx, tx, franchiserID, nil); err != nil {
		return nil, err
	}
	if _, err := changed(ctx, tx, "delete challenges", deleteChallengesSQL, franchiserID); err != nil {
		return nil, err
	}
	for _, template := range []string{message.TemplateAuthenticatorRemoved, message.TemplateAuthenticatorRemovedEmail} {
		m := message.CustomerMessage{FranchiserID: franchiserID, Template: template, About: about, CreatedAt: now}
		if err := d.messages.OnceTx(ctx, tx, m); err != nil {
			return nil, err
		}
	}
	dead, err := endSessionsTx(ctx, tx, franchiserID, endStaff, nil, nil, now)
	return func(ctx context.Context) { d.cache.end(ctx, dead) }, err
}

// DeskLetters returns the contents of what a desk tells.
func DeskLetters() map[string]message.Letter {
	plain := message.Letter{Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
		return &message.Message{}, nil
	}}
	return map[string]message.Letter{
		message.TemplateAuthenticatorRemoved: plain, message.TemplateAuthenticatorRemovedEmail: plain,
	}
}
