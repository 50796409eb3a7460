// Package transfer handles payments by bank transfer: proformas, received credits, their matching and use, and tax deducted at source.
// transfer.go and match.go do no I/O.
package transfer

import (
	"context"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer/match"
)

// Collector is a provider that opens an account number for each customer and lists its credits.
type Collector interface {
	Name() string
	// Open opens the customer's account or returns the open one. known is the id of the account opened last, or empty.
	Open(ctx context.Context, customerID, name, known string) (Account, error)
	// Credits lists the account's credits since a moment, oldest first. With an error, it returns the credits that it could read; the
	// caller fetches the rest later.
	Credits(ctx context.Context, accountID string, since time.Time) ([]Credit, error)
	// Close closes an account, so that the bank returns later transfers. It succeeds if the account is closed already.
	Close(ctx context.Context, accountID string) error
}

// Collecting is a gateway that can give each customer an account number.
type Collecting interface {
	// Collector returns nil if the account at the gateway does not use it.
	Collector() Collector
}

// Listener is a collector that sends webhooks about credits.
type Listener interface {
	// Heard returns the account that a webhook is about, empty if it is unsigned or about something else.
	Heard(p payment.Incoming) (accountID string)
}

// Account is the account to transfer to. ID is the collector's, empty for the operator's account.
type Account struct {
	ID          string `json:"id,omitempty"`
	Number      string `json:"number"`
	IFSC        string `json:"ifsc"`
	Beneficiary string `json:"beneficiary"`
	// Bank is the bank's name, if known.
	Bank string `json:"bank,omitempty"`
}

// Usable reports whether the account has everything that a transfer needs.
func (a Account) Usable() bool { return a.Number != "" && a.IFSC != "" && a.Beneficiary != "" }

// Credit is a credit as the collector reports it.
type Credit struct {
	ID                 string
	AccountID          string
	UTR                string
	Amount             money.Paise
	PaidAt             time.Time
	PayerName          string
	PayerAccountMasked string
}

// Document is the printed content of a proforma, fixed on the day of its creation.
type Document struct {
	Supplier  invoice.Supplier  `json:"supplier"`
	Recipient invoice.Recipient `json:"recipient"`
	Regime    invoice.Regime    `json:"regime"`
	Lines     []invoice.Line    `json:"lines"`
	// Credited is the amount paid by the credit notes of an upgrade.
	Credited money.Paise `json:"credited_paise"`
}

// Proforma is a request to pay one order by transfer.
type Proforma struct {
	ID, FranchiserID, OrderID string
	Number                    string
	State                     State
	PONumber                  string
	// Amount is the amount to pay, tax included. Taxable is the value before tax, the base of income tax deducted.
	Amount, Taxable money.Paise
	Title           string
	Document        Document
	Account         Account
	VirtualID       string
	ToldUTR         string
	ToldAt          time.Time
	ToldCount       int
	ValidUntil      time.Time
	ObjectKey       string
	PaymentID       string
	PaidAt          time.Time
	CreatedAt       time.Time
	// Received is the sum of the transfers for it. TDS and GSTTDS are the tax that the customer deducted. Over is the unused rest of those
	// transfers, to use or to return.
	Received, TDS, GSTTDS, Over money.Paise
	// Unassigned is the unused money on the customer's account number while the bill is open.
	Unassigned money.Paise
	// Busy says that a transfer is being booked for it, or awaits a second person.
	Busy bool
	// Ended says that its order can no longer have an effect, so that no money may be used for it.
	Ended bool
	// CancelledBy is customer or staff, empty for other ends.
	CancelledBy string
	// Name and Mobile are the customer's, for staff.
	Name, Mobile string
}

// Filename returns the PDF's file name.
func (p Proforma) Filename() string { return strings.ReplaceAll(p.Number, "/", "-") + ".pdf" }

// Cancellable reports whether the customer or finance may cancel it: it has received no money, and none is being booked.
func (p Proforma) Cancellable() bool { return p.State.payable() && p.Received == 0 && !p.Busy }

// refusal returns why no money may be used for the proforma, or nil.
func (p Proforma) refusal() error {
	switch {
	case !p.State.payable():
		return ErrProformaClosed
	case p.Ended:
		return ErrOrderEnded
	default:
		return nil
	}
}

// Deductible is a rate at which the customer may deduct income tax, with the amount.
type Deductible struct {
	RateBps int64
	Amount  money.Paise
}

// Deductibles returns the deductible tax at each rate.
func (p Proforma) Deductibles() []Deductible {
	list := []Deductible{}
	for _, rate := range match.IncomeTaxRates() {
		list = append(list, Deductible{rate, match.WholeRupees(p.Taxable, rate)})
	}
	return list
}

// validity is for how many days a proforma can be paid without a confirmation by staff.
const validity = 15

// validUntil is the last moment of the last valid day in India. The proforma prints that day.
func validUntil(now time.Time) time.Time {
	return (subscription.DayOf(now) + validity + 1).Start().Add(-time.Second).UTC()
}

// The limits per customer: open proformas, UTRs given for one proforma, and UTRs given in a day.
const (
	mostOpen     = 5
	mostTold     = 5
	mostToldADay = 10
)

// lookFor is how long a customer's account is read after its last proforma, and how long an expired proforma may be paid. A collector
// closes an account unused for that time.
const lookFor = 90 * 24 * time.Hour

// seriesProforma is the prefix of a proforma's number. Proformas are not tax documents.
const seriesProforma = "PF"

// BankCredit is a stored credit.
type BankCredit struct {
	ID           string
	Source       string
	ExternalID   string
	VirtualID    string
	FranchiserID string
	UTR          string
	Amount, Used money.Paise
	PaidAt       time.Time
	PayerName    string
	PayerAccount string
	Narration    string
	State        CreditState
	Note         string
	// Clash says that its UTR duplicates another transfer's. It is a collector's credit, kept for review by staff.
	Clash     bool
	EnteredBy string
	CreatedAt time.Time
	// Name is the customer's, for staff.
	Name string
	// Uses are the credit's uses, and Proposals the bills that it may pay; both for staff.
	Uses      []Use
	Proposals []match.Proposal
	// Held is its amount in parts of unpaid bills. A return includes it.
	Held money.Paise
}

// Returnable is the amount that a return sends back.
func (c BankCredit) Returnable() money.Paise {
	if c.State == CreditDismissed {
		return 0
	}
	return c.Rest() + c.Held
}

// Rest returns the unused amount.
func (c BankCredit) Rest() money.Paise { return c.Amount - c.Used }

// seen returns the properties that matching uses.
func (c BankCredit) seen() match.Seen {
	return match.Seen{VirtualID: c.VirtualID, UTR: c.UTR, Remark: c.Narration, Amount: c.Rest()}
}

// Errors that are safe to show.
var (
	// ErrNotOffered refuses a transfer if there is no account to transfer to.
	ErrNotOffered = errs.New(errs.KindConflict, "transfer_not_offered", "Payment by bank transfer is not offered here.")
	// ErrUTRKnown refuses the UTR of another transfer.
	ErrUTRKnown = errs.New(errs.KindConflict, "utr_known", "A transfer of this number (UTR) is booked already.")
	// ErrCreditUsed refuses a use above the credit's unused amount.
	ErrCreditUsed = errs.New(errs.KindConflict, "credit_used", "There is not enough left of this credit. Check it again.")
	// ErrProformaClosed refuses to use money for a paid or cancelled proforma.
	ErrProformaClosed = errs.New(errs.KindConflict, "proforma_closed", "This proforma is paid or was cancelled.")
	// ErrOrderEnded refuses to use money for a proforma whose order can no longer have an effect.
	ErrOrderEnded = errs.New(errs.KindConflict, "order_ended", "This proforma can no longer be paid: its order was paid another way, or the plan has changed since. Use the money for another bill, or return it.")
	// ErrToldTooOften limits the UTRs for a proforma and in a day, to prevent guessing.
	ErrToldTooOften = errs.New(errs.KindConflict, "told_too_often", "You have given us several numbers already. Please write to us with the proof of your transfer.")
	// ErrPartlyReceived refuses to cancel a proforma that has received money.
	ErrPartlyReceived = errs.New(errs.KindConflict, "proforma_partly_received", "Money has arrived for this proforma, or is being booked for it. It cannot be cancelled before that money is free.")
	// ErrOtherCustomer refuses to use one customer's money for another customer's bill.
	ErrOtherCustomer = errs.New(errs.KindConflict, "other_customer", "This money paid another customer's bill. It can pay a further bill of that customer, or go back.")
	// ErrTooManyProformas limits a customer's open proformas.
	ErrTooManyProformas = errs.New(errs.KindConflict, "too_many_proformas", "Five of your proformas wait for a transfer. Pay one of them, or wait until one expires.")
	// ErrPONumberPrinted refuses to change the order number of a partly paid proforma.
	ErrPONumberPrinted = errs.New(errs.KindConflict, "po_number_printed", "Part of this was paid under another purchase order number. It cannot be changed any more.")
	// ErrPaidInFull refuses deducted tax of a bill that the transfer pays in full.
	ErrPaidInFull = errs.New(errs.KindConflict, "paid_in_full", "The transfer pays this bill in full: no tax was deducted from it.")
	// ErrUseOpen refuses a second request while another is open.
	ErrUseOpen = errs.New(errs.KindConflict, "use_open", "Another request for this credit is still open.")
	// ErrAdminDecides refuses finance's approval of a return.
	ErrAdminDecides = errs.New(errs.KindForbidden, "admin_decides", "An admin has to decide whether money goes back.")
	// ErrBelowMinimum refuses a transfer below the operator's minimum.
	ErrBelowMinimum = errs.New(errs.KindConflict, "below_transfer_minimum", "This amount is too small for a bank transfer. Please pay online.")
)
