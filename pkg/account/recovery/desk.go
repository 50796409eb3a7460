// Package recovery gives accounts back to people who lost their mobile number or authenticator app, as two members of staff decide.
package recovery

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Desk does for a franchiser what two members of staff decided, in their transaction. It needs no session of the franchiser's.
type Desk struct {
	cache    *session.Cache
	jobs     *queue.Inserter
	messages *message.Enqueuer
	mover    *profile.Mover
	// wait is how long a change of a lost mobile waits after it was decided; 0 for not at all.
	wait time.Duration
}

// New returns a desk over the cache of sessions and what tells franchisers; records is the other domains' data that knows an account
// by its mobile, and wait how long a change of a lost mobile waits after it was decided.
func New(cache *session.Cache, messages *message.Enqueuer, jobs *queue.Inserter, records []account.PersonalData, wait time.Duration) *Desk {
	return wiring.Complete(&Desk{cache: cache, jobs: jobs, messages: messages, mover: profile.NewMover(jobs, records), wait: wait})
}

// HasTOTPTx reports whether an authenticator app is in use.
func (d *Desk) HasTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (bool, error) {
	c, err := store.CredentialsTx(ctx, tx, franchiserID)
	return c.TOTPEnabledAt != nil, err
}

// ResetTOTPTx removes the authenticator app and its recovery codes, ends every session and pending challenge, and notifies the franchiser
// by SMS and e-mail; about is the id of the decision. Call after once the transaction is committed. It returns a conflict if no app is in
// use.
func (d *Desk) ResetTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID, about string, now time.Time) (after func(ctx context.Context), err error) {
	c, err := store.LockCredentialsTx(ctx, tx, franchiserID)
	if err != nil {
		return nil, err
	}
	if c.TOTPEnabledAt == nil {
		return nil, errs.New(errs.KindConflict, "no_authenticator", "No authenticator app is in use any more.")
	}
	if err := credential.RemoveTOTPTx(ctx, tx, franchiserID); err != nil {
		return nil, err
	}
	if _, err := store.Changed(ctx, tx, "delete challenges", store.DeleteChallengesSQL, franchiserID); err != nil {
		return nil, err
	}
	for _, template := range []string{message.TemplateAuthenticatorRemoved, message.TemplateAuthenticatorRemovedEmail} {
		m := message.CustomerMessage{FranchiserID: franchiserID, Template: template, About: about, CreatedAt: now}
		if err := d.messages.OnceTx(ctx, tx, m); err != nil {
			return nil, err
		}
	}
	dead, err := session.EndSessionsTx(ctx, tx, franchiserID, session.EndStaff, nil, nil, now)
	return func(ctx context.Context) { d.cache.End(ctx, dead) }, err
}

// CheckMoveTx returns the present mobile of an account that is to move to another; it fails unless the new one is a mobile that no account
// has.
func (d *Desk) CheckMoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) (present string, err error) {
	var v errs.Validation
	account.CheckMobile(&v, "mobile", mobile)
	if err := v.Err(); err != nil {
		return "", err
	}
	if present, err = account.MobileTx(ctx, tx, franchiserID); err != nil {
		return "", err
	}
	owner, err := store.FindByMobile(ctx, tx, mobile)
	if err != nil {
		return "", err
	}
	if owner != "" {
		return "", errDeskMobileTaken()
	}
	return present, nil
}

func errDeskMobileTaken() *errs.Error {
	return errs.New(errs.KindConflict, "mobile_taken", "An account has this mobile already.")
}

// MoveMobileTx moves the account to another mobile, ends every session and pending challenge, and notifies the old mobile by SMS and the
// franchiser by e-mail; about is the id of the decision. The password and the authenticator app stay. Call after once the transaction is
// committed. It returns a conflict if another account has the mobile by then.
func (d *Desk) MoveMobileTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile, about string, now time.Time) (after func(ctx context.Context), err error) {
	if err := d.mover.MoveTx(ctx, tx, franchiserID, mobile, now); err != nil {
		if errs.KindOf(err) == errs.KindConflict {
			return nil, errDeskMobileTaken().Because(err)
		}
		return nil, err
	}
	m := message.CustomerMessage{FranchiserID: franchiserID, Template: message.TemplateMobileChangedEmail, About: about, CreatedAt: now}
	if err := d.messages.OnceTx(ctx, tx, m); err != nil {
		return nil, err
	}
	dead, err := session.EndSessionsTx(ctx, tx, franchiserID, session.EndStaff, nil, nil, now)
	return func(ctx context.Context) { d.cache.End(ctx, dead) }, err
}

// Letters returns the contents of the desk's messages; site is the site's URL without a trailing slash.
func Letters(keys secret.Keyring, site string) map[string]message.Letter {
	change := changeLetter(keys, site)
	plain := message.Letter{Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
		return &message.Message{}, nil
	}}
	return map[string]message.Letter{
		message.TemplateAuthenticatorRemoved: plain, message.TemplateAuthenticatorRemovedEmail: plain, message.TemplateMobileChangedEmail: plain,
		message.TemplateStorePasswordChanged: plain,
		message.TemplateMobileChangeAsked:    change, message.TemplateMobileChangeAskedEmail: change,
	}
}
