package message

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

const consentSQL = `
SELECT id, franchiser_ref, given, via, version, text, language, reply_ref, at FROM whatsapp_consents
WHERE franchiser_ref = $1 ORDER BY at DESC, id DESC LIMIT 1`

// consentTx returns the last consent; without any it is not given, in English.
func consentTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (consent, error) {
	var c consent
	err := tx.GetContext(ctx, &c, consentSQL, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return consent{Language: i18n.English}, nil
	}
	if err != nil {
		return c, fmt.Errorf("read consent to WhatsApp: %w", err)
	}
	return c, nil
}

// lockConsentsTx lets one change of a customer's consents happen at a time.
func lockConsentsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('whatsapp consents ' || $1, 0))`, franchiserID); err != nil {
		return fmt.Errorf("lock consents to WhatsApp: %w", err)
	}
	return nil
}

const insertConsentSQL = `
INSERT INTO whatsapp_consents (id, franchiser_ref, given, via, version, text, language, reply_ref, at)
VALUES (:id, :franchiser_ref, :given, :via, :version, :text, :language, :reply_ref, :at)`

func insertConsentTx(ctx context.Context, tx *sqlx.Tx, c consent) error {
	if _, err := tx.NamedExecContext(ctx, insertConsentSQL, c); err != nil {
		return fmt.Errorf("insert consent to WhatsApp: %w", err)
	}
	return nil
}

// consentBackTx returns the time of the customer's opt-in at the offset back, newest first, or nil.
func consentBackTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, back int) (at *time.Time, err error) {
	const backSQL = `SELECT (SELECT at FROM whatsapp_consents WHERE franchiser_ref = $1 AND given ORDER BY at DESC OFFSET $2 LIMIT 1)`
	if err := tx.GetContext(ctx, &at, backSQL, franchiserID, back); err != nil {
		return nil, fmt.Errorf("read consents to WhatsApp: %w", err)
	}
	return at, nil
}

func replySeenTx(ctx context.Context, tx *sqlx.Tx, franchiserID, ref string) (seen bool, err error) {
	const seenSQL = `SELECT EXISTS (SELECT FROM whatsapp_consents WHERE franchiser_ref = $1 AND reply_ref = $2)`
	if err := tx.GetContext(ctx, &seen, seenSQL, franchiserID, ref); err != nil {
		return false, fmt.Errorf("look for a reply: %w", err)
	}
	return seen, nil
}

// exportedConsent is a consent as its customer gets it.
type exportedConsent struct {
	Given    bool          `db:"given" json:"given"`
	Via      string        `db:"via" json:"via"`
	Version  int           `db:"version" json:"version"`
	Text     string        `db:"text" json:"text"`
	Language i18n.Language `db:"language" json:"language"`
	At       time.Time     `db:"at" json:"at"`
}

func exportConsentsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]exportedConsent, error) {
	list := []exportedConsent{}
	const exportSQL = `SELECT given, via, version, text, language, at FROM whatsapp_consents WHERE franchiser_ref = $1 ORDER BY at, id`
	if err := tx.SelectContext(ctx, &list, exportSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export consents to WhatsApp: %w", err)
	}
	return list, nil
}

func deleteConsentsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM whatsapp_consents WHERE franchiser_ref = $1`, franchiserID); err != nil {
		return fmt.Errorf("delete consents to WhatsApp: %w", err)
	}
	return nil
}
