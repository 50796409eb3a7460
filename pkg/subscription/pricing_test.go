package subscription_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// The agreed price list, with 18% computed outside this program: a month and a year, before and after tax.
func TestQuotePlan_EachPlan_EqualsThePriceList(t *testing.T) {
	t.Parallel()
	p := price(t)
	list := [][5]string{
		{"Start up · Expansion", "₹12,500", "₹14,750", "₹1,35,000", "₹1,59,300"},
		{"Start up · Apex", "₹22,500", "₹26,550", "₹2,43,000", "₹2,86,740"},
		{"Start up · Supreme", "₹54,000", "₹63,720", "₹5,83,200", "₹6,88,176"},
		{"Growth · Expansion", "₹15,000", "₹17,700", "₹1,62,000", "₹1,91,160"},
		{"Growth · Apex", "₹27,000", "₹31,860", "₹2,91,600", "₹3,44,088"},
		{"Growth · Supreme", "₹64,800", "₹76,464", "₹6,99,840", "₹8,25,811.20"},
		{"Pinnacle · Expansion", "₹18,000", "₹21,240", "₹1,94,400", "₹2,29,392"},
		{"Pinnacle · Apex", "₹32,400", "₹38,232", "₹3,49,920", "₹4,12,905.60"},
		{"Pinnacle · Supreme", "₹77,760", "₹91,756.80", "₹8,39,808", "₹9,90,973.44"},
		{"Elite · Expansion", "₹21,600", "₹25,488", "₹2,33,280", "₹2,75,270.40"},
		{"Elite · Apex", "₹38,880", "₹45,878.40", "₹4,19,904", "₹4,95,486.72"},
		{"Elite · Supreme", "₹93,312", "₹1,10,108.16", "₹10,07,769.60", "₹11,89,168.13"},
	}
	var got [][5]string
	for _, sold := range p.Catalogue.Plans {
		for _, tier := range sold.Tiers {
			month, err := subscription.QuotePlan(p, choose(tier, plan.TypeMonthly), nil, nil)
			require.NoError(t, err)
			year, err := subscription.QuotePlan(p, choose(tier, plan.TypeYearly), nil, nil)
			require.NoError(t, err)
			got = append(got, [5]string{
				tier.Title(), month.Totals.Taxable.Display(), month.Payable().Display(), year.Totals.Taxable.Display(), year.Payable().Display(),
			})
		}
	}
	require.Equal(t, list, got)
}

// On every day the unused and the used part of a line add up to the line within half a paisa: no customer is credited more than they paid.
// The fractions are an independent calculation.
func TestUnused_AnyDay_PartsAddUpToTheLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := subscription.Day(rapid.Int32Range(20_000, 21_000).Draw(t, "from"))
		days := subscription.Day(rapid.Int32Range(1, 366).Draw(t, "days"))
		value := money.Paise(rapid.Int64Range(1, 1_00_00_000_00).Draw(t, "value"))
		regime := rapid.SampledFrom([]invoice.Regime{invoice.RegimeState, invoice.RegimeUnionTerritory, invoice.RegimeInterState}).Draw(t, "regime")
		rate := rapid.SampledFrom([]int64{0, 500, 1200, 1800, 2800}).Draw(t, "rate")
		line := subscription.PaidLine{
			Value: value, From: from, To: from + days, RateBps: rate, Regime: regime, Tax: regime.Tax(value, rate), Position: 1,
			Invoice: subscription.OriginalInvoice{ID: "i"},
		}
		before := value + line.Tax.Total() + 1
		for today := from; today <= from+days; today += max(1, days/12) {
			credits := subscription.CreditsOn([]subscription.PaidLine{line}, today)
			var got money.Paise
			for _, c := range credits {
				require.LessOrEqual(t, c.Total(), value+line.Tax.Total())
				require.LessOrEqual(t, c.Total(), before)
				before, got = c.Total(), c.Taxable()
				for _, part := range c.Parts {
					require.LessOrEqual(t, part.CGST, line.Tax.CGST)
					require.LessOrEqual(t, part.IGST, line.Tax.IGST)
					other := part.CGST + part.SGST + part.UTGST
					if regime != invoice.RegimeInterState {
						other = part.IGST
					}
					require.Zero(t, other, "only the heads that were charged")
				}
			}
			require.Equal(t, testkit.Share(value, int64(from+days-today), int64(days)), got)
		}
	})
}

// Each credited invoice has its own credit, in the order of its lines. Amounts that a bank or other credit notes took back are not credited
// again.
func TestCredits_AreByInvoiceAndWithinItsRemainder(t *testing.T) {
	t.Parallel()
	from, to := day("2026-11-01"), day("2026-12-01")
	line := func(of string, position int, value money.Paise) subscription.PaidLine {
		return subscription.PaidLine{
			Value: value, From: from, To: to, Position: position, Title: "Title of " + of, RateBps: 1800, Regime: invoice.RegimeInterState,
			Tax: invoice.RegimeInterState.Tax(value, 1800), Invoice: subscription.OriginalInvoice{ID: of, Number: of},
		}
	}
	lines := []subscription.PaidLine{line("a", 1, 3_000_00), line("a", 2, 600_00), line("b", 1, 300_00)}
	credits := subscription.CreditsOn(lines, day("2026-11-16")) // half of it
	require.Len(t, credits, 2)
	require.Equal(t, "a Title of a 180000 212400", creditText(credits[0]))
	require.Equal(t, []int{1, 2}, []int{credits[0].Parts[0].Position, credits[0].Parts[1].Position})
	require.Equal(t, "b Title of b 15000 17700", creditText(credits[1]))

	taken := line("a", 1, 3_000_00)
	taken.TakenBack = 1_000_00 // of the unused ₹1,770
	require.Equal(t, "a Title of a 65254 77000", creditText(subscription.CreditsOn([]subscription.PaidLine{taken}, day("2026-11-16"))[0]))
	taken.TakenBack = 1_770_00
	require.Empty(t, subscription.CreditsOn([]subscription.PaidLine{taken}, day("2026-11-16")))
	taken.TakenBack = 3_540_00
	require.Empty(t, subscription.CreditsOn([]subscription.PaidLine{taken}, day("2026-11-16")), "and never less than nothing")

	capped := line("a", 1, 3_000_00)
	capped.Rest = &invoice.Line{Taxable: 1_000_00, Tax: invoice.Tax{IGST: 180_00}}
	require.Equal(t, "a Title of a 100000 118000", creditText(subscription.CreditsOn([]subscription.PaidLine{capped}, day("2026-11-16"))[0]))
	require.Empty(t, subscription.CreditsOn(lines, to))
	require.Empty(t, subscription.CreditsOn(nil, from))
	untaxed := line("a", 1, 3_000_00)
	untaxed.RateBps, untaxed.Tax = 0, invoice.Tax{}
	require.Equal(t, "a Title of a 150000 150000", creditText(subscription.CreditsOn([]subscription.PaidLine{untaxed}, day("2026-11-16"))[0]))
}

func creditText(c subscription.Credit) string {
	return fmt.Sprintf("%s %s %d %d", c.Invoice.Number, c.Title, int64(c.Taxable()), int64(c.Total()))
}

// The rate is the one in force by law on the day: that of the supply if it is invoiced and paid before a change, and so
// on (section 14).
func TestQuote_TaxRateChange_FollowsSection14(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	rates := invoice.Rates{{From: "2017-07-01", RateBps: 1800}, {From: "2026-12-01", RateBps: 1200}}
	quote := func(today, paid, from string) int64 {
		p := p
		p.Rates, p.Today = rates, day(today)
		if paid != "" {
			p.Paid = day(paid)
		}
		sub := *running(tier, plan.TypeMonthly, "2026-11-02", from)
		q, err := subscription.QuoteRenewal(p, sub, nil)
		require.NoError(t, err)
		require.Equal(t, from, q.EffectiveOn.String())
		for _, l := range q.Lines {
			require.Equal(t, q.Lines[0].RateBps, l.RateBps, "one rate a charge")
		}
		return q.Lines[0].RateBps
	}
	require.Equal(t, int64(1800), quote("2026-11-25", "", "2026-11-30"), "all before the change")
	require.Equal(t, int64(1800), quote("2026-11-30", "", "2026-12-02"), "invoiced and paid before it, supplied after it")
	require.Equal(t, int64(1200), quote("2026-11-30", "2026-12-01", "2026-12-02"), "invoiced and paid on its day: the payment decides with it")
	require.Equal(t, int64(1200), quote("2026-12-01", "", "2026-12-02"), "all from it on")
	require.Equal(t, int64(1200), quote("2026-12-05", "", "2026-11-30"), "supplied before it, invoiced and paid after it")

	p.Rates = nil
	p.Catalogue.GSTRates = invoice.Rates{{From: "2017-07-01", RateBps: 500}}
	q, err := subscription.QuotePlan(p, choose(tier, plan.TypeMonthly), nil, nil)
	require.NoError(t, err)
	require.Equal(t, int64(500), q.Lines[0].RateBps, "without rates of today those of the catalogue")
	require.EqualValues(t, "IGST 5%", q.PaymentDetails()[1].Label)
	p.Rates = invoice.Rates{{From: "2017-07-01", RateBps: 0}}
	q, err = subscription.QuotePlan(p, choose(tier, plan.TypeMonthly), nil, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"plan", "total"}, kinds(q.PaymentDetails()), "no line of a tax of nothing")
}

func kinds(lines []subscription.PreviewLine) []string {
	var kinds []string
	for _, l := range lines {
		kinds = append(kinds, l.Type)
	}
	return kinds
}

// The surcharge is on the amount requested from the gateway, before tax; it bears tax itself, and an upgrade never
// gives it back.
func TestGatewayCharge_IsTaxedAndNeverCredited(t *testing.T) {
	t.Parallel()
	p := price(t)
	small, large := p.Catalogue.Plans[0].Tiers[0], p.Catalogue.Plans[1].Tiers[0]
	for bps, want := range map[int64]string{0: "", 1: "₹1.25", 200: "₹250", 236: "₹295"} {
		p.PGChargeBps = bps
		q, err := subscription.QuotePlan(p, choose(small, plan.TypeMonthly), nil, nil)
		require.NoError(t, err)
		if want == "" {
			require.Zero(t, q.PGCharge())
			require.Len(t, q.Lines, 1)
			continue
		}
		require.Equal(t, want, q.PGCharge().Display())
		fee := q.Lines[len(q.Lines)-1]
		require.Equal(t, subscription.LineFee, fee.Kind)
		require.Equal(t, testkit.Share(fee.Amount, 18, 100), fee.Tax.Total())
		require.Equal(t, "Payment gateway charge", fee.InvoiceLine().Description)
		require.Empty(t, fee.InvoiceLine().Detail, "it is for no days")
	}
	p.PGChargeBps = 200
	sub := running(small, plan.TypeYearly, "2026-01-01", "2027-01-01")
	paid := []subscription.PaidLine{{Value: 1_35_000_00, From: sub.StartsOn, To: sub.RenewOn, Invoice: subscription.OriginalInvoice{ID: "i"}}}
	q, err := subscription.QuotePlan(p, choose(large, plan.TypeYearly), sub, paid)
	require.NoError(t, err)
	left := testkit.Share(1_35_000_00, 41, 365)
	require.Equal(t, testkit.Share(1_62_000_00-left, 2, 100), q.PGCharge(), "on the difference alone")
	p.PGChargeBps = -200
	q, err = subscription.QuotePlan(p, choose(small, plan.TypeMonthly), nil, nil)
	require.NoError(t, err)
	require.Zero(t, q.PGCharge(), "a charge below nothing is none")
}

// A plan is larger if its tier's yearly price is, whatever its name: a larger plan is paid now, a smaller one waits.
func TestQuotePlan_LargerByYearlyPrice_IsAnUpgrade(t *testing.T) {
	t.Parallel()
	p := price(t)
	var tiers []plan.Tier
	for _, sold := range p.Catalogue.Plans {
		tiers = append(tiers, sold.Tiers...)
	}
	for _, now := range tiers {
		for _, nowType := range []plan.Type{plan.TypeMonthly, plan.TypeYearly} {
			sub := running(now, nowType, "2026-11-02", "2026-12-02")
			for _, then := range tiers {
				for _, thenType := range []plan.Type{plan.TypeMonthly, plan.TypeYearly} {
					q, err := subscription.QuotePlan(p, choose(then, thenType), sub, nil)
					what := fmt.Sprintf("%s %s → %s %s", now.Title(), nowType, then.Title(), thenType)
					switch {
					case now.ID == then.ID && nowType == thenType:
						require.ErrorIs(t, err, subscription.ErrPlanIsCurrent, what)
						continue
					case then.Yearly > now.Yearly || now.ID == then.ID && thenType == plan.TypeYearly:
						require.NoError(t, err, what)
						require.Equal(t, subscription.KindUpgrade, q.Kind, what)
						require.Equal(t, p.Today, q.EffectiveOn, what)
						require.Nil(t, q.Then, what)
					default:
						require.NoError(t, err, what)
						require.Equal(t, subscription.KindDowngrade, q.Kind, what)
						require.Equal(t, sub.PaidUntil, q.EffectiveOn, what)
						require.Equal(t, sub.PaidUntil, q.Then.EffectiveOn, what)
						require.Equal(t, sub.PaidUntil.AddMonths(thenType.Months(), 2), q.Then.RenewOn, what)
						require.Zero(t, q.Payable(), what)
					}
				}
			}
		}
	}
	retired := running(plan.Tier{ID: "sold no more"}, plan.TypeYearly, "2026-11-02", "2027-11-02")
	q, err := subscription.QuotePlan(p, choose(tiers[0], plan.TypeMonthly), retired, nil)
	require.NoError(t, err)
	require.Equal(t, subscription.KindUpgrade, q.Kind, "from what is sold no more everybody may go at once")
}

// The same request makes a different order in each state: without a plan, in a trial, in grace and after the end.
func TestQuotePlan_EachState_HasItsKind(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	quote := func(state subscription.State, from, to string) string {
		sub := running(tier, plan.TypeMonthly, from, to)
		sub.State, sub.Trial = state, state == subscription.StateTrialing
		q, err := subscription.QuotePlan(p, choose(tier, plan.TypeMonthly), sub, nil)
		require.NoError(t, err)
		require.Equal(t, 3, q.BaseRevision)
		return fmt.Sprintf("%s %s %s", q.Kind, q.EffectiveOn, q.RenewOn)
	}
	require.Equal(t, "new 2026-11-21 2026-12-21", quote(subscription.StateTrialing, "2026-11-15", "2026-11-29"))
	require.Equal(t, "new 2026-11-18 2026-12-18", quote(subscription.StateGrace, "2026-10-18", "2026-11-18"), "from the old end")
	require.Equal(t, "new 2026-11-21 2026-12-21", quote(subscription.StateExpired, "2026-10-01", "2026-11-01"))
	require.Equal(t, "new 2026-11-21 2026-12-21", quote(subscription.StateLapsed, "2026-01-01", "2026-02-01"))
	first, err := subscription.QuotePlan(p, choose(tier, plan.TypeMonthly), nil, nil)
	require.NoError(t, err)
	require.Zero(t, first.BaseRevision)

	// The 31st is kept over grace.
	grace := running(tier, plan.TypeMonthly, "2026-10-31", "2026-11-30")
	grace.State, grace.AnchorDay = subscription.StateGrace, 31
	p.Today = day("2026-12-05")
	q, err := subscription.QuotePlan(p, choose(tier, plan.TypeMonthly), grace, nil)
	require.NoError(t, err)
	require.Equal(t, "2026-12-31", q.RenewOn.String())
}

// Everything that affects the price is part of the fingerprint, so that an order is resumed only if all of it is the
// same; the days are not, so that an order left unpaid yesterday is resumed today.
func TestFingerprint_EachPricedPart_Counts(t *testing.T) {
	t.Parallel()
	base := price(t)
	tier := base.Catalogue.Plans[0].Tiers[0]
	quote := func(change func(p *subscription.Pricing, s *subscription.Selection)) [32]byte {
		p, s := base, choose(tier, plan.TypeMonthly, tier.AddOns[0].ID)
		if change != nil {
			change(&p, &s)
		}
		q, err := subscription.QuotePlan(p, s, nil, nil)
		require.NoError(t, err)
		return q.Fingerprint([]byte("asha"))
	}
	same := quote(nil)
	require.Equal(t, same, quote(func(p *subscription.Pricing, _ *subscription.Selection) { p.Today += 3 }))
	cheaper := *base.Catalogue
	cheaper.Revision++
	for name, change := range map[string]func(p *subscription.Pricing, s *subscription.Selection){
		"type": func(_ *subscription.Pricing, s *subscription.Selection) { s.Type = plan.TypeYearly },
		"tier": func(_ *subscription.Pricing, s *subscription.Selection) {
			*s = choose(base.Catalogue.Plans[1].Tiers[0], s.Type)
		},
		"no add-on": func(_ *subscription.Pricing, s *subscription.Selection) { s.AddOnIDs = nil },
		"another":   func(_ *subscription.Pricing, s *subscription.Selection) { s.AddOnIDs = []string{tier.AddOns[1].ID} },
		"place":     func(p *subscription.Pricing, _ *subscription.Selection) { p.Regime = invoice.RegimeState },
		"territory": func(p *subscription.Pricing, _ *subscription.Selection) { p.Regime = invoice.RegimeUnionTerritory },
		"charge":    func(p *subscription.Pricing, _ *subscription.Selection) { p.PGChargeBps = 1 },
		"rate": func(p *subscription.Pricing, _ *subscription.Selection) {
			p.Rates = invoice.Rates{{From: "2017-07-01", RateBps: 1200}}
		},
		"catalogue": func(p *subscription.Pricing, _ *subscription.Selection) { p.Catalogue = &cheaper },
	} {
		require.NotEqual(t, same, quote(change), name)
	}
	sub := running(tier, plan.TypeMonthly, "2026-11-02", "2026-12-02")
	renewal := func() [32]byte {
		q, err := subscription.QuoteRenewal(base, *sub, nil)
		require.NoError(t, err)
		return q.Fingerprint([]byte("asha"))
	}
	before := renewal()
	sub.Revision++
	require.NotEqual(t, before, renewal(), "the subscription changed")
}

// A renewal costs the sum of its parts, whatever is owned and however many of each, and contains nothing that was
// cancelled, is no longer sold or was charged once.
func TestQuoteRenewal_AnyAddOns_SumsTheRenewingOnes(t *testing.T) {
	t.Parallel()
	base := price(t)
	rapid.Check(t, func(t *rapid.T) {
		tier := rapid.SampledFrom(rapid.SampledFrom(base.Catalogue.Plans).Draw(t, "plan").Tiers).Draw(t, "tier")
		typ := rapid.SampledFrom([]plan.Type{plan.TypeMonthly, plan.TypeYearly}).Draw(t, "type")
		list, discount := tier.Price(typ)
		want := new(big.Int).SetInt64(int64(list - discount))
		var owned []subscription.AddOn
		renews := 0
		for range rapid.IntRange(0, 9).Draw(t, "owned") {
			a := rapid.SampledFrom(tier.AddOns).Draw(t, "add-on")
			o := subscription.AddOn{AddOnID: a.ID, Key: a.Key, Renews: rapid.Bool().Draw(t, "renews"), Once: a.OneTime()}
			if rapid.IntRange(0, 5).Draw(t, "gone") == 0 {
				o.AddOnID = "sold no more"
			} else if o.Renews && !o.Once {
				renews++
				want.Add(want, big.NewInt(int64(a.Price(typ))))
			}
			owned = append(owned, o)
		}
		sub := *running(tier, typ, "2026-10-31", "2026-11-30")
		q, err := subscription.QuoteRenewal(base, sub, owned)
		require.NoError(t, err)
		require.Equal(t, want.String(), fmt.Sprint(int64(q.Totals.Taxable)))
		require.Len(t, q.AddOnIDs(), renews)
		units := 0
		for _, l := range q.Lines[1:] {
			units += l.Quantity
			require.Equal(t, sub.RenewOn, l.From)
			require.Equal(t, q.RenewOn, l.To)
		}
		require.Equal(t, renews, units)
		require.Equal(t, "2026-11-30", q.EffectiveOn.String())
	})
}

func TestInvoiceLine_NamesTheProductAndItsDays(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	q, err := subscription.QuotePlan(p, choose(tier, plan.TypeYearly, tier.AddOns[3].ID), nil, nil)
	require.NoError(t, err)
	line := q.Lines[0].InvoiceLine()
	require.Equal(t, "Software subscription: Start up · Expansion, yearly", line.Description)
	require.Equal(t, "21 Nov 2026 to 20 Nov 2027", line.Detail, "the last day is among them")
	require.Equal(t, money.FromRupees(15_000), line.Discount)
	setup := q.Lines[1].InvoiceLine()
	require.Equal(t, "998314", setup.SAC)
	require.Equal(t, "Distribution model setup", setup.Description, "work is no software")
	require.Equal(t, "One-time charge", setup.Detail)
}
