package connect

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

type keyRow struct {
	Key

	Names pq.StringArray `db:"scopes"`
}

func (r keyRow) key() Key {
	k := r.Key
	for _, name := range r.Names {
		k.Scopes = append(k.Scopes, Scope(name))
	}
	return k
}

const keysSQL = `SELECT id, label, hint, scopes, created_at, expires_at, revoked_at, last_used_at FROM api_keys ORDER BY id DESC LIMIT 500`

func keys(ctx context.Context, tx *sqlx.Tx) ([]Key, error) {
	var rows []keyRow
	if err := tx.SelectContext(ctx, &rows, keysSQL); err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	list := make([]Key, 0, len(rows))
	for _, r := range rows {
		list = append(list, r.key())
	}
	return list, nil
}

const insertKeySQL = `
	INSERT INTO api_keys (id, label, hint, hash, scopes, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`

func insertKey(ctx context.Context, tx *sqlx.Tx, k Key, hash []byte) error {
	if _, err := tx.ExecContext(ctx, insertKeySQL, k.ID, k.Label, k.Hint, hash, pq.Array(k.Scopes), k.CreatedAt, k.ExpiresAt); err != nil {
		return fmt.Errorf("insert key: %w", err)
	}
	return nil
}

func revokeKey(ctx context.Context, tx *sqlx.Tx, keyID string, now time.Time) error {
	if !id.Valid(keyID) {
		return errs.NotFound()
	}
	done, err := tx.ExecContext(ctx, `UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL`, keyID, now)
	if err != nil {
		return fmt.Errorf("revoke key: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errs.NotFound()
	}
	return nil
}

func keyByHash(ctx context.Context, db *sqlx.DB, hash []byte, now time.Time) (Key, error) {
	var r keyRow
	err := db.GetContext(ctx, &r, `SELECT id, label, scopes, last_used_at FROM find_api_key($1, $2)`, hash, now)
	if errors.Is(err, sql.ErrNoRows) {
		return Key{}, errs.NotFound()
	}
	if err != nil {
		return Key{}, postgres.Error(fmt.Errorf("find key: %w", err))
	}
	return r.key(), nil
}

func seeKey(ctx context.Context, db *sqlx.DB, keyID string, now time.Time) error {
	if _, err := db.ExecContext(ctx, `SELECT see_api_key($1, $2)`, keyID, now); err != nil {
		return postgres.Error(fmt.Errorf("note use of a key: %w", err))
	}
	return nil
}
