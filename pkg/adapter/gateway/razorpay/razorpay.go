// Package razorpay implements Razorpay's API: orders, the hosted checkout form, HMAC signatures, refunds and settlements
// (Razorpay's public documentation, "Orders API", "Hosted Checkout", "Validate Webhooks").
package razorpay

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Name is this gateway's identifier in payments.
const Name = "razorpay"

// Title is this gateway's display name.
const Title = "Razorpay"

// timeout limits a call, including a slowly dripping answer.
const timeout = 15 * time.Second

// maxAnswer limits the size of a response, in bytes.
const maxAnswer = 8 << 20

// minAmount is the least that Razorpay charges: one rupee.
const minAmount money.Paise = 100

// Config is the merchant's account; BaseURL is https://api.razorpay.com, without a path.
type Config struct {
	KeyID         string
	KeySecret     string
	WebhookSecret string
	BaseURL       string
	// SmartCollect gives each customer an account number for bank transfers.
	SmartCollect bool
}

// Gateway is Razorpay for one merchant.
type Gateway struct {
	config Config
	client *resty.Client
}

// New returns the gateway of a merchant.
func New(c Config) *Gateway {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	return &Gateway{config: c, client: resty.New().SetDisableWarn(true).SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).SetBaseURL(c.BaseURL).
		SetBasicAuth(c.KeyID, c.KeySecret).SetRedirectPolicy(resty.NoRedirectPolicy())}
}

// Name returns razorpay.
func (*Gateway) Name() string { return Name }

// Begin builds the form for Razorpay's hosted checkout of the charge's order, which it finds or creates if it is unknown.
func (g *Gateway) Begin(ctx context.Context, c payment.Charge) (payment.Session, error) {
	if c.Amount < minAmount {
		return payment.Session{}, errs.Invalid("The payment provider accepts payments of one rupee or more.")
	}
	if c.Reference == "" {
		var err error
		if c.Reference, err = g.Order(ctx, c); err != nil {
			return payment.Session{}, err
		}
	}
	s, err := g.form(c)
	if err == nil && c.Method != payment.MethodAny {
		s.Fields["prefill[method]"] = string(c.Method)
	}
	return s, err
}

// form builds the checkout form of the charge's order.
func (g *Gateway) form(c payment.Charge) (payment.Session, error) {
	back, err := c.SignedReturnURL(g.sign("return|" + c.TransactionID)) // Razorpay signs nothing for a failed payment
	if err != nil {
		return payment.Session{}, err
	}
	fields := map[string]string{
		"key_id": g.config.KeyID, "order_id": c.Reference, "amount": fmt.Sprint(int64(c.Amount)), "currency": payment.Currency,
		"name": "Franchise 360", "description": text.First(c.ProductInfo, maxDescription), "prefill[name]": c.FirstName, "prefill[email]": email(c),
		"prefill[contact]": "+91" + c.Mobile, "callback_url": back, "cancel_url": back,
	}
	return payment.Session{URL: g.config.BaseURL + "/v1/checkout/embedded", Fields: fields, Reference: c.Reference}, nil
}

// order is a Razorpay order; its receipt is our transaction.
type order struct {
	ID        string `json:"id"`
	Amount    int64  `json:"amount"`
	Receipt   string `json:"receipt"`
	CreatedAt int64  `json:"created_at"`
}

// Order finds the charge's order by its receipt, the first if there are several, or creates it. Its payments are captured
// automatically whatever the account's own setting: within 12 minutes of the attempt, the minimum at Razorpay
// ("Payment Capture Settings API"); later authorisations are captured by Capture.
func (g *Gateway) Order(ctx context.Context, c payment.Charge) (string, error) {
	if c.Amount < minAmount {
		return "", errs.Invalid("The payment provider accepts payments of one rupee or more.")
	}
	id, err := g.orderWith(ctx, c.TransactionID, c.Amount, map[string]any{
		"payment": map[string]any{"capture": "automatic", "capture_options": map[string]any{
			"automatic_expiry_period": 12, "manual_expiry_period": 7200, "refund_speed": "normal",
		}},
	})
	return id, unavailable(err)
}

// orders returns the orders with a receipt, oldest first.
func (g *Gateway) orders(ctx context.Context, receipt string) ([]order, error) {
	var found struct {
		Items []order `json:"items"`
	}
	err := g.call(g.client.R().SetContext(ctx).SetQueryParam("receipt", receipt), http.MethodGet, "/v1/orders", &found)
	if err != nil {
		return nil, unavailable(err)
	}
	ours := slices.DeleteFunc(found.Items, func(o order) bool { return o.ID == "" || o.Receipt != receipt })
	slices.SortStableFunc(ours, func(a, b order) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return ours, nil
}

// call sends a request; failing to get a readable answer may be temporary, so it is errs.Unavailable. 400 and 409 are a refusal,
// with its reason.
func (g *Gateway) call(r *resty.Request, method, path string, into any) error {
	answer, err := r.Execute(method, path)
	switch {
	case err != nil:
		return errs.Unavailable(fmt.Errorf("%s %s: %w", method, path, err))
	case answer.StatusCode() == http.StatusBadRequest, answer.StatusCode() == http.StatusConflict:
		return refused(answer.StatusCode(), answer.Body())
	case answer.StatusCode() == http.StatusUnauthorized: // wrong keys: nothing was looked at
		return errs.Unavailable(fmt.Errorf("%s %s: %w", method, path, mandate.ErrNotAccepted))
	case answer.StatusCode() != http.StatusOK && answer.StatusCode() != http.StatusCreated:
		return errs.Unavailable(fmt.Errorf("%s %s: status %d", method, path, answer.StatusCode()))
	}
	if err := json.Unmarshal(answer.Body(), into); err != nil {
		return errs.Unavailable(fmt.Errorf("%s %s: unreadable answer: %w", method, path, err))
	}
	return nil
}

// refusal is Razorpay's 400 or 409. Of orders, payments and refunds only the description shows whether it is final: code and reason
// are always the same. Those of debits by mandate differ.
type refusal struct {
	status                    int
	code, reason, description string
}

// Error returns Razorpay's description.
func (r *refusal) Error() string { return "razorpay refused: " + r.description }

// maxWords limits Razorpay's explanations, in bytes.
const maxWords = 200

func refused(status int, body []byte) *refusal {
	var answer struct {
		Error struct {
			Code        string `json:"code"`
			Reason      string `json:"reason"`
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return &refusal{status: status, description: "an answer that cannot be read"}
	}
	e := answer.Error
	return &refusal{status: status, code: cut(e.Code), reason: cut(e.Reason), description: cut(e.Description)}
}

func cut(s string) string {
	if len(s) > maxWords {
		return strings.ToValidUTF8(s[:maxWords], "")
	}
	return s
}

// sign returns the HMAC-SHA256 under the key's secret, in lower-case hexadecimal.
func (g *Gateway) sign(text string) string { return hmacHex(g.config.KeySecret, []byte(text)) }

func hmacHex(secret string, text []byte) string {
	m := hmac.New(sha256.New, []byte(secret))
	_, _ = m.Write(text) // a hash never fails
	return hex.EncodeToString(m.Sum(nil))
}

// same compares in constant time.
func same(got, want string) bool { return subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1 }

// Measured enables timing of the calls.
func (g *Gateway) Measured(m *metrics.Metrics) {
	g.client.SetTransport(m.Transport(Name, g.client.GetClient().Transport))
}
