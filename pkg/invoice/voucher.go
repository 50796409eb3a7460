package invoice

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// VoucherInput is the content of a receipt voucher (rule 50 CGST Rules) for money received before its purpose is settled.
type VoucherInput struct {
	FranchiserID string
	PaymentID    string
	Recipient    Recipient
	// Description, SAC and RateBps describe what was requested; the tax is included in Amount at that rate.
	Description string
	SAC         string
	RateBps     int64
	Amount      money.Paise
	Receipt     Receipt
	IssuedAt    time.Time
}

// IssueReceiptVoucherTx issues the receipt voucher of a held payment, by the rules of IssueTx: once per payment.
func (s *Service) IssueReceiptVoucherTx(ctx context.Context, tx *sqlx.Tx, in VoucherInput) (Invoice, error) {
	issue := IssueInput{FranchiserID: in.FranchiserID, PaymentID: in.PaymentID, Recipient: in.Recipient, Paid: in.Amount}
	if err := issue.validate(); err != nil {
		return Invoice{}, err
	}
	existing, err := s.store.voucher(ctx, tx, in.FranchiserID, in.PaymentID)
	if err == nil || !errors.Is(err, ErrNotFound) {
		return existing, err
	}
	line := LineInput{Description: in.Description, SAC: in.SAC, RateBps: in.RateBps, Quantity: 1, Amount: in.Amount}
	if !line.valid() {
		return Invoice{}, ErrBadInput
	}
	regime := s.RegimeFor(in.Recipient)
	tax := regime.Included(in.Amount, in.RateBps)
	taxable := in.Amount - tax.Total()
	lines := []Line{{
		Position: 1, Description: line.Description, SAC: line.SAC, RateBps: line.RateBps, Quantity: 1, Amount: taxable,
		Taxable: taxable, Tax: tax,
	}}
	totals, err := sum(lines)
	if err != nil {
		return Invoice{}, err
	}
	return s.put(ctx, tx, Invoice{
		FranchiserID: in.FranchiserID, Kind: KindReceiptVoucher, PaymentID: in.PaymentID, IssuedAt: in.IssuedAt,
		Recipient: in.Recipient, Receipt: in.Receipt, PlaceOfSupply: in.Recipient.StateCode,
		Supplier: s.supplier, Regime: regime, Lines: lines, Totals: totals,
	})
}

// IssueRefundVoucherTx issues the refund voucher (rule 51 CGST Rules) of a payment whose receipt voucher no invoice followed,
// once per refund. It returns ErrNotFound if the payment has no receipt voucher.
func (s *Service) IssueRefundVoucherTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID, refundID string, receipt Receipt, at time.Time) (Invoice, error) {
	if !id.Valid(franchiserID) || !id.Valid(paymentID) || !id.Valid(refundID) {
		return Invoice{}, ErrBadInput
	}
	existing, err := s.store.returned(ctx, tx, franchiserID, refundID)
	if err == nil || !errors.Is(err, ErrNotFound) {
		return existing, err
	}
	received, err := s.store.voucher(ctx, tx, franchiserID, paymentID)
	if err != nil {
		return Invoice{}, err
	}
	return s.put(ctx, tx, Invoice{
		FranchiserID: franchiserID, Kind: KindRefundVoucher, PaymentID: paymentID, IssuedAt: at,
		OriginalID: received.ID, OriginalNumber: received.Number, OriginalDate: received.IssuedAt, RefundID: refundID,
		Recipient: received.Recipient, Receipt: receipt, PlaceOfSupply: received.PlaceOfSupply,
		Supplier: s.signed(received.Supplier), Regime: received.Regime, Lines: received.Lines, Totals: received.Totals,
	})
}

// Included returns the tax included in an amount at a rate in basis points, each head half-up to the paisa.
func (r Regime) Included(amount money.Paise, rateBps int64) Tax {
	const whole = 10_000
	half := amount.Prorate(rateBps, 2*(whole+rateBps))
	switch r {
	case RegimeState:
		return Tax{CGST: half, SGST: half}
	case RegimeUnionTerritory:
		return Tax{CGST: half, UTGST: half}
	default:
		return Tax{IGST: amount.Prorate(rateBps, whole+rateBps)}
	}
}

func (s store) voucher(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) (Invoice, error) {
	return s.get(ctx, tx, `i.franchiser_id = $1 AND i.payment_id = $2 AND i.kind = 'receipt_voucher'`, franchiserID, paymentID)
}

func (s store) returned(ctx context.Context, tx *sqlx.Tx, franchiserID, refundID string) (Invoice, error) {
	return s.get(ctx, tx, `i.franchiser_id = $1 AND i.refund_id = $2 AND i.kind = 'refund_voucher'`, franchiserID, refundID)
}
