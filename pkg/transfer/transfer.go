// Package transfer has bills paid by bank transfer: proformas that ask for the money, the credits that came in, what they are matched
// with and used for, and the tax that customers deducted at source. transfer.go and match.go do no I/O.
package transfer

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Collector is a provider that opens an account number for each customer and lists what came in there.
type Collector interface {
	Name() string
	// Open opens the customer's account, or returns the one that is open; known is the id of the one that was opened last, empty for none.
	Open(ctx context.Context, customerID, name, known string) (Account, error)
	// Credits lists what came into the account since a moment, oldest first.
	// With an error, it returns what it could read: the rest is asked for again.
	Credits(ctx context.Context, accountID string, since time.Time) ([]Credit, error)
	// Close closes an account, so that what is paid into it goes back; one that is closed is no error.
	Close(ctx context.Context, accountID string) error
}

// Collecting is a gateway that can give customers account numbers of their own.
type Collecting interface {
	// Collector returns nil if the account at the gateway does not use it.
	Collector() Collector
}

// Listener is a collector that posts a notice when something came in.
type Listener interface {
	// Heard returns the account that a notice of the provider is about, empty if it is no such notice or is not signed.
	Heard(p payment.Incoming) (accountID string)
}

// Account is where a customer transfers to. ID is the collector's, empty for the operator's own account.
type Account struct {
	ID          string `json:"id,omitempty"`
	Number      string `json:"number"`
	IFSC        string `json:"ifsc"`
	Beneficiary string `json:"beneficiary"`
	// Bank is the bank's name, as far as it is known.
	Bank string `json:"bank,omitempty"`
}

// Usable reports whether somebody can transfer to it.
func (a Account) Usable() bool { return a.Number != "" && a.IFSC != "" && a.Beneficiary != "" }

// Credit is money that came into an account, as a collector tells it.
type Credit struct {
	ID                 string
	AccountID          string
	UTR                string
	Amount             money.Paise
	PaidAt             time.Time
	PayerName          string
	PayerAccountMasked string
}

// Document is what a proforma prints, as of the day it was made.
type Document struct {
	Supplier  invoice.Supplier  `json:"supplier"`
	Recipient invoice.Recipient `json:"recipient"`
	Regime    invoice.Regime    `json:"regime"`
	Lines     []invoice.Line    `json:"lines"`
	// Credited is what credit notes of an upgrade pay of it.
	Credited money.Paise `json:"credited_paise"`
}

// Proforma asks for one order to be paid by transfer.
type Proforma struct {
	ID, FranchiserID, OrderID string
	Number                    string
	State                     State
	PONumber                  string
	// Amount is what is to be paid, tax included, and Taxable the value before tax, of which income tax is deducted.
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
	// Received is the sum of the transfers that paid part of it, TDS and GSTTDS the tax that the customer deducted from it, and Over what is
	// left of those transfers for the customer to use or to get back.
	Received, TDS, GSTTDS, Over money.Paise
	// Unassigned is what came in on the customer's own account number while the bill waits, and pays none yet.
	Unassigned money.Paise
	// Busy says that a transfer is being booked for it, or waits for a colleague.
	Busy bool
	// Ended says that its order can have no effect any more, so that no money may be used for it.
	Ended bool
	// CancelledBy is customer or staff, empty where it ended otherwise.
	CancelledBy string
	// Name and Mobile are the customer's, for staff.
	Name, Mobile string
}

// Filename returns the name under which the PDF is saved.
func (p Proforma) Filename() string { return strings.ReplaceAll(p.Number, "/", "-") + ".pdf" }

// Cancellable reports whether its customer or finance may cancel it: no money came for it, and none is being booked.
func (p Proforma) Cancellable() bool { return p.State.payable() && p.Received == 0 && !p.Busy }

// refusal returns why no money may be used for it, nil if it may.
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

// Deductible is a rate at which the customer may deduct income tax, and what it comes to.
type Deductible struct {
	RateBps int64
	Amount  money.Paise
}

// Deductibles returns what the customer may deduct at each rate.
func (p Proforma) Deductibles() []Deductible {
	list := []Deductible{}
	for _, rate := range incomeTaxRates() {
		list = append(list, Deductible{rate, wholeRupees(p.Taxable, rate)})
	}
	return list
}

// wholeRupees is the tax on a value at a rate, rounded half up to whole rupees as deductors round it. It is rounded once: to paise first
// would make a rupee of 49.99 paise.
func wholeRupees(taxable money.Paise, rateBps int64) money.Paise {
	const ofWhole = 10_000 * int64(money.Rupee) // basis points of a rupee's paise
	return taxable.Prorate(rateBps, ofWhole) * money.Rupee
}

// validity is for how many days a proforma may be paid without anybody looking at it again.
const validity = 15

// validUntil is the last moment of the last of those days in India: the proforma names the day.
func validUntil(now time.Time) time.Time {
	return (subscription.DayOf(now) + validity + 1).Start().Add(-time.Second).UTC()
}

// The limits of a customer: proformas that are open at once, numbers told for one of them, and on a day.
const (
	mostOpen     = 5
	mostTold     = 5
	mostToldADay = 10
)

// lookFor is how long a customer's account is read after its last proforma, and an expired one may still be paid: a collector closes an
// account that nobody uses for so long.
const lookFor = 90 * 24 * time.Hour

// seriesProforma is the first letters of a proforma's number; it is no series of tax documents.
const seriesProforma = "PF"

// BankCredit is money that came in, as it is stored.
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
	// Clash says that its number is also that of another transfer: it is the collector's, kept for staff to look at.
	Clash     bool
	EnteredBy string
	CreatedAt time.Time
	// Name is the customer's, for staff.
	Name string
	// Uses are what it was used for, and Proposals what it may pay; both for staff.
	Uses      []Use
	Proposals []Proposal
	// Held is what of it paid part of bills that are not paid yet: a return gives it back too.
	Held money.Paise
}

// Returnable is what a return of it gives back.
func (c BankCredit) Returnable() money.Paise {
	if c.State == CreditDismissed {
		return 0
	}
	return c.Rest() + c.Held
}

// Rest returns what of it is used for nothing yet.
func (c BankCredit) Rest() money.Paise { return c.Amount - c.Used }

// seen is what is known of it for matching.
func (c BankCredit) seen() Seen {
	return Seen{VirtualID: c.VirtualID, UTR: c.UTR, Remark: c.Narration, Amount: c.Rest()}
}

// plain returns the capitals and digits of a text.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		default:
			return -1
		}
	}, strings.ToUpper(text))
}

// labelled is a number behind the word that names it. Numbers of transfers have 12 digits (IMPS, UPI), or begin with the bank's letters and
// have 16 (NEFT) or 22 (RTGS) characters.
var labelled = regexp.MustCompile(`^(?:UTR|RRN|REF|NEFT|RTGS|IMPS|UPI)(?:NUMBER|NO|CR|IN)?([0-9]{12}|[A-Z][A-Z0-9]{15}|[A-Z][A-Z0-9]{21})$`)

// CleanUTR returns a transfer's number as it is stored and compared: capitals and digits, without the word before it, and without the zeros
// with which banks fill up a number of digits. The twelve digits of IMPS and UPI stay whole: from 2030 on they begin with a zero, and the day
// of the year stands behind it. The function clean_utr of the database does the same.
func CleanUTR(text string) string {
	bare := plain(text)
	if found := labelled.FindStringSubmatch(bare); found != nil {
		bare = found[1]
	}
	if strings.Trim(bare, "0123456789") != "" {
		return bare
	}
	if last := len(bare) - 12; last >= 0 && allOfZeros.MatchString(bare[:last]) && "001" <= bare[last+1:last+4] && bare[last+1:last+4] <= "366" {
		return bare[last:]
	}
	if digits := strings.TrimLeft(bare, "0"); len(digits) >= 6 {
		return digits
	}
	return bare
}

// validUTR reports whether a cleaned number can be one.
func validUTR(utr string) bool { return len(utr) >= 6 && len(utr) <= 35 }

// Errors that are safe to show.
var (
	// ErrNotOffered refuses a transfer where there is no account to transfer to.
	ErrNotOffered = errs.New(errs.KindConflict, "transfer_not_offered", "Payment by bank transfer is not offered here.")
	// ErrUTRKnown refuses a number that names another transfer.
	ErrUTRKnown = errs.New(errs.KindConflict, "utr_known", "A transfer of this number (UTR) is booked already.")
	// ErrCreditUsed refuses what a credit no longer allows.
	ErrCreditUsed = errs.New(errs.KindConflict, "credit_used", "There is not enough left of this credit. Check it again.")
	// ErrProformaClosed refuses to use money for a proforma that is paid or was cancelled.
	ErrProformaClosed = errs.New(errs.KindConflict, "proforma_closed", "This proforma is paid or was cancelled.")
	// ErrOrderEnded refuses to use money for a proforma whose order can have no effect any more.
	ErrOrderEnded = errs.New(errs.KindConflict, "order_ended", "This proforma can no longer be paid: its order was paid another way, or the plan has changed since. Use the money for another bill, or return it.")
	// ErrToldTooOften refuses a further number for a proforma, or on a day: numbers are not to be guessed.
	ErrToldTooOften = errs.New(errs.KindConflict, "told_too_often", "You have given us several numbers already. Please write to us with the proof of your transfer.")
	// ErrPartlyReceived refuses to cancel a proforma for which money came.
	ErrPartlyReceived = errs.New(errs.KindConflict, "proforma_partly_received", "Money has arrived for this proforma, or is being booked for it. It cannot be cancelled before that money is free.")
	// ErrOtherCustomer refuses money for a bill of somebody else than the customer whose bill it paid.
	ErrOtherCustomer = errs.New(errs.KindConflict, "other_customer", "This money paid another customer's bill. It can pay a further bill of that customer, or go back.")
	// ErrTooManyProformas refuses a further proforma while many wait for money.
	ErrTooManyProformas = errs.New(errs.KindConflict, "too_many_proformas", "Five of your proformas wait for a transfer. Pay one of them, or wait until one expires.")
	// ErrPONumberPrinted refuses another order number for a proforma that was paid in part.
	ErrPONumberPrinted = errs.New(errs.KindConflict, "po_number_printed", "Part of this was paid under another purchase order number. It cannot be changed any more.")
	// ErrPaidInFull refuses deducted tax of a bill that the transfer pays in full.
	ErrPaidInFull = errs.New(errs.KindConflict, "paid_in_full", "The transfer pays this bill in full: no tax was deducted from it.")
	// ErrUseOpen refuses a second request while one waits.
	ErrUseOpen = errs.New(errs.KindConflict, "use_open", "Another request for this credit is still open.")
	// ErrDecided refuses a second decision.
	ErrDecided = errs.New(errs.KindConflict, "already_decided", "This was decided already.")
	// ErrOwnRequest refuses that somebody decides their own request.
	ErrOwnRequest = errs.New(errs.KindForbidden, "own_request", "A colleague has to decide this: you asked for it.")
	// ErrAdminDecides refuses that finance lets money go out.
	ErrAdminDecides = errs.New(errs.KindForbidden, "admin_decides", "An admin has to decide whether money goes back.")
	// ErrBelowMinimum refuses a transfer of less than the operator takes by transfer.
	ErrBelowMinimum = errs.New(errs.KindConflict, "below_transfer_minimum", "This amount is too small for a bank transfer. Please pay online.")
)
