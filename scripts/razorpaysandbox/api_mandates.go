package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"
)

// customerEmailAtMost is the longest e-mail of a customer (Create a Customer).
const customerEmailAtMost = 64

// customerNameRule is that of a customer's name (Create a Customer): alphanumeric, with . ' / @ ( ), 3 to 50 characters. The text of the refusal
// is from razorpay-node issue 161.
var customerNameRule = regexp.MustCompile(`^[A-Za-z0-9 .'/@()]{3,50}$`)

// createCustomer creates a customer, or returns the one with the same contact data (Create a Customer, fail_existing).
func (s *server) createCustomer(r *http.Request) (any, error) {
	given, _, err := body(r, "name", "email", "contact", "fail_existing", "gstin", "notes")
	if err != nil {
		return nil, err
	}
	c := &customer{ID: newID("cust_"), CreatedAt: s.now()}
	for name, into := range map[string]*string{"name": &c.Name, "email": &c.Email, "contact": &c.Contact} {
		var ok bool
		if *into, ok = text(given[name]); !ok {
			return nil, bad("The "+name+" must be a string.", name)
		}
	}
	if !customerNameRule.MatchString(c.Name) {
		return nil, bad("The name format is invalid.", "name")
	}
	if utf8.RuneCountInString(c.Email) > customerEmailAtMost {
		return nil, bad("The email may not be greater than 64 characters.", "email")
	}
	if c.Contact != "" && !regexp.MustCompile(`^\+?[0-9]{8,15}$`).MatchString(c.Contact) {
		return nil, apiError{description: "Contact number should be at least 8 digits, including country code", field: "contact"}
	}
	existing, _ := text(given["fail_existing"])
	var answer fields
	err = s.book.change(func(d *draft) error {
		for _, before := range d.before.Customers {
			if before.Email == c.Email && before.Contact == c.Contact {
				if existing != "0" {
					return bad("Customer already exists for the merchant", "")
				}
				answer = before.entity()
				return nil
			}
		}
		d.change.Customers[c.ID] = c
		answer = c.entity()
		return nil
	})
	return answer, err
}

func (s *server) fetchCustomer(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		c := st.Customers[r.PathValue("id")]
		if c == nil {
			return nil, false
		}
		return c.entity(), true
	})
}

// customerTokens lists a customer's tokens. Expired ones are left out, and those of UPI unless the account has the feature.
func (s *server) customerTokens(r *http.Request) (any, error) {
	now, saved := s.now().Unix(), s.settings.get().SaveVPA
	return s.look(func(st *state) (fields, bool) {
		var items []fields
		for _, t := range st.Tokens {
			if t.CustomerID == r.PathValue("id") && !t.Deleted && (t.ExpireAt == 0 || t.ExpireAt > now) && (t.Method != methodUPI || saved) {
				items = append(items, t.entity())
			}
		}
		return collection(items), st.Customers[r.PathValue("id")] != nil
	})
}

func (s *server) fetchToken(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		t := st.tokenOf(r.PathValue("id"), r.PathValue("token"))
		if t == nil {
			return nil, false
		}
		return t.entity(), true
	})
}

// deleteToken hides a token. The mandate lives on at the bank, but for netbanking, where it starts the cancellation.
func (s *server) deleteToken(r *http.Request) (any, error) {
	return s.onToken(r, func(t *token) (fields, error) {
		t.Deleted = true
		if t.Method == methodEmandate {
			t.Status, t.CancelsAt = tokenCancelling, s.now().Add(cancelTakes)
		}
		return fields{"deleted": true}, nil
	})
}

// cancelToken starts the cancellation of the mandate (Cancel Token).
func (s *server) cancelToken(r *http.Request) (any, error) {
	return s.onToken(r, func(t *token) (fields, error) {
		if t.Status != tokenConfirmed && t.Status != tokenPaused && t.Status != tokenInitiated {
			return nil, apiError{description: "Token is not in a state to be cancelled"}
		}
		t.Status, t.CancelsAt = tokenCancelling, s.now().Add(cancelTakes)
		return fields{"status": tokenCancelling}, nil
	})
}

func (s *server) onToken(r *http.Request, fn func(t *token) (fields, error)) (any, error) {
	var answer fields
	err := s.book.change(func(d *draft) error {
		if d.before.tokenOf(r.PathValue("id"), r.PathValue("token")) == nil {
			return errNoID
		}
		var err error
		answer, err = fn(d.token(r.PathValue("token")))
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// mandateOrder reads the fields of an order that registers a mandate or carries the notice of a debit.
func (o *order) mandateOrder(given map[string]json.RawMessage, now time.Time) error {
	o.CustomerID, _ = text(given["customer_id"])
	o.TokenMethod, _ = text(given["method"])
	if raw := given["notification"]; len(raw) > 0 {
		n := &notification{ID: newID("notification_")}
		if err := json.Unmarshal(raw, n); err != nil || n.TokenID == "" {
			return bad("The token id field is required.", "token_id")
		}
		n.ID, n.Status = newID("notification_"), ""
		if n.PaymentAfter == 0 {
			n.PaymentAfter = now.Add(coupledUPI).Unix()
		}
		o.Notification = n
	}
	if len(given["token"]) == 0 {
		return nil
	}
	l := &limits{}
	if err := json.Unmarshal(given["token"], l); err != nil {
		return bad("The token must be an array.", "token")
	}
	switch {
	case o.CustomerID == "":
		return bad("The customer id field is required.", "customer_id")
	case !slices.Contains([]string{methodUPI, methodCard, methodEmandate}, o.TokenMethod):
		return bad("The selected method is invalid.", "method")
	case o.TokenMethod != methodEmandate && l.MaxAmount < 100:
		return bad("The amount field is required.", "max_amount")
	case o.TokenMethod == methodUPI && l.MaxAmount > 99_999_00 || o.TokenMethod == methodCard && l.MaxAmount > 15_000_00:
		return bad("The max amount may not be greater than the maximum allowed.", "max_amount")
	case o.TokenMethod != methodEmandate && o.Amount > l.MaxAmount:
		return bad("The order amount cannot be greater than the token max amount for upi recurring.", "amount")
	case o.TokenMethod == methodEmandate && o.Amount != 0:
		return bad("The amount must be 0 for emandate.", "amount")
	case !slices.Contains([]string{"", "netbanking", "debitcard", "aadhaar", "physical"}, l.AuthType):
		return bad("The selected auth type is invalid.", "auth_type")
	case l.ExpireAt != 0 && l.ExpireAt <= now.Unix():
		return bad("The expire at must be a time in the future.", "expire_at")
	case o.TokenMethod != methodEmandate && !slices.Contains([]string{
		"daily", "weekly", "fortnightly", "bimonthly", "monthly", "quarterly", "half_yearly", "yearly", "as_presented",
	}, l.Frequency):
		return bad("The selected frequency is invalid.", "frequency")
	}
	o.Limits = l
	return nil
}

var (
	errOrderPaid = apiError{description: "Your payment has been declined as the order is already paid. Please initiate the payment with a new order."}
	errTooSoon   = apiError{
		code:        "BAD_REQUEST_MANDATE_PROMISED_DEBIT_DATE_NOT_HONOURED",
		description: "Payment failed as the debit was attempted before the time of the pre-debit notification.",
		reason:      "pre_debit_notification_not_sent",
	}
)

// createRecurring debits a token (Create a Recurring Payment). The answer names the payment only: whether it fails shows later.
func (s *server) createRecurring(r *http.Request) (any, error) {
	given, _, err := body(r, "email", "contact", "amount", "currency", "order_id", "customer_id", "token", "recurring", "description", "notes")
	if err != nil {
		return nil, err
	}
	value, err := amount(given["amount"])
	if err != nil {
		return nil, err
	}
	orderID, _ := text(given["order_id"])
	customerID, _ := text(given["customer_id"])
	tokenID, _ := text(given["token"])
	if raw := string(given["recurring"]); raw != "true" && raw != `"1"` && raw != "1" {
		return nil, bad("The recurring field is required.", "recurring")
	}
	if err := checkNotes(given["notes"]); err != nil {
		return nil, err
	}
	now := s.now()
	var answer fields
	err = s.book.change(func(d *draft) error {
		t, o := d.before.tokenOf(customerID, tokenID), d.before.Orders[orderID]
		switch {
		case t == nil || o == nil || o.Hidden:
			return errNoID
		case o.status() == statusPaid:
			return errOrderPaid
		case value != o.Amount:
			return bad("Payment amount is different from your order amount. To pay successfully, please try using right amount.", "amount")
		case value > t.MaxAmount:
			return apiError{description: "Amount exceeds maximum amount allowed"}
		case o.Notification != nil && o.Notification.TokenID != tokenID:
			return apiError{description: "The token of the notification is another one", field: "token"}
		case t.Method == methodCard && o.Notification.tooSoon(now):
			return errTooSoon
		}
		for _, p := range d.before.debits(tokenID) {
			if p.Status == statusCreated {
				return apiError{description: "Another payment by this token is in progress"}
			}
		}
		p := &payment{
			ID: newID("pay_"), OrderID: o.ID, Amount: value, Currency: o.Currency, Status: statusCreated, Method: t.Method, VPA: payingVPA,
			Recurring: true, CustomerID: customerID, TokenID: tokenID, Notes: given["notes"], Reference: digits(12), CreatedAt: now,
			DebitAt: s.debitAt(t, o, now), DebitWebhook: t.NextWebhook, DebitEnds: t.Next,
		}
		p.Email, _ = text(given["email"])
		p.Contact, _ = text(given["contact"])
		p.Description, _ = text(given["description"])
		if why := t.refusal(o, now, d.before.debits(tokenID)); why != "" {
			p.DebitEnds, p.DebitAt = why, now
		} else if t.Method == methodUPI && s.settings.get().PeakHours == "fail" && !opens(now).Equal(now) {
			p.DebitEnds, p.DebitAt = "payment_failed", now
		}
		changed := d.token(tokenID)
		changed.Next, changed.NextWebhook = "", ""
		o = d.order(orderID)
		o.Payments = append(o.Payments, p)
		answer = fields{"razorpay_payment_id": p.ID}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// tooSoon reports whether a card may not be debited yet: its notice was not delivered long enough ago.
func (n *notification) tooSoon(now time.Time) bool {
	return n != nil && (n.Status != "delivered" || now.Sub(n.DeliveredAt) < cardNoticeLead || now.Unix() < n.PaymentAfter)
}
