package subscription

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Order is a purchase by a franchiser, priced at its creation.
type Order struct {
	ID                string
	FranchiserID      string
	Kind              Kind
	State             OrderState
	SubscriptionID    string
	BaseRevision      int
	CatalogueRevision int
	PlanID            string
	ServiceID         string
	PlanName          string
	ServiceName       string
	Type              plan.Type
	AddOnIDs          []string
	EffectiveOn       Day
	RenewOn           Day
	Recipient         invoice.Recipient
	// Total is the invoice total, tax included. Totals is its breakdown, not set on an order read from the database. Payable is the
	// requested amount.
	Total     money.Paise
	Totals    invoice.Totals
	PGCharge  money.Paise
	CreatedAt time.Time
	Lines     []Line
	// Credits are the unused parts of earlier invoices that an upgrade credits.
	Credits []Credit
	// Refusal explains to the customer why ApplyTx refused the order because of its price, and that a gateway refunds it. RefusedWhy is
	// only the reason.
	Refusal, RefusedWhy string
	// promised keeps an upgrade's price of the day of its order.
	promised bool
}

func (o *Order) refuse(why, then string) { o.RefusedWhy, o.Refusal = why, why+" "+then }

// Payable returns the amount to pay, tax included: the total less the credits.
func (o Order) Payable() money.Paise { return o.Total - creditTotal(o.Credits) }

// Credited returns the total of the credits, tax included.
func (o Order) Credited() money.Paise { return creditTotal(o.Credits) }

// Title returns plan and tier for display.
func (o Order) Title() string { return o.PlanName + " · " + o.ServiceName }

// ProductInfo describes the purchase in plain letters; it becomes part of the gateway's signed fields.
func (o Order) ProductInfo() string {
	words := map[Kind]string{KindAddOn: "add-ons", KindUpgrade: "upgrade", KindRenewal: "renewal"}
	what := string(o.Type)
	if w, ok := words[o.Kind]; ok {
		what += " " + w
	}
	return fmt.Sprintf("%s - %s %s", o.PlanName, o.ServiceName, what)
}

// InvoiceLines returns the order's lines as the invoice prints them.
func (o Order) InvoiceLines() []invoice.LineInput {
	lines := make([]invoice.LineInput, 0, len(o.Lines))
	for _, l := range o.Lines {
		lines = append(lines, l.InvoiceLine())
	}
	return lines
}

// discounted returns the order with a discount that reduces its amount to paid. A cheaper order is unchanged.
func (o Order) discounted(regime invoice.Regime, paid money.Paise) (Order, error) {
	if o.Payable() <= paid {
		return o, nil
	}
	fitted, err := invoice.Fit(regime, o.InvoiceLines(), paid+o.Credited())
	if err != nil {
		return o, errs.Internal(fmt.Errorf("discount order %s: %w", o.ID, err))
	}
	lines, totals, err := invoice.Compute(regime, fitted)
	if err != nil {
		return o, errs.Internal(fmt.Errorf("compute discounted order %s: %w", o.ID, err))
	}
	o.Lines = slices.Clone(o.Lines)
	for i := range o.Lines {
		o.Lines[i].Discount, o.Lines[i].Tax = fitted[i].Discount, lines[i].Tax
	}
	o.Totals, o.Total = totals, totals.Total
	return o, nil
}

// Offer is a quote together with its recipient.
type Offer struct {
	Quote
	// Subscription is the subscription that the offer changes, nil before the first plan.
	Subscription *Subscription
	// Recipient is the invoice recipient; its State code is empty while there is no address.
	Recipient invoice.Recipient
	// Person is the payer, for the gateway's form.
	Person Person
	open   *openOrder
	// byStaff reports that staff requested it, not the customer.
	byStaff bool
}

// PlaceKnown reports whether the address that decides the tax is known.
func (o Offer) PlaceKnown() bool { return o.Recipient.StateCode != "" }

func (o Offer) recipientJSON() []byte {
	text, _ := json.Marshal(o.Recipient) // strings always marshal
	return text
}

// fingerprint returns the quote's fingerprint, bound to the recipient.
func (o Offer) fingerprint() [32]byte { return o.Fingerprint(o.recipientJSON()) }

// OpenOrderID returns the id of the open order for exactly this offer, or "".
func (o Offer) OpenOrderID() string {
	if f := o.fingerprint(); o.open != nil && string(o.open.Fingerprint) == string(f[:]) {
		return o.open.ID
	}
	return ""
}

// Person is the payer on the gateway's form.
type Person struct {
	FirstName string
	LastName  string
	Email     string
	Mobile    string
	StoreName string
	// DocumentLanguage is the second language of documents besides English, or empty.
	DocumentLanguage i18n.Language
	// Language is the franchiser's chosen language, or empty.
	Language i18n.Language
}

// searchText returns the lower-case text that a search in the list of orders matches against.
func searchText(q Quote) string {
	parts := []string{q.Tier.PlanName, q.Tier.Name, string(q.Kind), string(q.Type)}
	for _, a := range q.AddOns {
		parts = append(parts, a.Name)
	}
	return strings.ToLower(strings.Join(parts, " "))
}

// openOrder is the franchiser's one unpaid order.
type openOrder struct {
	ID          string
	Fingerprint []byte
}

func orderOf(offer Offer, franchiserID string, state OrderState, now time.Time) Order {
	o := Order{
		ID: id.New(), FranchiserID: franchiserID, Kind: offer.Kind, State: state, BaseRevision: offer.BaseRevision,
		CatalogueRevision: offer.CatalogueRevision, PlanID: offer.Tier.PlanID, ServiceID: offer.Tier.ID,
		PlanName: offer.Tier.PlanName, ServiceName: offer.Tier.Name, Type: offer.Type, AddOnIDs: offer.AddOnIDs(),
		EffectiveOn: offer.EffectiveOn, RenewOn: offer.RenewOn, Recipient: offer.Recipient, Total: offer.Totals.Total, Totals: offer.Totals,
		PGCharge: offer.PGCharge(), CreatedAt: now, Lines: offer.Lines, Credits: offer.Credits,
	}
	if offer.Subscription != nil {
		o.SubscriptionID = offer.Subscription.ID
	}
	return o
}

// OriginalInvoice identifies an invoice that is credited.
type OriginalInvoice struct {
	ID       string
	Number   string
	IssuedAt time.Time
}

// Credit is the unused part of one invoice, returned by one credit note.
type Credit struct {
	Invoice OriginalInvoice
	Title   string
	Parts   []invoice.CreditedPart
}

// Taxable returns the credit's value before tax.
func (c Credit) Taxable() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.Taxable
	}
	return sum
}

// Total returns the credited amount, tax included.
func (c Credit) Total() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.Total()
	}
	return sum
}

// creditTotal returns the sum of the credits, tax included.
func creditTotal(credits []Credit) money.Paise {
	var sum money.Paise
	for _, c := range credits {
		sum += c.Total()
	}
	return sum
}
