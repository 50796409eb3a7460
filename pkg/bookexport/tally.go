package bookexport

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// The format is that of "Import of Data" in TallyPrime (help.tallysolutions.com, Understanding Integration: Transactions; Masters): an
// amount is negative on the debit side, where ISDEEMEDPOSITIVE is Yes. Vouchers and ledgers have ids of ours, so that a file that is
// imported twice alters and adds nothing.

type envelope struct {
	XMLName  xml.Name  `xml:"ENVELOPE"`
	Request  string    `xml:"HEADER>TALLYREQUEST"`
	Report   string    `xml:"BODY>IMPORTDATA>REQUESTDESC>REPORTNAME"`
	Messages []message `xml:"BODY>IMPORTDATA>REQUESTDATA>TALLYMESSAGE"`
}

type message struct {
	Ledger  *tallyLedger  `xml:"LEDGER"`
	Voucher *tallyVoucher `xml:"VOUCHER"`
}

type tallyLedger struct {
	Name          string   `xml:"NAME,attr"`
	Action        string   `xml:"ACTION,attr"`
	Names         []string `xml:"NAME.LIST>NAME"`
	Parent        string   `xml:"PARENT"`
	BillWise      string   `xml:"ISBILLWISEON,omitempty"`
	MailingName   *mailing `xml:"MAILINGNAME.LIST"`
	Country       string   `xml:"COUNTRYOFRESIDENCE,omitempty"`
	State         string   `xml:"LEDSTATENAME,omitempty"`
	Registration  string   `xml:"GSTREGISTRATIONTYPE,omitempty"`
	GSTIN         string   `xml:"PARTYGSTIN,omitempty"`
	TaxType       string   `xml:"TAXTYPE,omitempty"`
	DutyHead      string   `xml:"GSTDUTYHEAD,omitempty"`
	GSTApplicable string   `xml:"GSTAPPLICABLE,omitempty"`
	SupplyType    string   `xml:"GSTTYPEOFSUPPLY,omitempty"`
}

type mailing struct {
	Name string `xml:"MAILINGNAME"`
}

type tallyVoucher struct {
	RemoteID     string       `xml:"REMOTEID,attr"`
	Type         string       `xml:"VCHTYPE,attr"`
	Action       string       `xml:"ACTION,attr"`
	View         string       `xml:"OBJVIEW,attr"`
	Date         string       `xml:"DATE"`
	TypeName     string       `xml:"VOUCHERTYPENAME"`
	Number       string       `xml:"VOUCHERNUMBER,omitempty"`
	Narration    string       `xml:"NARRATION"`
	Persisted    string       `xml:"PERSISTEDVIEW"`
	IsInvoice    string       `xml:"ISINVOICE"`
	Party        string       `xml:"PARTYLEDGERNAME,omitempty"`
	PartyName    string       `xml:"PARTYNAME,omitempty"`
	PartyGSTIN   string       `xml:"PARTYGSTIN,omitempty"`
	Registration string       `xml:"GSTREGISTRATIONTYPE,omitempty"`
	State        string       `xml:"STATENAME,omitempty"`
	Place        string       `xml:"PLACEOFSUPPLY,omitempty"`
	Country      string       `xml:"COUNTRYOFRESIDENCE,omitempty"`
	Entries      []tallyEntry `xml:"ALLLEDGERENTRIES.LIST"`
}

type tallyEntry struct {
	Ledger     string      `xml:"LEDGERNAME"`
	Debit      string      `xml:"ISDEEMEDPOSITIVE"`
	Party      string      `xml:"ISPARTYLEDGER,omitempty"`
	SAC        string      `xml:"GSTHSNNAME,omitempty"`
	Taxability string      `xml:"GSTOVRDNTAXABILITY,omitempty"`
	SupplyType string      `xml:"GSTOVRDNTYPEOFSUPPLY,omitempty"`
	Rates      []tallyRate `xml:"RATEDETAILS.LIST"`
	Amount     string      `xml:"AMOUNT"`
	Bill       *tallyBill  `xml:"BILLALLOCATIONS.LIST"`
}

type tallyRate struct {
	Head string `xml:"GSTRATEDUTYHEAD"`
	Rate string `xml:"GSTRATE"`
}

type tallyBill struct {
	Name   string `xml:"NAME,omitempty"`
	Type   string `xml:"BILLTYPE"`
	Amount string `xml:"AMOUNT"`
}

// group is an account's group in Tally, and the head of GST that it collects.
type group struct{ parent, head string }

func groups() map[ledger.Account]group {
	return map[ledger.Account]group{
		ledger.AccountGatewayClearing:    {parent: "Current Assets"},
		ledger.AccountBank:               {parent: "Bank Accounts"},
		ledger.AccountInputTax:           {parent: "Duties & Taxes"},
		ledger.AccountOutputCGST:         {"Duties & Taxes", "Central Tax"},
		ledger.AccountOutputSGST:         {"Duties & Taxes", "State Tax"},
		ledger.AccountOutputUTGST:        {"Duties & Taxes", "State Tax"},
		ledger.AccountOutputIGST:         {"Duties & Taxes", "Integrated Tax"},
		ledger.AccountRevenue:            {parent: "Sales Accounts"},
		ledger.AccountRefunds:            {parent: "Sales Accounts"},
		ledger.AccountFees:               {parent: "Indirect Expenses"},
		ledger.AccountChargebacks:        {parent: "Indirect Expenses"},
		ledger.AccountTaxNotRecovered:    {parent: "Indirect Expenses"},
		ledger.AccountRounding:           {parent: "Indirect Expenses"},
		ledger.AccountGatewayAdjustments: {parent: "Suspense A/c"},
		ledger.AccountBankReceipts:       {parent: "Current Liabilities"},
		ledger.AccountTDSReceivable:      {parent: "Loans & Advances (Asset)"},
		ledger.AccountGSTTDSReceivable:   {parent: "Loans & Advances (Asset)"},
		ledger.AccountDeferredRevenue:    {parent: "Current Liabilities"},
	}
}

// ofCustomer reports whether the account is kept by customer: in Tally they are one ledger for each customer.
func ofCustomer(a ledger.Account) bool {
	return a == ledger.AccountReceivable || a == ledger.AccountCustomerCredit || a == ledger.AccountHeldPayments
}

// prefix keeps our ledgers apart from others that the company has in Tally.
const prefix = "F360 "

// party returns the name of a customer's ledger. It never changes; the customer's own name is its mailing name.
func party(franchiserID string) string {
	return prefix + "Customer " + accountNumber(franchiserID)
}

// accountNumber returns what tells an account from others in files for accountants: the last part of its id, which is random.
func accountNumber(franchiserID string) string { return franchiserID[max(0, len(franchiserID)-12):] }

// stateName returns the name of a State as Tally lists it.
func stateName(code invoice.StateCode) string {
	if code == "26" {
		return "Dadra & Nagar Haveli and Daman & Diu"
	}
	return strings.Replace(code.Name(), " and ", " & ", 1)
}

func registration(gstin string) string {
	if gstin == "" {
		return "Unregistered/Consumer"
	}
	return "Regular"
}

// ledgers returns the file of masters: our accounts if they are wanted, and the customers.
func (b books) ledgers(withAccounts bool, customers []string) ([]byte, error) {
	e := envelope{Request: "Import Data", Report: "All Masters"}
	if withAccounts {
		for _, a := range b.balances {
			g, ok := groups()[a.Account]
			if !ok {
				continue
			}
			name := prefix + a.Name
			l := &tallyLedger{Name: name, Action: "Create", Names: []string{name}, Parent: g.parent}
			if g.head != "" {
				l.TaxType, l.DutyHead = "GST", g.head
			}
			if a.Account == ledger.AccountRevenue || a.Account == ledger.AccountRefunds {
				l.GSTApplicable, l.SupplyType = "Applicable", "Services"
			}
			e.Messages = append(e.Messages, message{Ledger: l})
		}
	}
	for _, id := range customers {
		n := b.named[id]
		e.Messages = append(e.Messages, message{Ledger: &tallyLedger{
			Name: party(id), Action: "Create", Names: []string{party(id)}, Parent: "Sundry Debtors", BillWise: "Yes", MailingName: &mailing{n.Name},
			Country: "India", State: stateName(n.StateCode), Registration: registration(n.GSTIN), GSTIN: n.GSTIN,
		}})
	}
	return marshal(e)
}

func marshal(e envelope) ([]byte, error) {
	raw, err := xml.MarshalIndent(e, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the file for Tally: %w", err)
	}
	return append([]byte(xml.Header), append(raw, '\n')...), nil
}

// vouchers returns the file of vouchers: one for each entry of the books.
func (b books) vouchers() ([]byte, error) {
	e := envelope{Request: "Import Data", Report: "Vouchers"}
	for _, lines := range b.entries {
		e.Messages = append(e.Messages, message{Voucher: b.voucher(lines)})
	}
	return marshal(e)
}

// voucherType returns the type of the voucher: money on the bank account is a receipt or a payment, which Tally keeps apart from journals.
func voucherType(lines []ledger.EntryLine) string {
	switch lines[0].Kind { //nolint:exhaustive // the others go by their accounts
	case ledger.KindSale:
		return "Sales"
	case ledger.KindCreditNote:
		return "Credit Note"
	}
	for _, l := range lines {
		if l.Account == ledger.AccountBank {
			if l.Debit > 0 {
				return "Receipt"
			}
			return "Payment"
		}
	}
	return "Journal"
}

func (b books) voucher(lines []ledger.EntryLine) *tallyVoucher {
	first := lines[0]
	v := &tallyVoucher{
		RemoteID: "f360-" + first.JournalID, Type: voucherType(lines), Action: "Create", View: "Accounting Voucher View",
		Date: first.PostedAt.In(clock.IST).Format("20060102"), Narration: first.Description,
		Persisted: "Accounting Voucher View", IsInvoice: "No",
	}
	v.TypeName = v.Type
	d, documented := b.documents[first.InvoiceID]
	documented = documented && (v.Type == "Sales" || v.Type == "Credit Note")
	if first.FranchiserID != "" {
		v.Party = party(first.FranchiserID)
	}
	if documented {
		v.Number, v.PartyName, v.PartyGSTIN, v.Registration = d.Number, d.Name, d.GSTIN, registration(d.GSTIN)
		v.State, v.Place, v.Country = stateName(d.PlaceOfSupply), stateName(d.PlaceOfSupply), "India"
	}
	for _, l := range lines {
		switch {
		case ofCustomer(l.Account):
			one := entry(party(l.FranchiserID), l.Debit-l.Credit)
			one.Party, one.Bill = "Yes", b.bill(l, d, documented)
			v.Entries = append(v.Entries, one)
		case documented && (l.Account == ledger.AccountRevenue || l.Account == ledger.AccountRefunds):
			v.Entries = append(v.Entries, b.supplies(l, d)...)
		default:
			v.Entries = append(v.Entries, entry(b.names[l.Account], l.Debit-l.Credit))
		}
	}
	return v
}

// entry is a line of a voucher; debit is negative where it is credited.
func entry(name string, debit money.Paise) tallyEntry {
	one := tallyEntry{Ledger: name, Debit: "No", Amount: (-debit).Decimal()}
	if debit > 0 {
		one.Debit = "Yes"
	}
	return one
}

// supplies splits the value of a document by service code and rate.
func (b books) supplies(l ledger.EntryLine, d invoice.Taxed) []tallyEntry {
	if d.Commercial { // a note without GST
		return []tallyEntry{entry(b.names[l.Account], l.Debit-l.Credit)}
	}
	var list []tallyEntry
	for _, line := range d.Lines {
		debit := line.Taxable
		if l.Credit > 0 {
			debit = -debit
		}
		one := entry(b.names[l.Account], debit)
		one.SAC, one.SupplyType, one.Taxability = line.SAC, "Services", "Taxable"
		half := percent(line.RateBps, 2)
		switch d.Regime {
		case invoice.RegimeInterState:
			one.Rates = []tallyRate{{"IGST", percent(line.RateBps, 1)}}
		case invoice.RegimeState, invoice.RegimeUnionTerritory:
			one.Rates = []tallyRate{{"CGST", half}, {"SGST/UTGST", half}}
		}
		list = append(list, one)
	}
	return list
}

// bill returns the bill of a customer's amount: an invoice opens its own; a credit note and a payment refer to the invoice's.
func (b books) bill(l ledger.EntryLine, d invoice.Taxed, documented bool) *tallyBill {
	amount := (l.Credit - l.Debit).Decimal()
	switch {
	case documented && l.Kind == ledger.KindSale:
		return &tallyBill{Name: d.Number, Type: "New Ref", Amount: amount}
	case documented && d.OriginalNumber != "":
		return &tallyBill{Name: d.OriginalNumber, Type: "Agst Ref", Amount: amount}
	case b.numbers[l.PaymentID] != "":
		return &tallyBill{Name: b.numbers[l.PaymentID], Type: "Agst Ref", Amount: amount}
	default:
		return &tallyBill{Type: "On Account", Amount: amount}
	}
}

// percent writes basis points divided by parts as percent: 18, 9, 2.5.
func percent(bps, parts int64) string { return string(money.Paise(bps / parts).Rupees()) }

// dayOf returns the day of a moment in India as YYYY-MM-DD.
func dayOf(at time.Time) string { return at.In(clock.IST).Format(time.DateOnly) }
