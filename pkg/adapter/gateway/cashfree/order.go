package cashfree

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Cashfree's limits, in characters ("Create Order").
const (
	minOrder   = 3
	maxOrder   = 45
	maxAddress = 250
	minText    = 3
	maxName    = 100
	maxNote    = 200
	maxEmail   = 100
)

// The states of an order in which it can be paid, and in which a payment paid it.
const (
	orderActive = "ACTIVE"
	orderPaid   = "PAID"
)

// way is the payment method of an order. Cashfree fixes an order's methods when the order is created, but customers may choose another
// method for the same transaction. So each method has a separate order, named by the transaction and a suffix.
type way struct {
	method payment.Method
	suffix string
	// modes are Cashfree's payment_methods.
	modes string
}

func ways() []way {
	return []way{
		{payment.MethodAny, "", ""},
		{payment.MethodCard, "-card", "cc,dc"},
		{payment.MethodUPI, "-upi", "upi"},
		{payment.MethodNetbanking, "-nb", "nb"},
	}
}

// wayOf returns the way of paying by a method, or the way that leaves the choice to the customer.
func wayOf(m payment.Method) way {
	for _, w := range ways() {
		if w.method == m {
			return w
		}
	}
	return ways()[0]
}

// transactionOf returns the transaction of an order, empty if the order is not ours.
func transactionOf(orderID string) string {
	if len(orderID) < minOrder || len(orderID) > maxOrder || strings.Trim(orderID, orderRunes) != "" {
		return ""
	}
	transaction, _, _ := strings.Cut(orderID, "-")
	for _, w := range ways() {
		if orderID == transaction+w.suffix {
			return transaction
		}
	}
	return ""
}

// orderRunes are the characters allowed in an order's name.
const orderRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// order is Cashfree's answer about an order.
type order struct {
	OrderID   string `json:"order_id"`
	Amount    amount `json:"order_amount"`
	Currency  string `json:"order_currency"`
	Status    string `json:"order_status"`
	SessionID string `json:"payment_session_id"`
}

// customer is the part of an order that describes the customer. Cashfree requires an id, and the mobile number.
type customer struct {
	ID    string `json:"customer_id"`
	Name  string `json:"customer_name,omitempty"`
	Email string `json:"customer_email,omitempty"`
	Phone string `json:"customer_phone"`
}

type orderMeta struct {
	ReturnURL string `json:"return_url"`
	NotifyURL string `json:"notify_url,omitempty"`
	Methods   string `json:"payment_methods,omitempty"`
}

type newOrder struct {
	OrderID  string    `json:"order_id"`
	Amount   any       `json:"order_amount"`
	Currency string    `json:"order_currency"`
	Customer customer  `json:"customer_details"`
	Meta     orderMeta `json:"order_meta"`
	Note     string    `json:"order_note,omitempty"`
}

// open creates the order of the charge, or fetches it if it exists.
func (g *Gateway) open(ctx context.Context, c payment.Charge) (order, error) {
	w := wayOf(c.Method)
	id := c.TransactionID + w.suffix
	if c.TransactionID == "" || transactionOf(id) != c.TransactionID {
		return order{}, errs.Internal(errors.New("a transaction's name is none that Cashfree takes"))
	}
	back, err := g.returnURL(c)
	if err != nil {
		return order{}, err
	}
	wanted := newOrder{
		OrderID: id, Amount: rupees(c.Amount), Currency: payment.Currency, Note: note(c.ProductInfo),
		Customer: customer{ID: c.TransactionID, Name: customerName(c.FirstName), Email: email(c.Email), Phone: c.Mobile},
		Meta:     orderMeta{ReturnURL: back, NotifyURL: g.notifyURL(), Methods: w.modes},
	}
	var o order
	err = g.call(ctx, http.MethodPost, "/orders", wanted, &o)
	if r, ok := errors.AsType[*refusal](err); ok && r.code == "order_already_exists" {
		err = g.call(ctx, http.MethodGet, orderPath(id), nil, &o)
	}
	if err != nil {
		return order{}, unavailable(err)
	}
	switch {
	case o.OrderID != id || !o.Amount.Given || o.Amount.Paise != c.Amount || o.Currency != payment.Currency:
		return order{}, errs.Unavailable(errors.New("create order: the answer is about another order, amount or currency"))
	case o.Status != orderActive || o.SessionID == "":
		return order{}, errs.Unavailable(fmt.Errorf("create order: the order is %.40s", cmp.Or(o.Status, "without a state")))
	}
	return o, nil
}

// returnURL adds the transaction under our own signature, because Cashfree signs nothing that the browser brings back. Cashfree replaces
// {order_id} by the order's name.
func (g *Gateway) returnURL(c payment.Charge) (string, error) {
	address, err := c.SignedReturnURL(g.proof(c.TransactionID))
	if err != nil {
		return "", err
	}
	address += "&order_id={order_id}"
	if len(address)-len("{order_id}")+maxOrder > maxAddress {
		return "", errs.Internal(errors.New("the return address is longer than Cashfree takes"))
	}
	return address, nil
}

// notifyURL returns the address for webhooks, empty if Cashfree would not accept it; the dashboard's addresses still apply.
func (g *Gateway) notifyURL() string {
	if !strings.HasPrefix(g.config.WebhookURL, "https://") || len(g.config.WebhookURL) > maxAddress {
		return ""
	}
	return g.config.WebhookURL
}

// proof is our signature on a return address. No webhook has the same text: a timestamp comes first there.
func (g *Gateway) proof(transaction string) string {
	return base64.RawURLEncoding.EncodeToString(g.sign("return|" + transaction))
}

// customerName returns the name without special characters, which Cashfree refuses, or nothing if the rest is too short.
func customerName(s string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return r
		default:
			return ' '
		}
	}, norm.NFD.String(s))
	return atLeast(text.First(strings.Join(strings.Fields(kept), " "), maxName))
}

// email returns the address, or nothing if it is longer than Cashfree accepts: a part of it might be another person's address.
func email(s string) string {
	if utf8.RuneCountInString(s) > maxEmail {
		return ""
	}
	return s
}

func note(s string) string { return atLeast(text.First(strings.TrimSpace(s), maxNote)) }

// atLeast drops a text that is shorter than Cashfree takes.
func atLeast(s string) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) < minText {
		return ""
	}
	return s
}
