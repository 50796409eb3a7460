package handler

import (
	"encoding/json"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// backAnswer holds the refunds of a payment, in addition to the row's other fields.
type backAnswer struct {
	Refunded      string                `json:"refunded"`
	RefundedValue json.Number           `json:"refunded_value"`
	RefundState   history.ReturnedState `json:"refund_state"`
	// Captured is null if nothing was received, RefundedAt and RefundChannel if nothing was refunded.
	Captured      *string          `json:"captured"`
	Refunding     string           `json:"refunding"`
	Owed          string           `json:"owed"`
	RefundedAt    *time.Time       `json:"refunded_at"`
	RefundChannel *string          `json:"refund_channel"`
	RefundArrives *i18n.Sentence   `json:"refund_arrives"`
	Documents     []documentAnswer `json:"documents"`
	TakenAgain    []againAnswer    `json:"taken_again"`
}

// againAnswer is a duplicate charge; ReturnedAt is null until it has been refunded.
type againAnswer struct {
	Amount      string                     `json:"amount"`
	AmountValue json.Number                `json:"amount_value"`
	State       history.SecondCaptureState `json:"state"`
	AskedAt     time.Time                  `json:"asked_at"`
	ReturnedAt  *time.Time                 `json:"returned_at"`
}

type documentAnswer struct {
	ID               string       `json:"id"`
	Kind             invoice.Kind `json:"kind"`
	Number           string       `json:"number"`
	Date             time.Time    `json:"date"`
	Amount           string       `json:"amount"`
	AmountValue      json.Number  `json:"amount_value"`
	Tax              string       `json:"tax"`
	TaxValue         json.Number  `json:"tax_value"`
	Reason           string       `json:"reason"`
	ReversesInputTax bool         `json:"reverses_input_tax"`
	Replaces         string       `json:"replaces"`
	ReplacedBy       string       `json:"replaced_by"`
}

func backOf(b history.Returned) backAnswer {
	a := backAnswer{
		Refunded: (b.Done - b.Withheld).Display(), RefundedValue: (b.Done - b.Withheld).Rupees(), RefundState: b.State(),
		Refunding: b.Going.Display(), Owed: b.Owed.Display(), RefundChannel: orNull(string(b.Channel)), RefundArrives: orNull(i18n.Sentence(b.Arrives)),
		Documents: make([]documentAnswer, 0, len(b.Documents)), TakenAgain: make([]againAnswer, 0, len(b.SecondCaptures)),
	}
	if b.Captured > 0 {
		a.Captured = orNull(b.Captured.Display())
	}
	if !b.DoneAt.IsZero() {
		a.RefundedAt = &b.DoneAt
	}
	for _, d := range b.Documents {
		a.Documents = append(a.Documents, documentAnswer{
			ID: d.ID, Kind: d.Kind, Number: d.Number, Date: d.At, Amount: d.Total.Display(), AmountValue: d.Total.Rupees(),
			Tax: d.Tax.Display(), TaxValue: d.Tax.Rupees(), Reason: d.Reason, ReversesInputTax: d.ReversesInputTax,
			Replaces: d.Replaces, ReplacedBy: d.ReplacedBy,
		})
	}
	for _, again := range b.SecondCaptures {
		answer := againAnswer{Amount: again.Amount.Display(), AmountValue: again.Amount.Rupees(), State: again.State, AskedAt: again.At}
		if !again.DoneAt.IsZero() {
			answer.ReturnedAt = &again.DoneAt
		}
		a.TakenAgain = append(a.TakenAgain, answer)
	}
	return a
}
