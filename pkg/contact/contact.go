// Package contact keeps what visitors of the public site submit, with their consent: contact requests, which staff answer, and
// newsletter decisions.
package contact

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

//nolint:gochecknoglobals // a constant
var topics = []string{"sales", "support", "billing", "partnership", "other"}

// Status is the state of a contact request.
type Status string

// The states of a contact request; staff move it in any order.
const (
	StatusOpen       Status = "open"
	StatusInProgress Status = "in_progress"
	StatusDone       Status = "done"
)

// Valid reports whether the status is one of the three.
func (s Status) Valid() bool {
	return s == StatusOpen || s == StatusInProgress || s == StatusDone
}

// Request is a contact request from the public site.
type Request struct {
	ID             string `db:"id"`
	Name           string `db:"name"`
	Email          string `db:"email"`
	Mobile         string `db:"mobile"`
	Topic          string `db:"topic"`
	Message        string `db:"message"`
	ConsentVersion string `db:"consent_version"`
	Status         Status `db:"status"`
	// ReplyNote is staff's note of what they answered; HandledBy last changed the status, empty if nobody has.
	ReplyNote string    `db:"reply_note"`
	HandledBy string    `db:"handled_by"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Service keeps what visitors of the public site submit: newsletter decisions and contact requests, with their consent.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
}

// NewService returns the service over the pool; the recorder records what staff do with a request.
func NewService(db *sqlx.DB, clk clock.Clock, recorder Recorder) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, recorder: recorder})
}

const (
	minName    = 2
	maxName    = 39
	minMessage = 10
	maxMessage = 2000
	msgConsent = "Please tick the box if you agree"
)

var (
	nameForm    = regexp.MustCompile(`^[\p{L}\p{M}]+( [\p{L}\p{M}]+)*$`)
	versionForm = regexp.MustCompile(`^[0-9A-Za-z._-]{1,32}$`)
)

func checkConsent(v *errs.Validation, given bool, version string) {
	v.Check(given, "consent", msgConsent)
	v.Check(versionForm.MatchString(version), "consent_version", "The version of the consent text is missing")
}

// Subscribe records the consent of an address to the newsletter, for the signed-in franchiser, or as unconfirmed if franchiserID
// is empty; the answer does not reveal whether the address was known.
func (s *Service) Subscribe(ctx context.Context, franchiserID, email string, consent bool, version string) error {
	email = account.CleanEmail(email)
	var v errs.Validation
	account.CheckEmail(&v, "email", email)
	checkConsent(&v, consent, version)
	if v.Err() != nil {
		return v.Err()
	}
	return s.decide(ctx, franchiserID, email, true, version)
}

// Unsubscribe withdraws the decision of the same franchiser, or an unconfirmed one; other decisions about the address stay, and
// the answer does not reveal whether there are any.
func (s *Service) Unsubscribe(ctx context.Context, franchiserID, email string) error {
	email = account.CleanEmail(email)
	var v errs.Validation
	if account.CheckEmail(&v, "email", email); v.Err() != nil {
		return v.Err()
	}
	return s.decide(ctx, franchiserID, email, false, "")
}

func (s *Service) decide(ctx context.Context, franchiserID, email string, given bool, version string) error {
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		return decide(ctx, tx, id.New(), email, given, version, s.clock.Now())
	})
}

// Input is a contact request as it was typed; Mobile and Topic may be empty.
type Input struct {
	Name, Email, Mobile, Topic, Message string
	Consent                             bool
	ConsentVersion                      string
}

func (in Input) validate() error {
	var v errs.Validation
	switch n := utf8.RuneCountInString(in.Name); {
	case n == 0:
		v.Add("name", "Name can not be empty.")
	case n < minName:
		v.Add("name", "Please use at least 2 characters")
	case n > maxName:
		v.Add("name", "Please use at most 39 characters")
	case !nameForm.MatchString(in.Name):
		v.Add("name", "Please input alphabet characters only")
	}
	account.CheckEmail(&v, "email", in.Email)
	if in.Mobile != "" {
		account.CheckMobile(&v, "mobile", in.Mobile)
	}
	v.Check(slices.Contains(topics, in.Topic), "topic", "Kindly choose one")
	switch n := utf8.RuneCountInString(in.Message); {
	case n == 0:
		v.Add("message", "Message can not be empty.")
	case n < minMessage || n > maxMessage:
		v.Add("message", "Please write 10 to 2000 characters")
	}
	checkConsent(&v, in.Consent, in.ConsentVersion)
	return v.Err()
}

// Submit stores a contact request for staff and returns its reference.
func (s *Service) Submit(ctx context.Context, in Input) (string, error) {
	in.Name = strings.Join(strings.Fields(in.Name), " ")
	in.Email, in.Message = account.CleanEmail(in.Email), strings.TrimSpace(in.Message)
	if in.Topic == "" {
		in.Topic = "other"
	}
	if err := in.validate(); err != nil {
		return "", err
	}
	c := Request{
		ID: id.New(), Name: in.Name, Email: in.Email, Mobile: in.Mobile, Topic: in.Topic, Message: in.Message,
		ConsentVersion: in.ConsentVersion, Status: StatusOpen, CreatedAt: s.clock.Now(),
	}
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return insertContact(ctx, tx, c) })
	return c.ID, err
}

// Filter narrows the requests; empty members narrow nothing. Search is the beginning of a name, an e-mail or a mobile.
type Filter struct {
	Status Status
	Topic  string
	Search string
}

// List returns one page of requests, newest first, how many match, and how many wait for an answer in all.
func (s *Service) List(ctx context.Context, f Filter, limit, offset int) (list []Request, total, open int, err error) {
	if f.Status != "" && !f.Status.Valid() {
		return nil, 0, 0, errs.Invalid("Unknown status").Field("status", "Kindly choose one")
	}
	if f.Topic != "" && !slices.Contains(topics, f.Topic) {
		return nil, 0, 0, errs.Invalid("Unknown topic").Field("topic", "Kindly choose one")
	}
	f.Search = strings.ToLower(strings.TrimSpace(f.Search))
	err = postgres.InRead(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		list, total, open, err = contactsTx(ctx, tx, f, limit, offset)
		return err
	})
	return list, total, open, err
}

// Move is what staff decide about a request; Note is what was answered, and an empty one leaves the previous note unchanged.
type Move struct {
	Status Status
	Note   string
	Reason string
}

// Move changes the status of a request, stores the note, and records who did it and why.
func (s *Service) Move(ctx context.Context, p staff.Principal, requestID string, in Move) error {
	if _, err := staff.CleanReason(in.Reason); err != nil {
		return err
	}
	in.Note = strings.TrimSpace(in.Note)
	var v errs.Validation
	v.Check(in.Status.Valid(), "status", "Kindly choose one")
	v.Check(utf8.RuneCountInString(in.Note) <= maxMessage, "note", "Please use at most 2000 characters")
	if err := v.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		before, err := moveContact(ctx, tx, requestID, in, p.StaffID, s.clock.Now())
		if err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "move_contact", Target: "contact:" + requestID, Reason: in.Reason,
			Before: staff.JSON(before), After: staff.JSON(in.Status),
		})
	})
}
