package subscription

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Order is one thing that somebody asked to buy, as it was priced then.
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
	// Total is what the invoice says, tax included, and Totals what that consists of, which an order that was read does not
	// have; Payable is what is asked for.
	Total     money.Paise
	Totals    invoice.Totals
	PGCharge  money.Paise
	CreatedAt time.Time
	Lines     []Line
	// Credits are the unused parts of earlier invoices that an upgrade gives back.
	Credits []Credit
	// Refusal says to the customer why ApplyTx gave the order no effect, where nothing else has changed but its price.
	Refusal string
}

// Payable is what is to be paid, tax included: the total less the credits.
func (o Order) Payable() money.Paise { return o.Total - creditTotal(o.Credits) }

// Credited is what the credits are worth, tax included.
func (o Order) Credited() money.Paise { return creditTotal(o.Credits) }

// Title names plan and tier for people.
func (o Order) Title() string { return o.PlanName + " · " + o.ServiceName }

// ProductInfo says in plain letters what is paid for; it becomes part of the gateway's signed fields.
func (o Order) ProductInfo() string {
	words := map[Kind]string{KindAddOn: "add-ons", KindUpgrade: "upgrade", KindRenewal: "renewal"}
	what := string(o.Type)
	if w, ok := words[o.Kind]; ok {
		what += " " + w
	}
	return fmt.Sprintf("%s - %s %s", o.PlanName, o.ServiceName, what)
}

// InvoiceLines are the order's lines as the invoice prints them.
func (o Order) InvoiceLines() []invoice.LineInput {
	lines := make([]invoice.LineInput, 0, len(o.Lines))
	for _, l := range o.Lines {
		lines = append(lines, l.InvoiceLine())
	}
	return lines
}

// Offer is a quote together with whom it was made to.
type Offer struct {
	Quote
	// Subscription is what it changes, nil before the first plan.
	Subscription *Subscription
	// Recipient is whom the invoice will name; its State code is empty while there is no address.
	Recipient invoice.Recipient
	// Person is who pays, for the gateway's form.
	Person Person
	open   *openOrder
}

// PlaceKnown says whether there is an address that decides the tax.
func (o Offer) PlaceKnown() bool { return o.Recipient.StateCode != "" }

func (o Offer) recipientJSON() []byte {
	text, _ := json.Marshal(o.Recipient) // strings always marshal
	return text
}

// fingerprint is the quote's, bound to the recipient.
func (o Offer) fingerprint() [32]byte { return o.Fingerprint(o.recipientJSON()) }

// OpenOrderID is the open order of exactly this offer, empty where there is none.
func (o Offer) OpenOrderID() string {
	if f := o.fingerprint(); o.open != nil && string(o.open.Fingerprint) == string(f[:]) {
		return o.open.ID
	}
	return ""
}

// Person is what the gateway's form says of the payer.
type Person struct {
	FirstName string
	LastName  string
	Email     string
	Mobile    string
	StoreName string
}

// searchText is what a search in the list of orders looks through, lower-case.
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

// OriginalInvoice names an invoice that is credited.
type OriginalInvoice struct {
	ID     string
	Number string
	// IssuedAt is when it was issued.
	IssuedAt time.Time
}

// Credit is the unused part of what one invoice was for. It is given back by one credit note.
type Credit struct {
	Invoice OriginalInvoice
	Title   string
	Parts   []invoice.CreditedPart
}

// Taxable is the credit's value before tax.
func (c Credit) Taxable() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.Taxable
	}
	return sum
}

// Total is what is credited, tax included.
func (c Credit) Total() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.Total()
	}
	return sum
}

// creditTotal is what all of the credits are worth, tax included.
func creditTotal(credits []Credit) money.Paise {
	var sum money.Paise
	for _, c := range credits {
		sum += c.Total()
	}
	return sum
}
