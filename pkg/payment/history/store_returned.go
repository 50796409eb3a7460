package history

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// returnedSQL reads the returned amounts of the payment p, with p's gateway_payment_id and captured_paise.
//
//go:embed returned.sql
var returnedSQL string

// returnedText is what returnedSQL answers, an empty object where an order has no payment.
type returnedText []byte

type returnedRow struct {
	Captured       money.Paise           `json:"captured_paise"`
	Applied        money.Paise           `json:"applied_paise"`
	Done           money.Paise           `json:"done_paise"`
	Withheld       money.Paise           `json:"withheld_paise"`
	DoneAt         *time.Time            `json:"done_at"`
	Channel        payment.RefundChannel `json:"channel"`
	Gateway        string                `json:"gateway"`
	PaidWith       string                `json:"paid_with"`
	Going          money.Paise           `json:"going_paise"`
	Owed           money.Paise           `json:"owed_paise"`
	Disputed       bool                  `json:"disputed"`
	ChargedBack    bool                  `json:"charged_back"`
	SecondCaptures []secondCaptureRow    `json:"second_captures"`
	Documents      []documentRow         `json:"documents"`
}

type secondCaptureRow struct {
	Amount money.Paise        `json:"amount_paise"`
	State  SecondCaptureState `json:"state"`
	At     time.Time          `json:"at"`
	DoneAt *time.Time         `json:"done_at"`
}

type documentRow struct {
	ID               string       `json:"id"`
	Kind             invoice.Kind `json:"kind"`
	Number           string       `json:"number"`
	IssuedAt         time.Time    `json:"issued_at"`
	Total            money.Paise  `json:"total_paise"`
	Tax              money.Paise  `json:"tax_paise"`
	Taxable          money.Paise  `json:"taxable_paise"`
	CGST             money.Paise  `json:"cgst_paise"`
	SGST             money.Paise  `json:"sgst_paise"`
	UTGST            money.Paise  `json:"utgst_paise"`
	IGST             money.Paise  `json:"igst_paise"`
	GSTIN            string       `json:"gstin"`
	Name             string       `json:"name"`
	PlaceOfSupply    string       `json:"place_of_supply"`
	Reason           string       `json:"reason"`
	ReversesInputTax bool         `json:"reverses_input_tax"`
	Replaces         string       `json:"replaces"`
	ReplacedBy       string       `json:"replaced_by"`
	Correction       bool         `json:"correction"`
}

func (text returnedText) returned(providers payment.Providers) (Returned, error) {
	var r returnedRow
	if err := json.Unmarshal(text, &r); err != nil {
		return Returned{}, fmt.Errorf("read what came back: %w", err)
	}
	b := Returned{
		Captured: r.Captured, Applied: r.Applied, Done: r.Done, Withheld: r.Withheld, Going: r.Going, Owed: r.Owed, DoneAt: timeOrNone(r.DoneAt),
		Channel: r.Channel, Disputed: r.Disputed, ChargedBack: r.ChargedBack,
	}
	if b.Done > 0 || b.Going > 0 {
		var err error
		if b.Arrives, err = providers.Arrival(r.Gateway, r.PaidWith, r.Channel); err != nil {
			return Returned{}, err
		}
	}
	for _, d := range r.Documents {
		b.Documents = append(b.Documents, Document{
			ID: d.ID, Kind: d.Kind, Number: d.Number, At: d.IssuedAt.UTC(), Total: d.Total, Tax: d.Tax, Reason: d.Reason,
			ReversesInputTax: d.ReversesInputTax, Taxable: d.Taxable,
			Heads: invoice.Tax{CGST: d.CGST, SGST: d.SGST, UTGST: d.UTGST, IGST: d.IGST},
			GSTIN: d.GSTIN, Name: d.Name, PlaceOfSupply: d.PlaceOfSupply, Replaces: d.Replaces, ReplacedBy: d.ReplacedBy,
			Correction: d.Correction,
		})
	}
	for _, c := range r.SecondCaptures {
		b.SecondCaptures = append(b.SecondCaptures, SecondCapture{
			Amount: c.Amount, State: c.State, At: c.At.UTC(), DoneAt: timeOrNone(c.DoneAt),
		})
	}
	return b, nil
}

func timeOrNone(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}
