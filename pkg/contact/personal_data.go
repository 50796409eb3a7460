package contact

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/account"
)

// PersonalData exports and erases a person's data from the public site: newsletter decisions and contact requests.
type PersonalData struct{}

// siteExport is the public site's section in the export of personal data.
type siteExport struct {
	Newsletter      []decisionExport `json:"newsletter,omitempty"`
	ContactRequests []contactExport  `json:"contact_requests,omitempty"`
}

type decisionExport struct {
	Email       string    `json:"email" db:"email"`
	Subscribed  bool      `json:"subscribed" db:"given"`
	TextVersion string    `json:"consent_version,omitempty" db:"text_version"`
	DecidedAt   time.Time `json:"decided_at" db:"decided_at"`
	// ConfirmedAt is when a link or a proved address confirmed it.
	ConfirmedAt *time.Time `json:"confirmed_at,omitempty" db:"confirmed_at"`
}

type contactExport struct {
	CreatedAt time.Time `json:"created_at" db:"created_at"`
	State     State     `json:"status" db:"state"`
	Topic     string    `json:"topic" db:"topic"`
	Consent   string    `json:"consent_version" db:"consent_version"`
	Name      string    `json:"name,omitempty" db:"name"`
	Email     string    `json:"email,omitempty" db:"email"`
	Mobile    string    `json:"mobile,omitempty" db:"mobile"`
	ID        string    `json:"-" db:"id"`
	// Thread is all messages and notes.
	Thread []entryExport `json:"thread,omitempty" db:"-"`
}

type entryExport struct {
	ContactID string    `json:"-" db:"contact_id"`
	CreatedAt time.Time `json:"created_at" db:"created_at"`
	Kind      EntryKind `json:"kind" db:"kind"`
	Channel   Channel   `json:"channel" db:"channel"`
	Text      string    `json:"text" db:"text"`
	Quoted    string    `json:"quoted,omitempty" db:"quoted"`
	// Files are names; the customer downloads the files under My requests.
	Files pq.StringArray `json:"files,omitempty" db:"files"`
	ID    string         `json:"-" db:"id"`
}

// ExportTx returns, under the section "site", the franchiser's signed-in decisions, and the submissions with its mobile or with the e-mail
// address that it proved; or nil. An address that was only typed finds nothing.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	section = "site"
	person, err := account.ReachTx(ctx, tx, franchiserID)
	if err != nil {
		return section, nil, err
	}
	decisions, err := decisionsOf(ctx, tx, franchiserID, person)
	if err != nil {
		return section, nil, err
	}
	requests, err := contactsOf(ctx, tx, franchiserID, person)
	if err != nil || len(decisions)+len(requests) == 0 {
		return section, nil, err
	}
	return section, siteExport{Newsletter: decisions, ContactRequests: requests}, nil
}

// EraseTx deletes the newsletter decisions and blanks the contact requests, which are kept for the count.
func (PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	person, err := account.ReachTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	return eraseSite(ctx, tx, franchiserID, person)
}

// MoveTx changes nothing: a request keeps its typed text.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
