package support

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/idempotency"
)

const takeKeySQL = `
WITH old AS (DELETE FROM support_requests WHERE created_at < $5)
INSERT INTO support_requests (staff_id, key, request, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`

// takeKeyTx reports whether the key is new; it waits for a concurrent request with the same key.
func takeKeyTx(ctx context.Context, tx *sqlx.Tx, staffID, key string, request idempotency.Fingerprint, now, old time.Time) (bool, error) {
	res, err := tx.ExecContext(ctx, takeKeySQL, staffID, key, request[:], now, old)
	if err != nil {
		return false, fmt.Errorf("take key: %w", err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("take key: %w", err)
	}
	return n == 1, nil
}

// earlierTx returns the response stored for the key, or nil. It returns idempotency.ErrReused if the stored request differs.
func earlierTx(ctx context.Context, tx *sqlx.Tx, staffID, key string, request idempotency.Fingerprint) (*Done, error) {
	var row struct {
		Request []byte  `db:"request"`
		Answer  *string `db:"answer"`
	}
	err := tx.GetContext(ctx, &row, `SELECT request, answer FROM support_requests WHERE staff_id = $1 AND key = $2`, staffID, key)
	if err != nil {
		return nil, fmt.Errorf("read earlier request: %w", err)
	}
	if err := request.Check(row.Request); err != nil || row.Answer == nil {
		return nil, err
	}
	var done Done
	if err := json.Unmarshal([]byte(*row.Answer), &done); err != nil {
		return nil, fmt.Errorf("read earlier answer: %w", err)
	}
	return &done, nil
}

func finishTx(ctx context.Context, tx *sqlx.Tx, staffID, key, answer string) error {
	_, err := tx.ExecContext(ctx, `UPDATE support_requests SET answer = $3 WHERE staff_id = $1 AND key = $2`, staffID, key, answer)
	if err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	return nil
}

func freeKeyTx(ctx context.Context, tx *sqlx.Tx, staffID, key string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM support_requests WHERE staff_id = $1 AND key = $2 AND answer IS NULL`, staffID, key)
	if err != nil {
		return fmt.Errorf("free key: %w", err)
	}
	return nil
}
