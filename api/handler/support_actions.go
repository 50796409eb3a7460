package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/support"
)

// actionRequest reads the customer, the reason and the idempotency key of an action.
func actionRequest(c *gin.Context) (support.Request, error) {
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
	in, err := actionRequest(c)
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
	in, err := actionRequest(c)
	if err != nil {
		return err
	}
	done, err := h.actions.EndSessions(c.Request.Context(), middleware.Staff(c), in)
	return answerDone(c, done, err)
}

func (h *Support) recheckDomain(c *gin.Context) error {
	in, err := actionRequest(c)
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
	in, err := actionRequest(c)
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
	in, err := actionRequest(c)
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
