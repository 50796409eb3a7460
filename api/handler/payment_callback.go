package handler

import (
	"bytes"
	"errors"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Callbacks answers the gateways: the browser that one sends back, and what one tells by itself.
type Callbacks struct{ payments *payment.Service }

// NewCallbacks returns the area over the payment service.
func NewCallbacks(payments *payment.Service) *Callbacks { return &Callbacks{payments: payments} }

// Register adds the calls; all are public, because a cross-site post brings no cookies, and what they are told is signed or
// only a reason to ask. A customer who cancels may come back by a GET.
func (h *Callbacks) Register(r Routes) {
	r.Public.POST(callbackPath, Handle(h.returned))
	r.Public.GET(callbackPath, Handle(h.returned))
	r.Public.POST("/payments/webhook/:gateway", Handle(h.notified))
}

func (h *Callbacks) returned(c *gin.Context) error {
	posted, err := readPosted(c)
	if err != nil {
		return err
	}
	n, err := h.payments.Returned(c.Request.Context(), posted)
	if err != nil {
		return err
	}
	page := "success" // it shows the server's own state, which is still confirming
	if n.Status == payment.StatusFailed {
		page = "failed"
	}
	c.Header("Cache-Control", "no-store")
	c.Header("Location", "/checkout/result/"+page+"?transaction_id="+url.QueryEscape(n.TransactionID))
	c.Status(http.StatusSeeOther)
	c.Writer.WriteHeaderNow()
	return nil
}

func (h *Callbacks) notified(c *gin.Context) error {
	posted, err := readPosted(c)
	if err != nil {
		return err
	}
	if err := h.payments.Notified(c.Request.Context(), c.Param("gateway"), posted); err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, gin.H{"status": true, "message": "Received.", "data": nil})
	return nil
}

// readPosted reads the body once, as the bytes that were signed and as a form where it is one; the form's gaps are
// filled from the address, in which a gateway may have let us sign what it does not sign itself.
func readPosted(c *gin.Context) (payment.Incoming, error) {
	body, err := readBody(c)
	if err != nil {
		return payment.Incoming{}, err
	}
	p := payment.Incoming{Body: body, Headers: extensions(c.Request.Header), Form: map[string]string{}}
	form, err := formOf(c, body)
	if err != nil || len(form) > maxFormFields {
		return payment.Incoming{}, errs.Malformed("The form could not be read.")
	}
	if form == nil {
		return p, nil
	}
	for name, values := range c.Request.URL.Query() {
		// A link carries our own proof and nothing that a gateway would post.
		if !form.Has(name) && (c.Request.Method != http.MethodGet || name == "transaction" || name == "proof") {
			form[name] = values
		}
	}
	for name, values := range form {
		if len(values) != 1 || !text.Clean(name) || !text.Clean(values[0]) {
			return payment.Incoming{}, errs.Malformed("The form holds a field twice or text that is not valid.")
		}
		p.Form[name] = values[0]
	}
	return p, nil
}

// formOf is the form that was posted, urlencoded or multipart, empty for a GET and nil for any other body.
func formOf(c *gin.Context, body []byte) (url.Values, error) {
	switch kind, parameters, _ := mime.ParseMediaType(c.GetHeader("Content-Type")); {
	case c.Request.Method == http.MethodGet:
		return url.Values{}, nil
	case kind == "application/x-www-form-urlencoded":
		return url.ParseQuery(string(body))
	case kind == "multipart/form-data":
		parts, err := multipart.NewReader(bytes.NewReader(body), parameters["boundary"]).ReadForm(maxBody)
		if err != nil {
			return nil, err
		}
		defer func() { _ = parts.RemoveAll() }()
		if len(parts.File) > 0 {
			return nil, errors.New("a notice holds no files")
		}
		return parts.Value, nil
	default:
		return nil, nil
	}
}
