package payment_test

import (
	"context"
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// share is price × days / of in paise, half up, and withTax what it comes to with 18%: both reckoned with fractions.
func share(price money.Paise, days, of int64) money.Paise {
	return halfUp(new(big.Rat).Mul(big.NewRat(int64(price), 1), big.NewRat(days, of)))
}

func withTax(net ...money.Paise) money.Paise {
	var sum money.Paise
	for _, n := range net {
		sum += n + halfUp(new(big.Rat).Mul(big.NewRat(int64(n), 1), big.NewRat(18, 100)))
	}
	return sum
}

func halfUp(r *big.Rat) money.Paise {
	r = new(big.Rat).Add(r, big.NewRat(1, 2))
	return money.Paise(new(big.Int).Div(r.Num(), r.Denom()).Int64())
}

// prepayOther buys a plan, notes another for the renewal and pays that early.
func (b *bundle) prepayOther(now plan.Tier, nowType plan.Type, days int, next plan.Tier, nextType plan.Type, addOns ...string) {
	b.t.Helper()
	b.pay(b.owner, buy(now, nowType))
	b.live(days)
	b.ask(b.owner, buy(next, nextType, addOns...))
	b.pay(b.owner, b.renewal(b.owner))
}

// owned are the add-ons as the dashboard and the renewal see them, one in each line.
func (b *bundle) owned() string {
	b.t.Helper()
	return b.text(`SELECT coalesce(string_agg(concat_ws(' ', key, term_paise, starts_on, paid_until, next_billing_cycle_status), ', '
		ORDER BY starts_on), '') FROM subscription_add_ons WHERE ended_on IS NULL`)
}

// lines are those of the newest invoice.
func (b *bundle) invoiceLines() string {
	b.t.Helper()
	return b.text(`SELECT string_agg(concat_ws(' | ', l.description, l.detail, l.amount_paise), ', ' ORDER BY l.position) FROM invoice_lines l
		WHERE l.invoice_id = (SELECT id FROM invoices WHERE kind = 'invoice' ORDER BY sequence DESC LIMIT 1)`)
}

func TestAnAddOnForAPrepaidYearAfterAMonthCostsTheYear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	apex, expansion := b.tier(0, 1), b.tier(0, 0)
	b.prepayOther(apex, plan.TypeMonthly, 25, expansion, plan.TypeYearly)
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-12-02", b.standing(b.owner))

	present, next := apex.AddOns[1], expansion.AddOns[1]
	require.Equal(t, "users_extension", present.Key)
	want := withTax(share(present.Monthly, 5, 30), share(next.Yearly, 365, 365))
	require.Equal(t, want, withTax(750*money.Rupee, 60_000*money.Rupee), "₹71,685")
	r := b.ask(b.owner, b.addOns(b.owner, present.ID))
	require.Equal(t, want, r.Amount)
	buyable, err := b.apiSubs().BuyableAddOns(context.Background(), b.owner, b.text(`SELECT id FROM subscriptions`))
	require.NoError(t, err)
	require.Equal(t, "₹60,750", buyable[1].Payable, "what the list says is what is charged, before tax")
	preview, err := b.api.Preview(context.Background(), b.owner, b.addOns(b.owner, present.ID))
	require.NoError(t, err)
	require.Equal(t, []subscription.PreviewLine{
		{Label: "Users extension, 5 of 30 days", Type: "add_on", Value: "₹750"},
		{Label: "Users extension, next term", Type: "add_on", Value: "₹60,000"},
		{Label: "Taxable value", Type: "subtotal", Value: "₹60,750"},
		{Label: "IGST 18%", Type: "tax", Value: "₹10,935"},
		{Label: "Total", Type: "total", Value: "₹71,685"},
	}, preview.PaymentDetails())
	require.Equal(t, []subscription.PreviewLine{{Label: "Users extension", Type: "add_on", Value: "₹60,750"}}, preview.AddOnLines())

	b.settle(r, "paid")
	require.Equal(t, "Software subscription: Users extension, 5 of 30 days | 27 Nov 2026 to 1 Dec 2026 | 75000, "+
		"Software subscription: Users extension, next term | 2 Dec 2026 to 1 Dec 2027 | 6000000", b.invoiceLines())
	require.Equal(t, "users_extension 450000 2026-11-27 2026-12-02 0, users_extension 6000000 2026-12-02 2027-12-02 1", b.owned())
	bill, err := b.apiSubs().NextBill(context.Background(), b.owner)
	require.NoError(t, err)
	require.Equal(t, []string{next.ID}, bill.AddOnIDs())
	require.Empty(t, bill.Dropped, "it goes on")
	b.live(5)
	require.Equal(t, "users_extension 6000000 2026-12-02 2027-12-02 1", b.owned())
	b.books()
}

func TestAnAddOnForAPrepaidMonthAfterAYearCostsTheMonth(t *testing.T) {
	t.Parallel()
	b := setup(t)
	apex, expansion := b.tier(0, 1), b.tier(0, 0)
	b.prepayOther(apex, plan.TypeYearly, 340, expansion, plan.TypeMonthly)
	require.Equal(t, "active 2026-11-02 2027-11-02 2027-12-02", b.standing(b.owner))
	present, next := apex.AddOns[1], expansion.AddOns[1]
	r := b.ask(b.owner, b.addOns(b.owner, present.ID))
	require.Equal(t, withTax(share(present.Yearly, 25, 365), next.Monthly), r.Amount)
	b.settle(r, "paid")
	b.books()

	// what is unused of it is credited by the days of each line
	b.live(10)
	supreme := b.tier(0, 2)
	paid := []money.Paise{
		share(apex.Yearly-apex.YearlyDiscount, 15, 365), expansion.Monthly, share(share(present.Yearly, 25, 365), 15, 25), next.Monthly,
	}
	up := b.ask(b.owner, buy(supreme, plan.TypeYearly))
	require.Equal(t, withTax(supreme.Yearly-supreme.YearlyDiscount)-withTax(paid...), up.Amount)
	b.settle(up, "paid")
	b.books()
}

func TestTheNextTermIsPricedByTheCatalogueItWasPaidUnder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.tier(0, 0)
	b.pay(b.owner, buy(tier, plan.TypeMonthly))
	b.live(25)
	require.NoError(t, b.world.Reprice(context.Background(), b.db.Worker, 400))
	b.pay(b.owner, b.renewal(b.owner))
	require.NoError(t, b.world.Reprice(context.Background(), b.db.Worker, 200))
	a := tier.AddOns[1]
	r := b.ask(b.owner, b.addOns(b.owner, a.ID))
	require.Equal(t, withTax(share(a.Monthly, 5, 30), halfUp(big.NewRat(int64(a.Monthly)*104, 100))), r.Amount)
	b.settle(r, "paid")
	require.Equal(t, "users_extension 520000 2026-11-27 2027-01-02 1", b.owned(), "one unit that goes on")
	b.books()
}

func TestWhatIsOfUseOnceIsNotSoldForANextTermThatHasIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	apex, expansion := b.tier(0, 1), b.tier(0, 0)
	b.prepayOther(apex, plan.TypeMonthly, 25, expansion, plan.TypeYearly, expansion.AddOns[0].ID)
	app := apex.AddOns[0]
	require.True(t, app.Once())
	r := b.ask(b.owner, b.addOns(b.owner, app.ID))
	require.Equal(t, withTax(share(app.Monthly, 5, 30)), r.Amount)
	b.settle(r, "paid")
	require.Equal(t, "users_app 1000000 2026-11-27 2026-12-02 0, users_app 9000000 2026-12-02 2027-12-02 1", b.owned())
	_, err := b.request(b.owner, b.addOns(b.owner, app.ID))
	require.ErrorIs(t, err, subscription.ErrAddOnOwned)
	require.Equal(t, errs.KindConflict, errs.KindOf(err))
	b.live(10)
	require.Equal(t, "users_app 9000000 2026-12-02 2027-12-02 1", b.owned())
	b.books()
}

func TestWhatTheNextPlanDoesNotSellIsSoldToTheEndOfThisTerm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	apex := b.tier(0, 1)
	b.pay(b.owner, buy(apex, plan.TypeMonthly))
	b.live(25)
	b.retire("users_extension")
	b.pay(b.owner, b.renewal(b.owner))
	a := apex.AddOns[1]
	r := b.ask(b.owner, b.addOns(b.owner, a.ID))
	require.Equal(t, withTax(share(a.Monthly, 5, 30)), r.Amount)
	b.settle(r, "paid")
	require.Equal(t, "users_extension 450000 2026-11-27 2026-12-02 0", b.owned())
	_, err := b.apiSubs().SetAddOn(context.Background(), b.owner, b.text(`SELECT id FROM subscription_add_ons`), true)
	require.ErrorIs(t, err, subscription.ErrAddOnNotRenewed)
	b.books()
}

// retire loads a catalogue without an add-on, in no tier.
func (b *bundle) retire(key string) {
	b.t.Helper()
	var document map[string]any
	require.NoError(b.t, json.Unmarshal(plan.DefaultCatalogue(), &document))
	for _, p := range document["plans"].([]any) {
		for _, s := range p.(map[string]any)["services"].([]any) {
			service := s.(map[string]any)
			service["all_in_yearly_paise"] = service["yearly_paise"]
			service["add_ons"] = slices.DeleteFunc(service["add_ons"].([]any), func(a any) bool { return a.(map[string]any)["key"] == key })
		}
	}
	text, err := json.Marshal(document)
	require.NoError(b.t, err)
	_, err = plan.Load(context.Background(), b.db.Worker, b.clock, text)
	require.NoError(b.t, err)
}
