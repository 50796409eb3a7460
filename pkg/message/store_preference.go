package message

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

const preferencesSQL = `SELECT reminders_sms, reminders_email FROM message_preferences WHERE franchiser_ref = $1`

func findPreferencesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (p Preferences, set bool, err error) {
	err = tx.GetContext(ctx, &p, preferencesSQL, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return Preferences{RemindersSMS: true, RemindersEmail: true}, false, nil
	}
	if err != nil {
		return p, false, fmt.Errorf("read preferences of messages: %w", err)
	}
	return p, true, nil
}

func preferencesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Preferences, error) {
	p, _, err := findPreferencesTx(ctx, tx, franchiserID)
	return p, err
}

const savePreferencesSQL = `
INSERT INTO message_preferences (franchiser_ref, reminders_sms, reminders_email, updated_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (franchiser_ref) DO UPDATE SET reminders_sms = $2, reminders_email = $3, updated_at = $4`

func savePreferencesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, p Preferences, now time.Time) error {
	if _, err := tx.ExecContext(ctx, savePreferencesSQL, franchiserID, p.RemindersSMS, p.RemindersEmail, now); err != nil {
		return fmt.Errorf("save preferences of messages: %w", err)
	}
	return nil
}

const stopEmailSQL = `
INSERT INTO message_preferences (franchiser_ref, reminders_email, updated_at) VALUES ($1, false, $2)
ON CONFLICT (franchiser_ref) DO UPDATE SET reminders_email = false, updated_at = $2`

func stopEmailTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, stopEmailSQL, franchiserID, now); err != nil {
		return fmt.Errorf("stop reminders by e-mail: %w", err)
	}
	return nil
}

func deletePreferencesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM message_preferences WHERE franchiser_ref = $1`, franchiserID); err != nil {
		return fmt.Errorf("delete preferences of messages: %w", err)
	}
	return nil
}
