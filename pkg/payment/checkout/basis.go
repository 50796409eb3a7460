package checkout

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// A debit that is older than $3 no longer counts, even if no worker has expired it yet.
const (
	basisColumns = `b.buyer, b.billing,
		(SELECT jsonb_build_object('amount_paise', amount_paise, 'asked_at', created_at) FROM payments
			WHERE franchiser_id = $1 AND by_mandate AND state IN ('created', 'pending') AND created_at > $3
			ORDER BY created_at DESC LIMIT 1) AS debit,
		(SELECT jsonb_agg(jsonb_build_object('transaction_id', p.transaction_id, 'captured_paise', coalesce(p.captured_paise, 0), 'kind', o.kind)
			ORDER BY p.created_at, p.id)
			FROM payments p JOIN order_overview o ON o.id = p.order_id
			WHERE p.franchiser_id = $1 AND p.state = 'held' AND NOT p.surplus) AS held`
	basisSQL = `SELECT ` + basisColumns + ` FROM (` + subscription.BuyerSQL + `) b`

	previewedSQL = `SELECT ` + basisColumns + `, (SELECT count(*) FROM franchise_overview o WHERE o.franchiser_id = $1) AS franchises
		FROM (` + subscription.BuyerSQL + `) b`

	// A key older than a day may be reused.
	requestedSQL = `
		WITH old AS (
			DELETE FROM idempotency_keys WHERE franchiser_id = $1 AND key = $4 AND created_at <= $5
		)
		SELECT ` + basisColumns + `, k.request, k.order_id, k.payment_id
		FROM (` + subscription.BuyerSQL + `) b LEFT JOIN idempotency_keys k ON k.franchiser_id = $1 AND k.key = $4 AND k.created_at > $5`
)

// keyRow is an earlier request with the same key.
type keyRow struct {
	Request   []byte         `db:"request"`
	OrderID   sql.NullString `db:"order_id"`
	PaymentID sql.NullString `db:"payment_id"`
}

type basisRow struct {
	subscription.BuyerRow
	keyRow

	Debit []byte `db:"debit"`
	Held  []byte `db:"held"`

	Franchises int `db:"franchises"`
}

// basisTx reads everything that decides about a charge in one round trip.
func basisTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) (basis, error) {
	return basisByTx(ctx, tx, basisSQL, franchiserID, now)
}

// previewedTx is basis with the number of outlets.
func previewedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) (basis, error) {
	return basisByTx(ctx, tx, previewedSQL, franchiserID, now)
}

func basisByTx(ctx context.Context, tx *sqlx.Tx, query, franchiserID string, now time.Time) (basis, error) {
	var r basisRow
	err := tx.GetContext(ctx, &r, query, franchiserID, subscription.DayOf(now), now.Add(-payment.DebitDecidedBy))
	if err != nil {
		return basis{}, fmt.Errorf("read what decides about a charge: %w", err)
	}
	return r.basis()
}

// requestedTx is basis with the earlier request of the key, if there was one within a day. An older one is deleted.
func requestedTx(ctx context.Context, tx *sqlx.Tx, franchiserID, key string, now time.Time) (basis, error) {
	if key == "" {
		return basisTx(ctx, tx, franchiserID, now)
	}
	var r basisRow
	err := tx.GetContext(ctx, &r, requestedSQL, franchiserID, subscription.DayOf(now), now.Add(-payment.DebitDecidedBy), key, now.Add(-store.KeyLife))
	if err != nil {
		return basis{}, fmt.Errorf("read what decides about a request: %w", err)
	}
	return r.basis()
}

func (r basisRow) basis() (basis, error) {
	buyer, err := r.Decode()
	if err != nil {
		return basis{}, err
	}
	s := basis{buyer: buyer, franchises: r.Franchises}
	if r.OrderID.Valid {
		s.earlier = &r.keyRow
	}
	if r.Debit != nil {
		var d struct {
			Amount  money.Paise `json:"amount_paise"`
			AskedAt time.Time   `json:"asked_at"`
		}
		if err := json.Unmarshal(r.Debit, &d); err != nil {
			return basis{}, fmt.Errorf("decode open debit: %w", err)
		}
		s.debit = &payment.OpenDebit{Amount: d.Amount, AskedAt: d.AskedAt.UTC()}
	}
	if r.Held == nil {
		return s, nil
	}
	var list []struct {
		TransactionID string            `json:"transaction_id"`
		Captured      money.Paise       `json:"captured_paise"`
		Kind          subscription.Kind `json:"kind"`
	}
	if err := json.Unmarshal(r.Held, &list); err != nil {
		return basis{}, fmt.Errorf("decode held payments: %w", err)
	}
	for _, h := range list {
		s.held = append(s.held, held(h))
	}
	return s, nil
}
