package main

import (
	"encoding/json"
	"maps"
	"strings"
	"time"
)

// How the merchant is notified, as named in the control calls.
const (
	webhookOnce  = "once"
	webhookTwice = "twice"
	webhookLate  = "late"
	webhookLost  = "lost"
)

// delivery is one webhook, posted or pending. Its times are machine time.
type delivery struct {
	ID        string    `json:"id"`
	EventID   string    `json:"event_id"` // the same for the same event sent twice
	Event     string    `json:"event"`
	About     string    `json:"about"` // the order or settlement
	Body      string    `json:"body"`
	CreatedAt time.Time `json:"created_at"`
	Due       time.Time `json:"due"`
	Attempts  int       `json:"attempts"`
	Done      bool      `json:"done"`
	Result    string    `json:"result"`
}

// teller records events: a payload is a snapshot of the entities when the event occurred.
type teller struct {
	draft   *draft
	now     time.Time // business time, for created_at
	webhook string
	delay   time.Duration
	orphan  bool // omits order_id, as some published dispute payloads do
}

func (t teller) as(webhook string) teller {
	if webhook == webhookLate { // already delayed
		webhook = webhookOnce
	}
	t.webhook = webhook
	return t
}

func (t teller) payment(event string, p *payment) {
	t.event(event, p.OrderID, "payment", fields{"payment": t.paymentEntity(p)})
}

func (t teller) orderPaid(o *order, p *payment) {
	t.event("order.paid", o.ID, "payment order", fields{"payment": t.paymentEntity(p), "order": o.entity()})
}

func (t teller) refund(event string, p *payment, r *refund) {
	t.event(event, p.OrderID, "refund payment", fields{"refund": r.entity(p), "payment": t.paymentEntity(p)})
}

func (t teller) dispute(event string, p *payment, d *dispute) {
	t.event(event, p.OrderID, "payment dispute", fields{"payment": t.paymentEntity(p), "dispute": d.entity(p)})
}

// notification tells what became of a notice; its published sample has created_at within the payload.
func (t teller) notification(o *order) {
	t.event("order.notification."+o.Notification.Status, o.ID, "notification", fields{"notification": o.Notification.entity(o.ID)})
}

func (t teller) settlement(s *settlement) {
	t.event("settlement.processed", s.ID, "settlement", fields{"settlement": s.entity()})
}

// paymentEntity returns a payment as in a webhook: once captured it has two fields that the API's answers lack.
func (t teller) paymentEntity(p *payment) fields {
	f := p.entity()
	if p.captured() {
		f = maps.Clone(f)
		f["base_amount"], f["amount_transferred"] = p.Amount, 0
	}
	if t.orphan {
		f["order_id"] = nil
	}
	return f
}

func (t teller) event(name, about, contains string, entities fields) {
	if t.webhook == webhookLost {
		return
	}
	payload := fields{}
	for kind, entity := range entities {
		payload[kind] = fields{"entity": entity}
	}
	envelope := fields{
		"entity": "event", "account_id": accountID, "event": name, "contains": strings.Fields(contains), "payload": payload,
		"created_at": t.now.Unix(),
	}
	if contains == "notification" {
		payload["created_at"] = t.now.Unix()
		delete(envelope, "created_at")
	}
	body, err := json.Marshal(envelope)
	if err != nil {
		panic(err) // cannot happen: plain data
	}
	machine := time.Now()
	due := machine
	if t.webhook == webhookLate {
		due = machine.Add(t.delay)
	}
	eventID := newID("")
	copies := 1
	if t.webhook == webhookTwice {
		copies = 2
	}
	for range copies {
		id := newID("dlv_")
		t.draft.change.Deliveries[id] = &delivery{
			ID: id, EventID: eventID, Event: name, About: about, Body: string(body), CreatedAt: machine, Due: due,
		}
	}
}
