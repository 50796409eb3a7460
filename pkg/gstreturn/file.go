package gstreturn

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// toolVersion is the version of GSTN's returns offline tool whose format the file has; the portal expects the hash as this very word.
const toolVersion, toolHash = "GST3.2.4", "hash"

type file struct {
	GSTIN   string      `json:"gstin"`
	Period  string      `json:"fp"`
	Version string      `json:"version"`
	Hash    string      `json:"hash"`
	B2B     []fileParty `json:"b2b,omitempty"`
	B2CL    []filePlace `json:"b2cl,omitempty"`
	B2CS    []fileRow   `json:"b2cs,omitempty"`
	CDNR    []fileParty `json:"cdnr,omitempty"`
	CDNUR   []fileDoc   `json:"cdnur,omitempty"`
	AT      []fileAdv   `json:"at,omitempty"`
	TXPD    []fileAdv   `json:"txpd,omitempty"`
	HSN     *fileHSN    `json:"hsn,omitempty"`
	Issued  *fileIssued `json:"doc_issue,omitempty"`
}

type fileParty struct {
	GSTIN    string    `json:"ctin"`
	Invoices []fileDoc `json:"inv,omitempty"`
	Notes    []fileDoc `json:"nt,omitempty"`
}

type filePlace struct {
	Place    invoice.StateCode `json:"pos"`
	Invoices []fileDoc         `json:"inv"`
}

type fileDoc struct {
	Number     string            `json:"inum,omitempty"`
	Date       string            `json:"idt,omitempty"`
	NoteNumber string            `json:"nt_num,omitempty"`
	NoteDate   string            `json:"nt_dt,omitempty"`
	NoteKind   string            `json:"ntty,omitempty"`
	Value      json.Number       `json:"val"`
	Place      invoice.StateCode `json:"pos,omitempty"`
	Type       string            `json:"typ,omitempty"`
	Reverse    string            `json:"rchrg,omitempty"`
	Kind       string            `json:"inv_typ,omitempty"`
	Items      []fileItem        `json:"itms"`
}

type fileItem struct {
	Number int64      `json:"num"`
	Detail fileDetail `json:"itm_det"`
}

type fileDetail struct {
	Taxable json.Number `json:"txval"`
	Rate    json.Number `json:"rt"`
	fileTax
}

// fileTax has the heads that apply, and a cess that is never owed here.
type fileTax struct {
	IGST json.Number `json:"iamt,omitempty"`
	CGST json.Number `json:"camt,omitempty"`
	SGST json.Number `json:"samt,omitempty"`
	Cess json.Number `json:"csamt"`
}

type fileRow struct {
	Supply  string            `json:"sply_ty"`
	Rate    json.Number       `json:"rt"`
	Type    string            `json:"typ"`
	Place   invoice.StateCode `json:"pos"`
	Taxable json.Number       `json:"txval"`
	fileTax
}

type fileAdv struct {
	Place  invoice.StateCode `json:"pos"`
	Supply string            `json:"sply_ty"`
	Items  []fileAdvItem     `json:"itms"`
}

type fileAdvItem struct {
	Rate    json.Number `json:"rt"`
	Advance json.Number `json:"ad_amt"`
	fileTax
}

type fileHSN struct {
	B2B []fileCode `json:"hsn_b2b,omitempty"`
	B2C []fileCode `json:"hsn_b2c,omitempty"`
}

type fileCode struct {
	Number   int         `json:"num"`
	SAC      string      `json:"hsn_sc"`
	Unit     string      `json:"uqc"`
	Quantity int         `json:"qty"`
	Rate     json.Number `json:"rt"`
	Taxable  json.Number `json:"txval"`
	IGST     json.Number `json:"iamt"`
	CGST     json.Number `json:"camt"`
	SGST     json.Number `json:"samt"`
	Cess     json.Number `json:"csamt"`
}

type fileIssued struct {
	Natures []fileNature `json:"doc_det"`
}

type fileNature struct {
	Number int         `json:"doc_num"`
	Series []fileRange `json:"docs"`
}

type fileRange struct {
	Number    int    `json:"num"`
	From      string `json:"from"`
	To        string `json:"to"`
	Total     int64  `json:"totnum"`
	Cancelled int64  `json:"cancel"`
	Net       int64  `json:"net_issue"`
}

// JSON returns the file that GSTN's offline tool and the portal import.
func (r Return) JSON() ([]byte, error) {
	f := file{GSTIN: r.GSTIN, Period: r.Month.period(), Version: toolVersion, Hash: toolHash}
	f.B2B = parties(r.Documents[TableB2B], false)
	f.CDNR = parties(r.Documents[TableCDNR], true)
	at := map[invoice.StateCode]int{}
	for _, d := range r.Documents[TableB2CL] {
		i, ok := at[d.PlaceOfSupply]
		if !ok {
			i = len(f.B2CL)
			at[d.PlaceOfSupply], f.B2CL = i, append(f.B2CL, filePlace{Place: d.PlaceOfSupply})
		}
		f.B2CL[i].Invoices = append(f.B2CL[i].Invoices, fileDoc{
			Number: d.Number, Date: dateOf(d), Value: d.Total.Rupees(), Items: itemsOf(d, true),
		})
	}
	for _, d := range r.Documents[TableCDNUR] {
		f.CDNUR = append(f.CDNUR, fileDoc{
			NoteNumber: d.Number, NoteDate: dateOf(d), NoteKind: "C", Value: d.Total.Rupees(), Place: d.PlaceOfSupply, Type: "B2CL",
			Items: itemsOf(d, true),
		})
	}
	for _, row := range r.Rows[TableB2CS] {
		f.B2CS = append(f.B2CS, fileRow{
			Supply: supply(row.AcrossState), Rate: rateOf(row.RateBps), Type: "OE", Place: row.Place, Taxable: row.Taxable.Rupees(),
			fileTax: taxOf(row.Item, row.AcrossState),
		})
	}
	f.AT, f.TXPD = advances(r.Rows[TableAT]), advances(r.Rows[TableTXPD])
	if len(r.Registered)+len(r.Others) > 0 {
		f.HSN = &fileHSN{B2B: codes(r.Registered), B2C: codes(r.Others)}
	}
	if len(r.Series) > 0 {
		f.Issued = &fileIssued{Natures: natures(r.Series)}
	}
	raw, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("write return: %w", err)
	}
	return raw, nil
}

// DayOf returns the day of a document in India as YYYY-MM-DD.
func DayOf(d Document) string { return d.IssuedAt.In(clock.IST).Format(time.DateOnly) }

func dateOf(d Document) string { return d.IssuedAt.In(clock.IST).Format("02-01-2006") }

// parties groups documents by the recipient's GSTIN, in the order of their first ones.
func parties(list []Document, notes bool) []fileParty {
	var found []fileParty
	at := map[string]int{}
	for _, d := range list {
		i, ok := at[d.GSTIN]
		if !ok {
			i = len(found)
			at[d.GSTIN], found = i, append(found, fileParty{GSTIN: d.GSTIN})
		}
		kind := "R"
		if d.SEZ {
			kind = "SEWP" // with payment of tax
		}
		doc := fileDoc{Value: d.Total.Rupees(), Place: d.PlaceOfSupply, Reverse: "N", Kind: kind, Items: itemsOf(d, across(d.Taxed))}
		if notes {
			doc.NoteNumber, doc.NoteDate, doc.NoteKind = d.Number, dateOf(d), "C"
			found[i].Notes = append(found[i].Notes, doc)
			continue
		}
		doc.Number, doc.Date = d.Number, dateOf(d)
		found[i].Invoices = append(found[i].Invoices, doc)
	}
	return found
}

// itemsOf returns one item for each rate; the portal takes the last of two with one rate.
func itemsOf(d Document, acrossStates bool) []fileItem {
	list := make([]fileItem, 0, len(d.Items))
	for _, item := range d.Items {
		list = append(list, fileItem{
			Number: item.RateBps + 1,
			Detail: fileDetail{Taxable: item.Taxable.Rupees(), Rate: rateOf(item.RateBps), fileTax: taxOf(item, acrossStates)},
		})
	}
	return list
}

func taxOf(i Item, acrossStates bool) fileTax {
	if acrossStates {
		return fileTax{IGST: i.IGST.Rupees(), Cess: "0"}
	}
	return fileTax{CGST: i.CGST.Rupees(), SGST: (i.SGST + i.UTGST).Rupees(), Cess: "0"}
}

func supply(acrossStates bool) string {
	if acrossStates {
		return "INTER"
	}
	return "INTRA"
}

func advances(rows []Row) []fileAdv {
	var list []fileAdv
	for _, row := range rows {
		item := fileAdvItem{Rate: rateOf(row.RateBps), Advance: row.Taxable.Rupees(), fileTax: taxOf(row.Item, row.AcrossState)}
		if n := len(list); n > 0 && list[n-1].Place == row.Place && list[n-1].Supply == supply(row.AcrossState) {
			list[n-1].Items = append(list[n-1].Items, item)
			continue
		}
		list = append(list, fileAdv{Place: row.Place, Supply: supply(row.AcrossState), Items: []fileAdvItem{item}})
	}
	return list
}

func codes(list []Code) []fileCode {
	out := make([]fileCode, 0, len(list))
	for i, c := range list {
		out = append(out, fileCode{
			Number: i + 1, SAC: c.SAC, Unit: "NA", Rate: rateOf(c.RateBps), Taxable: c.Taxable.Rupees(), IGST: c.IGST.Rupees(),
			CGST: c.CGST.Rupees(), SGST: (c.SGST + c.UTGST).Rupees(), Cess: "0",
		})
	}
	return out
}

// nature is the form's number for a kind of document in table 13.
func nature(k invoice.Kind) int {
	switch k {
	case invoice.KindCreditNote:
		return 5
	case invoice.KindReceiptVoucher:
		return 6
	case invoice.KindRefundVoucher:
		return 8
	default:
		return 1
	}
}

// natures has the numbers that no document here has as cancelled, which a restore lost and which are not given again, and those whose
// document was cancelled at the Invoice Registration Portal.
func natures(list []Series) []fileNature {
	var out []fileNature
	for _, s := range list {
		n := nature(s.Kind)
		if len(out) == 0 || out[len(out)-1].Number != n {
			out = append(out, fileNature{Number: n})
		}
		last := &out[len(out)-1]
		last.Series = append(last.Series, fileRange{
			Number: len(last.Series) + 1, From: s.From, To: s.To, Total: s.Issued + s.Lost, Cancelled: s.Lost + s.Cancelled, Net: s.Issued - s.Cancelled,
		})
	}
	return out
}

// rateOf writes basis points as the percentage that the form has: 18, 0.25.
func rateOf(bps int64) json.Number { return json.Number(percent(bps)) }

func percent(bps int64) string {
	text := strconv.FormatInt(bps/100, 10)
	if rest := bps % 100; rest != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%02d", rest), "0")
	}
	return text
}

// CSV returns a table with the headings of the offline tool's templates, dates as 05-Nov-2026.
func (r Return) CSV(t Table) [][]string {
	place := func(c invoice.StateCode) string { return string(c) + "-" + c.Name() }
	date := func(d Document) string { return d.IssuedAt.In(clock.IST).Format("02-Jan-2006") }
	var rows [][]string
	switch t {
	case TableB2B, TableCDNR:
		if t == TableB2B {
			rows = append(rows, []string{
				"GSTIN/UIN of Recipient", "Receiver Name", "Invoice Number", "Invoice date", "Invoice Value", "Place Of Supply",
				"Reverse Charge", "Applicable % of Tax Rate", "Invoice Type", "E-Commerce GSTIN", "Rate", "Taxable Value", "Cess Amount",
			})
		} else {
			rows = append(rows, []string{
				"GSTIN/UIN of Recipient", "Receiver Name", "Note Number", "Note Date", "Note Type", "Place Of Supply", "Reverse Charge",
				"Note Supply Type", "Note Value", "Applicable % of Tax Rate", "Rate", "Taxable Value", "Cess Amount",
			})
		}
		for _, d := range r.Documents[t] {
			kind := "Regular B2B"
			if d.SEZ {
				kind = "SEZ supplies with payment"
			}
			for _, i := range d.Items {
				if t == TableB2B {
					rows = append(rows, []string{
						d.GSTIN, d.Name, d.Number, date(d), d.Total.Decimal(), place(d.PlaceOfSupply), "N", "", kind, "", percent(i.RateBps),
						i.Taxable.Decimal(), "",
					})
					continue
				}
				rows = append(rows, []string{
					d.GSTIN, d.Name, d.Number, date(d), "C", place(d.PlaceOfSupply), "N", kind, d.Total.Decimal(), "", percent(i.RateBps),
					i.Taxable.Decimal(), "",
				})
			}
		}
	case TableB2CL:
		rows = append(rows, []string{
			"Invoice Number", "Invoice date", "Invoice Value", "Place Of Supply", "Applicable % of Tax Rate", "Rate", "Taxable Value",
			"Cess Amount", "E-Commerce GSTIN",
		})
		for _, d := range r.Documents[t] {
			for _, i := range d.Items {
				rows = append(rows, []string{
					d.Number, date(d), d.Total.Decimal(), place(d.PlaceOfSupply), "", percent(i.RateBps), i.Taxable.Decimal(), "", "",
				})
			}
		}
	case TableCDNUR:
		rows = append(rows, []string{
			"UR Type", "Note Number", "Note Date", "Note Type", "Place Of Supply", "Note Value", "Applicable % of Tax Rate", "Rate",
			"Taxable Value", "Cess Amount",
		})
		for _, d := range r.Documents[t] {
			for _, i := range d.Items {
				rows = append(rows, []string{
					"B2CL", d.Number, date(d), "C", place(d.PlaceOfSupply), d.Total.Decimal(), "", percent(i.RateBps), i.Taxable.Decimal(), "",
				})
			}
		}
	case TableB2CS:
		rows = append(rows, []string{
			"Type", "Place Of Supply", "Applicable % of Tax Rate", "Rate", "Taxable Value", "Cess Amount", "E-Commerce GSTIN",
		})
		for _, row := range r.Rows[t] {
			rows = append(rows, []string{"OE", place(row.Place), "", percent(row.RateBps), row.Taxable.Decimal(), "", ""})
		}
	case TableAT, TableTXPD:
		amount := map[Table]string{TableAT: "Gross Advance Received", TableTXPD: "Gross Advance Adjusted"}[t]
		rows = append(rows, []string{"Place Of Supply", "Applicable % of Tax Rate", "Rate", amount, "Cess Amount"})
		for _, row := range r.Rows[t] {
			rows = append(rows, []string{place(row.Place), "", percent(row.RateBps), row.Taxable.Decimal(), ""})
		}
	case TableHSNB2B:
		rows = hsnRows(r.Registered)
	case TableHSNB2C:
		rows = hsnRows(r.Others)
	case TableDocs:
		rows = docsRows(r.Series)
	}
	return rows
}

func hsnRows(list []Code) [][]string {
	rows := [][]string{{
		"HSN", "Description", "UQC", "Total Quantity", "Total Value", "Rate", "Taxable Value", "Integrated Tax Amount", "Central Tax Amount",
		"State/UT Tax Amount", "Cess Amount",
	}}
	for _, c := range list {
		rows = append(rows, []string{
			c.SAC, "", "NA", "0", (c.Taxable + c.Total()).Decimal(), percent(c.RateBps), c.Taxable.Decimal(), c.IGST.Decimal(), c.CGST.Decimal(),
			(c.SGST + c.UTGST).Decimal(), "",
		})
	}
	return rows
}

func docsRows(list []Series) [][]string {
	rows := [][]string{{"Nature of Document", "Sr. No. From", "Sr. No. To", "Total Number", "Cancelled"}}
	for _, s := range list {
		rows = append(rows, []string{
			natureName(s.Kind), s.From, s.To, strconv.FormatInt(s.Issued+s.Lost, 10), strconv.FormatInt(s.Lost+s.Cancelled, 10),
		})
	}
	return rows
}

// natureName is the offline tool's name of the nature of a document in table 13.
func natureName(k invoice.Kind) string {
	switch k {
	case invoice.KindCreditNote:
		return "Credit Note"
	case invoice.KindReceiptVoucher:
		return "Receipt Voucher"
	case invoice.KindRefundVoucher:
		return "Refund Voucher"
	default:
		return "Invoices for outward supply"
	}
}
