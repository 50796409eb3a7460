package bookexport

import (
	"bytes"
	"encoding/csv"
	"fmt"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// zohoStates are the codes of places of supply in Zoho Books (zoho.com/in/books/kb/gst/valid-state-codes-list).
func zohoStates() map[invoice.StateCode]string {
	return map[invoice.StateCode]string{
		"01": "JK", "02": "HP", "03": "PB", "04": "CH", "05": "UK", "06": "HR", "07": "DL", "08": "RJ", "09": "UP", "10": "BR", "11": "SK",
		"12": "AR", "13": "NL", "14": "MN", "15": "MZ", "16": "TR", "17": "ML", "18": "AS", "19": "WB", "20": "JH", "21": "OD", "22": "CG",
		"23": "MP", "24": "GJ", "26": "DN", "27": "MH", "29": "KA", "30": "GA", "31": "LD", "32": "KL", "33": "TN", "34": "PY", "35": "AN",
		"36": "TS", "37": "AD", "38": "LA", "97": "OT",
	}
}

// treatment is how GST treats the recipient, in the words of Zoho's import of files (zoho.com/in/books/kb/gst/gst-import-format). Those of its
// API differ: business_gst.
func treatment(d invoice.Taxed) string {
	switch {
	case d.SEZ:
		return "business_sez"
	case d.GSTIN != "":
		return "business_registered_regular"
	default:
		return "consumer"
	}
}

// customerName is the recipient's name with a number of the account. Zoho's import knows customers by their name alone, which has to be unique
// (zoho.com/books/kb/wave-migration/item-customer-skip): two of one name would become one contact.
func customerName(d invoice.Taxed) string {
	return d.Name + " (F360-" + accountNumber(d.FranchiserID) + ")"
}

// taxName is the name of a rate among Zoho's own taxes: a group within the State, IGST across States.
func taxName(d invoice.Taxed, rateBps int64) string {
	if d.Regime == invoice.RegimeInterState {
		return "IGST" + percent(rateBps, 1)
	}
	return "GST" + percent(rateBps, 1)
}

// zoho returns the documents of a kind in the format of the import of invoices or credit notes in Zoho Books: a row for each service code
// and rate.
func (b books) zoho(kind invoice.Kind) ([]byte, error) {
	label, extra := "Invoice", []string{"Due Date"}
	if kind == invoice.KindCreditNote {
		label, extra = "Credit Note", []string{"Associated Invoice Number", "Reason"}
	}
	heads := append([]string{
		label + " Number", label + " Date", label + " Status", "Customer Name", "GST Treatment", "GST Identification Number (GSTIN)",
		"Place of Supply", "Currency Code", "Account", "Item Name", "Item Type", "HSN/SAC", "Quantity", "Item Price", "Item Tax", "Is Inclusive Tax",
	}, extra...)
	rows := [][]string{heads}
	for _, d := range b.issued {
		if d.Kind != kind || d.Commercial {
			continue
		}
		status, more := "Closed", []string{dayOf(d.IssuedAt)}
		if kind == invoice.KindCreditNote {
			status, more = "Open", []string{d.OriginalNumber, "Others"}
		}
		for _, l := range d.Lines {
			rows = append(rows, append([]string{
				d.Number, dayOf(d.IssuedAt), status, text.Cell(customerName(d)), treatment(d), d.GSTIN, zohoStates()[d.PlaceOfSupply], "INR", "Sales",
				"Subscription", "service", l.SAC, "1", l.Taxable.Decimal(), taxName(d, l.RateBps), "false",
			}, more...))
		}
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("write the file for Zoho Books: %w", err)
	}
	return out.Bytes(), nil
}
