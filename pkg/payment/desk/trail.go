package desk

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/inputtax"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Trail is everything known about one payment, from the request to the bank's payout.
type Trail struct {
	Payment payment.Payment
	Order   subscription.Order
	// Left is the amount that is neither returned nor being returned, in paise. Once the whole capture is returned, staff must transfer
	// it, because earlier invoices paid it by set-off.
	Left money.Paise
	// Withheld is the part of Left that the customer deducted as tax.
	Withheld money.Paise
	// Deducted is the part of the payment that the customer deducted as tax, including the part returned since.
	Deducted money.Paise
	// Owed is the amount of a failed refund that staff must pay by bank transfer, in paise.
	Owed money.Paise
	// Holding is the part of the purchase that ends once everything is returned, HeldUntil the first day after it otherwise.
	Holding   subscription.Holding
	HeldUntil subscription.Day
	Events    []TrailEvent
	Documents []TrailDocument
	Refunds   []refund.Refund
	Disputes  []dispute.Dispute
	Reversals []reversal.Reversal
	Journals  []ledger.Journal
}

// TrailEvent is an event of the payment as received, except what must not be stored.
type TrailEvent struct {
	ID         string             `db:"id"`
	At         time.Time          `db:"received_at"`
	Source     string             `db:"source"`
	Kind       payment.NoticeKind `db:"kind"`
	Signed     bool               `db:"signed"` // otherwise a hint, which anybody can post
	Status     string             `db:"status"`
	Amount     money.Paise        `db:"amount_paise"`
	ExternalID string             `db:"external_id"`
	Fields     json.RawMessage    `db:"fields"`
	AppliedAt  *time.Time         `db:"applied_at"`
}

// TrailDocument is an invoice or credit note of the payment.
type TrailDocument struct {
	ID       string      `db:"id"`
	Kind     string      `db:"kind"`
	Number   string      `db:"number"`
	Total    money.Paise `db:"total_paise"`
	IssuedAt time.Time   `db:"issued_at"`
	RefundID string      `db:"refund_id"`
	// ReversesInputTax reports whether the recipient has input tax credit to reverse; InputTax is its history, oldest first.
	ReversesInputTax bool              `db:"reverses"`
	InputTaxText     json.RawMessage   `db:"input_tax"`
	InputTax         []inputtax.Record `db:"-"`
}

// Clearing returns the amount still at the gateway, in paise: captured, not returned, not settled; negative if
// the gateway has yet to withhold a refund.
func (t Trail) Clearing() money.Paise {
	var left money.Paise
	for _, j := range t.Journals {
		for _, l := range j.Lines {
			if l.Account == ledger.AccountGatewayClearing {
				left += l.Debit - l.Credit
			}
		}
	}
	return left
}

// CaptureState is the role of a capture in its payment.
type CaptureState string

// The states of a capture. A surplus pays for nothing: it came too late, or a second time.
const (
	CaptureAccepted CaptureState = "accepted"
	CaptureHeld     CaptureState = "held"
	CaptureSurplus  CaptureState = "surplus"
)

// TrailCapture is money captured for the transaction, with its returned and pending amounts.
type TrailCapture struct {
	GatewayPaymentID    string
	State               CaptureState
	Amount, Back, Going money.Paise
	// Failed reports that its last refund failed without a successor.
	Failed bool
}

// Captures returns all captures in the books, the accepted or held one first. Each further one is identified by its refund, which
// is requested with it for the full amount.
func (t Trail) Captures() []TrailCapture {
	var list []TrailCapture
	if p := t.Payment; p.Captured > 0 {
		state := CaptureAccepted
		switch {
		case p.Surplus:
			state = CaptureSurplus
		case p.State == payment.StateHeld:
			state = CaptureHeld
		}
		list = append(list, TrailCapture{GatewayPaymentID: p.GatewayPaymentID, State: state, Amount: p.Captured})
	}
	for _, r := range t.Refunds {
		i := slices.IndexFunc(list, func(c TrailCapture) bool { return c.GatewayPaymentID == r.GatewayPaymentID })
		if i < 0 {
			i = len(list)
			list = append(list, TrailCapture{GatewayPaymentID: r.GatewayPaymentID, State: CaptureSurplus, Amount: r.Amount})
		}
		c := &list[i]
		c.Failed = r.State == payment.RefundFailed
		switch r.State {
		case payment.RefundDone:
			c.Back += r.Amount
		case payment.RefundRequested, payment.RefundSent:
			c.Going += r.Amount
		case payment.RefundFailed:
		}
	}
	return list
}

// Trail returns everything about one payment, found by transaction or id, for staff and auditors, or errs.NotFound. It
// is read with the rights of the payment's franchiser, in one snapshot.
func (s *Service) Trail(ctx context.Context, books *ledger.Service, name string) (Trail, error) {
	var t Trail
	paymentID, franchiserID, err := findTransaction(ctx, s.db, name)
	if err != nil {
		return t, err
	}
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if t.Payment, err = store.Find(ctx, tx, paymentID); err != nil {
			return err
		}
		if t.Order, err = s.subscriptions.FindOrderTx(ctx, tx, franchiserID, t.Payment.OrderID); err != nil {
			return err
		}
		if err := s.refundableTx(ctx, tx, &t); err != nil {
			return err
		}
		deducted, err := s.withheld.DeductedTx(ctx, tx, []string{paymentID})
		if err != nil {
			return fmt.Errorf("read what was deducted of a payment: %w", err)
		}
		t.Deducted = deducted[paymentID]
		return trailTx(ctx, tx, &t)
	})
	if err != nil {
		return t, err
	}
	t.Journals, err = books.ByPayment(ctx, franchiserID, paymentID)
	return t, err
}

// refundableTx sets what can still be returned of a payment, and what that would end.
func (s *Service) refundableTx(ctx context.Context, tx *sqlx.Tx, t *Trail) error {
	rest, err := refund.RestTx(ctx, tx, t.Payment)
	if err != nil {
		return err
	}
	t.Left, t.Owed = t.Payment.Captured-rest.Already, rest.Owed
	if t.Payment.State == payment.StateRefunded && !t.Payment.Surplus {
		owed, err := refund.OwedOfInvoicedTx(ctx, tx, t.Payment.ID)
		if err != nil {
			return err
		}
		t.Left = min(rest.Bank, owed)
		return s.withheldLeftTx(ctx, tx, t)
	}
	if t.Payment.State != payment.StatePaid || t.Payment.Surplus {
		return nil
	}
	t.Left = rest.Gateway
	if t.Payment.Gateway == payment.GatewayBank {
		t.Left = rest.Bank
		if err := s.withheldLeftTx(ctx, tx, t); err != nil {
			return err
		}
	}
	if rest.Applied > 0 {
		return nil // earlier payments paid for it as well, so returning this one ends nothing yet
	}
	t.Holding, t.HeldUntil, err = s.subscriptions.HoldingTx(ctx, tx, t.Order, s.clock.Now())
	return err
}

// withheldLeftTx sets Withheld to the deducted tax in Left.
func (s *Service) withheldLeftTx(ctx context.Context, tx *sqlx.Tx, t *Trail) error {
	shares, err := refund.WithheldSharesTx(ctx, tx, s.withheld, t.Payment, t.Left, 0)
	t.Withheld = refund.SumOf(shares)
	return err
}

const findTransactionSQL = `SELECT id, franchiser_id FROM find_transaction($1)`

func findTransaction(ctx context.Context, db *sqlx.DB, name string) (paymentID, franchiserID string, err error) {
	err = postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		return tx.QueryRowxContext(ctx, findTransactionSQL, name).Scan(&paymentID, &franchiserID)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", errs.NotFound()
	}
	if err != nil {
		return "", "", fmt.Errorf("find transaction: %w", err)
	}
	return paymentID, franchiserID, nil
}

// The gateway's fields are selected without its key and signatures.
const (
	trailEventsSQL = `
		SELECT id, received_at, source, kind, signed, status, coalesce(amount_paise, 0) AS amount_paise, external_id,
			fields - '{hash,key,cardhash,card_token,cardToken}'::text[] AS fields, applied_at
		FROM payment_events WHERE franchiser_id = $1 AND payment_id = $2 ORDER BY received_at, id`
	trailDocumentsSQL = `
		SELECT id, kind, number, total_paise, issued_at, coalesce(refund_id::text, '') AS refund_id,
			reverses_input_tax AS reverses,
			coalesce((SELECT jsonb_agg(jsonb_build_object('id', s.id, 'state', s.state, 'evidence', s.evidence,
				'staff_name', s.staff_name, 'recorded_at', s.recorded_at) ORDER BY s.sequence)
				FROM input_tax_states s WHERE s.invoice_id = d.id), '[]') AS input_tax
		FROM document_overview d WHERE franchiser_id = $1 AND payment_id = $2 ORDER BY issued_at, kind DESC, number`
	trailRefundsSQL = `
		SELECT ` + refund.Columns + ` FROM refunds WHERE franchiser_id = $1 AND payment_id = $2 ORDER BY created_at, id`
	trailDisputesSQL = `
		SELECT ` + dispute.Columns + ` FROM disputes WHERE franchiser_id = $1 AND payment_id = $2 ORDER BY opened_at, id`
	trailReversalsSQL = reversal.SelectSQL + ` WHERE r.franchiser_ref = $1 AND r.payment_id = $2 ORDER BY r.requested_at, r.id`
)

// trailTx reads the parts of the payment other than its order and the books.
func trailTx(ctx context.Context, tx *sqlx.Tx, t *Trail) error {
	for _, part := range []struct {
		into  any
		query string
	}{
		{&t.Events, trailEventsSQL},
		{&t.Documents, trailDocumentsSQL},
		{&t.Refunds, trailRefundsSQL},
		{&t.Disputes, trailDisputesSQL},
		{&t.Reversals, trailReversalsSQL},
	} {
		if err := tx.SelectContext(ctx, part.into, part.query, t.Payment.FranchiserID, t.Payment.ID); err != nil {
			return fmt.Errorf("follow payment: %w", err)
		}
	}
	for i := range t.Documents {
		d := &t.Documents[i]
		if err := json.Unmarshal(d.InputTaxText, &d.InputTax); err != nil {
			return fmt.Errorf("read what is known of the input tax: %w", err)
		}
	}
	return nil
}
