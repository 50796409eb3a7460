package handler

import (
	"time"

	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// settlementView is a gateway's payout for one day, with its differences from the books.
type settlementView struct {
	Gateway     string           `json:"gateway"`
	Day         subscription.Day `json:"day"`
	Lines       int              `json:"lines"`
	Captured    int64            `json:"captured_paise"`
	Refunded    int64            `json:"refunded_paise"`
	Fee         int64            `json:"fee_paise"`
	Tax         int64            `json:"tax_paise"`
	Net         int64            `json:"net_paise"`
	ComparedAt  time.Time        `json:"compared_at"`
	Differences []differenceView `json:"differences"`
}

func viewOfSettlement(d settlement.ComparedDay) settlementView {
	return settlementView{
		Gateway: d.Gateway, Day: d.Day, Lines: d.Lines, Captured: int64(d.Captured), Refunded: int64(d.Refunded), Fee: int64(d.Fee),
		Tax: int64(d.Tax), Net: int64(d.Net), ComparedAt: d.ComparedAt.UTC(), Differences: viewsOfDifferences(d.Differences),
	}
}

type differenceView struct {
	ID            string                    `json:"id"`
	Gateway       string                    `json:"gateway"`
	Day           subscription.Day          `json:"day"`
	TransactionID string                    `json:"transaction_id"`
	Kind          settlement.DifferenceKind `json:"kind"`
	Meaning       string                    `json:"meaning"`
	Ours          int64                     `json:"ours_paise"`
	Theirs        int64                     `json:"theirs_paise"`
	OpenedAt      time.Time                 `json:"opened_at"`
	ClearedAt     *time.Time                `json:"cleared_at"`
	// CanAcknowledge reports whether the difference is open and nothing will ever clear it.
	CanAcknowledge bool                 `json:"can_acknowledge"`
	Acknowledged   *acknowledgementView `json:"acknowledged"`
}

type acknowledgementView struct {
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Reason string    `json:"reason"`
}

func viewsOfDifferences(differences []settlement.Difference) []differenceView {
	views := make([]differenceView, 0, len(differences))
	for _, x := range differences {
		v := differenceView{
			ID: x.ID, Gateway: x.Gateway, Day: x.Day, TransactionID: x.TransactionID, Kind: x.Kind, Meaning: x.Kind.Meaning(), Ours: int64(x.Ours),
			Theirs: int64(x.Theirs), OpenedAt: x.OpenedAt.UTC(), ClearedAt: utc(x.ClearedAt), CanAcknowledge: x.Open() && !x.Kind.Clears(),
		}
		if at := x.Acknowledged.At; at != nil {
			v.Acknowledged = &acknowledgementView{At: at.UTC(), By: x.Acknowledged.By, Reason: x.Acknowledged.Reason}
		}
		views = append(views, v)
	}
	return views
}

// settlementLineView is one line of a settlement; SettledAt is null while pending, BookedAt until booked.
type settlementLineView struct {
	Gateway          string           `json:"gateway"`
	Day              subscription.Day `json:"day"`
	LineID           string           `json:"line_id"`
	Kind             settlement.Kind  `json:"kind"`
	Action           string           `json:"action"`
	TransactionID    string           `json:"transaction_id"`
	GatewayPaymentID string           `json:"gateway_payment_id"`
	RefundID         string           `json:"refund_id"`
	Amount           int64            `json:"amount_paise"`
	Fee              int64            `json:"fee_paise"`
	Tax              int64            `json:"tax_paise"`
	Net              int64            `json:"net_paise"`
	SettlementID     string           `json:"settlement_id"`
	UTR              string           `json:"utr"`
	SettledAt        *time.Time       `json:"settled_at"`
	BookedAt         *time.Time       `json:"booked_at"`
	WaitsFor         string           `json:"waits_for"`
}

func viewsOfLines(lines []settlement.StoredLine) []settlementLineView {
	views := make([]settlementLineView, 0, len(lines))
	for _, l := range lines {
		v := settlementLineView{
			Gateway: l.Gateway, Day: l.Day, LineID: l.ID, Kind: l.Kind, Action: l.Action, TransactionID: l.TransactionID,
			GatewayPaymentID: l.GatewayPaymentID, RefundID: l.RefundID, Amount: int64(l.Amount), Fee: int64(l.Fee), Tax: int64(l.FeeTax),
			Net: int64(l.Net), SettlementID: l.SettlementID, UTR: l.UTR, BookedAt: utc(l.BookedAt), WaitsFor: settlement.WaitMeaning(l.BlockedBy),
		}
		if !l.Pending {
			v.SettledAt = utcOrNull(l.At)
		}
		views = append(views, v)
	}
	return views
}
