package profile

import (
	"bytes"
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Profile returns the franchiser of the session.
func (s *Service) Profile(ctx context.Context, p account.Principal) (account.Franchiser, error) {
	return store.Change(ctx, s.db, p.FranchiserID, func(*sqlx.Tx) error { return nil })
}

// Rename sets first and last name and returns the updated franchiser.
func (s *Service) Rename(ctx context.Context, p account.Principal, firstName, lastName string) (account.Franchiser, error) {
	firstName, lastName = text.Line(firstName), text.Line(lastName)
	var v errs.Validation
	account.CheckFullName(&v, firstName, lastName)
	if err := v.Err(); err != nil {
		return account.Franchiser{}, err
	}
	return store.Change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		_, err := store.Changed(ctx, tx, "set names", setNamesSQL, p.FranchiserID, firstName, lastName)
		return err
	})
}

// SetLanguage stores the site language of the person behind the session, whichever account is open.
func (s *Service) SetLanguage(ctx context.Context, p account.Principal, language i18n.Language) error {
	if !language.Known() {
		const message = "The site is not available in this language."
		return errs.Invalid(message).Field("language", message)
	}
	return postgres.InTenantTx(ctx, s.db, p.Person(), func(tx *sqlx.Tx) error {
		ok, err := store.Changed(ctx, tx, "set language", setLanguageSQL, p.Person(), language)
		if err == nil && !ok {
			err = errs.Unauthenticated()
		}
		return err
	})
}

// SetDocumentLanguage stores the second language of the account's new documents, beside English; English removes it.
func (s *Service) SetDocumentLanguage(ctx context.Context, p account.Principal, language i18n.Language) (account.Franchiser, error) {
	if !language.Known() {
		const message = "Documents are not available in this language."
		return account.Franchiser{}, errs.Invalid(message).Field("language", message)
	}
	if language == i18n.English {
		language = ""
	}
	return store.Change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		_, err := store.Changed(ctx, tx, "set language of documents", setDocumentLanguageSQL, p.FranchiserID, language)
		return err
	})
}

// StartEmailChange sends a code to the mobile on file, which identifies the person; it needs the password, and a code of the authenticator
// app if one is in use. Resending the code for the same address needs no second code from the app.
func (s *Service) StartEmailChange(ctx context.Context, p account.Principal, email string, proof credential.Proof, o account.Origin) error {
	email = account.CleanEmail(email)
	var v errs.Validation
	account.CheckEmail(&v, "email", email)
	if err := v.Err(); err != nil {
		return err
	}
	if err := s.credentials.ProvePassword(ctx, p, proof.Password); err != nil {
		return err
	}
	creds, err := store.ReadCredentials(ctx, s.db, p.FranchiserID)
	if err != nil {
		return err
	}
	last, asked, err := otp.LatestCode(ctx, s.db, creds.Mobile, account.PurposeChangeEmail, &p.FranchiserID, nil)
	if err != nil {
		return err
	}
	isOfAddress := func(mac []byte) bool { return bytes.Equal(mac, last.BoundTo) }
	if !asked || last.Expired(s.clock.Now()) || !slices.ContainsFunc(s.emailMACs(email), isOfAddress) {
		if err := s.credentials.ProveCode(ctx, p, proof.Code); err != nil {
			return err
		}
	}
	return postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		c, err := store.CredentialsTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		return s.codes.RequestCodeTx(ctx, tx, otp.Code{
			Mobile: c.Mobile, Purpose: account.PurposeChangeEmail, Message: otp.MessageCode,
			FranchiserRef: &p.FranchiserID, BoundTo: s.emailMACs(email)[0],
		}, o)
	})
}

// purposeEmail keys the hash that binds a code to the e-mail address it confirms.
const purposeEmail secret.Purpose = "e-mail change"

// emailMACs returns the hash under each key, the current one first.
func (s *Service) emailMACs(email string) (macs [][]byte) {
	for one := range s.keys.Each() {
		macs = append(macs, one.MAC(purposeEmail, email))
	}
	return macs
}

// ConfirmEmailChange sets the address for which the code was sent. It sends the address a link to prove it, and notifies the old address if
// that was proved.
func (s *Service) ConfirmEmailChange(ctx context.Context, p account.Principal, email, digits string, o account.Origin) (account.Franchiser, error) {
	email = account.CleanEmail(email)
	var v errs.Validation
	account.CheckEmail(&v, "email", email)
	account.CheckCodeFormat(&v, "otp", digits)
	if err := v.Err(); err != nil {
		return account.Franchiser{}, err
	}
	creds, err := store.ReadCredentials(ctx, s.db, p.FranchiserID)
	if err != nil {
		return account.Franchiser{}, err
	}
	g := otp.Guess{
		Mobile: creds.Mobile, Purpose: account.PurposeChangeEmail, Digits: digits,
		FranchiserID: &p.FranchiserID, BoundTo: s.emailMACs(email),
	}
	c, err := s.codes.Judge(ctx, g, o)
	if err != nil {
		return account.Franchiser{}, err
	}
	return store.Change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		if err := s.codes.RedeemTx(ctx, tx, g, c); err != nil {
			return err
		}
		return s.setEmailTx(ctx, tx, p.FranchiserID, email)
	})
}

func (s *Service) setEmailTx(ctx context.Context, tx *sqlx.Tx, franchiserID, email string) error {
	old, proved, err := lockEmailTx(ctx, tx, franchiserID)
	if err != nil || old == email {
		return err
	}
	if _, err := store.Changed(ctx, tx, "set e-mail", setEmailSQL, franchiserID, email); err != nil {
		return err
	}
	if !proved {
		old = ""
	}
	return s.BeginProofTx(ctx, tx, franchiserID, email, old)
}

// StartMobileChange sends a code to the new mobile; it needs the password, and a code of the authenticator app if one
// is in use. A mobile that already has an account gets an SMS that says so instead, and the caller can't tell.
func (s *Service) StartMobileChange(ctx context.Context, p account.Principal, mobile string, proof credential.Proof, o account.Origin) error {
	var v errs.Validation
	account.CheckNamedMobile(&v, "mobile", "New mobile number", mobile)
	if err := v.Err(); err != nil {
		return err
	}
	if err := s.credentials.ProvePassword(ctx, p, proof.Password); err != nil {
		return err
	}
	last, asked, err := otp.LatestCode(ctx, s.db, mobile, account.PurposeChangeMobile, &p.FranchiserID, nil)
	if err != nil {
		return err
	}
	if !asked || last.Expired(s.clock.Now()) { // resending the code needs no second code from the app
		if err := s.credentials.ProveCode(ctx, p, proof.Code); err != nil {
			return err
		}
	}
	return postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		owner, err := store.FindByMobile(ctx, tx, mobile)
		if err != nil {
			return err
		}
		c := otp.Code{Mobile: mobile, Purpose: account.PurposeChangeMobile, Message: otp.MessageCode, FranchiserRef: &p.FranchiserID}
		if owner != "" {
			c.Message = otp.MessageAccountExists
		}
		return s.codes.RequestCodeTx(ctx, tx, c, o)
	})
}

// ConfirmMobileChange moves the account to the new mobile, notifies the old one, and ends every other session.
func (s *Service) ConfirmMobileChange(ctx context.Context, p account.Principal, mobile, digits string, o account.Origin) (account.Franchiser, error) {
	if err := otp.ValidateGuess(mobile, digits); err != nil {
		return account.Franchiser{}, err
	}
	g := otp.Guess{Mobile: mobile, Purpose: account.PurposeChangeMobile, Digits: digits, FranchiserID: &p.FranchiserID}
	c, err := s.codes.Judge(ctx, g, o)
	if err != nil {
		return account.Franchiser{}, err
	}
	var dead [][]byte
	f, err := store.Change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		if err := s.codes.RedeemTx(ctx, tx, g, c); err != nil {
			return err
		}
		dead, err = s.moveTx(ctx, tx, p, mobile)
		return err
	})
	if err != nil {
		return account.Franchiser{}, err
	}
	s.cache.End(ctx, dead)
	return f, nil
}

func (s *Service) moveTx(ctx context.Context, tx *sqlx.Tx, p account.Principal, mobile string) ([][]byte, error) {
	now := s.clock.Now()
	if err := s.mover.MoveTx(ctx, tx, p.FranchiserID, mobile, now); err != nil {
		return nil, err
	}
	return session.EndSessionsTx(ctx, tx, p.FranchiserID, session.EndMobileChanged, nil, &p.SessionID, now)
}
