// Package cashfree implements Cashfree's Payment Gateway API of version 2023-08-01: orders, the hosted checkout page, signed webhooks,
// refunds, disputes and settlement reconciliation. Sources: the documents of cashfree.com/docs ("Payment Gateway APIs", 2023-08-01) and
// cashfree-pg-sdk-go 4.3.10, which is generated from the same description. Names in quotation marks are pages of these documents.
package cashfree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Name is this gateway's identifier in payments.
const Name = "cashfree"

// Title is this gateway's display name.
const Title = "Cashfree"

// apiVersion is the version of requests and answers.
const apiVersion = "2023-08-01"

// timeout limits a call, including a slowly dripping answer.
const timeout = 15 * time.Second

// maxAnswer limits the size of a response, in bytes.
const maxAnswer = 8 << 20

// Config is the merchant's account. BaseURL is https://api.cashfree.com, without a path.
type Config struct {
	ClientID     string
	ClientSecret string
	BaseURL      string
	// WebhookURL receives the webhooks of every order. Cashfree only accepts an https address.
	WebhookURL string
	// Clock judges the age of webhooks.
	Clock clock.Clock
}

// Gateway is Cashfree for one merchant.
type Gateway struct {
	config Config
	client *resty.Client
}

// New returns the gateway of a merchant.
func New(c Config) *Gateway {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	return &Gateway{config: c, client: resty.New().SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).SetBaseURL(c.BaseURL + "/pg").
		SetHeaders(map[string]string{"x-client-id": c.ClientID, "x-client-secret": c.ClientSecret, "x-api-version": apiVersion}).
		SetRedirectPolicy(resty.NoRedirectPolicy())}
}

// Name returns cashfree.
func (*Gateway) Name() string { return Name }

// Measured enables timing of the calls.
func (g *Gateway) Measured(m *metrics.Metrics) {
	g.client.SetTransport(m.Transport(Name, g.client.GetClient().Transport))
}

// Begin creates the charge's order, or finds it, and builds the form for the hosted checkout page. Cashfree's documents open the page
// only through its script cashfree.js (version 3). The address and the field are those to which that script posts; no page names them.
func (g *Gateway) Begin(ctx context.Context, c payment.Charge) (payment.Session, error) {
	o, err := g.open(ctx, c)
	if err != nil {
		return payment.Session{}, err
	}
	return payment.Session{
		URL: g.config.BaseURL + "/pg/view/sessions/checkout", Fields: map[string]string{"payment_session_id": o.SessionID},
	}, nil
}

// call sends a request and decodes the answer. Failing to get a readable answer may be temporary, so it is errs.Unavailable. An answer
// that refuses the request is a refusal.
func (g *Gateway) call(ctx context.Context, method, path string, body, into any) error {
	request := g.client.R().SetContext(ctx)
	if body != nil {
		request.SetHeader("Content-Type", "application/json").SetBody(body)
	}
	answer, err := request.Execute(method, path)
	if err != nil {
		return errs.Unavailable(fmt.Errorf("%s %s: %w", method, path, err))
	}
	switch answer.StatusCode() {
	case http.StatusOK:
	case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		return refused(answer.StatusCode(), answer.Body())
	default:
		return errs.Unavailable(fmt.Errorf("%s %s: status %d", method, path, answer.StatusCode()))
	}
	if err := json.Unmarshal(answer.Body(), into); err != nil {
		return errs.Unavailable(fmt.Errorf("%s %s: unreadable answer: %w", method, path, err))
	}
	return nil
}

// refusal is an error of Cashfree ("Errors"): code says why, in a word.
type refusal struct {
	status        int
	code, message string
}

// Error returns Cashfree's code and message.
func (r *refusal) Error() string { return "cashfree refused: " + r.code + ": " + r.message }

// maxWords limits Cashfree's explanations, in characters.
const maxWords = 200

func refused(status int, body []byte) *refusal {
	var answer struct {
		Message string `json:"message"`
		Code    string `json:"code"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return &refusal{status: status, message: "an answer that cannot be read"}
	}
	return &refusal{status: status, code: text.First(answer.Code, maxWords), message: words(answer.Message)}
}

// words truncates a text, or drops it if it contains a card number.
func words(s string) string {
	if card.In(s) {
		return ""
	}
	return strings.TrimSpace(text.First(s, maxWords))
}

// missing reports whether Cashfree does not know the order, the refund or the dispute. A wrong address also answers 404, with another code.
func missing(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && r.status == http.StatusNotFound && strings.HasSuffix(r.code, "_not_found")
}

// unavailable makes a refused query a temporary failure: it says nothing about the money.
func unavailable(err error) error {
	if _, ok := errors.AsType[*refusal](err); ok {
		return errs.Unavailable(err)
	}
	return err
}

// orderPath returns the path of an order, or of something that belongs to it.
func orderPath(orderID string, of ...string) string {
	parts := []string{"/orders", url.PathEscape(orderID)}
	for _, part := range of {
		parts = append(parts, url.PathEscape(part))
	}
	return strings.Join(parts, "/")
}
