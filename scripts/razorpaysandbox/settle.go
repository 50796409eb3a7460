package main

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

const (
	settlesAfter = 2 // working days
	settlesAt    = 9 * time.Hour
)

// bankDays returns the days on which Razorpay makes transfers: bank working days.
func bankDays() sandbox.Calendar { return sandbox.Calendar{Saturdays: true} }

// settle makes the transfers of every unsettled day up to now. A day's transfer is what was captured two working days earlier,
// less fees, refunds and adjustments.
func (d *draft) settle(now time.Time) {
	today := sandbox.Midnight(now)
	last := d.change.Account.SettledDay
	day := today
	if last != "" {
		before, err := time.ParseInLocation(time.DateOnly, last, today.Location())
		if err == nil {
			day = before.AddDate(0, 0, 1)
		}
	} else if first, ok := d.firstCapture(); ok {
		day = sandbox.Midnight(first)
	}
	for ; !day.After(today); day = day.AddDate(0, 0, 1) {
		moment := day.Add(settlesAt)
		if now.Before(moment) {
			return
		}
		if bankDays().Open(day) {
			d.settleDay(moment)
		}
		d.change.Account.SettledDay = day.Format(time.DateOnly)
	}
}

func (d *draft) firstCapture() (first time.Time, ok bool) {
	for _, o := range d.before.Orders {
		for _, p := range o.Payments {
			if p.captured() && (!ok || p.CapturedAt.Before(first)) {
				first, ok = p.CapturedAt, true
			}
		}
	}
	return first, ok
}

// row is an item that a settlement may contain.
type row struct {
	order  *order
	id     string
	at     time.Time
	amount int64 // added to the balance; negative for a debit
	due    bool  // whether a payment may be settled on this day
	debit  bool
	mark   func(o *order, settlementID string)
}

// settleDay transfers what is due on one day. Refunds come first. If they reduce the balance, whole payments that no longer fit
// move to the next day (About Settlements, Partial Settlements, second example); if too little would be left, all of them are
// settled against the refunds (first example). Nothing is transferred unless the result is positive.
func (d *draft) settleDay(moment time.Time) {
	var balance, debits int64
	var chosen, payments []row
	for _, r := range d.unsettled(moment) {
		balance += r.amount
		if r.debit {
			debits += r.amount
			chosen = append(chosen, r)
		} else if r.due {
			payments = append(payments, r)
		}
	}
	fitting := fit(payments, balance)
	if total(fitting)+debits <= 0 {
		fitting = payments
	}
	amount := total(fitting) + debits
	if amount <= 0 {
		return
	}
	chosen = append(chosen, fitting...)
	s := &settlement{
		ID: newID("setl_"), Amount: amount, UTR: strconv.FormatInt(moment.Unix(), 10) + "sbx" + digits(4), CreatedAt: moment,
	}
	d.change.Settlements[s.ID] = s
	for _, r := range chosen {
		r.mark(d.order(r.order.ID), s.ID)
	}
	teller{draft: d, now: moment, webhook: webhookOnce}.settlement(s)
}

// fit picks payments, oldest first, skipping any that exceeds the remaining balance.
func fit(payments []row, balance int64) []row {
	var chosen []row
	for _, p := range payments {
		if p.amount <= balance {
			balance -= p.amount
			chosen = append(chosen, p)
		}
	}
	return chosen
}

func total(rows []row) int64 {
	var sum int64
	for _, r := range rows {
		sum += r.amount
	}
	return sum
}

// unsettled lists what had happened by then but is not in any settlement yet, oldest first.
func (d *draft) unsettled(moment time.Time) []row {
	var rows []row
	for id := range d.before.Orders {
		o := d.before.Orders[id]
		if changed, ok := d.change.Orders[id]; ok {
			o = changed
		}
		for i, p := range o.Payments {
			if !p.captured() || p.CapturedAt.After(moment) {
				continue
			}
			rows = append(rows, p.unsettled(o, i, moment)...)
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	return rows
}

func (p *payment) unsettled(o *order, i int, moment time.Time) []row {
	var rows []row
	if p.SettlementID == "" {
		rows = append(rows, row{
			order: o, id: p.ID, at: p.CapturedAt, amount: p.Amount - p.Fee,
			due:  !bankDays().Add(p.CapturedAt, settlesAfter).After(moment),
			mark: func(o *order, id string) { o.Payments[i].SettlementID = id },
		})
	}
	for j, r := range p.Refunds {
		if r.SettlementID == "" && r.Status != statusFailed && !r.CreatedAt.After(moment) {
			rows = append(rows, row{
				order: o, id: r.ID, at: r.CreatedAt, amount: -r.Amount, debit: true,
				mark: func(o *order, id string) { o.Payments[i].Refunds[j].SettlementID = id },
			})
		}
	}
	for j, a := range p.Adjustments {
		if a.SettlementID == "" && !a.CreatedAt.After(moment) {
			rows = append(rows, row{
				order: o, id: a.ID, at: a.CreatedAt, amount: a.Amount, debit: true,
				mark: func(o *order, id string) { o.Payments[i].Adjustments[j].SettlementID = id },
			})
		}
	}
	return rows
}

// reconRow is one row of the combined reconciliation.
type reconRow struct {
	settledAt time.Time
	at        time.Time
	fields    fields
}

// reconRows lists everything that was settled between two moments, oldest first.
func (st *state) reconRows(from, until time.Time) []fields {
	var rows []reconRow
	for _, o := range st.Orders {
		for _, p := range o.Payments {
			for _, r := range st.settledRows(o, p) {
				if !r.settledAt.Before(from) && r.settledAt.Before(until) {
					rows = append(rows, r)
				}
			}
		}
	}
	slices.SortFunc(rows, func(a, b reconRow) int {
		return cmp.Or(a.settledAt.Compare(b.settledAt), a.at.Compare(b.at),
			cmp.Compare(a.fields["entity_id"].(string), b.fields["entity_id"].(string)))
	})
	list := make([]fields, len(rows))
	for i, r := range rows {
		list[i] = r.fields
	}
	return list
}

func (st *state) settledRows(o *order, p *payment) []reconRow {
	var rows []reconRow
	add := func(settlementID, id, kind string, at time.Time, amount int64) fields {
		s, ok := st.Settlements[settlementID]
		if !ok {
			return fields{} // not settled yet: fields set on it are discarded
		}
		f := fields{
			"entity_id": id, "type": kind, "debit": max(-amount, 0), "credit": max(amount, 0), "amount": max(amount, -amount),
			"currency": o.Currency, "fee": 0, "tax": 0, "on_hold": false, "settled": true, "created_at": at.Unix(),
			"settled_at": s.CreatedAt.Unix(), "settlement_id": s.ID, "posted_at": nil, "credit_type": "default",
			"description": nil, "notes": nil, "payment_id": nil, "settlement_utr": s.UTR, "order_id": orNull(o.shownID()),
			"order_receipt": orNull(o.Receipt), "method": p.Method, "card_network": nil, "card_issuer": nil, "card_type": nil,
			"dispute_id": nil,
		}
		if p.Method == "card" {
			f["card_network"], f["card_issuer"], f["card_type"] = "Visa", "KARB", "debit"
		}
		rows = append(rows, reconRow{settledAt: s.CreatedAt, at: at, fields: f})
		return f
	}
	f := add(p.SettlementID, p.ID, "payment", p.CreatedAt, p.Amount-p.Fee)
	f["amount"], f["fee"], f["tax"], f["description"] = p.Amount, p.Fee, p.Tax, orNull(p.Description)
	for _, r := range p.Refunds {
		add(r.SettlementID, r.ID, "refund", r.CreatedAt, -r.Amount)["payment_id"] = p.ID
	}
	for _, a := range p.Adjustments {
		f := add(a.SettlementID, a.ID, "adjustment", a.CreatedAt, a.Amount)
		for _, name := range []string{"settlement_utr", "order_id", "order_receipt", "method", "card_network", "card_issuer", "card_type"} {
			f[name] = nil
		}
		delete(f, "credit_type")
		f["description"], f["dispute_id"] = a.Description, orNull(a.DisputeID)
	}
	return rows
}
