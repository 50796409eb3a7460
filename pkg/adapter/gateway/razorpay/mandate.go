package razorpay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// The most that one debit may be ("Create an Authorisation Transaction" for UPI, ordinary merchant categories, and for cards).
const (
	maxUPI  money.Paise = 99_999 * money.Rupee
	maxCard money.Paise = 15_000 * money.Rupee
)

// dummyPayment is the reason of a failed payment whose mandate was registered ("Create an Authorisation Transaction").
const dummyPayment = "upi_dummy_payment"

// Register finds or creates the customer and the order with the mandate's limits, and builds the checkout form with them. Razorpay
// documents customer_id and recurring for Standard Checkout, whose options have the names of the hosted form's fields.
func (g *Gateway) Register(ctx context.Context, r mandate.Registration) (payment.Session, error) {
	method, limit := "upi", maxUPI
	switch r.Method {
	case mandate.MethodUPI:
	case mandate.MethodCard:
		method, limit = "card", maxCard
	case mandate.MethodENACH:
		method, limit = "emandate", r.Cap
	default:
		return payment.Session{}, errs.Internal(fmt.Errorf("razorpay: no mandate by %q", r.Method))
	}
	if r.Cap > limit {
		return payment.Session{}, errs.Invalid("The payment provider does not accept automatic payments of this amount by this method.")
	}
	customerID := r.CustomerReference
	if customerID == "" {
		var err error
		if customerID, err = g.customer(ctx, r.Charge); err != nil {
			return payment.Session{}, err
		}
	}
	charge := r.Charge
	if charge.Reference == "" {
		var err error
		if charge.Reference, err = g.registration(ctx, r, method, customerID); err != nil {
			return payment.Session{}, err
		}
	}
	s, err := g.form(charge)
	if err != nil {
		return payment.Session{}, err
	}
	s.Fields["customer_id"], s.Fields["recurring"] = customerID, "1"
	s.Fields["prefill[method]"] = method
	return s, nil
}

// customer creates the customer, or finds the one with the same contact data ("Create a Customer", fail_existing).
func (g *Gateway) customer(ctx context.Context, c payment.Charge) (string, error) {
	var made struct {
		ID string `json:"id"`
	}
	body := map[string]any{"name": customerName(c.FirstName), "contact": "+91" + c.Mobile, "fail_existing": "0"}
	if e := email(c); e != "" {
		body["email"] = e
	}
	if err := g.call(g.client.R().SetContext(ctx).SetBody(body), http.MethodPost, "/v1/customers", &made); err != nil {
		return "", unavailable(err)
	}
	if made.ID == "" {
		return "", errs.Unavailable(errors.New("create customer: no id in the answer"))
	}
	return made.ID, nil
}

// registration returns the order that carries the mandate's limits. An order has to be paid on the day on which it is made.
func (g *Gateway) registration(ctx context.Context, r mandate.Registration, method, customerID string) (string, error) {
	token := map[string]any{"max_amount": int64(r.Cap), "expire_at": endOfDay(r.End).Unix()}
	switch {
	case r.Method == mandate.MethodENACH: // debited as presented; without auth_type the customer chooses it at the checkout
	case r.Yearly:
		token["frequency"] = "yearly"
	default:
		token["frequency"] = "monthly"
	}
	return g.orderWith(ctx, r.Charge.TransactionID, r.Charge.Amount, map[string]any{
		"payment_capture": true, "customer_id": customerID, "method": method, "token": token,
	})
}

// endOfDay returns the last second of a day in India.
func endOfDay(t time.Time) time.Time {
	y, m, d := t.In(clock.IST).Date()
	return time.Date(y, m, d, 23, 59, 59, 0, clock.IST)
}

// orderWith finds the order with the receipt and amount, or creates it with the further fields.
func (g *Gateway) orderWith(ctx context.Context, receipt string, amount money.Paise, more map[string]any) (string, error) {
	if len(receipt) > maxReceipt {
		return "", errs.Internal(errors.New("a transaction's name is longer than Razorpay takes"))
	}
	found, err := g.orders(ctx, receipt)
	if err != nil {
		return "", err
	}
	for _, o := range found {
		if o.Amount == int64(amount) {
			return o.ID, nil
		}
	}
	body := map[string]any{"amount": int64(amount), "currency": payment.Currency, "receipt": receipt}
	maps.Copy(body, more)
	var made order
	if err := g.call(g.client.R().SetContext(ctx).SetBody(body), http.MethodPost, "/v1/orders", &made); err != nil {
		return "", err
	}
	if made.ID == "" {
		return "", errs.Unavailable(errors.New("create order: no id in the answer"))
	}
	return made.ID, nil
}

// Registered looks for the registration's payment with a token: a paid one, or one that failed only because it was a dummy. It then queries
// the token, because a payment can succeed before its bank has confirmed the mandate.
func (g *Gateway) Registered(ctx context.Context, transactionID, reference string) (mandate.Details, error) {
	attempts, err := g.attempts(ctx, transactionID, reference)
	if err != nil {
		return mandate.Details{}, err
	}
	var best *attempt
	weight := 0
	for i, a := range attempts {
		if w := registers(a); w > weight || w == weight && w == 1 {
			best, weight = &attempts[i], w
		}
	}
	switch {
	case best == nil:
		return mandate.Details{State: mandate.ProviderUnknown}, nil
	case weight == 4 || weight == 3:
		m := mandate.Reference{MandateID: best.TokenID, CustomerID: best.CustomerID, Method: methodOf(best.Method)}
		d, err := g.State(ctx, m)
		if err == nil && d.State == mandate.ProviderUnknown { // the token is not readable yet
			d.State = mandate.ProviderPending
		}
		return d, err
	case weight == 2:
		return mandate.Details{State: mandate.ProviderPending}, nil
	}
	d := mandate.Details{State: mandate.ProviderFailed, Reason: words(best.ErrorDescription)}
	if statusOf(best.Status) == payment.StatusPaid {
		d.Reason = "Paid, but without a mandate."
	}
	return d, nil
}

// registers ranks an attempt: 4 and 3 have a mandate, 2 is open, 1 has failed.
func registers(a attempt) int {
	paid := statusOf(a.Status) == payment.StatusPaid || a.Status == "authorized"
	switch {
	case a.TokenID != "" && paid:
		return 4
	case a.TokenID != "" && strings.EqualFold(a.ErrorReason, dummyPayment), a.TokenID != "" && a.Method == "emandate":
		return 3 // of eNACH nothing was paid that could have failed, so that the bank's word about the token counts
	case !paid && statusOf(a.Status) == payment.StatusPending:
		return 2
	default:
		return 1
	}
}

func methodOf(name string) mandate.Method {
	switch name {
	case "upi":
		return mandate.MethodUPI
	case "card":
		return mandate.MethodCard
	default:
		return mandate.MethodENACH
	}
}

// token is a mandate ("Fetch a Token by Customer ID").
type token struct {
	ID      string `json:"id"`
	Method  string `json:"method"`
	Bank    string `json:"bank"`
	Account struct {
		Number string `json:"account_number"`
	} `json:"bank_details"`
	Card struct {
		Last4 string `json:"last4"`
	} `json:"card"`
	VPA struct {
		Handle string `json:"handle"`
	} `json:"vpa"`
	Recurring struct {
		Status        string `json:"status"`
		FailureReason string `json:"failure_reason"`
	} `json:"recurring_details"`
	MaxAmount int64 `json:"max_amount"`
	ExpiredAt int64 `json:"expired_at"`
}

// account is the bank and the last digits of the account, which Razorpay masks.
func (t token) account() string {
	name, number := mandate.BankName(t.Bank), t.Account.Number
	if len(number) < shownDigits || strings.Trim(number[len(number)-shownDigits:], "0123456789") != "" {
		return name
	}
	return name + " ••" + number[len(number)-shownDigits:]
}

// shownDigits is how much of an account number is kept.
const shownDigits = 4

// State fetches the token. Razorpay has no expired tokens, and a token that it does not know is unknown.
func (g *Gateway) State(ctx context.Context, m mandate.Reference) (mandate.Details, error) {
	path, err := tokenPath(m)
	if err != nil {
		return mandate.Details{}, err
	}
	var found token
	err = g.call(g.client.R().SetContext(ctx), http.MethodGet, path, &found)
	switch {
	case missing(err):
		return mandate.Details{Reference: m, State: mandate.ProviderUnknown}, nil
	case err != nil:
		return mandate.Details{}, err
	case found.ID != m.MandateID:
		return mandate.Details{}, errs.Unavailable(errors.New("token: another token in the answer"))
	}
	d := mandate.Details{Reference: m, Cap: money.Paise(found.MaxAmount), Reason: words(found.Recurring.FailureReason)}
	d.Reference.Method = methodOf(found.Method)
	if d.State, err = stateOf(found.Recurring.Status); err != nil {
		return mandate.Details{}, err
	}
	if found.ExpiredAt > 0 {
		d.Until = time.Unix(found.ExpiredAt, 0).UTC()
	}
	switch d.Reference.Method {
	case mandate.MethodCard:
		d.Masked = cut(found.Card.Last4)
	case mandate.MethodUPI:
		if found.VPA.Handle != "" {
			d.Masked = cut("@" + found.VPA.Handle)
		}
	default:
		d.Masked = found.account()
	}
	return d, nil
}

func tokenPath(m mandate.Reference) (string, error) {
	if m.CustomerID == "" || m.MandateID == "" {
		return "", errs.Internal(errors.New("razorpay: a mandate without its customer or token"))
	}
	return "/v1/customers/" + url.PathEscape(m.CustomerID) + "/tokens/" + url.PathEscape(m.MandateID), nil
}

// stateOf maps recurring_details.status ("Fetch and Manage Tokens"). A cancellation under way counts as done, since nothing may be
// debited any more.
func stateOf(status string) (mandate.ProviderState, error) {
	switch strings.ToLower(status) {
	case "initiated":
		return mandate.ProviderPending, nil
	case "confirmed":
		return mandate.ProviderActive, nil
	case "rejected":
		return mandate.ProviderFailed, nil
	case "paused":
		return mandate.ProviderPaused, nil
	case "cancelled", "cancellation_initiated":
		return mandate.ProviderRevoked, nil
	case "expired":
		return mandate.ProviderExpired, nil
	default:
		return "", errs.Unavailable(fmt.Errorf("token: status %q", cut(status)))
	}
}

// Revoke cancels the token at the bank ("Cancel Token"). Deleting it would only hide it and leave the mandate alive.
func (g *Gateway) Revoke(ctx context.Context, m mandate.Reference) (mandate.Details, error) {
	path, err := tokenPath(m)
	if err != nil {
		return mandate.Details{}, err
	}
	var answer struct {
		Status string `json:"status"`
	}
	err = g.call(g.client.R().SetContext(ctx), http.MethodPut, path+"/cancel", &answer)
	if err == nil {
		return mandate.Details{Reference: m, State: mandate.ProviderRevoked}, nil
	}
	if !missing(err) {
		return mandate.Details{}, err
	}
	d, stateErr := g.State(ctx, m)
	if stateErr != nil {
		return mandate.Details{}, stateErr
	}
	switch d.State {
	case mandate.ProviderRevoked, mandate.ProviderExpired, mandate.ProviderFailed, mandate.ProviderUnknown:
		return d, nil
	default:
		return mandate.Details{}, unavailable(err)
	}
}

// ReadMandate parses the events token.* and order.notification.*, signed like every other.
func (g *Gateway) ReadMandate(p payment.Incoming) (mandate.Hint, error) {
	h, err := g.event(p)
	if err != nil {
		return mandate.Hint{}, err
	}
	id := h.Payload.Token.Entity.ID
	switch {
	case strings.HasPrefix(h.Event, "token."):
	case strings.HasPrefix(h.Event, "order.notification."):
		id = h.Payload.Notification.Entity.TokenID
	default:
		return mandate.Hint{}, payment.ErrSignature
	}
	if id == "" {
		return mandate.Hint{}, payment.ErrSignature
	}
	hint := mandate.Hint{Signed: true, MandateID: cut(id), Key: p.Headers[eventID]}
	if hint.Key == "" {
		hint.Key = fmt.Sprint(h.Event, "/", id, "/", h.Payload.Notification.Entity.ID, "/", h.CreatedAt, "/", h.Payload.CreatedAt)
	}
	return hint, nil
}
