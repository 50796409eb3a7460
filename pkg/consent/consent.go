// Package consent lets staff view an account as its customer sees it: read-only, for half an hour, with a code that the
// customer reads out. It also shows customers what staff did with their account.
package consent

import (
	"context"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Lifetimes and limits of views.
const (
	// ViewLife is how long staff may view an account after the customer's consent.
	ViewLife = 30 * time.Minute
	// ConsentLife is how long the customer's code is valid.
	ConsentLife = 10 * time.Minute

	maxConsentTries  = 5
	maxConsentsADay  = 10 // per customer, by all staff
	purposeConsent   = secret.Purpose("view consent")
	viewEndedByStaff = "staff"
	viewEndedByOwner = "customer"
)

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Service lets staff view an account as its customer sees it: read-only, with the customer's consent code, for half an
// hour.
type Service struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	keys     secret.Keyring
	recorder Recorder
}

// NewService returns a service over its parts.
func NewService(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, keys secret.Keyring, recorder Recorder) *Service {
	return wiring.Complete(&Service{db: db, jobs: jobs, clock: clk, keys: keys, recorder: recorder})
}

// View is permission to view an account. BegunAt and EndsAt are zero until the customer has consented.
type View struct {
	ID            string     `db:"id"`
	FranchiserID  string     `db:"franchiser_ref"`
	StaffID       string     `db:"staff_id"`
	StaffName     string     `db:"staff_name"`
	SessionID     string     `db:"session_id"`
	Reason        string     `db:"reason"`
	RequestedAt   time.Time  `db:"requested_at"`
	CodeExpiresAt time.Time  `db:"code_expires_at"`
	BegunAt       *time.Time `db:"begun_at"`
	EndsAt        *time.Time `db:"ends_at"`
	EndedAt       *time.Time `db:"ended_at"`
	EndedBy       *string    `db:"ended_by"`
}

// Open reports whether the view may be used at that time.
func (v View) Open(now time.Time) bool {
	return v.BegunAt != nil && v.EndsAt != nil && now.Before(*v.EndsAt) && v.EndedAt == nil
}

// consentCode returns the six digits of a consent: HMAC-SHA256 of the view's id, so that they are stored nowhere.
func consentCode(keys secret.Keyring, viewID string) string {
	n := binary.BigEndian.Uint64(keys.MAC(purposeConsent, viewID))
	return fmt.Sprintf("%06d", n%1_000_000)
}

func isConsent(keys secret.Keyring, viewID, given string) bool {
	for one := range keys.Each() {
		if subtle.ConstantTimeCompare([]byte(consentCode(one, viewID)), []byte(given)) == 1 {
			return true
		}
	}
	return false
}

// Content returns the content of a message with a consent code.
func Content(keys secret.Keyring) message.Content {
	return message.Content{
		Addressee: Addressee,
		Values: func(_ context.Context, _ *sqlx.Tx, m message.StaffMessage) ([]string, error) {
			return []string{consentCode(keys, *m.ViewID)}, nil
		},
		Language: func(ctx context.Context, tx *sqlx.Tx, m message.StaffMessage) (i18n.Language, error) {
			return account.LanguageTx(ctx, tx, m.FranchiserID)
		},
	}
}

// Addressee returns the customer's mobile while the view still waits for the code.
func Addressee(ctx context.Context, tx *sqlx.Tx, m message.StaffMessage) (string, error) {
	waits, err := waitsForCodeTx(ctx, tx, *m.ViewID)
	if err != nil || !waits {
		return "", err
	}
	return account.MobileTx(ctx, tx, m.FranchiserID)
}

// Ask sends the customer a consent code and returns the view that it will open. It fails with KindRateLimited within a
// minute of the last one, and after ten in a day.
func (s *Service) Ask(ctx context.Context, p staff.Principal, franchiserID, reason string) (View, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return View{}, err
	}
	now := s.clock.Now()
	v := View{
		ID: id.New(), FranchiserID: franchiserID, StaffID: p.StaffID, SessionID: p.SessionID, Reason: reason,
		RequestedAt: now, CodeExpiresAt: now.Add(ConsentLife),
	}
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if err := account.RequireLiveTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		if err := s.notTooOftenTx(ctx, tx, franchiserID, now); err != nil {
			return err
		}
		if err := insertViewTx(ctx, tx, v); err != nil {
			return err
		}
		_, err := message.EnqueueTx(ctx, tx, s.jobs, message.StaffMessage{
			FranchiserID: franchiserID, Template: message.TemplateViewConsent, ViewID: &v.ID, CreatedAt: now, ExpiresAt: v.CodeExpiresAt,
		})
		if err != nil {
			return err
		}
		return s.record(ctx, tx, p, "ask_view", v, reason)
	})
	return v, err
}

func (s *Service) notTooOftenTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) error {
	if err := lockConsentsTx(ctx, tx, franchiserID); err != nil {
		return err
	}
	earliest, err := viewBackTx(ctx, tx, franchiserID, maxConsentsADay-1)
	if err != nil {
		return err
	}
	return errs.WaitSince(earliest, 24*time.Hour, now)
}

func errWrongConsent() error {
	return errs.New(errs.KindInvalid, "wrong_code", "This code is not right. Ask the customer to read it out again.").
		Field("code", "This code is not right. Ask the customer to read it out again.")
}

// Begin opens the view with the code that the customer read out, only for the member of staff who requested it. Tries are counted before
// they are checked. It returns the browser's token, of which only the hash is stored.
func (s *Service) Begin(ctx context.Context, p staff.Principal, viewID, code string) (View, string, error) {
	now := s.clock.Now()
	counted, err := countConsentTry(ctx, s.db, viewID, p.StaffID, p.SessionID, maxConsentTries)
	if err != nil {
		return View{}, "", err
	}
	token := secret.Token()
	var v View
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if v, err = viewTx(ctx, tx, viewID); err != nil {
			return err
		}
		switch {
		case v.StaffID != p.StaffID || v.SessionID != p.SessionID:
			return errs.NotFound()
		case v.BegunAt != nil || v.EndedAt != nil:
			return errs.New(errs.KindConflict, "code_used", "This code was used. Ask the customer for another one.")
		case !counted:
			return errs.New(errs.KindInvalid, "no_tries_left", "Too many wrong codes. Send the customer another one.").
				Field("code", "Too many wrong codes. Send the customer another one.")
		case !now.Before(v.CodeExpiresAt):
			return errs.New(errs.KindInvalid, "expired_code", "This code has expired. Send the customer another one.").
				Field("code", "This code has expired. Send the customer another one.")
		case !isConsent(s.keys, v.ID, code):
			return errWrongConsent()
		}
		if err := endOpenViewsTx(ctx, tx, p.StaffID, now); err != nil {
			return err
		}
		ends := now.Add(ViewLife)
		v.BegunAt, v.EndsAt = &now, &ends
		if err := beginViewTx(ctx, tx, v, secret.Hash(token)); err != nil {
			return err
		}
		return s.record(ctx, tx, p, "begin_view", v, v.Reason)
	})
	if err != nil {
		return View{}, "", err
	}
	return v, token, nil
}

func (s *Service) record(ctx context.Context, tx *sqlx.Tx, p staff.Principal, action string, v View, reason string) error {
	return s.recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: action, Target: "view:" + v.ID, FranchiserRef: &v.FranchiserID, Reason: reason,
	})
}

// Find returns the view that the browser's token gives access to; KindUnauthenticated once the view has ended, by
// timeout, by staff or by the customer, or the member of staff has signed out or been removed.
func (s *Service) Find(ctx context.Context, token string) (View, error) {
	return openView(ctx, s.db, secret.Hash(token), s.clock.Now())
}

// End ends the view early. If it has already ended, nothing changes.
func (s *Service) End(ctx context.Context, p staff.Principal, viewID string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		v, err := viewTx(ctx, tx, viewID)
		if err != nil {
			return err
		}
		if v.StaffID != p.StaffID {
			return errs.NotFound()
		}
		ended, err := endViewTx(ctx, tx, viewID, viewEndedByStaff, s.clock.Now())
		if err != nil || !ended {
			return err
		}
		return s.record(ctx, tx, p, "end_view", v, "Ended by the member of staff")
	})
}

// EndByCustomer ends every open view of the customer's account.
func (s *Service) EndByCustomer(ctx context.Context, franchiserID string) (int, error) {
	var n int
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		n, err = endViewsOfTx(ctx, tx, franchiserID, viewEndedByOwner, s.clock.Now())
		return err
	})
	return n, err
}
