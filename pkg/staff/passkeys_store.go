package staff

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/passkey"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const (
	askNewSQL     = `SELECT ask_new_staff_passkey($1, $2, $3, $4)`
	renameKeySQL  = `SELECT coalesce(rename_staff_passkey($1, $2), '')`
	noteCopiedSQL = `SELECT note_copied_staff_passkey($1, $2, $3, $4, $5, $6, $7)`
)

// textTx returns the text result of a SQL function.
func textTx(ctx context.Context, tx *sqlx.Tx, what, statement string, args ...any) (said string, err error) {
	if err = tx.GetContext(ctx, &said, statement, args...); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return said, nil
}

func askPasskey(ctx context.Context, db *sqlx.DB, cookie, challenge []byte, until time.Time) error {
	if _, err := db.ExecContext(ctx, `SELECT ask_staff_passkey($1, $2, $3)`, cookie, challenge, until); err != nil {
		return postgres.Error(fmt.Errorf("ask for a passkey: %w", err))
	}
	return nil
}

// useChallenge uses up the holder's challenge for the purpose.
func useChallenge(ctx context.Context, db *sqlx.DB, holder []byte, purpose string, now time.Time) (challenge []byte, err error) {
	err = db.GetContext(ctx, &challenge, `SELECT use_staff_passkey_challenge($1, $2, $3)`, holder, purpose, now)
	if err != nil {
		return nil, postgres.Error(fmt.Errorf("use challenge of a passkey: %w", err))
	}
	if len(challenge) == 0 {
		return nil, errPasskeyExpired()
	}
	return challenge, nil
}

// foundPasskey is a passkey with its owner; an empty id means that no passkey was found.
type foundPasskey struct {
	ID        string `db:"id"`
	Name      string `db:"name"`
	PublicKey []byte `db:"public_key"`
	Synced    bool   `db:"synced"`
	Uses      uint32 `db:"use_count"`
	Sealed    []byte `db:"sealed"`
	StaffID   string `db:"staff_id"`
	Email     string `db:"email"`
	StaffName string `db:"staff_name"`
	Role      Role   `db:"role"`

	CredentialID []byte `db:"-"`
}

func (f foundPasskey) key() passkey.Key {
	return passkey.Key{ID: f.CredentialID, PublicKey: f.PublicKey, Synced: f.Synced, Count: f.Uses}
}

const findKeySQL = `
SELECT id, name, public_key, synced, use_count, sealed, staff_id, email, staff_name, role FROM find_staff_passkey($1)`

func findPasskey(ctx context.Context, db *sqlx.DB, credentialID []byte) (f foundPasskey, err error) {
	err = db.GetContext(ctx, &f, findKeySQL, credentialID)
	if errors.Is(err, sql.ErrNoRows) {
		return foundPasskey{}, nil
	}
	if err != nil {
		return foundPasskey{}, postgres.Error(fmt.Errorf("find passkey: %w", err))
	}
	f.CredentialID = credentialID
	return f, nil
}

func beginPasskeySessionTx(ctx context.Context, tx *sqlx.Tx, passkeyID string, opener []byte, uses uint32, t Tokens, address string, now time.Time,
) (string, error) {
	return textTx(ctx, tx, "open staff session by passkey", `SELECT begin_staff_passkey_session($1, $2, $3, $4, $5, $6, $7, $8)`,
		passkeyID, opener, int64(uses), t.SessionID, t.Proof, address, now, t.ExpiresAt)
}

// keysOfTx returns the member's passkeys in the form that the browser receives.
func keysOfTx(ctx context.Context, tx *sqlx.Tx, staffID string) ([]passkey.Key, error) {
	var rows []struct {
		ID         []byte         `db:"credential_id"`
		Transports pq.StringArray `db:"transports"`
	}
	if err := tx.SelectContext(ctx, &rows, `SELECT credential_id, transports FROM passkeys_of_staff($1)`, staffID); err != nil {
		return nil, fmt.Errorf("list keys of staff: %w", err)
	}
	keys := make([]passkey.Key, 0, len(rows))
	for _, row := range rows {
		keys = append(keys, passkey.Key{ID: row.ID, Transports: row.Transports})
	}
	return keys, nil
}

func passkeysTx(ctx context.Context, tx *sqlx.Tx, staffID string) (list []PasskeyInfo, err error) {
	err = tx.SelectContext(ctx, &list, `SELECT id, name, synced, created_at, last_used_at FROM passkeys_of_staff($1)`, staffID)
	if err != nil {
		return nil, fmt.Errorf("list passkeys of staff: %w", err)
	}
	return list, nil
}

func addPasskeyTx(ctx context.Context, tx *sqlx.Tx, passkeyID, name string, k passkey.Key, sealed, digest []byte, notice *string, address string,
	now time.Time,
) (string, error) {
	return textTx(ctx, tx, "add passkey", `SELECT add_staff_passkey($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		passkeyID, name, k.ID, k.PublicKey, pq.Array(append([]string{}, k.Transports...)), k.Synced, int64(k.Count), sealed, digest, MaxPasskeys, notice, address, now)
}

func removePasskeyTx(ctx context.Context, tx *sqlx.Tx, hash, passkeyID string, notice *string, address string, now time.Time,
) (outcome, was string, err error) {
	var row struct {
		Outcome string `db:"outcome"`
		Was     string `db:"was"`
	}
	err = tx.GetContext(ctx, &row, `SELECT outcome, coalesce(was, '') AS was FROM remove_staff_passkey($1, $2, $3, $4, $5)`, hash, passkeyID, notice, address, now)
	if err != nil {
		return "", "", fmt.Errorf("remove passkey: %w", err)
	}
	return row.Outcome, row.Was, nil
}
