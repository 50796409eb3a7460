package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// model computes what an order must cost, independently of the product's own pricing: from the rows of the catalogue,
// the days of the terms and fractions of them. Nothing here may call the code under test.
type model struct {
	w     *World
	order modelOrder
	sub   modelTerm
	today subscription.Day
	rate  int64
}

type modelOrder struct {
	Franchiser string         `db:"franchiser_id"`
	Kind       string         `db:"kind"`
	Type       string         `db:"plan_type"`
	Service    string         `db:"service_id"`
	Revision   int            `db:"catalogue_revision"`
	Base       int            `db:"base_revision"`
	AddOns     pq.StringArray `db:"add_on_ids"`
	State      string         `db:"state_code"`
	Asked      money.Paise    `db:"total_paise"`
	Created    time.Time      `db:"created_at"`
}

type modelTerm struct {
	State     string           `db:"state"`
	Service   string           `db:"service_id"`
	Type      string           `db:"plan_type"`
	Revision  int              `db:"catalogue_revision"`
	Content   int              `db:"revision"`
	StartsOn  subscription.Day `db:"starts_on"`
	RenewOn   subscription.Day `db:"renew_on"`
	PaidUntil subscription.Day `db:"paid_until"`
	DueOn     subscription.Day `db:"due_on"`
}

// due returns what the order costs today; ok is false if it must have no effect, or if the subscription is due for a
// change and no sweep has run.
func (w *World) due(ctx context.Context, orderID string) (due money.Paise, ok bool, err error) {
	m := model{w: w, today: subscription.DayOf(w.Clock.Now())}
	if err := w.Owner.GetContext(ctx, &m.order, `SELECT franchiser_id, kind, plan_type, service_id, catalogue_revision, base_revision, add_on_ids,
		recipient ->> 'state_code' AS state_code, total_paise, created_at FROM orders WHERE id = $1`, orderID); err != nil {
		return 0, false, fmt.Errorf("read order: %w", err)
	}
	err = w.Owner.GetContext(ctx, &m.sub, `SELECT state, service_id, plan_type, catalogue_revision, revision, starts_on, renew_on, paid_until, due_on
		FROM subscriptions WHERE franchiser_id = $1`, m.order.Franchiser)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, false, fmt.Errorf("read subscription: %w", err)
	}
	if m.order.Base != m.sub.Content || m.sub.DueOn != 0 && m.sub.DueOn <= m.today {
		return 0, false, nil
	}
	if m.order.Kind == "add_on" && m.sub.State != "active" {
		return 0, false, nil // nothing can be added to a plan that is over, even in its grace period
	}
	if err := w.Owner.GetContext(ctx, &m.rate, `SELECT (r ->> 'rate_bps')::int FROM (SELECT gst_rates FROM catalogue_revisions
		ORDER BY revision DESC LIMIT 1) c, jsonb_array_elements(c.gst_rates) r WHERE (r ->> 'from')::date <= $1::date
		ORDER BY (r ->> 'from')::date DESC LIMIT 1`, m.today); err != nil {
		return 0, false, fmt.Errorf("read rate of tax: %w", err)
	}
	if m.order.Kind == "upgrade" && w.Clock.Now().Before(m.order.Created.Add(time.Hour)) {
		m.today = subscription.DayOf(m.order.Created)
	}
	nets, err := m.lines(ctx)
	for _, net := range nets {
		due += net + m.tax(net)
	}
	if err != nil || m.order.Kind != "upgrade" {
		return due, err == nil, err
	}
	credit, known, err := m.credit(ctx)
	return due - credit, known, err
}

// lines returns the value of each line of the order before tax.
func (m *model) lines(ctx context.Context) ([]money.Paise, error) {
	if m.order.Kind == "add_on" {
		return m.addOnLines(ctx)
	}
	var price struct {
		Monthly  money.Paise `db:"monthly_paise"`
		Yearly   money.Paise `db:"yearly_paise"`
		Discount money.Paise `db:"yearly_discount_paise"`
	}
	if err := m.w.Owner.GetContext(ctx, &price, `SELECT monthly_paise, yearly_paise, yearly_discount_paise FROM plan_service_revisions
		WHERE revision = $1 AND service_id = $2`, m.order.Revision, m.order.Service); err != nil {
		return nil, fmt.Errorf("read price: %w", err)
	}
	nets := []money.Paise{price.Monthly}
	if m.order.Type == "yearly" {
		nets[0] = price.Yearly - price.Discount
	}
	for i, id := range m.order.AddOns {
		a, err := m.addOn(ctx, `p.id = $2`, m.order.Revision, id)
		if err != nil {
			return nil, err
		}
		if i > 0 && m.order.AddOns[i-1] == id {
			nets[len(nets)-1] += a.price(m.order.Type)
			continue
		}
		nets = append(nets, a.price(m.order.Type))
	}
	return nets, nil
}

type modelAddOn struct {
	ID      string      `db:"id"`
	Key     string      `db:"key"`
	Limit   int         `db:"unit_limit"`
	Monthly money.Paise `db:"monthly_paise"`
	Yearly  money.Paise `db:"yearly_paise"`
	Once    money.Paise `db:"once_paise"`
}

func (a modelAddOn) price(planType string) money.Paise {
	if a.Once > 0 {
		return a.Once
	}
	if planType == "yearly" {
		return a.Yearly
	}
	return a.Monthly
}

func (m *model) addOn(ctx context.Context, which string, args ...any) (modelAddOn, error) {
	var a modelAddOn
	err := m.w.Owner.GetContext(ctx, &a, `SELECT p.id, p.key, r.unit_limit, r.monthly_paise, r.yearly_paise, r.once_paise FROM plan_add_ons p
		JOIN plan_add_on_revisions r ON r.add_on_id = p.id AND r.revision = $1 WHERE `+which, args...)
	return a, err
}

// addOnLines returns the rest of the present term at its price, and the whole next term at its own if that is paid.
func (m *model) addOnLines(ctx context.Context) ([]money.Paise, error) {
	var next modelTerm
	if m.sub.PaidUntil > m.sub.RenewOn {
		if err := m.w.Owner.GetContext(ctx, &next, `SELECT service_id, plan_type, catalogue_revision, starts_on, renew_on FROM terms
			WHERE franchiser_id = $1 AND status = 'scheduled'`, m.order.Franchiser); err != nil {
			return nil, fmt.Errorf("read next term: %w", err)
		}
	}
	var nets []money.Paise
	for _, id := range m.order.AddOns {
		a, err := m.addOn(ctx, `p.id = $2`, m.sub.Revision, id)
		if err != nil {
			return nil, fmt.Errorf("read add-on: %w", err)
		}
		if a.Once > 0 {
			nets = append(nets, a.Once)
			continue
		}
		nets = append(nets, part(a.price(m.sub.Type), m.sub.RenewOn-m.today, m.sub.RenewOn-m.sub.StartsOn))
		if next.Service == "" {
			continue
		}
		coming, err := m.addOn(ctx, `p.service_id = $2 AND p.key = $3`, next.Revision, next.Service, a.Key)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		var has bool
		if err == nil {
			err = m.w.Owner.GetContext(ctx, &has, `SELECT EXISTS (SELECT FROM subscription_add_ons WHERE franchiser_id = $1 AND add_on_id = $2
				AND ended_on IS NULL AND paid_until > $3)`, m.order.Franchiser, coming.ID, m.sub.RenewOn)
		}
		if err != nil {
			return nil, fmt.Errorf("read next add-on: %w", err)
		}
		if !has || coming.Limit > 1 {
			nets = append(nets, coming.price(next.Type))
		}
	}
	return nets, nil
}

// credit returns the unused part of all payments, by the days of each line, with the tax charged on it. It is unknown after a refund, which
// changes the remainder of an invoice.
func (m *model) credit(ctx context.Context) (sum money.Paise, known bool, err error) {
	var touched bool
	if err := m.w.Owner.GetContext(ctx, &touched, `SELECT EXISTS (SELECT FROM refunds f JOIN payments p ON p.id = f.payment_id
		JOIN orders o ON o.id = p.order_id WHERE p.franchiser_id = $1 AND f.state <> 'failed' AND NOT p.surplus AND o.renew_on > $2
			AND f.reason <> 'surplus')`, m.order.Franchiser, m.today); err != nil || touched {
		return 0, false, err
	}
	var paid []struct {
		Taxable money.Paise      `db:"taxable_paise"`
		Rate    int64            `db:"rate_bps"`
		Local   bool             `db:"local"`
		From    subscription.Day `db:"period_from"`
		To      subscription.Day `db:"period_to"`
	}
	err = m.w.Owner.SelectContext(ctx, &paid, `SELECT l.period_from, l.period_to, n.taxable_paise, n.rate_bps, i.regime <> 'igst' AS local
		FROM orders o JOIN payments p ON p.order_id = o.id JOIN invoices i ON i.payment_id = p.id AND i.kind = 'invoice' AND NOT i.replaced
		JOIN invoice_lines n ON n.invoice_id = i.id JOIN order_lines l ON l.order_id = o.id AND l.position = n.position
		WHERE o.franchiser_id = $1 AND o.state = 'paid' AND NOT o.credited AND l.kind <> 'fee' AND NOT l.once`, m.order.Franchiser)
	for _, l := range paid {
		if l.To > m.today {
			net := part(l.Taxable, l.To-max(l.From, m.today), l.To-l.From)
			sum += net + taxOf(net, l.Rate, l.Local)
		}
	}
	return sum, true, err
}

// tax returns the tax on one line today.
func (m *model) tax(net money.Paise) money.Paise { return taxOf(net, m.rate, m.order.State == "27") }

// taxOf returns the tax on one line: two halves within Maharashtra, where the supplier is, otherwise one head.
func taxOf(net money.Paise, rateBps int64, local bool) money.Paise {
	if local {
		return 2 * half(new(big.Rat).Mul(big.NewRat(int64(net), 1), big.NewRat(rateBps, 20_000)))
	}
	return half(new(big.Rat).Mul(big.NewRat(int64(net), 1), big.NewRat(rateBps, 10_000)))
}

// part returns the share of the days in a price.
func part(price money.Paise, days, of subscription.Day) money.Paise {
	return half(new(big.Rat).Mul(big.NewRat(int64(price), 1), big.NewRat(int64(days), int64(of))))
}

// half rounds to the paisa, halves up.
func half(r *big.Rat) money.Paise {
	sum := new(big.Rat).Add(r, big.NewRat(1, 2))
	return money.Paise(new(big.Int).Div(sum.Num(), sum.Denom()).Int64())
}

// askedRightly compares a new charge with the model.
func (c *Customer) askedRightly(ctx context.Context, r checkout.Requested) error {
	due, ok, err := c.w.due(ctx, r.OrderID)
	if err != nil || !ok || due == r.Amount {
		return err
	}
	return fmt.Errorf("order %s asks for %s where %s is due", r.OrderID, r.Amount.Decimal(), due.Decimal())
}

// settles calls do to settle a charge, and compares the result with the model: the order is paid at the amount due on
// the day and the rest of the capture is being refunded, or, if more is due than was requested, all of it.
func (c *Customer) settles(ctx context.Context, r checkout.Requested, do func() error) error {
	due, known, err := c.w.due(ctx, r.OrderID)
	if err != nil {
		return err
	}
	var before, after settledOrder
	if before, err = c.settled(ctx, r); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	if after, err = c.settled(ctx, r); err != nil || !known || slices.Contains([]string{"paid", "refunded", "held"}, before.State) || after.State != "paid" {
		return err
	}
	switch {
	case due > r.Amount && (!after.Surplus || after.Back != r.Amount):
		return fmt.Errorf("order %s was accepted for %s where %s is due", r.OrderID, r.Amount.Decimal(), due.Decimal())
	case due <= r.Amount && (after.Surplus || after.Total != due || after.Back != r.Amount-due):
		return fmt.Errorf("order %s, where %s of %s is due, costs %s and %s goes back", r.OrderID, due.Decimal(), r.Amount.Decimal(),
			after.Total.Decimal(), after.Back.Decimal())
	}
	return nil
}

// settledOrder is the result of a payment: its state, whether it has no effect, the order's total and the amount being
// refunded.
type settledOrder struct {
	State   string      `db:"state"`
	Surplus bool        `db:"surplus"`
	Total   money.Paise `db:"total_paise"`
	Back    money.Paise `db:"back"`
}

func (c *Customer) settled(ctx context.Context, r checkout.Requested) (settledOrder, error) {
	var s settledOrder
	err := c.w.Owner.GetContext(ctx, &s, `SELECT p.state, p.surplus, o.total_paise - o.credit_paise AS total_paise, coalesce((SELECT sum(f.amount_paise) FROM refunds f
			WHERE f.payment_id = p.id AND f.gateway_payment_id = p.gateway_payment_id AND f.reason = 'surplus'), 0)::bigint AS back
		FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.transaction_id = $1`, r.TransactionID)
	return s, err
}
