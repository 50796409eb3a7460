package support

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
)

//nolint:gochecknoglobals // a constant
var topics = []string{"sales", "support", "billing", "partnership", "other"}

// ContactStatus is how far a contact request has come.
type ContactStatus string

// The states of a contact request; staff move it in any order.
const (
	ContactOpen       ContactStatus = "open"
	ContactInProgress ContactStatus = "in_progress"
	ContactDone       ContactStatus = "done"
)

// Valid says whether the status is one of the three.
func (s ContactStatus) Valid() bool {
	return s == ContactOpen || s == ContactInProgress || s == ContactDone
}

// Contact is what somebody wrote to us through the public site.
type Contact struct {
	ID             string        `db:"id"`
	Name           string        `db:"name"`
	Email          string        `db:"email"`
	Mobile         string        `db:"mobile"`
	Topic          string        `db:"topic"`
	Message        string        `db:"message"`
	ConsentVersion string        `db:"consent_version"`
	Status         ContactStatus `db:"status"`
	// ReplyNote is what staff answered, in their own words; HandledBy who moved the request last, empty while nobody has.
	ReplyNote string    `db:"reply_note"`
	HandledBy string    `db:"handled_by"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

// ContactRequests keeps what visitors of the public site leave: newsletter sign-ups and contact requests, with their consent.
type ContactRequests struct {
	db    *sqlx.DB
	clock clock.Clock
}

// NewContactRequests returns an inbox over the pool.
func NewContactRequests(db *sqlx.DB, clk clock.Clock) *ContactRequests {
	return wiring.Complete(&ContactRequests{db: db, clock: clk})
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

// Subscribe notes the consent of an address to the newsletter, for the franchiser who is signed in, or as unconfirmed where
// that is empty; it answers alike whether the address was known.
func (b *ContactRequests) Subscribe(ctx context.Context, franchiserID, email string, consent bool, version string) error {
	email = account.CleanEmail(email)
	var v errs.Validation
	account.CheckEmail(&v, "email", email)
	checkConsent(&v, consent, version)
	if v.Err() != nil {
		return v.Err()
	}
	return b.decide(ctx, franchiserID, email, true, version)
}

// Unsubscribe notes the withdrawal of what the same franchiser decided, or of what nobody confirmed; other decisions about the
// address stay, and nobody can tell whether there are any.
func (b *ContactRequests) Unsubscribe(ctx context.Context, franchiserID, email string) error {
	email = account.CleanEmail(email)
	var v errs.Validation
	if account.CheckEmail(&v, "email", email); v.Err() != nil {
		return v.Err()
	}
	return b.decide(ctx, franchiserID, email, false, "")
}

func (b *ContactRequests) decide(ctx context.Context, franchiserID, email string, given bool, version string) error {
	return postgres.InTenantTx(ctx, b.db, franchiserID, func(tx *sqlx.Tx) error {
		return decide(ctx, tx, id.New(), email, given, version, b.clock.Now())
	})
}

// ContactInput is a contact request as it was typed; Mobile and Topic may be empty.
type ContactInput struct {
	Name, Email, Mobile, Topic, Message string
	Consent                             bool
	ConsentVersion                      string
}

func (in ContactInput) validate() error {
	var v errs.Validation
	switch n := utf8.RuneCountInString(in.Name); {
	case n == 0:
		v.Add("name", "Name can not be empty.")
	case n < minName:
		v.Add("name", "2 characters required atleast")
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

// Contact keeps a contact request for the staff and returns its reference.
func (b *ContactRequests) Contact(ctx context.Context, in ContactInput) (string, error) {
	in.Name = strings.Join(strings.Fields(in.Name), " ")
	in.Email, in.Message = account.CleanEmail(in.Email), strings.TrimSpace(in.Message)
	if in.Topic == "" {
		in.Topic = "other"
	}
	if err := in.validate(); err != nil {
		return "", err
	}
	c := Contact{
		ID: id.New(), Name: in.Name, Email: in.Email, Mobile: in.Mobile, Topic: in.Topic, Message: in.Message,
		ConsentVersion: in.ConsentVersion, Status: ContactOpen, CreatedAt: b.clock.Now(),
	}
	err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error { return insertContact(ctx, tx, c) })
	return c.ID, err
}

// ContactFilter narrows the requests; empty members narrow nothing. Search is the beginning of a name, an e-mail or a mobile.
type ContactFilter struct {
	Status ContactStatus
	Topic  string
	Search string
}

// Contacts returns one page of requests, newest first, how many match, and how many wait for an answer in all.
func (b *ContactRequests) Contacts(ctx context.Context, f ContactFilter, limit, offset int) (list []Contact, total, open int, err error) {
	if f.Status != "" && !f.Status.Valid() {
		return nil, 0, 0, errs.Invalid("Unknown status").Field("status", "Kindly choose one")
	}
	if f.Topic != "" && !slices.Contains(topics, f.Topic) {
		return nil, 0, 0, errs.Invalid("Unknown topic").Field("topic", "Kindly choose one")
	}
	f.Search = strings.ToLower(strings.TrimSpace(f.Search))
	err = postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		var err error
		list, total, open, err = contactsTx(ctx, tx, f, limit, offset)
		return err
	})
	return list, total, open, err
}

// MoveContactTx moves a request and returns the status it had, in the transaction that audits it.
func (b *ContactRequests) MoveContactTx(ctx context.Context, tx *sqlx.Tx, contactID string, in MoveContact, staffID string) (before ContactStatus, err error) {
	in.Note = strings.TrimSpace(in.Note)
	var v errs.Validation
	v.Check(in.Status.Valid(), "status", "Kindly choose one")
	v.Check(utf8.RuneCountInString(in.Note) <= maxMessage, "note", "Please use at most 2000 characters")
	if err := v.Err(); err != nil {
		return "", err
	}
	return moveContact(ctx, tx, contactID, in, staffID, b.clock.Now())
}
