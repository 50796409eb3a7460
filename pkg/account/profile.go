package account

import (
	"bytes"
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Profile returns the franchiser of the session.
func (s *Service) Profile(ctx context.Context, p Principal) (Franchiser, error) {
	return change(ctx, s.db, p.FranchiserID, func(*sqlx.Tx) error { return nil })
}

// Rename sets first and last name and returns the updated franchiser.
func (s *Service) Rename(ctx context.Context, p Principal, firstName, lastName string) (Franchiser, error) {
	firstName, lastName = text.Line(firstName), text.Line(lastName)
	var v errs.Validation
	checkFullName(&v, firstName, lastName)
	if err := v.Err(); err != nil {
		return Franchiser{}, err
	}
	return change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		_, err := changed(ctx, tx, "set names", setNamesSQL, p.FranchiserID, firstName, lastName)
		return err
	})
}

// SetLanguage stores the site language of the person behind the session, whichever account is open.
func (s *Service) SetLanguage(ctx context.Context, p Principal, language i18n.Language) error {
	if !language.Known() {
		const message = "The site is not available in this language."
		return errs.Invalid(message).Field("language", message)
	}
	return postgres.InTenantTx(ctx, s.db, p.Person(), func(tx *sqlx.Tx) error {
		ok, err := changed(ctx, tx, "set language", setLanguageSQL, p.Person(), language)
		if err == nil && !ok {
			err = errs.Unauthenticated()
		}
		return err
	})
}

// SetDocumentLanguage stores the second language of the account's new documents, beside English; English removes it.
func (s *Service) SetDocumentLanguage(ctx context.Context, p Principal, language i18n.Language) (Franchiser, error) {
	if !language.Known() {
		const message = "Documents are not available in this language."
		return Franchiser{}, errs.Invalid(message).Field("language", message)
	}
	if language == i18n.English {
		language = ""
	}
	return change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		_, err := changed(ctx, tx, "set language of documents", setDocumentLanguageSQL, p.FranchiserID, language)
		return err
	})
}

// StartEmailChange sends a code to the mobile on file, which identifies the person; it needs the password, and a code of the authenticator
// app if one is in use. Resending the code for the same address needs no second code from the app.
func (s *Service) StartEmailChange(ctx context.Context, p Principal, email string, proof Proof, o Origin) error {
	email = CleanEmail(email)
	var v errs.Validation
	CheckEmail(&v, "email", email)
	if err := v.Err(); err != nil {
		return err
	}
	if err := s.provePassword(ctx, p, proof.Password); err != nil {
		return err
	}
	creds, err := readCredentials(ctx, s.db, p.FranchiserID)
	if err != nil {
		return err
	}
	last, asked, err := latestCode(ctx, s.db, creds.Mobile, PurposeChangeEmail, &p.FranchiserID, nil)
	if err != nil {
		return err
	}
	isOfAddress := func(mac []byte) bool { return bytes.Equal(mac, last.BoundTo) }
	if !asked || last.expired(s.clock.Now()) || !slices.ContainsFunc(s.emailMACs(email), isOfAddress) {
		if err := s.proveCode(ctx, p, proof.Code); err != nil {
			return err
		}
	}
	return postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		c, err := credentialsTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		return s.requestCodeTx(ctx, tx, code{
			Mobile: c.Mobile, Purpose: PurposeChangeEmail, Message: messageCode,
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
func (s *Service) ConfirmEmailChange(ctx context.Context, p Principal, email, digits string, o Origin) (Franchiser, error) {
	email = CleanEmail(email)
	var v errs.Validation
	CheckEmail(&v, "email", email)
	checkCodeFormat(&v, "otp", digits)
	if err := v.Err(); err != nil {
		return Franchiser{}, err
	}
	creds, err := readCredentials(ctx, s.db, p.FranchiserID)
	if err != nil {
		return Franchiser{}, err
	}
	g := guess{
		mobile: creds.Mobile, purpose: PurposeChangeEmail, digits: digits,
		franchiserID: &p.FranchiserID, boundTo: s.emailMACs(email),
	}
	c, err := s.judge(ctx, g, o)
	if err != nil {
		return Franchiser{}, err
	}
	return change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		if err := s.redeemTx(ctx, tx, g, c); err != nil {
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
	if _, err := changed(ctx, tx, "set e-mail", setEmailSQL, franchiserID, email); err != nil {
		return err
	}
	if !proved {
		old = ""
	}
	return s.beginProofTx(ctx, tx, franchiserID, email, old)
}

// StartMobileChange sends a code to the new mobile; it needs the password, and a code of the authenticator app if one
// is in use. A mobile that already has an account gets an SMS that says so instead, and the caller can't tell.
func (s *Service) StartMobileChange(ctx context.Context, p Principal, mobile string, proof Proof, o Origin) error {
	var v errs.Validation
	CheckNamedMobile(&v, "mobile", "New mobile number", mobile)
	if err := v.Err(); err != nil {
		return err
	}
	if err := s.provePassword(ctx, p, proof.Password); err != nil {
		return err
	}
	last, asked, err := latestCode(ctx, s.db, mobile, PurposeChangeMobile, &p.FranchiserID, nil)
	if err != nil {
		return err
	}
	if !asked || last.expired(s.clock.Now()) { // resending the code needs no second code from the app
		if err := s.proveCode(ctx, p, proof.Code); err != nil {
			return err
		}
	}
	return postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		owner, err := findByMobile(ctx, tx, mobile)
		if err != nil {
			return err
		}
		c := code{Mobile: mobile, Purpose: PurposeChangeMobile, Message: messageCode, FranchiserRef: &p.FranchiserID}
		if owner != "" {
			c.Message = messageAccountExists
		}
		return s.requestCodeTx(ctx, tx, c, o)
	})
}

// ConfirmMobileChange moves the account to the new mobile, notifies the old one, and ends every other session.
func (s *Service) ConfirmMobileChange(ctx context.Context, p Principal, mobile, digits string, o Origin) (Franchiser, error) {
	if err := validateGuess(mobile, digits); err != nil {
		return Franchiser{}, err
	}
	g := guess{mobile: mobile, purpose: PurposeChangeMobile, digits: digits, franchiserID: &p.FranchiserID}
	c, err := s.judge(ctx, g, o)
	if err != nil {
		return Franchiser{}, err
	}
	var dead [][]byte
	f, err := change(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		if err := s.redeemTx(ctx, tx, g, c); err != nil {
			return err
		}
		dead, err = s.moveTx(ctx, tx, p, mobile)
		return err
	})
	if err != nil {
		return Franchiser{}, err
	}
	s.cache.end(ctx, dead)
	return f, nil
}

func (s *Service) moveTx(ctx context.Context, tx *sqlx.Tx, p Principal, mobile string) ([][]byte, error) {
	now := s.clock.Now()
	if err := newMover(s.jobs, s.records).moveTx(ctx, tx, p.FranchiserID, mobile, now); err != nil {
		return nil, err
	}
	return endSessionsTx(ctx, tx, p.FranchiserID, endMobileChanged, nil, &p.SessionID, now)
}
