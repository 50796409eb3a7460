package handler

import (
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// viewOfTrail returns a payment's history, from the request to what reached the bank.
func viewOfTrail(t desk.Trail, settled []settlement.StoredLine) gin.H {
	p := t.Payment
	return gin.H{
		"payment": gin.H{
			"id": p.ID, "customer_id": p.FranchiserID, "transaction_id": p.TransactionID, "gateway": p.Gateway,
			"gateway_payment_id": p.GatewayPaymentID, "state": p.State, "amount_paise": int64(p.Amount),
			"captured_paise": int64(p.Captured), "paid_by": p.Slug, "reason": p.Reason, "surplus": p.Surplus,
			"created_at": p.CreatedAt, "decided_at": utcOrNull(p.DecidedAt), "next_check_at": utcOrNull(p.NextCheckAt),
		},
		"captures": viewsOfCaptures(t), "left_paise": int64(t.Left), "withheld_paise": int64(t.Withheld), "deducted_paise": int64(t.Deducted), "owed_paise": int64(t.Owed),
		"holding": viewOfHolding(t), "order": viewOfOrder(t),
		"events": viewsOfEvents(t.Events), "documents": viewsOfDocuments(t.Documents), "refunds": viewsOfRefunds(t), "disputes": viewsOfDisputes(t.Disputes),
		"requests": viewsOfRequests(t.Reversals), "journals": viewsOfJournals(t), "settlements": viewsOfLines(settled),
		"clearing_paise": int64(t.Clearing()),
	}
}

func viewsOfCaptures(t desk.Trail) []gin.H {
	views := []gin.H{}
	for _, c := range t.Captures() {
		views = append(views, gin.H{
			"gateway_payment_id": c.GatewayPaymentID, "state": c.State, "amount_paise": int64(c.Amount), "back_paise": int64(c.Back),
			"going_paise": int64(c.Going), "failed": c.Failed,
		})
	}
	return views
}

// viewOfHolding returns what ends once the whole payment is refunded, nil for nothing.
func viewOfHolding(t desk.Trail) any {
	if t.Holding == subscription.HoldingNone {
		return nil
	}
	return gin.H{"what": t.Holding, "until": t.HeldUntil}
}

func viewOfOrder(t desk.Trail) gin.H {
	lines := make([]gin.H, 0, len(t.Order.Lines))
	for _, l := range t.Order.Lines {
		lines = append(lines, gin.H{
			"label": l.Label, "sac": l.SAC, "quantity": l.Quantity, "amount_paise": int64(l.Amount),
			"discount_paise": int64(l.Discount), "from": l.From, "to": l.To,
		})
	}
	return gin.H{
		"id": t.Order.ID, "kind": t.Order.Kind, "state": t.Order.State, "plan": t.Order.Title(), "plan_type": t.Order.Type,
		"total_paise": int64(t.Order.Total), "credit_notes_paise": int64(t.Order.Credited()), "created_at": t.Order.CreatedAt, "lines": lines,
	}
}

func viewsOfEvents(events []desk.TrailEvent) []trailEventView {
	views := make([]trailEventView, 0, len(events))
	for _, e := range events {
		views = append(views, trailEventView{
			ID: e.ID, At: e.At.UTC(), Source: e.Source, Kind: string(e.Kind), Signed: e.Signed, Status: e.Status, Amount: int64(e.Amount),
			ExternalID: e.ExternalID, Fields: e.Fields, AppliedAt: utc(e.AppliedAt),
		})
	}
	return views
}

func viewsOfDocuments(documents []desk.TrailDocument) []gin.H {
	views := make([]gin.H, 0, len(documents))
	for _, d := range documents {
		view := gin.H{
			"id": d.ID, "kind": d.Kind, "number": d.Number, "total_paise": int64(d.Total), "issued_at": d.IssuedAt.UTC(),
			"refund_id": d.RefundID, "input_tax": nil,
		}
		if d.ReversesInputTax {
			view["input_tax"] = viewOfInputTax(d.InputTax)
		}
		views = append(views, view)
	}
	return views
}

func viewsOfRefunds(t desk.Trail) []gin.H {
	views := make([]gin.H, 0, len(t.Refunds))
	for _, r := range t.Refunds {
		views = append(views, gin.H{
			"id": r.ID, "gateway_payment_id": r.GatewayPaymentID, "amount_paise": int64(r.Amount), "reason": r.Reason, "note": r.Note, "state": r.State, "channel": r.Channel,
			"gateway_refund_id": r.GatewayRefundID, "bank_reference": r.BankReference, "keep_plan": r.KeepPlan, "failure": r.Failure,
			"created_at": r.CreatedAt.UTC(),
		})
	}
	return views
}

func viewsOfDisputes(disputes []dispute.Dispute) []gin.H {
	views := make([]gin.H, 0, len(disputes))
	for _, d := range disputes {
		v := gin.H{
			"id": d.ID, "gateway_dispute_id": d.GatewayDisputeID, "state": d.State, "confirmed": d.Confirmed, "amount_paise": int64(d.Amount),
			"refund_id": d.RefundID, "opened_at": d.OpenedAt.UTC(), "decided_at": nil,
		}
		if d.DecidedAt != nil {
			v["decided_at"] = d.DecidedAt.UTC()
		}
		views = append(views, v)
	}
	return views
}

func viewsOfRequests(reversals []reversal.Reversal) []gin.H {
	views := make([]gin.H, 0, len(reversals))
	for _, r := range reversals {
		views = append(views, gin.H{
			"id": r.ID, "kind": r.Kind, "dispute_id": r.DisputeID, "state": r.State, "amount_paise": int64(r.Amount), "keep_plan": r.KeepPlan, "reason": r.Reason,
			"requested_by": r.RequestedByName, "requested_at": r.RequestedAt.UTC(), "decided_by": r.DecidedByName,
			"refund_id": r.RefundID, "failure": r.Failure,
		})
	}
	return views
}

func viewsOfJournals(t desk.Trail) []gin.H {
	views := make([]gin.H, 0, len(t.Journals))
	for _, j := range t.Journals {
		lines := make([]gin.H, 0, len(j.Lines))
		for _, l := range j.Lines {
			lines = append(lines, gin.H{"account": l.Account, "debit_paise": int64(l.Debit), "credit_paise": int64(l.Credit)})
		}
		views = append(views, gin.H{
			"id": j.ID, "kind": j.Kind, "reference": j.Reference, "description": j.Description, "posted_at": j.PostedAt,
			"happened_at": utcOrNull(j.HappenedAt), "lines": lines,
		})
	}
	return views
}

type trailEventView struct {
	ID         string          `json:"id"`
	At         time.Time       `json:"at"`
	Source     string          `json:"source"`
	Kind       string          `json:"kind"`
	Signed     bool            `json:"signed"`
	Status     string          `json:"status"`
	Amount     int64           `json:"amount_paise"`
	ExternalID string          `json:"external_id"`
	Fields     json.RawMessage `json:"fields"`
	AppliedAt  *time.Time      `json:"applied_at"`
}
