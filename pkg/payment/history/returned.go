package history

import (
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// ReturnedState summarises how much of a payment was returned, and why.
type ReturnedState string

// The states of returned money. Disputed means undecided; charged back means taken by the customer's bank; looked at means that
// staff handle it, because the gateway permanently refused to return money that paid for nothing.
const (
	BackNone        ReturnedState = "none"
	BackOnItsWay    ReturnedState = "on_its_way"
	BackPartly      ReturnedState = "partly"
	BackFully       ReturnedState = "fully"
	BackLookedAt    ReturnedState = "looked_at"
	BackDisputed    ReturnedState = "disputed"
	BackChargedBack ReturnedState = "charged_back"
)

// Document is a tax document of a payment, as lists name it.
type Document struct {
	ID     string
	Kind   invoice.Kind
	Number string
	At     time.Time
	// Total is in paise, tax included; Tax is the GST in it.
	Total money.Paise
	Tax   money.Paise
	// Reason is the customer-facing reason of a credit note; empty for an invoice.
	Reason string
	// ReversesInputTax reports whether a registered recipient must reverse the input tax credit taken on the invoice, up to
	// the note's Tax (section 34(2), CGST Act 2017, as amended in 2025).
	ReversesInputTax bool
	// Taxable is its value before tax, and Heads its tax by head.
	Taxable money.Paise
	Heads   invoice.Tax
	// GSTIN and Name are the recipient's; GSTIN is empty for an unregistered one. PlaceOfSupply is a State's code.
	GSTIN, Name, PlaceOfSupply string
	// Replaces is the number of the invoice that this invoice corrects, issued to a wrong recipient. ReplacedBy is the number of the
	// invoice that corrects this one. Correction marks the credit note between the two.
	Replaces, ReplacedBy string
	Correction           bool
}

// SecondCaptureState is the outcome of money that was captured a second time.
type SecondCaptureState string

// The states of a second capture: on its way back, back, or with staff because the gateway refused its refund.
const (
	SecondCaptureOnItsWay SecondCaptureState = "on_its_way"
	SecondCaptureReturned SecondCaptureState = "returned"
	SecondCaptureLookedAt SecondCaptureState = "looked_at"
)

// SecondCapture is a second capture of the same payment, in paise; it is refunded automatically.
type SecondCapture struct {
	Amount money.Paise
	State  SecondCaptureState
	// At is when its refund was first requested, DoneAt when it was completed; zero before.
	At     time.Time
	DoneAt time.Time
}

// Returned is the returned part of a payment, in paise, with its documents, oldest first.
type Returned struct {
	Captured money.Paise
	// Applied is the part of its invoice that earlier credit notes paid.
	Applied money.Paise
	Done    money.Paise
	// Withheld is the part of Done that was not money, because the customer deducted it as tax.
	Withheld money.Paise
	Going    money.Paise
	// Owed is what bought nothing and could not be given back yet, because its refund failed for good.
	Owed money.Paise
	// DoneAt is when the last part of Done was returned, Channel how the newest refund is made; both empty without a refund.
	DoneAt  time.Time
	Channel payment.RefundChannel
	// Arrives says within how many days a bank shows the money, empty without a refund.
	Arrives string
	// Disputed counts only disputes that the gateway confirmed: an unsigned event is not shown to the customer.
	Disputed    bool
	ChargedBack bool
	Documents   []Document
	// SecondCaptures are the further captures of the transaction, oldest first. Done, Going and Owed do not count them.
	SecondCaptures []SecondCapture
}

// InvoiceTotal is the total of the invoice, 0 without one.
func (b Returned) InvoiceTotal() money.Paise { return b.Invoice().Total }

// Invoice returns the invoice that counts among the documents, or an empty one.
func (b Returned) Invoice() Document {
	for _, d := range b.Documents {
		if d.Kind == invoice.KindInvoice && d.ReplacedBy == "" {
			return d
		}
	}
	return Document{}
}

// State summarises the returns. An open dispute comes first, then a chargeback, then an amount owed or refunded.
func (b Returned) State() ReturnedState {
	switch {
	case b.Disputed:
		return BackDisputed
	case b.ChargedBack:
		return BackChargedBack
	case b.Done > 0 && b.Done >= b.Captured:
		return BackFully
	case b.Owed > 0:
		return BackLookedAt
	case b.Done > 0:
		return BackPartly
	case b.Going > 0:
		return BackOnItsWay
	default:
		return BackNone
	}
}

// moves reports whether any part is still to be returned, by the gateway or by staff.
func (b Returned) moves() bool {
	return b.Going > 0 || b.Owed > 0 || slices.ContainsFunc(b.SecondCaptures, func(c SecondCapture) bool {
		return c.State != SecondCaptureReturned
	})
}
