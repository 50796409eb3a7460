package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
)

type reasonBody struct {
	Reason string `json:"reason"`
}

// helpRequest reads whom the act is for, why, and the key under which it may be repeated.
func helpRequest(c *gin.Context) (support.Request, error) {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return support.Request{}, err
	}
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return support.Request{}, err
	}
	return support.Request{FranchiserID: franchiserID, Reason: in.Reason, Key: c.GetHeader(headerIdempotency)}, nil
}

const headerIdempotency = "Idempotency-Key"

func answerDone(c *gin.Context, done support.Done, err error) error {
	if err != nil {
		return err
	}
	return OK(c, done.Message, done)
}

func (h *Support) unlock(c *gin.Context) error {
	in, err := helpRequest(c)
	if err != nil {
		return err
	}
	done, err := h.actions.Unlock(c.Request.Context(), middleware.Staff(c), in)
	return answerDone(c, done, err)
}

func (h *Support) unlockMobile(c *gin.Context) error {
	mobile, err := paramMobile(c)
	if err != nil {
		return err
	}
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	request := support.Request{Reason: in.Reason, Key: c.GetHeader(headerIdempotency)}
	done, err := h.actions.UnlockMobile(c.Request.Context(), middleware.Staff(c), request, mobile)
	return answerDone(c, done, err)
}

func (h *Support) endSessions(c *gin.Context) error {
	in, err := helpRequest(c)
	if err != nil {
		return err
	}
	done, err := h.actions.EndSessions(c.Request.Context(), middleware.Staff(c), in)
	return answerDone(c, done, err)
}

func (h *Support) recheckDomain(c *gin.Context) error {
	in, err := helpRequest(c)
	if err != nil {
		return err
	}
	done, err := h.actions.RecheckDomain(c.Request.Context(), middleware.Staff(c), in)
	return answerDone(c, done, err)
}

func (h *Support) askGateway(c *gin.Context) error {
	paymentID, err := ParamID(c, "payment")
	if err != nil {
		return err
	}
	in, err := helpRequest(c)
	if err != nil {
		return err
	}
	done, err := h.actions.AskGateway(c.Request.Context(), middleware.Staff(c), in, paymentID)
	return answerDone(c, done, err)
}

func (h *Support) resendInvoice(c *gin.Context) error {
	invoiceID, err := ParamID(c, "invoice")
	if err != nil {
		return err
	}
	in, err := helpRequest(c)
	if err != nil {
		return err
	}
	done, err := h.actions.ResendInvoice(c.Request.Context(), middleware.Staff(c), in, invoiceID)
	return answerDone(c, done, err)
}

type graceBody struct {
	Days   int    `json:"days"`
	Reason string `json:"reason"`
}

func (h *Support) extendGrace(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in graceBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	p := middleware.Staff(c)
	request := support.Request{FranchiserID: franchiserID, Reason: in.Reason, Key: c.GetHeader(headerIdempotency)}
	done, err := h.actions.AtMostOnce(c.Request.Context(), p, request, "extend_grace", in.Days, func() (support.Done, error) {
		sub, err := h.concessions.ExtendGrace(c.Request.Context(), p, franchiserID, in.Days, in.Reason)
		return support.Done{Message: "The customer can renew until " + sub.PayBy().Human() + "."}, err
	})
	return answerDone(c, done, err)
}

type reversalBody struct {
	CustomerID    string               `json:"customer_id"`
	PaymentID     string               `json:"payment_id"`
	Kind          payment.ReversalKind `json:"kind"`
	Amount        money.Paise          `json:"amount"`
	All           bool                 `json:"all"`
	BankReference string               `json:"bank_reference"`
	DisputeID     string               `json:"dispute_id"`
	KeepPlan      bool                 `json:"keep_plan"`
	Reason        string               `json:"reason"`
	PrintedReason string               `json:"printed_reason"`
}

func (h *Support) requestReversal(c *gin.Context) error {
	var in reversalBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	r, err := h.refunds.Request(c.Request.Context(), middleware.Staff(c), payment.ReversalInput{
		FranchiserID: in.CustomerID, PaymentID: in.PaymentID, Kind: in.Kind, Amount: in.Amount, BankReference: in.BankReference,
		DisputeID: in.DisputeID, KeepPlan: in.KeepPlan, Reason: in.Reason, PrintedReason: in.PrintedReason, All: in.All, Key: c.GetHeader(headerIdempotency),
	})
	if err != nil {
		return err
	}
	return OK(c, requested(r), viewOfReversal(r))
}

// requested says what became of a request and what follows; one that is repeated may be over.
func requested(r payment.Reversal) string {
	switch r.State {
	case payment.ReversalWaiting:
		return "Nothing has happened yet: a second admin has to approve it."
	case payment.ReversalDone:
		switch r.Kind {
		case payment.ReversalBankTransfer:
			return "The bank transfer is booked already."
		case payment.ReversalCreditNote:
			return "The bank transfer is booked already, with its credit note."
		case payment.ReversalRefund, payment.ReversalRelease, payment.ReversalChargeback:
		}
		return "It is done already."
	case payment.ReversalDeclined:
		return "It was asked for before, and declined. Ask again if it is still needed."
	case payment.ReversalFailed:
		return "It was asked for before, and failed: " + r.Failure
	case payment.ReversalApproved:
	}
	return begun(r.Kind)
}

// begun says what a worker does about a request now.
func begun(kind payment.ReversalKind) string {
	switch kind {
	case payment.ReversalCreditNote:
		return "The bank transfer is being booked, with its credit note."
	case payment.ReversalBankTransfer:
		return "The bank transfer is being booked."
	case payment.ReversalRelease:
		return "The held payment is on its way back."
	case payment.ReversalChargeback:
		return "The loss is being booked."
	case payment.ReversalRefund:
	}
	return "The refund is on its way: the gateway is asked for it now."
}

func (h *Support) approveReversal(c *gin.Context) error {
	reversalID, reason, err := decision(c)
	if err != nil {
		return err
	}
	r, err := h.refunds.Approve(c.Request.Context(), middleware.Staff(c), reversalID, reason)
	if err != nil {
		return err
	}
	return OK(c, "Approved. "+begun(r.Kind), viewOfReversal(r))
}

func (h *Support) declineReversal(c *gin.Context) error {
	reversalID, reason, err := decision(c)
	if err != nil {
		return err
	}
	r, err := h.refunds.Decline(c.Request.Context(), middleware.Staff(c), reversalID, reason)
	if err != nil {
		return err
	}
	return OK(c, "Declined. Nothing was booked or paid back.", viewOfReversal(r))
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
	d, err := h.refunds.CloseDispute(c.Request.Context(), middleware.Staff(c), in.CustomerID, disputeID, in.Outcome, in.Reason)
	if err != nil {
		return err
	}
	message := "The dispute is closed as won. No money moved."
	if d.State == payment.DisputeDismissed {
		message = "The dispute is dismissed. No money moved."
	}
	return OK(c, message, viewsOfDisputes([]payment.Dispute{d})[0])
}

func decision(c *gin.Context) (reversalID, reason string, err error) {
	if reversalID, err = ParamID(c, "id"); err != nil {
		return "", "", err
	}
	var in reasonBody
	err = Bind(c, &in)
	return reversalID, in.Reason, err
}

func (h *Support) reversals(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	state := payment.ReversalState(c.Query("state"))
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
