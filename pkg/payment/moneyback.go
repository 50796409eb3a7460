package payment

import (
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// ReturnedState is how much of a payment has come back, and why, in one word.
type ReturnedState string

// The states of what came back. A dispute is an open question; charged back is what the customer's bank took; looked at is with
// staff, because the gateway refused for good to give money back that bought nothing.
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
	// Reason is what a credit note says for the customer; empty for an invoice.
	Reason string
	// ReversesInputTax says that a registered recipient has to reverse the input tax credit taken on the invoice, as far as
	// the note's Tax goes (section 34(2), CGST Act 2017, as amended in 2025).
	ReversesInputTax bool
}

// SecondCaptureState is what became of money that was captured a second time.
type SecondCaptureState string

// The states of a second capture: on its way back, back, or with staff because the gateway refused its refund.
const (
	SecondCaptureOnItsWay SecondCaptureState = "on_its_way"
	SecondCaptureReturned SecondCaptureState = "returned"
	SecondCaptureLookedAt SecondCaptureState = "looked_at"
)

// SecondCapture is money that was captured for a payment a second time, in paise, and goes back by itself.
type SecondCapture struct {
	Amount money.Paise
	State  SecondCaptureState
	// At is when its refund was first asked for, DoneAt when it was done, none until then.
	At     time.Time
	DoneAt time.Time
}

// Returned is what came back of a payment, in paise, with its documents, oldest first.
type Returned struct {
	Captured money.Paise
	// Applied is what earlier credit notes pay of its invoice.
	Applied money.Paise
	Done    money.Paise
	Going   money.Paise
	// Owed is what bought nothing and could not be given back yet, because its refund failed for good.
	Owed money.Paise
	// DoneAt is when the last of Done came back, and Channel the way of the newest refund; none where there is none.
	DoneAt  time.Time
	Channel RefundChannel
	// Disputed counts what the gateway confirmed only: an unsigned notice says nothing to the customer.
	Disputed    bool
	ChargedBack bool
	Documents   []Document
	// SecondCaptures are the further captures of the transaction, oldest first. Done, Going and Owed do not count them.
	SecondCaptures []SecondCapture
}

// InvoiceTotal is the total of the invoice, 0 without one.
func (b Returned) InvoiceTotal() money.Paise {
	for _, d := range b.Documents {
		if d.Kind == invoice.KindInvoice {
			return d.Total
		}
	}
	return 0
}

// State puts it into one word: an open dispute before all else, then what the bank took, then what is still owed or
// was refunded.
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

// moves says whether any of it is still to come back: by the gateway, or by what staff do.
func (b Returned) moves() bool {
	return b.Going > 0 || b.Owed > 0 || slices.ContainsFunc(b.SecondCaptures, func(c SecondCapture) bool {
		return c.State != SecondCaptureReturned
	})
}
