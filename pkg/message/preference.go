package message

import (
	"context"
	"crypto/subtle"
	"encoding/base64"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const purposeStop = secret.Purpose("stop reminders")

// stopMAC is the length of the signature in a token, in bytes.
const stopMAC = 16

// Preferences are a customer's choices about optional messages. Receipts, documents, refunds and messages about the security of the account
// are always sent.
type Preferences struct {
	RemindersSMS   bool `db:"reminders_sms"`
	RemindersEmail bool `db:"reminders_email"`
}

func (p Preferences) allows(email bool) bool {
	if email {
		return p.RemindersEmail
	}
	return p.RemindersSMS
}

// Settings keeps the customers' preferences; it runs in the API.
type Settings struct {
	db       *sqlx.DB
	clock    clock.Clock
	keys     secret.Keyring
	contacts Contacts
	whatsApp bool
}

// SettingsOptions are the parts and settings of Settings. NewSettings panics if a part is nil.
type SettingsOptions struct {
	DB       *sqlx.DB
	Clock    clock.Clock
	Keys     secret.Keyring
	Contacts Contacts
	// WhatsApp means that the product sends messages by WhatsApp.
	WhatsApp bool
}

// NewSettings returns settings.
func NewSettings(o SettingsOptions) *Settings {
	return wiring.Complete(&Settings{db: o.DB, clock: o.Clock, keys: o.Keys, contacts: o.Contacts, whatsApp: o.WhatsApp})
}

// Preferences returns the customer's choices; by default everything is on.
func (s *Settings) Preferences(ctx context.Context, franchiserID string) (p Preferences, err error) {
	return p, postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		p, err = preferencesTx(ctx, tx, franchiserID)
		return err
	})
}

// Set stores the customer's choices.
func (s *Settings) Set(ctx context.Context, franchiserID string, p Preferences) error {
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		return savePreferencesTx(ctx, tx, franchiserID, p, s.clock.Now())
	})
}

// Stop turns reminders by e-mail off for the customer to whom the token was sent. It can do nothing else, and doing it
// again, or after the account was erased, changes nothing. It fails with KindNotFound for a token that we did not sign.
func (s *Settings) Stop(ctx context.Context, token string) error {
	franchiserID, ok := readStopToken(s.keys, token)
	if !ok {
		return errs.NotFound()
	}
	return postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		mobile, _, err := s.contacts.ContactTx(ctx, tx, franchiserID)
		if err != nil || mobile == "" { // an account always has one, until it is erased
			return err
		}
		return stopEmailTx(ctx, tx, franchiserID, s.clock.Now())
	})
}

// stopToken returns the token that stops a customer's reminders by e-mail: it does not expire, as the mails stay.
func stopToken(keys secret.Keyring, franchiserID string) string {
	raw, err := uuid.Parse(franchiserID)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(append(raw[:], keys.MAC(purposeStop, franchiserID)[:stopMAC]...))
}

func readStopToken(keys secret.Keyring, token string) (franchiserID string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != len(uuid.UUID{})+stopMAC {
		return "", false
	}
	parsed, err := uuid.FromBytes(raw[:len(uuid.UUID{})])
	if err != nil {
		return "", false
	}
	for one := range keys.Each() {
		if subtle.ConstantTimeCompare(one.MAC(purposeStop, parsed.String())[:stopMAC], raw[len(uuid.UUID{}):]) == 1 {
			ok = true
		}
	}
	return parsed.String(), ok
}

// PersonalData exports and erases a customer's message preferences.
type PersonalData struct{ clock clock.Clock }

// NewPersonalData returns the personal data of this domain.
func NewPersonalData(clk clock.Clock) *PersonalData {
	return wiring.Complete(&PersonalData{clock: clk})
}

// ExportTx returns the preferences and the consents to messages by WhatsApp, or nil.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	section = "message_preferences"
	p, set, err := findPreferencesTx(ctx, tx, franchiserID)
	if err != nil {
		return section, nil, err
	}
	consents, err := exportConsentsTx(ctx, tx, franchiserID)
	if err != nil || !set && len(consents) == 0 {
		return section, nil, err
	}
	out := map[string]any{"reminders_by_sms": p.RemindersSMS, "reminders_by_email": p.RemindersEmail}
	if len(consents) > 0 {
		out["whatsapp_consents"] = consents
	}
	return section, out, nil
}

// EraseTx deletes the preferences and consents.
func (PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if err := deleteConsentsTx(ctx, tx, franchiserID); err != nil {
		return err
	}
	return deletePreferencesTx(ctx, tx, franchiserID)
}

// MoveTx ends the consent to messages by WhatsApp, which was that of the old number.
func (d PersonalData) MoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID, _ string) error {
	return withdrawTx(ctx, tx, franchiserID, viaNumber, nil, d.clock.Now())
}
