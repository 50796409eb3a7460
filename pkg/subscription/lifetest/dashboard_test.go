package lifetest_test

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// anyStore returns the same domain for every store.
type anyStore struct{}

func (anyStore) Assemble(t tenant.Tenant, custom *tenant.CustomDomain) tenant.Store {
	return tenant.Store{Tenant: t, Custom: custom, Domain: "assembled"}
}

// Given a franchiser from the first visit on, then the dashboard shows its own data only: no plan, a held payment, a
// plan with its add-ons, and what begins with the next term only once that has begun.
func TestDashboard_FromTheFirstVisit_ShowsTheOwnData(t *testing.T) {
	t.Parallel()
	b := setup(t)
	look := func() subscription.Dashboard {
		t.Helper()
		d, err := b.APISubs.Dashboard(t.Context(), b.Buyer, anyStore{}, `NULL`)
		require.NoError(t, err)
		return d
	}
	apex, expansion := b.Tier(0, 1), b.Tier(0, 0)
	b.Pay(b.Franchiser("27"), story.Buy(apex, plan.TypeYearly))
	require.Equal(t, subscription.Dashboard{}, look())

	r := b.Ask(b.Buyer, story.Buy(apex, plan.TypeMonthly))
	wrong := r
	wrong.Amount -= 100
	b.Settle(wrong, payment.StatusPaid)
	require.Equal(t, []subscription.HeldPayment{{TransactionID: r.TransactionID, Captured: wrong.Amount}}, look().Held)
	_, err := b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "a rupee short", "key-one-1")
	require.NoError(t, err)
	b.Work()
	require.Empty(t, look().Held)

	b.Pay(b.Buyer, story.Buy(apex, plan.TypeMonthly, apex.AddOns[2].ID))
	d := look()
	require.Equal(t, "Start up · Apex", d.View.Tier.Title())
	require.Equal(t, 36+10, d.View.FranchiseLimit)
	require.Len(t, d.View.AddOns, 1)
	require.Zero(t, d.Franchises)
	require.Nil(t, d.Store)

	b.Live(25)
	b.Ask(b.Buyer, story.Buy(expansion, plan.TypeYearly, expansion.AddOns[0].ID))
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Len(t, look().View.AddOns, 1, "the app begins with the next term")
	require.Equal(t, 46, look().View.FranchiseLimit)
	b.Live(5)
	d = look()
	require.Equal(t, "Start up · Expansion", d.View.Tier.Title())
	require.Equal(t, []string{"users_app"}, []string{d.View.AddOns[0].Key})
	require.Equal(t, 18, d.View.FranchiseLimit)
	b.Balanced()
}

// An order's term, and its unused part, change with the days, and are hidden from another franchiser.
func TestHolding_DayByDay_ShrinksAndIsHiddenFromOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	r := b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	look := func(franchiser string) (held subscription.Holding, until string, unused money.Paise, err error) {
		err = postgres.InTenantTx(t.Context(), b.DB.API, franchiser, func(tx *sqlx.Tx) error {
			o, err := b.APISubs.FindOrderTx(t.Context(), tx, franchiser, r.OrderID)
			if err != nil {
				return err
			}
			var last subscription.Day
			if held, last, err = b.APISubs.HoldingTx(t.Context(), tx, o, b.Clock.Now()); err != nil {
				return err
			}
			until = last.String()
			var parts []invoice.CreditedPart
			parts, err = b.APISubs.UnusedOfTx(t.Context(), tx, franchiser, r.OrderID, "", b.Clock.Now())
			for _, p := range parts {
				unused += p.Taxable
			}
			return err
		})
		return held, until, unused, err
	}
	for _, tc := range []struct {
		days  int
		held  subscription.Holding
		until string
		left  int64
	}{
		{0, subscription.HoldingPlan, "2026-12-02", 30},
		{10, subscription.HoldingPlan, "2026-12-02", 20},
		{19, subscription.HoldingPlan, "2026-12-02", 1},
		{1, subscription.HoldingNone, "-", 0},
		{40, subscription.HoldingNone, "-", 0},
	} {
		b.Live(tc.days)
		held, until, unused, err := look(b.Buyer)
		require.NoError(t, err)
		require.Equal(t, string(tc.held)+" "+tc.until, string(held)+" "+until, b.Today())
		require.Equal(t, testkit.Share(tier.Monthly, tc.left, 30), unused, b.Today())
	}
	_, _, _, err := look(b.Franchiser("27"))
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = b.APISubs.BuyableAddOns(t.Context(), b.Buyer, id.New())
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}
