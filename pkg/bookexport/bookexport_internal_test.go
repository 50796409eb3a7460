package bookexport

import (
	"encoding/csv"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

const (
	asha    = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4fb4"
	payment = "019ae0c2-9f00-7a11-8f00-4b1d2c3e5001"
	upgrade = "019ae0c2-9f00-7a11-8f00-4b1d2c3e5002"
)

func at() time.Time { return time.Date(2026, time.October, 21, 23, 59, 0, 0, clock.IST) }

// plan is a document of ₹1,35,000 and 18 % IGST (₹24,300), to a recipient in Karnataka with a GSTIN.
func plan(id, number string, kind invoice.Kind) (invoice.Taxed, invoice.Invoice) {
	tax := invoice.Tax{IGST: 24_300_00}
	d := invoice.Taxed{
		ID: id, FranchiserID: asha, Kind: kind, Number: number, IssuedAt: at(), Name: "Asha Sweets LLP", GSTIN: "29AAPFU0939F1ZR",
		PlaceOfSupply: "29", Regime: invoice.RegimeInterState, Total: 1_59_300_00,
		Lines: []invoice.TaxedLine{{SAC: "998315", RateBps: 1800, Taxable: 1_35_000_00, Tax: tax}},
	}
	return d, invoice.Invoice{
		ID: id, FranchiserID: asha, PaymentID: payment, Number: number, IssuedAt: at(),
		Totals: invoice.Totals{Tax: tax, Taxable: 1_35_000_00, Total: 1_59_300_00},
	}
}

// lines are those of an entry as they are read from the books.
func lines(journal string, e ledger.Entry) []ledger.EntryLine {
	var list []ledger.EntryLine
	for _, l := range e.Lines {
		list = append(list, ledger.EntryLine{
			Line: l, JournalID: journal, Kind: e.Kind, FranchiserID: e.FranchiserID, PaymentID: e.PaymentID, InvoiceID: e.InvoiceID,
			Description: e.Description, PostedAt: e.PostedAt,
		})
	}
	return list
}

// month has a sale that was captured and paid out, and its credit note of which an upgrade was paid.
func month() books {
	sold, sale := plan("i1", "F/26-27/000007", invoice.KindInvoice)
	back, note := plan("i2", "C/26-27/000001", invoice.KindCreditNote)
	back.OriginalNumber = sold.Number
	move := ledger.Movement{FranchiserID: asha, PaymentID: payment, Reference: payment, Amount: 1_59_300_00, At: at()}
	applied := move
	applied.PaymentID = upgrade
	b := books{
		named:     map[string]invoice.Named{asha: {FranchiserID: asha, Name: sold.Name, GSTIN: sold.GSTIN, StateCode: "29"}},
		documents: map[string]invoice.Taxed{"i1": sold, "i2": back}, issued: []invoice.Taxed{sold, back},
		numbers: map[string]string{payment: sold.Number, upgrade: "F/26-27/000008"}, all: []string{asha}, fresh: []string{asha},
	}
	var all []ledger.EntryLine
	for i, e := range []ledger.Entry{
		ledger.Sale(sale), ledger.Capture(move), ledger.Settlement(move, 3_186_00, 573_48), ledger.CreditNote(note), ledger.CreditApplied(applied),
	} {
		all = append(all, lines("j"+string(rune('1'+i)), e)...)
	}
	sums := map[ledger.Account]ledger.Balance{}
	for _, l := range all {
		one := sums[l.Account]
		one.Account, one.Name, one.Debit, one.Credit = l.Account, "Account "+string(l.Account), one.Debit+l.Debit, one.Credit+l.Credit
		sums[l.Account] = one
	}
	for _, one := range sums {
		b.balances = append(b.balances, one)
		b.before = append(b.before, ledger.Balance{Account: one.Account})
	}
	b.addEntries(all)
	return b
}

func read(t *testing.T, raw []byte) envelope {
	t.Helper()
	var e envelope
	require.NoError(t, xml.Unmarshal(raw, &e))
	return e
}

// paise reads an amount of a file.
func paise(t *testing.T, text string) money.Paise {
	t.Helper()
	p, err := money.Parse(text)
	require.NoError(t, err)
	return p
}

func TestVouchers_EachEntry_Balances(t *testing.T) {
	t.Parallel()
	b := month()
	raw, err := b.vouchers()
	require.NoError(t, err)
	again, err := b.vouchers()
	require.NoError(t, err)
	require.Equal(t, raw, again)
	e := read(t, raw)
	require.Len(t, e.Messages, 5)
	moved := map[string]money.Paise{}
	var types, ids []string
	for _, m := range e.Messages {
		types = append(types, m.Voucher.TypeName)
		require.Equal(t, "20261021", m.Voucher.Date)
		ids = append(ids, m.Voucher.RemoteID)
	}
	require.Equal(t, []string{"Sales", "Journal", "Receipt", "Credit Note", "Journal"}, types)
	require.Equal(t, []string{"f360-j1", "f360-j2", "f360-j3", "f360-j4", "f360-j5"}, ids)
	for _, m := range e.Messages {
		var sum money.Paise
		for _, one := range m.Voucher.Entries {
			amount := paise(t, one.Amount)
			require.Equal(t, one.Debit == "Yes", amount < 0, "a debit is negative")
			sum += amount
			moved[one.Ledger] -= amount
		}
		require.Zero(t, sum, m.Voucher.Narration)
	}
	// The invoice was paid; the credit note's amount pays another invoice, whose sale is in another month.
	require.Equal(t, money.Paise(-1_59_300_00), moved[party(asha)])
	require.Equal(t, money.Paise(1_55_540_52), moved["F360 Account bank"])
	require.Zero(t, moved["F360 Account output_igst"])
}

func TestVouchers_SaleAndCreditNote_NameTheirBillAndTax(t *testing.T) {
	t.Parallel()
	raw, err := month().vouchers()
	require.NoError(t, err)
	e := read(t, raw)
	sale, note, applied := e.Messages[0].Voucher, e.Messages[3].Voucher, e.Messages[4].Voucher
	require.Equal(t, []string{"F/26-27/000007", "Asha Sweets LLP", "29AAPFU0939F1ZR", "Regular", "Karnataka"},
		[]string{sale.Number, sale.PartyName, sale.PartyGSTIN, sale.Registration, sale.Place})
	require.Equal(t, tallyEntry{
		Ledger: party(asha), Debit: "Yes", Party: "Yes", Amount: "-159300.00",
		Bill: &tallyBill{Name: "F/26-27/000007", Type: "New Ref", Amount: "-159300.00"},
	}, sale.Entries[0])
	require.Equal(t, tallyEntry{
		Ledger: "F360 Account revenue", Debit: "No", Amount: "135000.00", SAC: "998315", Taxability: "Taxable", SupplyType: "Services",
		Rates: []tallyRate{{"IGST", "18"}},
	}, sale.Entries[1])
	require.Equal(t, tallyBill{Name: "F/26-27/000007", Type: "Agst Ref", Amount: "159300.00"}, *note.Entries[len(note.Entries)-1].Bill)
	require.Equal(t, "F/26-27/000008", applied.Entries[1].Bill.Name)

	b := month()
	d := b.documents["i1"]
	d.Regime, d.Lines[0].RateBps = invoice.RegimeUnionTerritory, 500
	b.documents["i1"] = d
	require.Equal(t, []tallyRate{{"CGST", "2.5"}, {"SGST/UTGST", "2.5"}}, b.voucher(b.entries[0]).Entries[1].Rates)
	d.Commercial = true
	require.Empty(t, b.supplies(b.entries[0][1], d)[0].SAC)
}

func TestExport_HostileNames_StayText(t *testing.T) {
	t.Parallel()
	b := month()
	const hostile = "=cmd|' /C calc'!A0</LEDGER>&\x00"
	b.named[asha] = invoice.Named{Name: hostile, StateCode: "01"}
	raw, err := b.ledgers(true, b.all)
	require.NoError(t, err)
	e := read(t, raw)
	customer := e.Messages[len(e.Messages)-1].Ledger
	require.Equal(t, strings.ReplaceAll(hostile, "\x00", "\uFFFD"), customer.MailingName.Name)
	require.Equal(t, []string{"Sundry Debtors", "Jammu & Kashmir", "Unregistered/Consumer", "F360 Customer 4b1d2c3e4fb4"},
		[]string{customer.Parent, customer.State, customer.Registration, customer.Name})
	d := b.issued[0]
	d.Name = hostile
	b.issued[0] = d
	raw, err = b.zoho(invoice.KindInvoice)
	require.NoError(t, err)
	require.Contains(t, string(raw), `'=cmd`)
}

func TestProblems_DocumentDiffersFromTheBooks_AreNamed(t *testing.T) {
	t.Parallel()
	require.Empty(t, month().problems())
	b := month()
	b.before[0].Debit += 1
	require.Len(t, b.problems(), 1)
	b = month()
	d := b.documents["i2"]
	d.Lines = []invoice.TaxedLine{{Taxable: 1}}
	b.documents["i2"] = d
	delete(b.documents, "i1")
	require.Equal(t, []string{
		"Invoice F/26-27/000007 is ₹1,35,000 in the books and ₹0 in its document",
		"Credit note C/26-27/000001 is ₹1,35,000 in the books and ₹0.01 in its document",
	}, b.problems())
}

func TestZohoFiles_StatesAndRates_AreThoseZohoLists(t *testing.T) {
	t.Parallel()
	for _, s := range invoice.States() {
		require.Len(t, zohoStates()[s.Code], 2, s.Name)
	}
	require.Equal(t, []string{"AD", "DN", "OT", "TS", "UK", "OD", "CG"}, []string{
		zohoStates()["37"], zohoStates()["26"], zohoStates()["97"], zohoStates()["36"], zohoStates()["05"], zohoStates()["21"], zohoStates()["22"],
	})
	one := invoice.Taxed{Name: "Ravi Kumar", FranchiserID: "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"}
	other := one
	other.FranchiserID = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51"
	require.NotEqual(t, customerName(one), customerName(other), "two customers of one name stay two contacts")
	raw, err := month().zoho(invoice.KindInvoice)
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(raw))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2)
	row := map[string]string{}
	for i, head := range rows[0] {
		row[head] = rows[1][i]
	}
	for head, value := range map[string]string{
		"Invoice Number": "F/26-27/000007", "Invoice Date": "2026-10-21", "GST Treatment": "business_registered_regular", "Place of Supply": "KA",
		"HSN/SAC": "998315", "Item Price": "135000.00", "Item Tax": "IGST18", "Is Inclusive Tax": "false",
	} {
		require.Equal(t, value, row[head], head)
	}
	raw, err = month().zoho(invoice.KindCreditNote)
	require.NoError(t, err)
	require.Contains(t, string(raw), "F/26-27/000007,Others")
	require.Equal(t, "consumer", treatment(invoice.Taxed{}))
	require.Equal(t, "business_sez", treatment(invoice.Taxed{SEZ: true, GSTIN: "x"}))
	require.Equal(t, "GST5", taxName(invoice.Taxed{Regime: invoice.RegimeState}, 500))
}
