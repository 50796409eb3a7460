package refund

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Columns are those of a Refund.
const Columns = `id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, note, state, token,
	coalesce(gateway_refund_id, '') AS gateway_refund_id, channel, bank_reference, keep_plan, printed_reason, failure, created_at,
	coalesce(credit_parts, '[]') AS credit_parts, coalesce(credits_payment_id::text, '') AS credits_payment_id`

// Refund is money being returned.
type Refund struct {
	ID               string               `db:"id"`
	FranchiserID     string               `db:"franchiser_id"`
	PaymentID        string               `db:"payment_id"`
	GatewayPaymentID string               `db:"gateway_payment_id"`
	Amount           money.Paise          `db:"amount_paise"`
	Reason           payment.RefundReason `db:"reason"`
	Note             string               `db:"note"`
	State            payment.RefundState  `db:"state"`
	Token            string               `db:"token"`
	GatewayRefundID  string               `db:"gateway_refund_id"`
	// Channel defaults to ChannelGateway; BankReference is the transfer's UTR.
	Channel       payment.RefundChannel `db:"channel"`
	BankReference string                `db:"bank_reference"`
	// KeepPlan keeps the purchase running after the payment's full return, if this refund is the one requested last.
	KeepPlan bool `db:"keep_plan"`
	// PrintedReason is printed on its credit note; Note is for staff.
	PrintedReason string    `db:"printed_reason"`
	Failure       string    `db:"failure"`
	CreatedAt     time.Time `db:"created_at"`
	// CreditParts are the parts of invoice lines that its credit note takes off; without them every line in proportion.
	CreditParts creditParts `db:"credit_parts"`
	// CreditsPaymentID is the upgrade whose invoice its credit note takes from, because a credit note of PaymentID's invoice paid that one;
	// empty if it takes from PaymentID's own.
	CreditsPaymentID string `db:"credits_payment_id"`
}

// credited returns the payment whose invoice the refund's credit note takes from.
func (r Refund) credited() string { return cmp.Or(r.CreditsPaymentID, r.PaymentID) }

// creditParts are stored as JSON, NULL if empty.
type creditParts []invoice.CreditedPart

// Value implements driver.Valuer.
func (c creditParts) Value() (driver.Value, error) {
	if len(c) == 0 {
		return nil, nil //nolint:nilnil // SQL's NULL
	}
	text, err := json.Marshal([]invoice.CreditedPart(c))
	return string(text), err
}

// Scan implements sql.Scanner.
func (c *creditParts) Scan(value any) error {
	text, ok := value.([]byte)
	if !ok {
		return fmt.Errorf("read the parts of a credit note from %T", value)
	}
	return json.Unmarshal(text, (*[]invoice.CreditedPart)(c))
}

// token identifies repeated requests to the gateway as the same refund: 23 characters of the id, because PayU's token is
// as short as a transaction id.
func (r Refund) token() string { return strings.ReplaceAll(r.ID, "-", "")[9:] }

const insertRefundSQL = `
	INSERT INTO refunds (id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, note, state, token,
		gateway_refund_id, channel, bank_reference, keep_plan, created_at, printed_reason, credit_parts, credits_payment_id)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, nullif($10, ''), coalesce(nullif($11, ''), 'gateway'), $12, $13, $14, $15, $16,
		nullif($17, '')::uuid)`

func insertRefundTx(ctx context.Context, tx *sqlx.Tx, r Refund) error {
	_, err := tx.ExecContext(ctx, insertRefundSQL, r.ID, r.FranchiserID, r.PaymentID, r.GatewayPaymentID, r.Amount, string(r.Reason),
		r.Note, string(r.State), r.token(), r.GatewayRefundID, string(r.Channel), r.BankReference, r.KeepPlan, r.CreatedAt,
		r.PrintedReason, r.CreditParts, r.CreditsPaymentID)
	if err != nil {
		return fmt.Errorf("insert refund: %w", err)
	}
	return nil
}

func refundTx(ctx context.Context, tx *sqlx.Tx, refundID string, lock bool) (Refund, error) {
	query := refundSQL
	if lock {
		query += ` FOR NO KEY UPDATE`
	}
	var r Refund
	if err := tx.GetContext(ctx, &r, query, refundID); err != nil {
		return r, fmt.Errorf("read refund: %w", err)
	}
	r.CreatedAt = r.CreatedAt.UTC()
	return r, nil
}

// heardRefund identifies a refund listed by the gateway. ID is the payment's own refund, or empty. Foreign means that it belongs to
// another payment. Unanswered means that a request for the same amount still has no gateway id.
type heardRefund struct {
	ID         string `db:"id"`
	Foreign    bool   `db:"is_foreign"`
	Unanswered bool   `db:"unanswered"`
}

func refundHeardTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r payment.RefundRecord) (heardRefund, error) {
	var heard heardRefund
	if err := tx.GetContext(ctx, &heard, refundHeardSQL, p.ID, r.RefundID, r.Token, int64(r.Amount)); err != nil {
		return heard, fmt.Errorf("find refund: %w", err)
	}
	return heard, nil
}

// SurplusKnownTx reports whether the refund of a further capture was requested.
func SurplusKnownTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, gatewayPaymentID string) (bool, error) {
	var known bool
	if err := tx.GetContext(ctx, &known, surplusKnownSQL, p.ID, gatewayPaymentID); err != nil {
		return false, fmt.Errorf("look for refund: %w", err)
	}
	return known, nil
}

// RefundedTx returns how much of a capture was returned, or is on its way.
func RefundedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment) (money.Paise, error) {
	return sumRefundsTx(ctx, tx, refundedSQL, p)
}

// backTx returns how much of a capture has been returned.
func backTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment) (money.Paise, error) {
	return sumRefundsTx(ctx, tx, backSQL, p)
}

// ReturnedTx returns the returned or pending amount of a payment's invoice: from its capture and, through earlier payments, from the
// credit notes applied to it.
func ReturnedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment) (money.Paise, error) {
	return sumRefundsTx(ctx, tx, returnedOfInvoiceSQL, p, p.FranchiserID)
}

// returnedDoneTx is returned without pending refunds.
func returnedDoneTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment) (money.Paise, error) {
	return sumRefundsTx(ctx, tx, returnedOfInvoiceSQL+` AND state = 'done'`, p, p.FranchiserID)
}

func sumRefundsTx(ctx context.Context, tx *sqlx.Tx, query string, p payment.Payment, more ...any) (money.Paise, error) {
	var sum money.Paise
	if err := tx.GetContext(ctx, &sum, query, append([]any{p.ID, p.GatewayPaymentID}, more...)...); err != nil {
		return 0, fmt.Errorf("sum refunds: %w", err)
	}
	return sum, nil
}

func saveRefundTx(ctx context.Context, tx *sqlx.Tx, r Refund, now time.Time) error {
	if _, err := tx.ExecContext(ctx, saveRefundSQL, r.ID, string(r.State), r.GatewayRefundID, r.Failure, now); err != nil {
		return fmt.Errorf("save refund: %w", err)
	}
	return nil
}

const (
	refundSQL      = `SELECT ` + Columns + ` FROM refunds WHERE id = $1`
	refundHeardSQL = `
		SELECT coalesce((SELECT id FROM refunds WHERE payment_id = $1 AND (gateway_refund_id = $2 OR token = $3)
				ORDER BY gateway_refund_id = $2 DESC NULLS LAST LIMIT 1)::text, '') AS id,
			EXISTS (SELECT FROM refunds WHERE payment_id <> $1 AND gateway_refund_id = $2) AS is_foreign,
			EXISTS (SELECT FROM refunds WHERE payment_id = $1 AND state = 'requested' AND amount_paise = $4) AS unanswered`
	surplusKnownSQL = `
		SELECT EXISTS (SELECT FROM refunds WHERE payment_id = $1 AND gateway_payment_id = $2 AND reason = 'surplus')`
	refundedSQL = `
		SELECT coalesce(sum(amount_paise), 0)::bigint FROM refunds
		WHERE payment_id = $1 AND gateway_payment_id = $2 AND state <> 'failed'`
	backSQL              = refundedSQL + ` AND state = 'done'`
	returnedOfInvoiceSQL = `
		SELECT coalesce(sum(amount_paise), 0)::bigint FROM refunds
		WHERE franchiser_id = $3 AND (payment_id = $1 AND gateway_payment_id = $2 AND credits_payment_id IS NULL OR credits_payment_id = $1)
			AND state <> 'failed'`
	saveRefundSQL = `
		UPDATE refunds SET state = $2, gateway_refund_id = nullif($3, ''), failure = $4,
			sent_at = CASE WHEN $2 = 'sent' THEN coalesce(sent_at, $5) ELSE sent_at END,
			done_at = CASE WHEN $2 = 'done' THEN $5 END, failed_at = CASE WHEN $2 = 'failed' THEN $5 END
		WHERE id = $1`
)

// receipt describes on the credit note how the money was returned: the way it was paid, by bank, or taken by the customer's bank.
func (r Refund) receipt(p payment.Payment, at time.Time) invoice.Receipt {
	if r.Channel == payment.ChannelBank {
		return invoice.Receipt{TransactionID: p.TransactionID, GatewayID: r.BankReference, Method: "bank transfer", PaidAt: at}
	}
	if r.Reason == payment.RefundDispute {
		return invoice.Receipt{TransactionID: p.TransactionID, GatewayID: r.GatewayRefundID, PaidAt: at, TakenBack: true}
	}
	return invoice.Receipt{TransactionID: p.TransactionID, GatewayID: r.GatewayRefundID, Method: p.Slug, PaidAt: at}
}
