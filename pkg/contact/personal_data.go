package contact

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
)

// PersonalData exports and erases what a person left on the public site: newsletter decisions and contact requests.
type PersonalData struct{}

// siteExport is the section of the site in the export of a person's data.
type siteExport struct {
	Newsletter      []decisionExport `json:"newsletter,omitempty"`
	ContactRequests []contactExport  `json:"contact_requests,omitempty"`
}

type decisionExport struct {
	Email       string    `json:"email" db:"email"`
	Subscribed  bool      `json:"subscribed" db:"given"`
	TextVersion string    `json:"consent_version,omitempty" db:"text_version"`
	DecidedAt   time.Time `json:"decided_at" db:"decided_at"`
}

type contactExport struct {
	CreatedAt time.Time `json:"created_at" db:"created_at"`
	Status    Status    `json:"status" db:"status"`
	Topic     string    `json:"topic" db:"topic"`
	Consent   string    `json:"consent_version" db:"consent_version"`
	Name      string    `json:"name,omitempty" db:"name"`
	Email     string    `json:"email,omitempty" db:"email"`
	Mobile    string    `json:"mobile,omitempty" db:"mobile"`
	Message   string    `json:"message,omitempty" db:"message"`
	Reply     string    `json:"reply,omitempty" db:"reply_note"`
}

// ExportTx gives what the franchiser decided while signed in, and what was left with its mobile, under the section "site"; nil
// where there is nothing. An account's e-mail is typed and not proved, so it tells of nothing.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	section = "site"
	decisions, err := decisionsOf(ctx, tx, franchiserID)
	if err != nil {
		return section, nil, err
	}
	person, err := account.ReachTx(ctx, tx, franchiserID)
	if err != nil {
		return section, nil, err
	}
	requests, err := contactsOf(ctx, tx, person.Mobile)
	if err != nil || len(decisions)+len(requests) == 0 {
		return section, nil, err
	}
	return section, siteExport{Newsletter: decisions, ContactRequests: requests}, nil
}

// EraseTx forgets the newsletter's decisions and blanks the contact requests: that there was one stays, for the count.
func (PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	person, err := account.ReachTx(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	return eraseSite(ctx, tx, franchiserID, person)
}

// MoveTx changes nothing: a request says what was typed at the time.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
