package profile

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	// EmailProofLife is how long a link that proves an e-mail address counts.
	EmailProofLife = 24 * time.Hour

	purposeEmailProof secret.Purpose = "e-mail proof"
)

// EmailState is the state of an account's e-mail address.
type EmailState string

// The states of an address. EmailOff means that the product sends no e-mail.
const (
	EmailOff      EmailState = "off"
	EmailUnproved EmailState = "unproved"
	EmailProved   EmailState = "proved"
	EmailRefused  EmailState = "refused"
)

// EmailState returns the state of the franchiser's address.
func (s *Service) EmailState(f account.Franchiser) EmailState {
	switch {
	case !s.messages.SendsEmail():
		return EmailOff
	case f.EmailRefusedAt != nil:
		return EmailRefused
	case f.EmailProvedAt != nil:
		return EmailProved
	default:
		return EmailUnproved
	}
}

// emailProof is a row of email_proofs.
type emailProof struct {
	ID           string    `db:"id"`
	FranchiserID string    `db:"franchiser_id"`
	Email        string    `db:"email"`
	Replaces     string    `db:"replaces"`
	CreatedAt    time.Time `db:"created_at"`
	ExpiresAt    time.Time `db:"expires_at"`
}

// token is the token in the link: the row's id and its keyed hash.
func (p emailProof) token(keys secret.Keyring) string {
	return p.ID + "." + base64.RawURLEncoding.EncodeToString(keys.MAC(purposeEmailProof, p.ID, p.FranchiserID, p.Email))
}

// isToken reports whether the token is the row's, under any key.
func (p emailProof) isToken(keys secret.Keyring, token string) bool {
	for one := range keys.Each() { // the worker that sent it may already, or still, have used another key
		if subtle.ConstantTimeCompare([]byte(p.token(one)), []byte(token)) == 1 {
			return true
		}
	}
	return false
}

// BeginProofTx sends a link to the account's new address, and notifies the one that it replaces, if any. Beyond the day's limit it sends no
// link; the franchiser can request one the next day.
func (s *Service) BeginProofTx(ctx context.Context, tx *sqlx.Tx, franchiserID, email, replaces string) error {
	if !s.messages.SendsEmail() {
		return nil
	}
	p := emailProof{FranchiserID: franchiserID, Email: email, Replaces: replaces}
	within, err := s.countProofTx(ctx, tx, p)
	if err != nil || !within && p.Replaces == "" {
		return err
	}
	return s.storeProofTx(ctx, tx, p, within)
}

// countProofTx counts one link and reports whether it is within the limits of account and address.
func (s *Service) countProofTx(ctx context.Context, tx *sqlx.Tx, p emailProof) (within bool, err error) {
	own, err := s.codes.CountTodayTx(ctx, tx, "proofs of", p.FranchiserID)
	if err != nil {
		return false, err
	}
	to, err := s.codes.CountTodayTx(ctx, tx, "proofs to", p.Email)
	return own <= s.limits.Sends.Proofs && to <= s.limits.Sends.ProofsTo, err
}

func (s *Service) storeProofTx(ctx context.Context, tx *sqlx.Tx, p emailProof, send bool) error {
	now := s.clock.Now()
	p.ID, p.CreatedAt, p.ExpiresAt = id.New(), now, now.Add(EmailProofLife)
	if err := insertProofTx(ctx, tx, p); err != nil {
		return err
	}
	m := message.CustomerMessage{FranchiserID: p.FranchiserID, About: p.ID, CreatedAt: now}
	if p.Replaces != "" {
		m.Template = message.TemplateEmailChanged
		if err := s.messages.OnceTx(ctx, tx, m); err != nil {
			return err
		}
	}
	if !send {
		return nil
	}
	m.Template, m.ExpiresAt = message.TemplateEmailProof, p.ExpiresAt
	return s.messages.OnceTx(ctx, tx, m)
}

// SendEmailProof sends the link again. It fails with KindConflict if the address is proved or the product sends no e-mail, and with
// KindRateLimited for a request that is too early or too frequent.
func (s *Service) SendEmailProof(ctx context.Context, p account.Principal) error {
	return postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		if _, err := store.LockCredentialsTx(ctx, tx, p.FranchiserID); err != nil {
			return err
		}
		f, ok, err := store.FranchiserTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		switch s.EmailState(f) {
		case EmailOff:
			return errs.New(errs.KindConflict, "email_off", "We send no e-mails at present.")
		case EmailProved:
			return errs.New(errs.KindConflict, "email_proved", "Your e-mail address is confirmed already.")
		case EmailUnproved, EmailRefused:
		}
		if !ok {
			return errs.Unauthenticated()
		}
		now := s.clock.Now()
		last, err := lastProofTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		if last != nil && now.Sub(*last) < account.CodePause {
			return errs.RateLimited(account.CodePause - now.Sub(*last))
		}
		proof := emailProof{FranchiserID: f.ID, Email: f.Email}
		within, err := s.countProofTx(ctx, tx, proof)
		if err != nil {
			return err
		}
		if !within {
			_, left := otp.SendDay(now)
			e := errs.RateLimited(left)
			e.Message = "We have sent this link several times today. Please try again tomorrow."
			return e
		}
		return s.storeProofTx(ctx, tx, proof, true)
	})
}

// ProveEmail marks the account's address as proved with the token from the link. The link works once, for the account that requested it and
// while the address is the account's; otherwise it fails with the same error.
func (s *Service) ProveEmail(ctx context.Context, p account.Principal, token string) (account.Franchiser, error) {
	proofID, _, _ := strings.Cut(token, ".")
	if !id.Valid(proofID) {
		return account.Franchiser{}, errEmailProof()
	}
	return store.Change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		if _, err := store.LockCredentialsTx(ctx, tx, p.FranchiserID); err != nil {
			return err
		}
		now := s.clock.Now()
		proof, ok, err := openProofTx(ctx, tx, p.FranchiserID, proofID, now)
		if err != nil {
			return err
		}
		if !ok || !proof.isToken(s.keys, token) {
			return errEmailProof()
		}
		proved, err := store.Changed(ctx, tx, "prove e-mail", proveEmailSQL, p.FranchiserID, proof.Email, now)
		if err == nil && !proved {
			err = errEmailProof()
		}
		if err != nil {
			return err
		}
		if _, err = store.Changed(ctx, tx, "use proof", useProofsSQL, p.FranchiserID, proof.ID, now); err != nil {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, MailDocumentsArgs{FranchiserID: p.FranchiserID}, queue.Options{
			Queue: queue.QueueDocuments, Subject: queue.Subject{FranchiserID: p.FranchiserID},
		})
		return err
	})
}

func errEmailProof() *errs.Error {
	return errs.New(errs.KindMalformed, "email_proof_invalid",
		"This link was used, has expired, or belongs to another account or address. Ask for a new one in your profile.")
}

// Letters returns the contents of the messages about e-mail addresses; site is the site's URL without a trailing
// slash.
func Letters(keys secret.Keyring, site string) map[string]message.Letter {
	return map[string]message.Letter{
		message.TemplateEmailProof: {Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			p, ok, err := neededProofTx(ctx, tx, m.About)
			if err != nil || !ok {
				return nil, err
			}
			return &message.Message{
				Email: p.Email, Values: []string{m.Language.Moment(p.ExpiresAt)},
				Link: site + m.Language.Base() + "/account/confirm-email#" + p.token(keys),
			}, nil
		}},
		message.TemplateEmailChanged: {Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			p, ok, err := proofTx(ctx, tx, m.About)
			if err != nil || !ok {
				return nil, err
			}
			return &message.Message{Email: p.Replaces, Values: []string{m.Language.Moment(p.CreatedAt)}}, nil
		}},
	}
}

// Contacts tells where customers are reached.
type Contacts struct{}

// ContactTx implements message.Contacts.
func (Contacts) ContactTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (mobile, email string, err error) {
	r, err := account.ReachTx(ctx, tx, franchiserID)
	if errs.KindOf(err) == errs.KindNotFound {
		return "", "", nil
	}
	if !r.Proved {
		r.Email = ""
	}
	return r.Mobile, r.Email, err
}

// LanguageTx implements message.Contacts.
func (Contacts) LanguageTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (i18n.Language, error) {
	return account.LanguageTx(ctx, tx, franchiserID)
}

// FranchiserOf implements message.Numbers.
func (Contacts) FranchiserOf(ctx context.Context, q sqlx.QueryerContext, mobile string) (string, error) {
	return store.FindByMobile(ctx, q, mobile)
}

// RefusedTx implements message.Contacts.
func (Contacts) RefusedTx(ctx context.Context, tx *sqlx.Tx, franchiserID, email string, at time.Time) error {
	_, err := store.Changed(ctx, tx, "mark e-mail refused", refuseEmailSQL, franchiserID, email, at)
	return err
}

// Notes returns the dashboard's texts about the account's e-mail address.
func Notes() map[string]message.Notes {
	return map[string]message.Notes{
		message.TemplateEmailChanged: func(_ context.Context, _ *sqlx.Tx, _ string, about []string, l i18n.Language) (map[string]message.Note, error) {
			notes := map[string]message.Note{}
			for _, proofID := range about {
				notes[proofID] = message.Note{
					Title: l.Say("Your e-mail address was changed"), Text: l.Say("If this was not you, contact us at once."), Link: "/account/security",
				}
			}
			return notes, nil
		},
	}
}
