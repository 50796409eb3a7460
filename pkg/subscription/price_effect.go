package subscription

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// PriceGroup is the effect of another catalogue on the renewals of one tier and period. Amounts are sums before tax for a term.
type PriceGroup struct {
	ServiceID string      `db:"service_id"`
	Type      plan.Type   `db:"plan_type"`
	Customers int         `db:"customers"`
	Dearer    int         `db:"dearer"`
	Cheaper   int         `db:"cheaper"`
	Ended     int         `db:"ended"` // renewals whose plan would no longer be sold
	Before    money.Paise `db:"before_paise"`
	After     money.Paise `db:"after_paise"`
}

// PricedRenewal is one customer's next renewal at both catalogues. Before and After are nil if the plan is not sold. The totals include
// tax and the gateway's surcharge; only rounding by line can differ.
type PricedRenewal struct {
	FranchiserID string       `db:"franchiser_id"`
	Name         string       `db:"name"`
	ServiceID    string       `db:"service_id"`
	Type         plan.Type    `db:"plan_type"`
	RenewsOn     Day          `db:"renews_on"`
	Before       *money.Paise `db:"before_paise"`
	After        *money.Paise `db:"after_paise"`
	TotalBefore  *money.Paise `db:"-"`
	TotalAfter   *money.Paise `db:"-"`
}

// PriceEffect is the effect of another catalogue on all coming renewals.
type PriceEffect struct {
	Groups []PriceGroup
	// MonthlyBefore and MonthlyAfter are the monthly revenue before tax; a yearly price counts by its twelfth.
	MonthlyBefore, MonthlyAfter money.Paise
	Customers                   int
	Affected                    int
	// TaxChanges means that the rates of tax differ, so that every bill changes.
	TaxChanges bool
	Renewals   []PricedRenewal
}

const (
	priceGroupsSQL = `SELECT service_id, plan_type, customers, dearer, cheaper, ended, before_paise, after_paise FROM price_effect($1) ORDER BY service_id, plan_type`
	pricedSQL      = `SELECT franchiser_id, name, service_id, plan_type, renews_on, before_paise, after_paise FROM price_effect_on($1, $2, $3, $4)`
)

// priceRow is a price of a tier or an add-on at both catalogues, as the database function expects it.
type priceRow struct {
	ID     string       `json:"id"`
	Type   plan.Type    `json:"type"`
	Before *money.Paise `json:"before"`
	After  *money.Paise `json:"after"`
}

// differs reports whether the price differs, or exists in only one catalogue.
func (r priceRow) differs() bool {
	return (r.Before == nil) != (r.After == nil) || r.Before != nil && *r.Before != *r.After
}

func priceRows(now, then *plan.Catalogue) string { return jsonOf(pricesOf(now, then)) }

func jsonOf(rows []priceRow) string {
	text, _ := json.Marshal(rows) // strings and numbers always marshal
	return string(text)
}

func pricesOf(now, then *plan.Catalogue) []priceRow {
	rows, places := []priceRow{}, map[string]int{}
	add := func(id string, t plan.Type, price money.Paise, after bool) {
		key := id + string(t)
		if _, known := places[key]; !known {
			places[key] = len(rows)
			rows = append(rows, priceRow{ID: id, Type: t})
		}
		if after {
			rows[places[key]].After = &price
		} else {
			rows[places[key]].Before = &price
		}
	}
	for i, c := range []*plan.Catalogue{now, then} {
		for _, p := range c.Plans {
			for _, tier := range p.Tiers {
				for _, t := range []plan.Type{plan.TypeMonthly, plan.TypeYearly} {
					list, discount := tier.Price(t)
					add(tier.ID, t, list-discount, i == 1)
					for _, a := range tier.AddOns {
						if a.OneTime() { // no renewal includes it
							continue
						}
						add(a.ID, t, a.Price(t), i == 1)
					}
				}
			}
		}
	}
	return rows
}

// PriceEffect computes, for staff, the prices of renewals at another catalogue. It changes nothing.
func (s *Service) PriceEffect(ctx context.Context, now, then *plan.Catalogue, limit, offset int) (PriceEffect, error) {
	out := PriceEffect{Groups: []PriceGroup{}, Renewals: []PricedRenewal{}, TaxChanges: !slices.Equal(now.GSTRates, then.GSTRates)}
	prices := priceRows(now, then)
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := tx.SelectContext(ctx, &out.Groups, priceGroupsSQL, prices); err != nil {
			return fmt.Errorf("sum priced renewals up: %w", err)
		}
		if err := tx.SelectContext(ctx, &out.Renewals, pricedSQL, prices, out.TaxChanges, limit, offset); err != nil {
			return fmt.Errorf("list priced renewals: %w", err)
		}
		return nil
	})
	for _, g := range out.Groups {
		months := int64(g.Type.Months())
		out.MonthlyBefore += g.Before.Prorate(1, months)
		out.MonthlyAfter += g.After.Prorate(1, months)
		out.Customers += g.Customers
		out.Affected += g.Dearer + g.Cheaper + g.Ended
	}
	if out.TaxChanges {
		out.Affected = out.Customers
	}
	for i := range out.Renewals {
		r := &out.Renewals[i]
		r.TotalBefore, r.TotalAfter = s.withTax(r.Before, now.GSTRates, r.RenewsOn), s.withTax(r.After, then.GSTRates, r.RenewsOn)
	}
	return out, err
}

// withTax adds the gateway's surcharge and the tax of a renewal paid on its day.
func (s *Service) withTax(net *money.Paise, rates invoice.Rates, on Day) *money.Paise {
	if net == nil {
		return nil
	}
	day := invoice.Date(on.String())
	rate := rates.For(invoice.Supply{Supplied: day, Invoiced: day, Paid: day})
	taxable := *net + net.MulBps(s.config.PGChargeBps)
	total := taxable + taxable.MulBps(rate)
	return &total
}
