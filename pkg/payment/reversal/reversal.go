package reversal

import (
	"unicode"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

// tooSmallError is ErrRefundTooSmall with the least amount in its message.
func tooSmallError(least money.Paise) error {
	e := *ErrRefundTooSmall
	e.Message = refund.TooSmall(least)
	return &e
}

// reversible returns how much of payment p can be reversed: amount, or the whole remainder if it is 0, which
// Input allows only with All. Credit notes applied to an upgrade's payment can be returned by bank
// transfer even when the whole capture is back.
func reversible(p payment.Payment, kind Kind, amount money.Paise, rest refund.Rest) (money.Paise, error) {
	most := rest.Gateway
	switch {
	case kind == KindRelease:
		if p.State != payment.StateHeld || p.Surplus || rest.Already > 0 {
			return 0, ErrNotHeld
		}
		return p.Captured, nil
	case kind == KindBankTransfer:
		if rest.Owed < 1 || amount != 0 && amount != rest.Owed {
			return 0, ErrNothingOwed
		}
		return rest.Owed, nil
	case p.Gateway == payment.GatewayBank && kind != KindCreditNote:
		return 0, ErrPaidByTransfer
	case p.State != payment.StatePaid && p.State != payment.StateRefunded || p.Surplus && kind != KindChargeback:
		return 0, ErrNotRefundable
	case kind == KindChargeback:
		most = p.Captured
	case kind == KindCreditNote:
		most = rest.Bank
		if p.State == payment.StateRefunded && rest.Applied == 0 {
			return 0, ErrNotRefundable
		}
	case p.State != payment.StatePaid:
		return 0, ErrNotRefundable
	}
	if amount == 0 {
		amount = most
	}
	if amount < 1 || amount > most {
		return 0, ErrRefundTooMuch
	}
	if kind == KindRefund && amount < rest.Least {
		return 0, tooSmallError(rest.Least)
	}
	return amount, nil
}

// Kind is what staff request.
type Kind string

// The kinds of reversal.
const (
	// KindRefund returns money through the gateway; the credit note follows once the gateway has done it.
	KindRefund Kind = "refund"
	// KindCreditNote books a bank transfer, identified by its UTR, with its credit note: for payments that the gateway
	// no longer refunds.
	KindCreditNote Kind = "credit_note"
	// KindBankTransfer books a bank transfer, identified by its UTR, that paid a failed surplus refund. The money was never invoiced,
	// so there is no credit note.
	KindBankTransfer Kind = "bank_transfer"
	// KindRelease returns the whole amount of a held payment; it never had an invoice.
	KindRelease Kind = "release"
	// KindChargeback books a lost dispute at a gateway that does not answer queries about disputes; see dispute.Service.BookLossTx.
	KindChargeback Kind = "chargeback"
)

func (k Kind) known() bool {
	switch k {
	case KindRefund, KindCreditNote, KindBankTransfer, KindRelease, KindChargeback:
		return true
	}
	return false
}

// Reversal is a staff request to return money. A refund counts as done here once it is under way at the gateway:
// RefundID names it, and its own state shows its progress.
type Reversal struct {
	approval.Request

	FranchiserID  string `db:"franchiser_ref"`
	PaymentID     string `db:"payment_id"`
	Kind          Kind   `db:"kind"`
	BankReference string `db:"bank_reference"`
	DisputeID     string `db:"dispute_id"`
	KeepPlan      bool   `db:"keep_plan"`
	PrintedReason string `db:"printed_reason"`
	RefundID      string `db:"refund_id"`
	// Failure is why an approved reversal could not be executed, safe to show.
	Failure string `db:"failure"`
	// The customer, the transaction, the purchase and the amount paid, for display.
	CustomerName   string      `db:"customer_name"`
	CustomerMobile string      `db:"customer_mobile"`
	TransactionID  string      `db:"transaction_id"`
	Gateway        string      `db:"gateway"`
	Paid           money.Paise `db:"paid_paise"`
	Bought         string      `db:"bought"`
	// Aftermath is the predicted effect on the purchase; only List sets it, for unfinished requests.
	Aftermath refund.Aftermath `db:"-"`
}

// ErrPaidByTransfer refuses a refund through the gateway, or a chargeback, of a payment that no gateway took.
var ErrPaidByTransfer = errs.New(errs.KindConflict, "paid_by_transfer",
	"This was paid by bank transfer. Transfer the money back, and book the transfer as a credit note with its UTR.")

// Input is a staff request. Key is the Idempotency-Key of 8 to 128 characters: the same key and content return
// the same reversal, whatever its outcome.
type Input struct {
	FranchiserID string
	PaymentID    string
	Kind         Kind
	// Amount in paise, tax included, above 0; 0 with All, and for a release or bank transfer, which are always for everything.
	Amount money.Paise
	// All requests the whole remainder at the time of the request.
	All bool
	// BankReference is the transfer's UTR, for a credit note or bank transfer only: 6 to 35 letters, digits, - and /, stored in
	// upper case.
	BankReference string
	// DisputeID is the gateway's id of the dispute, for a chargeback only.
	DisputeID string
	// KeepPlan keeps the purchase running, as goodwill, if a refund or credit note returns the whole remainder.
	KeepPlan bool
	// Reason is for staff and the audit trail; the customer never sees it.
	Reason string
	// PrintedReason is printed on the credit note of a refund or bank transfer: 3 to 120 characters, "Refund" if empty.
	PrintedReason string
	Key           string
}

// maxPrintedReason is how many characters of a reason fit on a credit note.
const maxPrintedReason = 120

// Reversal errors, safe to show.
var (
	// ErrReversalOpen refuses a second request while another one for the payment is open.
	ErrReversalOpen = errs.New(errs.KindConflict, "request_open", "A request for this payment is already in progress.")
	// ErrTransferBooked refuses a UTR that another refund, booked or requested, already uses: one transfer pays one refund.
	ErrTransferBooked = errs.New(errs.KindConflict, "transfer_booked",
		"A transfer with this UTR is already booked, or waiting to be booked. Each refund needs a transfer of its own.")
)

// Validate rejects input that is invalid for any payment; it returns field messages.
func (in Input) Validate() error {
	var v errs.Validation
	v.Check(id.Valid(in.PaymentID) && id.Valid(in.FranchiserID), "payment_id", "Choose a payment of this customer.")
	v.Check(in.Kind.known(), "kind", "Choose refund, credit note, bank transfer, release or chargeback.")
	in.checkAmount(&v)
	v.Check((in.Kind == KindCreditNote || in.Kind == KindBankTransfer) == (in.BankReference != ""), "bank_reference",
		"Money paid back by bank needs the transfer's UTR; nothing else has one.")
	v.Check(in.BankReference == "" || plainReference(in.BankReference), "bank_reference", "A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits.")
	v.Check((in.Kind == KindChargeback) == (in.DisputeID != ""), "dispute_id", "A chargeback names its dispute; nothing else has one.")
	v.Check(len(in.DisputeID) <= 64, "dispute_id", "A dispute's name has at most 64 characters.")
	v.Check(!in.KeepPlan || in.Kind == KindRefund || in.Kind == KindCreditNote, "keep_plan",
		"Only a refund or a credit note can leave the plan running.")
	if in.PrintedReason != "" {
		n := utf8.RuneCountInString(in.PrintedReason)
		v.Check(n >= 3 && n <= maxPrintedReason, "printed_reason", "Write 3 to 120 characters, or leave it empty.")
		v.Check(printable(in.PrintedReason), "printed_reason", "Use letters, digits and signs, on one line.")
		v.Check(in.Kind == KindRefund || in.Kind == KindCreditNote, "printed_reason",
			"Only a refund or a credit note prints a reason.")
	}
	v.Check(idempotency.Valid(in.Key), "idempotency_key", idempotency.Rule)
	return v.Err()
}

// checkAmount rejects a zero amount: a full reversal must be requested explicitly.
func (in Input) checkAmount(v *errs.Validation) {
	switch {
	case in.Kind == KindRelease:
		v.Check(in.Amount == 0, "amount", "A held payment is released as a whole.")
	case in.Kind == KindBankTransfer:
		v.Check(in.Amount == 0, "amount", "What a failed refund owes is paid as a whole.")
	case in.All:
		v.Check(in.Amount == 0, "amount", "Send an amount or all, not both.")
	default:
		v.Check(in.Amount > 0, "amount", "The amount is above zero.")
	}
}

// printable reports whether a document can print the text on one line.
func printable(text string) bool {
	for _, c := range text {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return true
}

// plainReference reports whether s has at least six letters and digits, separated by - and / at most, and at most 35 characters.
func plainReference(s string) bool {
	signs := 0
	for _, c := range s {
		switch {
		case c == '-' || c == '/':
			signs++
		case (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9'):
			return false
		}
	}
	return len(s)-signs >= 6 && len(s) <= 35
}

// sameAs reports whether a repeated request matches the stored one.
func (r Reversal) sameAs(in Input, reason string) bool {
	return r.PaymentID == in.PaymentID && r.Kind == in.Kind && (in.Amount == 0 || r.Amount == in.Amount) &&
		r.BankReference == in.BankReference && r.DisputeID == in.DisputeID && r.KeepPlan == in.KeepPlan && r.Reason == reason &&
		r.PrintedReason == in.PrintedReason
}

// Refund errors, safe to show.
var (
	ErrNotRefundable = errs.New(errs.KindConflict, "not_refundable", "Only a payment that was received can be refunded.")
	ErrNotHeld       = errs.New(errs.KindConflict, "not_held", "Only a payment that is held, and was not released before, can be released.")
	ErrNothingOwed   = errs.New(errs.KindConflict, "nothing_owed", "No failed refund of this payment is waiting to be paid by bank.")
	// ErrRefundTooSmall refuses an amount below the gateway's minimum refund.
	ErrRefundTooSmall = errs.New(errs.KindInvalid, "refund_too_small", "The payment provider refunds a larger amount only. Return it by bank transfer.")
	ErrRefundTooMuch  = errs.New(errs.KindInvalid, "refund_too_large", "The refund is larger than what is left of the payment.")
)
