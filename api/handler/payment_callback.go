package handler

import (
	"bytes"
	"context"
	"errors"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/notice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Callbacks handles requests from gateways: returning browsers, and notifications.
type Callbacks struct {
	notices   *notice.Service
	mandates  *mandate.Service
	transfers *transfer.Service
}

// NewCallbacks returns the handlers backed by the notices of payments, and by the mandates and transfers that gateways tell of at the same address.
func NewCallbacks(notices *notice.Service, mandates *mandate.Service, transfers *transfer.Service) *Callbacks {
	return &Callbacks{notices: notices, mandates: mandates, transfers: transfers}
}

// Register adds the routes; all are public, because a cross-site post carries no cookies, and their content is either
// signed or only a reason to query the gateway. A customer who cancels may return with a GET.
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
	n, err := h.notices.Returned(c.Request.Context(), posted)
	page, base := "", i18n.Language(c.Query(checkout.LanguageParameter)).Base() // of a language that there is, else none
	switch {
	case err == nil:
		page = base + resultPage(c.Query(checkout.PayLinkParameter), n)
		if _, failed := h.mandates.Returned(c.Request.Context(), posted); failed != nil { // it may have authorised a mandate in the same step
			return failed
		}
	case errors.Is(err, payment.ErrUnknownTransaction): // perhaps a mandate that was registered without a payment
		found, failed := h.mandates.Returned(c.Request.Context(), posted)
		if failed != nil {
			return failed
		}
		if !found {
			return err
		}
		page = base + renewalPage
	default:
		return err
	}
	c.Header("Cache-Control", "no-store")
	c.Header("Location", page)
	c.Status(http.StatusSeeOther)
	c.Writer.WriteHeaderNow()
	return nil
}

// renewalPage shows the bank's decision about a mandate.
const renewalPage = "/dashboard/automatic-renewal"

// resultPage returns the page of the outcome: that of the link for who paid by one, and has no session.
func resultPage(link string, n payment.Notice) string {
	query := "?transaction_id=" + url.QueryEscape(n.TransactionID)
	if path, ok := checkout.PayLinkPath(link); ok {
		return path + query
	}
	page := "success" // the page shows the server's state, which is still confirming
	if n.Status == payment.StatusFailed || n.Status == payment.StatusOpened {
		page = "failed"
	}
	return "/checkout/result/" + page + query
}

func (h *Callbacks) notified(c *gin.Context) error {
	posted, err := readPosted(c)
	if err != nil {
		return err
	}
	gateway := c.Param("gateway")
	collected, err := h.transfers.Noticed(c.Request.Context(), gateway, posted)
	if err != nil {
		return err
	}
	if !collected {
		if err := h.charged(c.Request.Context(), gateway, posted); err != nil {
			return err
		}
	}
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, gin.H{"status": true, "message": "Received.", "data": nil})
	return nil
}

// charged takes a notice of a payment or of a mandate; a notice that neither can read is refused as unsigned.
func (h *Callbacks) charged(ctx context.Context, gateway string, posted payment.Incoming) error {
	err := h.notices.Notified(ctx, gateway, posted)
	if err != nil && !errors.Is(err, payment.ErrSignature) {
		return err
	}
	heard, failed := h.mandates.Heard(ctx, gateway, posted)
	if failed != nil || heard {
		return failed
	}
	return err
}

// readPosted reads the body once, as the signed bytes and, if possible, as a form. It takes missing form fields from the URL, where we may
// have signed values that the gateway does not sign. Gateways pass on banks' texts in unsigned fields: readPosted drops a field that is
// unreadable or has two values. If that field is signed, the signature no longer matches.
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
		if name == checkout.PayLinkParameter || name == checkout.LanguageParameter {
			continue // ours; the former is a secret that is not kept with the notice
		}
		// A link contains our own proof and no fields that a gateway would post.
		if !form.Has(name) && (c.Request.Method != http.MethodGet || name == "transaction" || name == "proof") {
			form[name] = values
		}
	}
	for name, values := range form {
		if values = slices.Compact(values); len(values) == 1 && text.Clean(name) && text.Clean(values[0]) {
			p.Form[name] = values[0]
		}
	}
	return p, nil
}

// formOf returns the posted form, urlencoded or multipart, empty for a GET and nil for any other body.
func formOf(c *gin.Context, body []byte) (url.Values, error) {
	kind, parameters, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil { // of a parameter, such as a charset that is written wrongly
		kind, _, _ = strings.Cut(c.GetHeader("Content-Type"), ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	switch {
	case c.Request.Method == http.MethodGet:
		return url.Values{}, nil
	case kind == "application/x-www-form-urlencoded":
		form, _ := url.ParseQuery(string(body)) // an error is of one field, and the others are kept
		return form, nil
	case kind == "multipart/form-data":
		parts, err := multipart.NewReader(bytes.NewReader(body), parameters["boundary"]).ReadForm(maxBody)
		if err != nil {
			return nil, err
		}
		defer func() { _ = parts.RemoveAll() }()
		return parts.Value, nil // files are dropped
	default:
		return nil, nil
	}
}
