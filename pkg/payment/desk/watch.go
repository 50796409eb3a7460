package desk

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// HeldPayment is a payment whose amount or currency differs from the charge, and which waits for staff.
type HeldPayment struct {
	TransactionID string
	// Wrong names the received and the due amount in words.
	Wrong string
}

// Unheard counts the payments that were found paid at a gateway since a notice of the gateway last told of one.
type Unheard struct {
	Gateway  string `db:"gateway"`
	Payments int    `db:"payments"`
}

// Watched is the state of payments that staff receive alerts about.
type Watched struct {
	// Held are the payments that wait for staff, oldest first.
	Held []HeldPayment
	// Undecided counts, by gateway, the payments that it has not decided for an hour.
	Undecided map[string]int
	Unheard   []Unheard
}

// noticeTakes is how long the notice of a payment may take that was found paid by asking.
const noticeTakes = time.Minute

const (
	watchedSQL = `SELECT kind, transaction_id, gateway, amount_paise, due_paise FROM watched_payments($1, $2) ORDER BY since, transaction_id`
	unheardSQL = `SELECT gateway, payments FROM captures_unheard_of($1, $2) ORDER BY gateway`
)

// WatchedTx returns the state of payments at now, and counts notices over the window before it. It needs the worker's role.
func WatchedTx(ctx context.Context, tx *sqlx.Tx, now time.Time, window time.Duration) (Watched, error) {
	w := Watched{Undecided: map[string]int{}}
	var rows []struct {
		Kind          string      `db:"kind"`
		TransactionID string      `db:"transaction_id"`
		Gateway       string      `db:"gateway"`
		Amount        money.Paise `db:"amount_paise"`
		Due           money.Paise `db:"due_paise"`
	}
	if err := tx.SelectContext(ctx, &rows, watchedSQL, now.Add(-payment.UndecidedAfter), now.Add(-payment.OverdueAfter)); err != nil {
		return w, fmt.Errorf("watch payments: %w", err)
	}
	for _, r := range rows {
		if r.Kind == "held" {
			w.Held = append(w.Held, HeldPayment{r.TransactionID, HeldWrong(r.Amount, r.Due)})
		} else {
			w.Undecided[r.Gateway]++
		}
	}
	if err := tx.SelectContext(ctx, &w.Unheard, unheardSQL, now.Add(-window), now.Add(-noticeTakes)); err != nil {
		return w, fmt.Errorf("count notices of payments: %w", err)
	}
	return w, nil
}
