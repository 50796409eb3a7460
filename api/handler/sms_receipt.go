package handler

import (
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// SMSReceipts handles delivery reports from SMS providers.
type SMSReceipts struct{ receipts *message.Receipts }

// NewSMSReceipts returns the handlers backed by the receipts.
func NewSMSReceipts(receipts *message.Receipts) *SMSReceipts {
	return &SMSReceipts{receipts: receipts}
}

// Register adds the route, which is public: the provider signs its requests, or the URL contains a key.
func (h *SMSReceipts) Register(r Routes) {
	r.Public.POST("/sms/receipts/:provider", Handle(h.take))
}

func (h *SMSReceipts) take(c *gin.Context) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	posted := message.Incoming{URI: c.Request.URL.RequestURI(), Headers: extensions(c.Request.Header), Body: body}
	if strings.HasPrefix(c.ContentType(), "application/x-www-form-urlencoded") {
		form, err := url.ParseQuery(string(body))
		if err != nil || len(form) > maxFormFields {
			return errs.Malformed("The form could not be read.")
		}
		posted.Form = form
	}
	if err := h.receipts.Take(c.Request.Context(), c.Param("provider"), posted); err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	return OK(c, "Received.", nil)
}
