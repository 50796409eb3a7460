package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"unicode/utf8"
)

const (
	receiptAtMost = 40
	notesAtMost   = 15
	noteAtMost    = 256
)

// createOrder creates an order (Create an Order; Configure Payment Capture Settings using Orders API).
func (s *server) createOrder(r *http.Request) (any, error) {
	given, _, err := body(r, "amount", "currency", "receipt", "notes", "partial_payment", "first_payment_min_amount", "payment", "payment_capture",
		"customer_id", "method", "token", "notification")
	if err != nil {
		return nil, err
	}
	o := &order{ID: newID("order_"), CreatedAt: s.now(), Notes: given["notes"], Capture: s.accountCapture()}
	if len(given["amount"]) == 0 {
		return nil, bad("The amount field is required.", "amount")
	}
	if method, _ := text(given["method"]); method == methodEmandate && string(given["amount"]) == "0" {
		o.Amount = 0
	} else if o.Amount, err = amount(given["amount"]); err != nil {
		return nil, err
	}
	var ok bool
	if o.Currency, ok = text(given["currency"]); !ok || o.Currency == "" {
		return nil, bad("The currency field is required.", "currency")
	}
	if o.Currency != "INR" {
		return nil, bad("Currency is not supported", "currency")
	}
	if o.Receipt, ok = text(given["receipt"]); !ok {
		return nil, bad("The receipt must be a string.", "receipt")
	}
	if utf8.RuneCountInString(o.Receipt) > receiptAtMost {
		return nil, bad("The receipt may not be greater than 40 characters.", "receipt")
	}
	if err := checkNotes(o.Notes); err != nil {
		return nil, err
	}
	if err := o.Capture.override(given["payment"]); err != nil {
		return nil, err
	}
	switch string(given["payment_capture"]) {
	case "true", "1", `"1"`:
		o.Capture.How = captureAutomatic
	case "false", "0", `"0"`:
		o.Capture.How = captureManual
	}
	if err := o.mandateOrder(given, o.CreatedAt); err != nil {
		return nil, err
	}
	var answer fields
	err = s.book.change(func(d *draft) error {
		if o.Receipt != "" && d.before.findOrder(o.Receipt) != nil {
			return bad("The receipt has already been taken.", "receipt")
		}
		if o.Limits != nil && d.before.Customers[o.CustomerID] == nil {
			return errNoID
		}
		if n := o.Notification; n != nil {
			t := d.token(n.TokenID)
			if t == nil {
				return errNoID
			}
			n.Fails, t.NextNotice = t.NextNotice == "failed", ""
		}
		d.change.Orders[o.ID] = o
		answer = o.entity()
		return nil
	})
	return answer, err
}

func (s *server) accountCapture() capture {
	return capture{How: s.capture, AutomaticWithin: automaticDefault, ManualWithin: manualDefault}
}

func checkNotes(raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "[]" {
		return nil
	}
	notes := map[string]any{}
	if err := json.Unmarshal(raw, &notes); err != nil {
		return bad("The notes must be an array.", "notes")
	}
	if len(notes) > notesAtMost {
		return bad("Number of fields in notes should be less than or equal to 15", "notes")
	}
	for _, value := range notes {
		if note, ok := value.(string); ok && utf8.RuneCountInString(note) > noteAtMost {
			return bad("The notes value may not be greater than 256 characters.", "notes")
		}
	}
	return nil
}

// override applies an order's own capture setting, which takes precedence over the account's.
func (c *capture) override(raw json.RawMessage) error {
	if len(raw) == 0 {
		return nil
	}
	var asked struct {
		Capture string `json:"capture"`
		Options struct {
			Automatic *int   `json:"automatic_expiry_period"`
			Manual    *int   `json:"manual_expiry_period"`
			Speed     string `json:"refund_speed"`
		} `json:"capture_options"`
	}
	if err := json.Unmarshal(raw, &asked); err != nil {
		return bad("The payment must be an array.", "payment")
	}
	if asked.Capture != captureAutomatic && asked.Capture != captureManual {
		return bad("The selected capture is invalid.", "capture")
	}
	c.How = asked.Capture
	if asked.Options.Manual != nil {
		c.ManualWithin = *asked.Options.Manual
	}
	if asked.Options.Automatic != nil {
		c.AutomaticWithin = *asked.Options.Automatic
		if c.AutomaticWithin < 12 {
			return bad("The automatic expiry period must be at least 12.", "automatic_expiry_period")
		}
	}
	if c.ManualWithin > manualDefault || asked.Options.Automatic != nil && c.ManualWithin < c.AutomaticWithin {
		return bad("The manual expiry period is invalid.", "manual_expiry_period")
	}
	return nil
}

// listOrders lists orders by receipt or time, newest first (Fetch All Orders).
func (s *server) listOrders(r *http.Request) (any, error) {
	query := r.URL.Query()
	var items []fields
	for _, o := range s.book.orders() {
		if receipt := query.Get("receipt"); !o.Hidden && (receipt == "" || receipt == o.Receipt) {
			items = append(items, o.entity())
		}
	}
	return listed(items, r)
}

func listed(items []fields, r *http.Request) (any, error) {
	items, err := between(items, r.URL.Query())
	if err != nil {
		return nil, err
	}
	if items, err = page(items, r.URL.Query(), 10, 100); err != nil {
		return nil, err
	}
	return collection(items), nil
}

func (s *server) fetchOrder(r *http.Request) (any, error) {
	o, err := s.orderByID(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return o.entity(), nil
}

// orderPayments lists the customer's payment attempts, newest first.
func (s *server) orderPayments(r *http.Request) (any, error) {
	o, err := s.orderByID(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var items []fields
	for _, p := range slices.Backward(o.Payments) {
		items = append(items, p.entity())
	}
	return collection(items), nil
}

func (s *server) orderByID(id string) (*order, error) {
	o := s.book.order(id)
	if o == nil || o.ID != id || o.Hidden {
		return nil, errNoID
	}
	return o, nil
}
