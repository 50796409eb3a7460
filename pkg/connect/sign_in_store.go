package connect

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

type systemRow struct {
	System

	URIs pq.StringArray `db:"redirect_uris"`
}

func (r systemRow) system() System {
	r.RedirectURIs = r.URIs
	return r.System
}

const systemSQL = `SELECT id, label, login_url, redirect_uris, dashboard, state, old_secret_until, created_at
	FROM sign_in_systems WHERE state <> 'removed'`

func systems(ctx context.Context, tx *sqlx.Tx) ([]System, error) {
	var rows []systemRow
	if err := tx.SelectContext(ctx, &rows, systemSQL+` ORDER BY id`); err != nil {
		return nil, fmt.Errorf("read systems: %w", err)
	}
	list := make([]System, 0, len(rows))
	for _, r := range rows {
		list = append(list, r.system())
	}
	return list, nil
}

func systemByID(ctx context.Context, tx *sqlx.Tx, systemID string) (System, error) {
	if !id.Valid(systemID) {
		return System{}, errs.NotFound()
	}
	var r systemRow
	err := tx.GetContext(ctx, &r, systemSQL+` AND id = $1`, systemID)
	if errors.Is(err, sql.ErrNoRows) {
		return System{}, errs.NotFound()
	}
	if err != nil {
		return System{}, fmt.Errorf("read system: %w", err)
	}
	return r.system(), nil
}

const insertSystemSQL = `
	INSERT INTO sign_in_systems (id, label, login_url, redirect_uris, dashboard, state, secret_hash, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, 'enabled', $6, $7, $7)`

func insertSystem(ctx context.Context, tx *sqlx.Tx, systemID string, in SystemInput, hash []byte, now time.Time) error {
	_, err := tx.ExecContext(ctx, insertSystemSQL, systemID, in.Label, in.LoginURL, pq.Array(in.RedirectURIs), in.Dashboard, hash, now)
	if err != nil {
		return fmt.Errorf("insert system: %w", err)
	}
	return nil
}

// changeSystem changes one system; only an admin may.
func changeSystem(ctx context.Context, tx *sqlx.Tx, statement string, args ...any) error {
	done, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return fmt.Errorf("change system: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errs.Forbidden()
	}
	return nil
}

const updateSystemSQL = `
	UPDATE sign_in_systems SET label = $2, login_url = $3, redirect_uris = $4, dashboard = $5, updated_at = $6 WHERE id = $1`

func updateSystem(ctx context.Context, tx *sqlx.Tx, systemID string, in SystemInput, now time.Time) error {
	return changeSystem(ctx, tx, updateSystemSQL, systemID, in.Label, in.LoginURL, pq.Array(in.RedirectURIs), in.Dashboard, now)
}

func setSystemState(ctx context.Context, tx *sqlx.Tx, systemID string, state SystemState, now time.Time) error {
	return changeSystem(ctx, tx, `UPDATE sign_in_systems SET state = $2, updated_at = $3 WHERE id = $1`, systemID, state, now)
}

const rotateSystemSQL = `
	UPDATE sign_in_systems SET old_secret_hash = secret_hash, old_secret_until = $3, secret_hash = $2, updated_at = $4 WHERE id = $1`

func rotateSystem(ctx context.Context, tx *sqlx.Tx, systemID string, hash []byte, oldUntil, now time.Time) error {
	return changeSystem(ctx, tx, rotateSystemSQL, systemID, hash, oldUntil, now)
}

// found is an enabled system as sign-ins need it.
type found struct {
	Label        string         `db:"label"`
	RedirectURIs pq.StringArray `db:"redirect_uris"`
	Hashes       pq.ByteaArray  `db:"secret_hashes"`
}

// knows reports whether the secret is one of the system's that count now; how long it takes says nothing of any.
func (f found) knows(text string) bool {
	same := 0
	for _, hash := range f.Hashes {
		same |= subtle.ConstantTimeCompare(hash, secret.Hash(text))
	}
	return same == 1
}

func findSystem(ctx context.Context, db *sqlx.DB, systemID string, now time.Time) (f found, err error) {
	if !id.Valid(systemID) {
		return f, errs.NotFound()
	}
	err = db.GetContext(ctx, &f, `SELECT label, redirect_uris, secret_hashes FROM find_sign_in_system($1, $2)`, systemID, now)
	if errors.Is(err, sql.ErrNoRows) {
		return f, errs.NotFound()
	}
	if err != nil {
		return f, postgres.Error(fmt.Errorf("find system: %w", err))
	}
	return f, nil
}

// DashboardSQL is for another domain's statement: what SignIns.Dashboard reads, or NULL.
const DashboardSQL = `SELECT jsonb_build_object('label', d.label, 'login_url', d.login_url) FROM dashboard_system() d`

// issued is a code on its way through a browser.
type issued struct {
	ID           string    `db:"id"`
	FranchiserID string    `db:"franchiser_id"`
	PersonID     string    `db:"person_id"`
	SessionID    string    `db:"session_id"`
	SystemID     string    `db:"system_id"`
	Label        string    `db:"system_label"`
	RedirectURI  string    `db:"redirect_uri"`
	Challenge    string    `db:"code_challenge"`
	Nonce        string    `db:"nonce"`
	CreatedAt    time.Time `db:"created_at"`
	ExpiresAt    time.Time `db:"expires_at"`
	// Role is that in which the person acts in the account now, empty if the session or the membership ended.
	Role string `db:"role"`
}

const (
	insertCodeSQL = `
	INSERT INTO sign_in_codes (id, franchiser_id, person_id, session_id, system_id, system_label, hash, redirect_uri, code_challenge, nonce,
		created_at, expires_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
	takeCodeSQL = `
	SELECT id, franchiser_id, person_id, role, redirect_uri, code_challenge, nonce FROM take_sign_in_code($1, $2, $3)`
	purgeCodesSQL = `DELETE FROM sign_in_codes WHERE created_at < $1`
)

func insertCode(ctx context.Context, tx *sqlx.Tx, c issued, hash []byte) error {
	_, err := tx.ExecContext(ctx, insertCodeSQL, c.ID, c.FranchiserID, c.PersonID, c.SessionID, c.SystemID, c.Label, hash, c.RedirectURI,
		c.Challenge, c.Nonce, c.CreatedAt, c.ExpiresAt)
	if err != nil {
		return fmt.Errorf("insert code: %w", err)
	}
	return nil
}

// takeCode consumes the code and returns it; an unusable code is errs.NotFound.
func takeCode(ctx context.Context, db *sqlx.DB, hash []byte, systemID string, now time.Time) (c issued, err error) {
	err = db.GetContext(ctx, &c, takeCodeSQL, hash, systemID, now)
	if errors.Is(err, sql.ErrNoRows) {
		return c, errs.NotFound()
	}
	if err != nil {
		return c, postgres.Error(fmt.Errorf("take code: %w", err))
	}
	return c, nil
}

const (
	// A key is published until the next one has signed for a while, which is since $1.
	publishedSQL = `
	SELECT id, private, signs_from FROM sign_in_keys k
	WHERE NOT EXISTS (SELECT FROM sign_in_keys n WHERE n.signs_from > k.signs_from AND n.signs_from <= $1)
	ORDER BY signs_from DESC`
	retireSQL = `
	DELETE FROM sign_in_keys k
	WHERE EXISTS (SELECT FROM sign_in_keys n WHERE n.signs_from > k.signs_from AND n.signs_from <= $1)`
	insertSigningKeySQL = `INSERT INTO sign_in_keys (id, private, signs_from) VALUES ($1, $2, $3)`
	pageKeysSQL         = `
	SELECT id, private AS sealed FROM sign_in_keys
	WHERE id > $1::uuid AND substring(private FOR octet_length($2::bytea)) <> $2
	ORDER BY id LIMIT 500 FOR UPDATE`
	updateKeySQL = `UPDATE sign_in_keys SET private = $3 WHERE id = $1 AND private = $2`
)

func publishedKeys(ctx context.Context, db *sqlx.DB, since time.Time) (list []signingKey, err error) {
	if err := db.SelectContext(ctx, &list, publishedSQL, since); err != nil {
		return nil, postgres.Error(fmt.Errorf("read signing keys: %w", err))
	}
	return list, nil
}

func keysTx(ctx context.Context, tx *sqlx.Tx, since time.Time) (list []signingKey, err error) {
	if err := tx.SelectContext(ctx, &list, publishedSQL, since); err != nil {
		return nil, fmt.Errorf("read signing keys: %w", err)
	}
	return list, nil
}

func lockKeys(ctx context.Context, tx *sqlx.Tx) error {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('sign_in_keys', 0))`); err != nil {
		return fmt.Errorf("lock signing keys: %w", err)
	}
	return nil
}

func replaceKeys(ctx context.Context, tx *sqlx.Tx, k signingKey, since time.Time) error {
	if _, err := tx.ExecContext(ctx, retireSQL, since); err != nil {
		return fmt.Errorf("retire signing keys: %w", err)
	}
	if _, err := tx.ExecContext(ctx, insertSigningKeySQL, k.ID, k.Sealed, k.SignsFrom); err != nil {
		return fmt.Errorf("insert signing key: %w", err)
	}
	return nil
}

// ResealSignInKeys encrypts the keys that sign again under the current master key; it needs the owner's connection. It returns how many
// it resealed and how many no key of the ring opens.
func ResealSignInKeys(ctx context.Context, owner *sqlx.DB, k secret.Keyring) (done, left int, err error) {
	return secret.SealedColumn{Page: pageKeysSQL, Update: updateKeySQL, Purpose: secret.PurposeSignIn, Binding: keyBinding}.Reseal(ctx, owner, k)
}
