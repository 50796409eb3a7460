package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

type reversalView struct {
	ID             string        `json:"id"`
	CustomerID     string        `json:"customer_id"`
	PaymentID      string        `json:"payment_id"`
	Kind           reversal.Kind `json:"kind"`
	Amount         string        `json:"amount"`
	CustomerName   string        `json:"customer_name"`
	CustomerMobile string        `json:"customer_mobile"`
	TransactionID  string        `json:"transaction_id"`
	Gateway        string        `json:"gateway"`
	Paid           string        `json:"paid"`
	Bought         string        `json:"bought"`
	BankReference  string        `json:"bank_reference"`
	KeepPlan       bool          `json:"keep_plan"`
	PrintedReason  string        `json:"printed_reason"`
	approvalView
	Failure string `json:"failure"`
	// Afterwards is what will become of the purchase, null if unspecified.
	Afterwards *string `json:"afterwards"`
}

// approvalView is what the console shows of every request of staff.
type approvalView struct {
	Reason          string         `json:"reason"`
	State           approval.State `json:"state"`
	NeedsApproval   bool           `json:"needs_approval"`
	RequestedBy     string         `json:"requested_by"`
	RequestedByName string         `json:"requested_by_name"`
	RequestedAt     time.Time      `json:"requested_at"`
	DecidedByName   string         `json:"decided_by_name"`
	DecidedAt       *time.Time     `json:"decided_at"`
	DecisionReason  string         `json:"decision_reason"`
}

func viewOfApproval(r approval.Request) approvalView {
	return approvalView{
		Reason: r.Reason, State: r.State, NeedsApproval: r.NeedsApproval, RequestedBy: r.RequestedBy, RequestedByName: r.RequestedByName,
		RequestedAt: r.RequestedAt.UTC(), DecidedByName: r.DecidedByName, DecidedAt: utc(r.DecidedAt), DecisionReason: r.DecisionReason,
	}
}

func viewOfReversal(r reversal.Reversal) reversalView {
	return reversalView{
		ID: r.ID, CustomerID: r.FranchiserID, PaymentID: r.PaymentID, Kind: r.Kind, Amount: r.Amount.Display(),
		BankReference: r.BankReference, KeepPlan: r.KeepPlan, PrintedReason: r.PrintedReason,
		CustomerName: r.CustomerName, CustomerMobile: r.CustomerMobile,
		TransactionID: r.TransactionID, Gateway: r.Gateway, Paid: r.Paid.Display(), Bought: r.Bought,
		approvalView: viewOfApproval(r.Request), Failure: r.Failure,
		Afterwards: orNull(string(r.Aftermath)),
	}
}

func (h *Support) reversals(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	state := approval.State(c.Query("state"))
	list, total, err := h.refunds.List(c.Request.Context(), state, c.Query("customer_id"), page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	if err := h.note(c, staff.ReadList("reversals")); err != nil {
		return err
	}
	rows := make([]reversalView, 0, len(list))
	for _, r := range list {
		rows = append(rows, viewOfReversal(r))
	}
	return List(c, "", rows, page, total)
}

// exportReversals writes the listed rows as CSV.
func (h *Support) exportReversals(c *gin.Context) error {
	state := approval.State(c.Query("state"))
	return sendList(c, h.staff, listFile{
		name: "reversals",
		header: []string{
			"Asked for on (IST)", "Kind", "State", "Customer", "Transaction", "Gateway", "Bought", "Paid (INR)", "Amount (INR)", "Bank reference",
			"Plan kept", "Reason", "Printed reason", "Second person", "Asked by", "Decided by", "Decided on (IST)", "Decision", "Failure",
			"Finished on (IST)", "Customer id", "Payment", "Request",
		},
		page: func(offset int) ([]listRow, bool, error) {
			list, _, err := h.refunds.List(c.Request.Context(), state, c.Query("customer_id"), exportBatch, offset)
			rows := make([]listRow, 0, len(list))
			for _, r := range list {
				rows = append(rows, listRow{r.ID, []string{
					istCell(&r.RequestedAt), string(r.Kind), string(r.State), r.CustomerName, r.TransactionID, r.Gateway, r.Bought, r.Paid.Decimal(),
					r.Amount.Decimal(), r.BankReference, yesCell(r.KeepPlan), r.Reason, r.PrintedReason, yesCell(r.NeedsApproval), r.RequestedByName,
					r.DecidedByName, istCell(r.DecidedAt), r.DecisionReason, r.Failure, istCell(r.FinishedAt), r.FranchiserID, r.PaymentID, r.ID,
				}})
			}
			return rows, len(list) == exportBatch, err
		},
	})
}

type reversalBody struct {
	CustomerID    string        `json:"customer_id"`
	PaymentID     string        `json:"payment_id"`
	Kind          reversal.Kind `json:"kind"`
	Amount        money.Paise   `json:"amount"`
	All           bool          `json:"all"`
	BankReference string        `json:"bank_reference"`
	DisputeID     string        `json:"dispute_id"`
	KeepPlan      bool          `json:"keep_plan"`
	Reason        string        `json:"reason"`
	PrintedReason string        `json:"printed_reason"`
}

func (h *Support) requestReversal(c *gin.Context) error {
	var in reversalBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	r, err := h.refunds.Request(c.Request.Context(), middleware.Staff(c), reversal.Input{
		FranchiserID: in.CustomerID, PaymentID: in.PaymentID, Kind: in.Kind, Amount: in.Amount, BankReference: in.BankReference,
		DisputeID: in.DisputeID, KeepPlan: in.KeepPlan, Reason: in.Reason, PrintedReason: in.PrintedReason, All: in.All, Key: c.GetHeader(headerIdempotency),
	})
	if err != nil {
		return err
	}
	return OK(c, requested(r), viewOfReversal(r))
}

// requested describes a request's state and the next step; a repeated request may already be finished.
func requested(r reversal.Reversal) string {
	switch r.State {
	case approval.Waiting:
		return "Nothing has happened yet: a second admin has to approve it."
	case approval.Done:
		switch r.Kind {
		case reversal.KindBankTransfer:
			return "The bank transfer is booked already."
		case reversal.KindCreditNote:
			return "The bank transfer is booked already, with its credit note."
		case reversal.KindRefund, reversal.KindRelease, reversal.KindChargeback:
		}
		return "It is done already."
	case approval.Declined:
		return "It was asked for before, and declined. Ask again if it is still needed."
	case approval.Withdrawn:
		return "It was asked for before, and withdrawn. Ask again if it is still needed."
	case approval.Failed:
		return "It was asked for before, and failed: " + r.Failure
	case approval.Approved, approval.Scheduled, approval.Stopped:
	}
	return begun(r.Kind)
}

// begun describes a worker's next step for a request.
func begun(kind reversal.Kind) string {
	switch kind {
	case reversal.KindCreditNote:
		return "The bank transfer is being booked, with its credit note."
	case reversal.KindBankTransfer:
		return "The bank transfer is being booked."
	case reversal.KindRelease:
		return "The held payment is on its way back."
	case reversal.KindChargeback:
		return "The loss is being booked."
	case reversal.KindRefund:
	}
	return "The refund is on its way: the gateway is asked for it now."
}

// decided returns the handler that decides the request which the path names; says tells what follows.
func decided[R, V any](
	decide func(ctx context.Context, p staff.Principal, requestID, reason string) (R, error), says func(R) string, view func(R) V,
) gin.HandlerFunc {
	return Handle(func(c *gin.Context) error {
		requestID, reason, err := decision(c)
		if err != nil {
			return err
		}
		r, err := decide(c.Request.Context(), middleware.Staff(c), requestID, reason)
		if err != nil {
			return err
		}
		return OK(c, says(r), view(r))
	})
}

// says returns the same message for every request.
func says[R any](message string) func(R) string { return func(R) string { return message } }

func decision(c *gin.Context) (reversalID, reason string, err error) {
	if reversalID, err = ParamID(c, "id"); err != nil {
		return "", "", err
	}
	var in reasonBody
	err = Bind(c, &in)
	return reversalID, in.Reason, err
}

type disputeBody struct {
	CustomerID string               `json:"customer_id"`
	Outcome    payment.DisputeState `json:"outcome"`
	Reason     string               `json:"reason"`
}

func (h *Support) closeDispute(c *gin.Context) error {
	disputeID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in disputeBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	d, err := h.disputes.Close(c.Request.Context(), middleware.Staff(c), in.CustomerID, disputeID, in.Outcome, in.Reason)
	if err != nil {
		return err
	}
	message := "The dispute is closed as won. No money moved."
	if d.State == payment.DisputeDismissed {
		message = "The dispute is dismissed. No money moved."
	}
	return OK(c, message, viewsOfDisputes([]dispute.Dispute{d})[0])
}
