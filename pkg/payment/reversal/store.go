package reversal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	// SelectSQL reads reversals as r, with what a list shows of them.
	SelectSQL = `
		SELECT ` + approval.ColumnsSQL + `, r.franchiser_ref, r.payment_id, r.kind, r.bank_reference, r.dispute_id, r.keep_plan, r.printed_reason,
			coalesce(r.refund_id::text, '') AS refund_id, r.failure,
			n.name AS customer_name, n.mobile AS customer_mobile, n.transaction_id, n.gateway, n.paid_paise, n.bought
		FROM reversals r` + approval.NamesSQL + ` CROSS JOIN LATERAL named_payments(ARRAY[r.payment_id]) n`
	lockReversalSQL  = SelectSQL + ` WHERE r.id = $1 FOR NO KEY UPDATE OF r`
	reversalByKeySQL = SelectSQL + ` WHERE r.requested_by = $1 AND r.key = $2`
	reversalsSQL     = SelectSQL + `
		WHERE ($1 = '' OR r.state = $1) AND ($2 = '' OR r.franchiser_ref = nullif($2, '')::uuid)
		ORDER BY r.requested_at DESC, r.id DESC LIMIT $3 OFFSET $4`
	countReversalsSQL = `
		SELECT count(*) FROM (SELECT FROM reversals r
			WHERE ($1 = '' OR r.state = $1) AND ($2 = '' OR r.franchiser_ref = nullif($2, '')::uuid) LIMIT $3) capped`
	reversalOpenSQL = `
		SELECT EXISTS (SELECT FROM reversals WHERE payment_id = $1 AND state IN ('waiting', 'approved'))`
	sameReversalSQL = `
		SELECT EXISTS (SELECT FROM reversals WHERE payment_id = $1 AND kind = $2 AND amount_paise = $3 AND printed_reason = $4 AND state = 'done')`
	lockTransferSQL   = `SELECT pg_advisory_xact_lock(hashtextextended('transfer ' || translate($1, '-/', ''), 0))`
	transferBookedSQL = `
		SELECT EXISTS (SELECT FROM reversals
			WHERE bank_reference <> '' AND translate(bank_reference, '-/', '') = translate($1, '-/', '') AND id <> $2 AND state = ANY ($3))`
	insertReversalSQL = `
		INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, bank_reference, dispute_id, keep_plan, reason, state,
			needs_approval, key, requested_by, requested_at, printed_reason)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`
	decideReversalSQL = `
		UPDATE reversals SET state = $2, decided_by = nullif($3, '')::uuid, decided_at = $4, decision_reason = $5 WHERE id = $1`
	lockAloneSQL = `
		SELECT pg_advisory_xact_lock(hashtextextended('alone ' || who, 0)) FROM (SELECT who FROM staff_of_one_person($1, $2) who ORDER BY 1) people`
	aloneSQL = `
		SELECT coalesce(sum(amount_paise), 0)::bigint FROM reversals
		WHERE requested_by IN (SELECT who FROM staff_of_one_person($1, $2) who) AND NOT needs_approval AND state IN ('approved', 'done') AND id <> $4
			AND (requested_at >= $2 AND requested_at < $3 OR finished_at >= $2 AND finished_at < $3)`
	askAgainSQL       = `UPDATE reversals SET state = $2, needs_approval = true WHERE id = $1`
	finishReversalSQL = `
		UPDATE reversals SET state = $2, refund_id = nullif($3, '')::uuid, failure = $4, finished_at = $5 WHERE id = $1`
)

// reversalTx returns and locks a reversal, or returns errs.NotFound.
func reversalTx(ctx context.Context, tx *sqlx.Tx, reversalID string) (Reversal, error) {
	var r Reversal
	err := tx.GetContext(ctx, &r, lockReversalSQL, reversalID)
	if errors.Is(err, sql.ErrNoRows) {
		return Reversal{}, errs.NotFound()
	}
	if err != nil {
		return Reversal{}, fmt.Errorf("read reversal: %w", err)
	}
	return r.utc(), nil
}

// reversalByKeyTx returns the staff member's request with that key, or nil.
func reversalByKeyTx(ctx context.Context, tx *sqlx.Tx, staffID, key string) (*Reversal, error) {
	var r Reversal
	err := tx.GetContext(ctx, &r, reversalByKeySQL, staffID, key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // no earlier request
	}
	if err != nil {
		return nil, fmt.Errorf("find reversal: %w", err)
	}
	r = r.utc()
	return &r, nil
}

func reversalsTx(ctx context.Context, tx *sqlx.Tx, state approval.State, franchiserID string, limit, offset int) ([]Reversal, int, error) {
	var total int
	if err := tx.GetContext(ctx, &total, countReversalsSQL, string(state), franchiserID, payment.CountCap); err != nil {
		return nil, 0, fmt.Errorf("count reversals: %w", err)
	}
	list := []Reversal{}
	if err := tx.SelectContext(ctx, &list, reversalsSQL, string(state), franchiserID, limit, offset); err != nil {
		return nil, 0, fmt.Errorf("list reversals: %w", err)
	}
	for i := range list {
		list[i] = list[i].utc()
	}
	return list, total, nil
}

// utc returns the reversal with its times in UTC.
func (r Reversal) utc() Reversal {
	r.RequestedAt = r.RequestedAt.UTC()
	for _, at := range []**time.Time{&r.DecidedAt, &r.FinishedAt} {
		if *at != nil {
			utc := (*at).UTC()
			*at = &utc
		}
	}
	return r
}

// OpenTx reports whether a request for the payment is unfinished.
func OpenTx(ctx context.Context, tx *sqlx.Tx, paymentID string) (bool, error) {
	var open bool
	if err := tx.GetContext(ctx, &open, reversalOpenSQL, paymentID); err != nil {
		return false, fmt.Errorf("look for open reversal: %w", err)
	}
	return open, nil
}

// refuseSameTx refuses a refund that says on paper the same as an earlier one of the same payment: two colleagues meant one refund.
func refuseSameTx(ctx context.Context, tx *sqlx.Tx, paymentID string, in Input) error {
	if in.PrintedReason == "" || in.Amount == 0 {
		return nil
	}
	var same bool
	if err := tx.GetContext(ctx, &same, sameReversalSQL, paymentID, string(in.Kind), in.Amount, in.PrintedReason); err != nil {
		return fmt.Errorf("look for the same refund: %w", err)
	}
	if same {
		const problem = "A refund of this amount with this reason exists. Write another reason if you mean a second one."
		return errs.Invalid(problem).Field("printed_reason", problem)
	}
	return nil
}

// refuseTransferTwiceTx returns ErrTransferBooked if another reversal in one of the states names the same bank transfer, and
// prevents others from naming it until the transaction ends.
func refuseTransferTwiceTx(ctx context.Context, tx *sqlx.Tx, r Reversal, states ...approval.State) error {
	if r.BankReference == "" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, lockTransferSQL, r.BankReference); err != nil {
		return fmt.Errorf("lock bank transfer: %w", err)
	}
	var booked bool
	if err := tx.GetContext(ctx, &booked, transferBookedSQL, r.BankReference, r.ID, pq.Array(states)); err != nil {
		return fmt.Errorf("look for bank transfer: %w", err)
	}
	if booked {
		return ErrTransferBooked
	}
	return nil
}

func insertReversalTx(ctx context.Context, tx *sqlx.Tx, r Reversal) error {
	_, err := tx.ExecContext(ctx, insertReversalSQL, r.ID, r.FranchiserID, r.PaymentID, string(r.Kind), r.Amount, r.BankReference,
		r.DisputeID, r.KeepPlan, r.Reason, string(r.State), r.NeedsApproval, r.Key, r.RequestedBy, r.RequestedAt,
		r.PrintedReason)
	if err != nil {
		return fmt.Errorf("insert reversal: %w", err)
	}
	return nil
}

// aloneTx returns how much the staff member, or a possible second account of the same person, returns without a second person on the day
// in India. It counts by request or payment time, except the named reversal. It locks that total until the transaction ends.
func aloneTx(ctx context.Context, tx *sqlx.Tx, staffID string, day subscription.Day, but string) (money.Paise, error) {
	if _, err := tx.ExecContext(ctx, lockAloneSQL, staffID, day.Start()); err != nil {
		return 0, fmt.Errorf("lock what is given back alone: %w", err)
	}
	var sum money.Paise
	if err := tx.GetContext(ctx, &sum, aloneSQL, staffID, day.Start(), (day + 1).Start(), but); err != nil {
		return 0, fmt.Errorf("sum what is given back alone: %w", err)
	}
	return sum, nil
}

// askAgainTx makes a reversal without an approval wait for a second person.
func askAgainTx(ctx context.Context, tx *sqlx.Tx, r Reversal) error {
	if _, err := tx.ExecContext(ctx, askAgainSQL, r.ID, string(r.State)); err != nil {
		return fmt.Errorf("have reversal wait: %w", err)
	}
	return nil
}

func finishReversalTx(ctx context.Context, tx *sqlx.Tx, r Reversal, now time.Time) error {
	_, err := tx.ExecContext(ctx, finishReversalSQL, r.ID, string(r.State), r.RefundID, r.Failure, now)
	if err != nil {
		return fmt.Errorf("finish reversal: %w", err)
	}
	return nil
}
