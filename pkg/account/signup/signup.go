package signup

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

const maxTerms = 32

// Input is the first step of a sign-up; a free trial needs the first name too.
type Input struct {
	Mobile, Email, Password, FirstName string
	FreeTrial                          bool
	// TermsVersion is the version that the person accepted; empty means the present one.
	TermsVersion string
	// Key is equal in repetitions of the first step whose answer was lost; it may be empty.
	Key string
}

// Validate cleans the fields and returns the specification's messages on those at fault.
func (in *Input) Validate() error {
	in.Email, in.FirstName = account.CleanEmail(in.Email), text.Line(in.FirstName)
	if in.TermsVersion == "" {
		in.TermsVersion = account.TermsVersion
	}
	var v errs.Validation
	account.CheckMobile(&v, "mobile", in.Mobile)
	account.CheckEmail(&v, "email", in.Email)
	password.Check(&v, "password", "Password", in.Password, in.Mobile, in.Email, in.FirstName)
	if in.FreeTrial || in.FirstName != "" {
		account.CheckName(&v, "first_name", in.FirstName)
	}
	v.Check(utf8.RuneCountInString(in.TermsVersion) <= maxTerms, "terms_version", "Please agree to terms & conditions")
	return v.Err()
}

// StartSignUp keeps the sign-up until its mobile is proved and has a code sent. A mobile that has an account gets an
// SMS that says so instead; the caller can't tell. It returns the token that ties the sign-up to its browser. Repeated under its
// key while the next SMS would come too soon it gives the same token and sends nothing, because the first answer may have been lost.
func (s *Service) StartSignUp(ctx context.Context, in Input, o account.Origin) (browser string, err error) {
	if err := in.Validate(); err != nil {
		return "", err
	}
	if err := s.passwords.Open(); err != nil {
		return "", err
	}
	browser = s.browserUnder(in, o)
	err = s.startSignUp(ctx, in, browser, o)
	if in.Key == "" || errs.KindOf(err) != errs.KindRateLimited {
		return browser, err
	}
	same, readErr := s.began(ctx, in, browser)
	if readErr != nil || same {
		return browser, readErr
	}
	return "", err
}

// purposeSignUpKey derives the token of a browser without one from the key of its first step.
const purposeSignUpKey secret.Purpose = "key of a sign-up"

// browserUnder is the token of the browser: its own, else the one that belongs to the key, else a new one.
func (s *Service) browserUnder(in Input, o account.Origin) string {
	if in.Key == "" || len(o.Browser) == session.TokenLength {
		return session.BrowserOf(o)
	}
	return base64.RawURLEncoding.EncodeToString(s.keys.MAC(purposeSignUpKey, in.Mobile, in.Key))
}

// began says whether this very sign-up is pending in the browser.
func (s *Service) began(ctx context.Context, in Input, browser string) (bool, error) {
	p, err := latestSignUp(ctx, s.db, in.Mobile, secret.Hash(browser), s.clock.Now())
	if err != nil || p.ID == "" || p.Email != in.Email || p.FirstName != in.FirstName || p.FreeTrial != in.FreeTrial {
		return false, err
	}
	return s.passwords.Verify(ctx, p.PasswordHash, in.Password)
}

func (s *Service) startSignUp(ctx context.Context, in Input, browser string, o account.Origin) error {
	asked := otp.Code{Mobile: in.Mobile, Purpose: account.PurposeSignUp, BrowserHash: secret.Hash(browser)}
	if err := s.codes.Rehearse(ctx, asked, o); err != nil {
		return err
	}
	hash, err := s.passwords.Hash(ctx, in.Password)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	p := signUp{
		ID: id.New(), Mobile: in.Mobile, BrowserHash: secret.Hash(browser), Email: in.Email, FirstName: in.FirstName,
		PasswordHash: hash, FreeTrial: in.FreeTrial, TermsVersion: in.TermsVersion,
		CreatedAt: now, ExpiresAt: now.Add(account.SignUpLife),
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		owner, err := store.FindByMobile(ctx, tx, in.Mobile)
		if err != nil {
			return err
		}
		if p.ID, err = upsertSignUpTx(ctx, tx, p); err != nil {
			return err
		}
		return s.codes.RequestCodeTx(ctx, tx, signUpCode(p, owner != "", true), o)
	})
}

// signUpCode chooses the SMS for a sign-up's mobile: the code, that it has an account, or no SMS.
func signUpCode(p signUp, taken, entitled bool) otp.Code {
	c := otp.Code{Mobile: p.Mobile, Purpose: account.PurposeSignUp, Message: otp.MessageCode, SignUpID: &p.ID, BrowserHash: p.BrowserHash}
	switch {
	case p.ID == "":
		c.SignUpID, c.Message = nil, otp.MessageNone
	case !entitled:
		c.Message = otp.MessageNone
	case taken:
		c.Message = otp.MessageAccountExists
	}
	return c
}

// ResendSignUpCode sends another code if a sign-up with the mobile is pending; without one it gives the same answer.
func (s *Service) ResendSignUpCode(ctx context.Context, mobile string, o account.Origin) error {
	var v errs.Validation
	account.CheckMobile(&v, "mobile", mobile)
	if err := v.Err(); err != nil {
		return err
	}
	p, err := latestSignUp(ctx, s.db, mobile, o.BrowserHash(), s.clock.Now())
	if err != nil {
		return err
	}
	p.Mobile, p.BrowserHash = mobile, o.BrowserHash() // a request of a browser without cookies uses up no budget of others
	return s.resend(ctx, p, true, o)
}

// ResendSignUpCodeWithPassword is ResendSignUpCode for who knows the sign-up's password; it answers alike for who does not.
func (s *Service) ResendSignUpCodeWithPassword(ctx context.Context, mobile, given string, o account.Origin) error {
	var v errs.Validation
	account.CheckMobile(&v, "mobile", mobile)
	password.CheckGiven(&v, "password", given)
	if err := v.Err(); err != nil {
		return err
	}
	if err := s.passwords.Open(); err != nil {
		return err
	}
	p, err := latestSignUp(ctx, s.db, mobile, o.BrowserHash(), s.clock.Now())
	if err != nil {
		return err
	}
	p.Mobile, p.BrowserHash = mobile, o.BrowserHash()
	if err := s.codes.Rehearse(ctx, otp.Code{Mobile: mobile, Purpose: account.PurposeSignUp, BrowserHash: p.BrowserHash}, o); err != nil {
		return err
	}
	entitled, err := s.passwords.Verify(ctx, p.PasswordHash, given)
	if err != nil {
		return err
	}
	return s.resend(ctx, p, entitled, o)
}

func (s *Service) resend(ctx context.Context, p signUp, entitled bool, o account.Origin) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		owner, err := store.FindByMobile(ctx, tx, p.Mobile)
		if err != nil {
			return err
		}
		return s.codes.RequestCodeTx(ctx, tx, signUpCode(p, owner != "", entitled), o)
	})
}

// VerifySignUp checks the code of a sign-up and returns the verification that completes it.
func (s *Service) VerifySignUp(ctx context.Context, mobile, digits string, o account.Origin) (string, error) {
	if err := otp.ValidateGuess(mobile, digits); err != nil {
		return "", err
	}
	return s.codes.Verify(ctx, otp.Guess{Mobile: mobile, Purpose: account.PurposeSignUp, Digits: digits, BrowserHash: o.BrowserHash()}, o)
}

// CompleteSignUp creates the account out of the sign-up that the verification confirms, starts the trial if it was requested and the mobile
// has had none, and signs in: all of it or nothing. Only the browser that requested the code can call it. If that browser repeats the call
// within the verification's life, it signs in again, because the first answer may have been lost.
func (s *Service) CompleteSignUp(ctx context.Context, mobile, verification string, o account.Origin) (session.SignedIn, error) {
	var v errs.Validation
	account.CheckMobile(&v, "mobile", mobile)
	v.Check(verification != "", "verification_id", "Verification can not be empty.")
	if err := v.Err(); err != nil {
		return session.SignedIn{}, err
	}
	c, ok, err := otp.LatestCode(ctx, s.db, mobile, account.PurposeSignUp, nil, o.BrowserHash())
	if err != nil {
		return session.SignedIn{}, err
	}
	if !ok || len(o.BrowserHash()) == 0 || subtle.ConstantTimeCompare([]byte(s.codes.VerificationOf(c)), []byte(verification)) != 1 {
		return session.SignedIn{}, otp.ErrVerification()
	}
	var in session.SignedIn
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		p, again, err := s.takeSignUpTx(ctx, tx, c, verification)
		if err != nil {
			return err
		}
		if again != "" {
			in, err = s.signInTx(ctx, tx, again, o)
			return err
		}
		in, err = s.createTx(ctx, tx, p, o)
		return err
	})
	return in, err
}

// takeSignUpTx uses the verification up. It returns the account instead where the sign-up became one just now.
func (s *Service) takeSignUpTx(ctx context.Context, tx *sqlx.Tx, c otp.Code, verification string) (p signUp, became string, err error) {
	now := s.clock.Now()
	signUpID, err := otp.TakeVerificationTx(ctx, tx, secret.Hash(verification), c.Mobile, account.PurposeSignUp, now)
	if errs.KindOf(err) == errs.KindMalformed {
		became, readErr := s.becameTx(ctx, tx, c, now)
		if readErr != nil || became != "" {
			return signUp{}, became, readErr
		}
	}
	if err != nil {
		return signUp{}, "", err
	}
	if signUpID == nil {
		return signUp{}, "", otp.ErrVerification()
	}
	p, ok, err := lockSignUpTx(ctx, tx, *signUpID)
	if err != nil {
		return signUp{}, "", err
	}
	if !ok || p.Mobile != c.Mobile {
		return signUp{}, "", otp.ErrVerification()
	}
	return p, "", deleteSignUpsTx(ctx, tx, c.Mobile)
}

// becameTx is the account made from the sign-up of a used code, or "" if there is none or the code is too old.
func (s *Service) becameTx(ctx context.Context, tx *sqlx.Tx, c otp.Code, now time.Time) (string, error) {
	if c.UsedAt == nil || !now.Before(c.UsedAt.Add(account.VerificationLife)) {
		return "", nil
	}
	id, err := store.FindByMobile(ctx, tx, c.Mobile)
	if err != nil || id == "" {
		return "", err
	}
	if err := postgres.SetFranchiser(ctx, tx, id); err != nil {
		return "", err
	}
	u, err := s.sessions.UserTx(ctx, tx, id)
	if err != nil || u.CreatedAt.Before(*c.UsedAt) || u.TOTPEnabled {
		return "", err
	}
	return id, nil
}

func (s *Service) signInTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, o account.Origin) (session.SignedIn, error) {
	tokens, err := s.sessions.BeginSessionTx(ctx, tx, franchiserID, false, o, s.clock.Now())
	if err != nil {
		return session.SignedIn{}, err
	}
	u, err := s.sessions.UserTx(ctx, tx, franchiserID)
	return session.SignedIn{Tokens: tokens, User: u}, err
}

func (s *Service) createTx(ctx context.Context, tx *sqlx.Tx, p signUp, o account.Origin) (session.SignedIn, error) {
	now, franchiserID := s.clock.Now(), id.New()
	if err := postgres.SetFranchiser(ctx, tx, franchiserID); err != nil {
		return session.SignedIn{}, err
	}
	language := o.Language
	if language.Or() == i18n.English {
		language = ""
	}
	if err := insertFranchiserTx(ctx, tx, franchiserID, p, language, now); err != nil {
		return session.SignedIn{}, err
	}
	if err := s.profiles.BeginProofTx(ctx, tx, franchiserID, p.Email, ""); err != nil {
		return session.SignedIn{}, err
	}
	if p.FreeTrial {
		if err := s.startTrialTx(ctx, tx, franchiserID, p.Mobile); err != nil {
			return session.SignedIn{}, err
		}
	}
	return s.signInTx(ctx, tx, franchiserID, o)
}

func (s *Service) startTrialTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error {
	fresh, err := takeTrialTx(ctx, tx, franchiserID, s.keys.MAC(secret.PurposeTrial, mobile), s.clock.Now())
	if err != nil || !fresh {
		return err
	}
	return s.trials.StartTrialTx(ctx, tx, franchiserID)
}
