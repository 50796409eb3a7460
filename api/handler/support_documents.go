package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/support"
)

// lostDocumentsView is the number of documents that the object store has lost.
type lostDocumentsView struct {
	Count     int64      `json:"count"`
	Different int64      `json:"different"`
	Since     *time.Time `json:"since"`
	CheckedAt *time.Time `json:"checked_at"`
}

func (h *Support) lostDocuments(c *gin.Context) error {
	lost, err := h.actions.LostDocuments(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "", lostDocumentsView{Count: lost.Count, Different: lost.Different, Since: lost.Since, CheckedAt: lost.Checked})
}

func (h *Support) restoreDocuments(c *gin.Context) error {
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	request := support.Request{Reason: in.Reason, Key: c.GetHeader(headerIdempotency)}
	done, err := h.actions.RestoreDocuments(c.Request.Context(), middleware.Staff(c), request)
	return answerDone(c, done, err)
}
