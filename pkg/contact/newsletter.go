package contact

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	// LetterLife is how long a link that starts a subscription counts. The privacy policy names it.
	LetterLife = 7 * 24 * time.Hour
	// lettersPerDay is how many e-mails of one kind an address gets within a day, whoever requests them.
	lettersPerDay = 3

	purposeConfirm secret.Purpose = "newsletter confirmation"
	purposeLeave   secret.Purpose = "newsletter leave"

	// confirmPage and leavePage are pages whose button uses the token behind the #; a program that only opens links confirms nothing.
	confirmPage = "/newsletter/confirm#"
	leavePage   = "/unsubscribe#"
	// leaveCall takes the one click of a mailbox (RFC 8058).
	leaveCall = "/api/franchise/newsletter/unsubscribe/"
)

// letterKind is the effect of the link in an e-mail about the newsletter.
type letterKind string

const (
	letterConfirm letterKind = "confirm"
	letterLeave   letterKind = "leave"
)

// ErrNewsletterLink reports an invalid link, without its earlier meaning.
var ErrNewsletterLink = errs.New(errs.KindNotFound, "newsletter_link_invalid", "This link does not work. It has expired, or it was cut. Ask for a new one.")

// Subscribe takes the consent of an address to the newsletter. The proved address of the signed-in franchiser subscribes at once,
// which done reports; to any other address goes an e-mail with a link, known or not.
func (s *Service) Subscribe(ctx context.Context, franchiserID, email string, consent bool, version string, l i18n.Language) (done bool, err error) {
	email = account.CleanEmail(email)
	var v errs.Validation
	account.CheckEmail(&v, "email", email)
	checkConsent(&v, consent, version, i18n.Mark(msgConsentToWrite))
	if v.Err() != nil {
		return false, v.Err()
	}
	if !s.emails {
		return false, errNoEmails()
	}
	return s.decide(ctx, franchiserID, email, true, version, l)
}

// Unsubscribe takes an address off the newsletter at once, which done reports, if the signed-in franchiser proved it or subscribed it.
// Otherwise an e-mail with a link goes to the address, if it gets the newsletter; the answer does not reveal it.
func (s *Service) Unsubscribe(ctx context.Context, franchiserID, email string, l i18n.Language) (done bool, err error) {
	email = account.CleanEmail(email)
	var v errs.Validation
	if account.CheckEmail(&v, "email", email); v.Err() != nil {
		return false, v.Err()
	}
	return s.decide(ctx, franchiserID, email, false, "", l)
}

func errNoEmails() *errs.Error {
	return errs.New(errs.KindConflict, "email_off", "We send no e-mails at present.")
}

func (s *Service) decide(ctx context.Context, franchiserID, email string, yes bool, version string, l i18n.Language) (done bool, err error) {
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if done, err = decideTx(ctx, tx, id.New(), email, yes, version, s.clock.Now()); err != nil || done {
			return err
		}
		if !s.emails {
			return errNoEmails()
		}
		kind := letterLeave
		if yes {
			kind = letterConfirm
		}
		return s.askTx(ctx, tx, kind, email, version, l)
	})
	return done, err
}

// askTx has an e-mail sent to the address, within its limits.
func (s *Service) askTx(ctx context.Context, tx *sqlx.Tx, kind letterKind, email, version string, l i18n.Language) error {
	now, letterID := s.clock.Now(), id.New()
	send, err := askLetterTx(ctx, tx, letterID, email, kind, version, l, now, now.Add(LetterLife))
	if err != nil || !send {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, SendNewsletterLinkArgs{LetterID: letterID}, queue.Options{MaxAttempts: 12})
	return err
}

// Confirm subscribes the address to which the link was sent, once. It fails with ErrNewsletterLink unless the link counts.
func (s *Service) Confirm(ctx context.Context, token string) error {
	letterID, ok := s.keys.LinkedRow(purposeConfirm, token)
	if !ok {
		return ErrNewsletterLink
	}
	return s.byLink(ctx, `SELECT confirm_newsletter($1, $2, $3)`, letterID, id.New(), s.clock.Now())
}

// Leave takes the address of the link off the newsletter; doing it again changes nothing. It fails with ErrNewsletterLink unless the
// link counts.
func (s *Service) Leave(ctx context.Context, token string) error {
	subscriptionID, ok := s.keys.LinkedRow(purposeLeave, token)
	if !ok {
		return ErrNewsletterLink
	}
	return s.byLink(ctx, `SELECT leave_newsletter($1, $2)`, subscriptionID, s.clock.Now())
}

// LeavePage returns the page at which the link's button takes the address off. It reports false unless the link is one of ours.
func (s *Service) LeavePage(token string) (path string, ok bool) {
	_, ok = s.keys.LinkedRow(purposeLeave, token)
	return leavePage + token, ok
}

func (s *Service) byLink(ctx context.Context, statement string, args ...any) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var found bool
		if err := tx.GetContext(ctx, &found, statement, args...); err != nil {
			return fmt.Errorf("follow a link of the newsletter: %w", err)
		}
		if !found {
			return ErrNewsletterLink
		}
		return nil
	})
}

// Subscriber is an address that gets the newsletter.
type Subscriber struct {
	ID    string
	Email string
	// Known says that an account with this proved address subscribed; a link in an e-mail confirmed the others.
	Known bool
	// Since is when the newest consent was confirmed.
	Since time.Time
}

// Links returns the two links that take the subscriber off: the page for people, and the address for the header List-Unsubscribe, to which
// mailboxes post (RFC 8058). site is the site's URL without a trailing slash.
func (s Subscriber) Links(keys secret.Keyring, site string) (page, call string, err error) {
	token, err := keys.LinkTo(purposeLeave, s.ID)
	return site + leavePage + token, site + leaveCall + token, err
}

// Subscribers lists the addresses that get the newsletter, each once and confirmed. The pool must be the owner's or the worker's.
func Subscribers(ctx context.Context, db *sqlx.DB) ([]Subscriber, error) {
	var list []Subscriber
	if err := db.SelectContext(ctx, &list, subscribersSQL); err != nil {
		return nil, postgres.Error(fmt.Errorf("list the newsletter's subscribers: %w", err))
	}
	return list, nil
}
