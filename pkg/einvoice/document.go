package einvoice

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Document is the request to the portal: schema 1.1 of the e-invoice (notification 60/2020, central tax), without fields that never apply
// to services of a platform.
type Document struct {
	Version  string     `json:"Version"`
	Tran     Tran       `json:"TranDtls"`
	Doc      Doc        `json:"DocDtls"`
	Seller   Party      `json:"SellerDtls"`
	Buyer    Party      `json:"BuyerDtls"`
	Items    []Item     `json:"ItemList"`
	Values   Values     `json:"ValDtls"`
	Original *Reference `json:"RefDtls,omitempty"`
}

// Tran is the kind of the supply.
type Tran struct {
	Scheme        string `json:"TaxSch"`
	Supply        string `json:"SupTyp"`
	ReverseCharge string `json:"RegRev"`
	IGSTOnIntra   string `json:"IgstOnIntra"`
}

// Doc names the document; Date is DD/MM/YYYY in India.
type Doc struct {
	Type   string `json:"Typ"`
	Number string `json:"No"`
	Date   string `json:"Dt"`
}

// Party is the supplier or the recipient. Place is the place of supply, of the recipient only.
type Party struct {
	GSTIN    string `json:"Gstin"`
	Name     string `json:"LglNm"`
	Place    string `json:"Pos,omitempty"`
	Address1 string `json:"Addr1"`
	Address2 string `json:"Addr2,omitempty"`
	Location string `json:"Loc"`
	Pin      int    `json:"Pin"`
	State    string `json:"Stcd"`
}

// Item is a line.
type Item struct {
	Position  string  `json:"SlNo"`
	Product   string  `json:"PrdDesc"`
	Service   string  `json:"IsServc"`
	Code      string  `json:"HsnCd"`
	Quantity  int64   `json:"Qty"`
	Unit      string  `json:"Unit"`
	UnitPrice rupees  `json:"UnitPrice"`
	Total     rupees  `json:"TotAmt"`
	Discount  rupees  `json:"Discount"`
	Assessed  rupees  `json:"AssAmt"`
	Rate      percent `json:"GstRt"`
	IGST      rupees  `json:"IgstAmt"`
	CGST      rupees  `json:"CgstAmt"`
	SGST      rupees  `json:"SgstAmt"`
	Value     rupees  `json:"TotItemVal"`
}

// Values are the sums.
type Values struct {
	Assessed rupees `json:"AssVal"`
	CGST     rupees `json:"CgstVal"`
	SGST     rupees `json:"SgstVal"`
	IGST     rupees `json:"IgstVal"`
	Total    rupees `json:"TotInvVal"`
}

// Reference names the invoice that a credit note reduces.
type Reference struct {
	Preceding []Preceding `json:"PrecDocDtls"`
}

// Preceding is an earlier document.
type Preceding struct {
	Number string `json:"InvNo"`
	Date   string `json:"InvDt"`
}

// rupees writes paise as rupees with two decimals.
type rupees money.Paise

// MarshalJSON writes 123.45.
func (r rupees) MarshalJSON() ([]byte, error) { return decimal(int64(r)), nil }

// percent writes hundredths of a per cent as per cent.
type percent int64

// MarshalJSON writes 18.00.
func (p percent) MarshalJSON() ([]byte, error) { return decimal(int64(p)), nil }

func decimal(hundredths int64) []byte {
	text := strconv.FormatInt(hundredths, 10)
	for len(text) < 3 {
		text = "0" + text
	}
	return []byte(text[:len(text)-2] + "." + text[len(text)-2:])
}

// errNoPin reports an address without a PIN, which the portal requires.
var errNoPin = errors.New("einvoice: an address without a PIN code")

// DocumentOf returns the document as the portal wants it.
func DocumentOf(i invoice.Invoice) (Document, error) {
	seller, err := party(i.Supplier.Name, i.Supplier.GSTIN, i.Supplier.StateCode, i.Supplier.Address)
	if err != nil {
		return Document{}, err
	}
	buyer, err := party(i.Recipient.Name, i.Recipient.GSTIN, i.Recipient.StateCode, i.Recipient.Address)
	if err != nil {
		return Document{}, err
	}
	buyer.Place = string(i.PlaceOfSupply)
	d := Document{
		Version: "1.1", Doc: Doc{Type: typeOf(i), Number: i.Number, Date: day(i.IssuedAt)}, Seller: seller, Buyer: buyer,
		Tran: Tran{Scheme: "GST", Supply: "B2B", ReverseCharge: "N", IGSTOnIntra: "N"},
		Values: Values{
			Assessed: rupees(i.Totals.Taxable), CGST: rupees(i.Totals.CGST), SGST: rupees(i.Totals.SGST + i.Totals.UTGST),
			IGST: rupees(i.Totals.IGST), Total: rupees(i.Totals.Total),
		},
	}
	if i.Recipient.SEZ {
		d.Tran.Supply = "SEZWP"
	}
	if i.OriginalNumber != "" {
		d.Original = &Reference{Preceding: []Preceding{{Number: i.OriginalNumber, Date: day(i.OriginalDate)}}}
	}
	for _, l := range i.Lines {
		d.Items = append(d.Items, Item{
			Position: strconv.Itoa(l.Position), Product: cut(l.Description, maxProduct), Service: "Y", Code: l.SAC,
			Quantity: 1, Unit: "OTH", UnitPrice: rupees(l.Amount), Total: rupees(l.Amount), Discount: rupees(l.Discount),
			Assessed: rupees(l.Taxable), Rate: percent(l.RateBps), IGST: rupees(l.IGST), CGST: rupees(l.CGST),
			SGST: rupees(l.SGST + l.UTGST), Value: rupees(l.Total()),
		})
	}
	return d, nil
}

// The portal's limits, in characters.
const (
	maxName, maxAddress, maxLocation, maxProduct = 100, 100, 50, 300
	minText                                      = 3
)

// party reads PIN code and town from the line of the address that has both, such as "Mumbai 400051, Maharashtra".
func party(name, gstin string, state invoice.StateCode, lines []string) (Party, error) {
	p := Party{GSTIN: gstin, Name: atLeast(cut(name, maxName)), State: string(state)}
	rest := make([]string, 0, len(lines))
	for _, line := range lines {
		at := invoice.PINIn(line)
		if at == nil || p.Pin != 0 {
			rest = append(rest, line)
			continue
		}
		p.Pin, _ = strconv.Atoi(line[at[2]:at[3]] + line[at[4]:at[5]])
		p.Location = strings.Trim(line[:at[0]], " ,-")
		if p.Location == "" {
			p.Location = strings.Trim(line[at[1]:], " ,-")
		}
	}
	if p.Pin == 0 {
		return Party{}, errNoPin
	}
	if len(rest) == 0 {
		rest = []string{p.Location}
	}
	p.Location = atLeast(cut(p.Location, maxLocation))
	p.Address1 = atLeast(cut(rest[0], maxAddress))
	if two := cut(strings.Join(rest[1:], ", "), maxAddress); len([]rune(two)) >= minText {
		p.Address2 = two
	}
	return p, nil
}

func cut(s string, most int) string {
	return strings.TrimSpace(text.First(strings.TrimSpace(s), most))
}

// atLeast lengthens a text to the least that the portal takes.
func atLeast(text string) string {
	for len([]rune(text)) < minText {
		text += "."
	}
	return text
}

func day(at time.Time) string { return at.In(clock.IST).Format("02/01/2006") }
