package delivery_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/filetype"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// bundle is a story with the ledger of deliveries.
type bundle struct {
	*story.Story
	ledger *delivery.Service
	keeper *delivery.Keeper
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	s := story.New(tb)
	return &bundle{Story: s, ledger: delivery.NewService(s.DB.API, s.Clock), keeper: delivery.NewKeeper(s.DB.Worker, s.Clock, tells(tb, s.DB.Worker))}
}

// tells enqueues messages by e-mail.
func tells(tb testing.TB, db *sqlx.DB) *message.Enqueuer {
	tb.Helper()
	jobs, err := queue.NewInserter(db, testkit.NewLogger(tb))
	require.NoError(tb, err)
	return message.NewEnqueuer(message.EnqueuerOptions{Jobs: jobs, Email: true})
}

// items returns the customer's deliveries by item.
func (b *bundle) items(franchiser string) map[string]delivery.Delivery {
	b.T.Helper()
	list, err := b.ledger.List(b.T.Context(), franchiser)
	require.NoError(b.T, err)
	items := map[string]delivery.Delivery{}
	for _, d := range list {
		require.NotContains(b.T, items, d.Item, "one row for each item")
		items[d.Item] = d
	}
	return items
}

// delivers marks an item as delivered.
func (b *bundle) delivers(franchiser, item string) {
	b.T.Helper()
	_, err := b.DB.Owner.Exec(`UPDATE deliveries SET state = 'delivered', proof = 'https://example.in/app', delivered_at = updated_at, waiting_since = NULL
		WHERE franchiser_id = $1 AND item = $2`, franchiser, item)
	require.NoError(b.T, err)
}

// expected returns the items of a tier with all its add-ons.
func expected(c *plan.Catalogue, p plan.Plan, t plan.Tier) []string {
	var items []string
	var add func(p plan.Plan)
	add = func(p plan.Plan) {
		for _, f := range p.Features {
			if name, ok := strings.CutPrefix(f.Name, "Everything in "); ok {
				i := slices.IndexFunc(c.Plans, func(p plan.Plan) bool { return p.Name == name })
				add(c.Plans[i])
				continue
			}
			items = append(items, f.Name)
		}
	}
	add(p)
	for _, a := range t.AddOns {
		items = append(items, a.Key)
	}
	return items
}

func TestPurchase_EachTierWithEveryAddOn_HasOneRowForEachItem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, p := range b.Catalogue.Plans {
		for _, tier := range p.Tiers {
			franchiser := b.Franchiser("29")
			var addOns []string
			for _, a := range tier.AddOns {
				addOns = append(addOns, a.ID)
			}
			b.Pay(franchiser, story.Buy(tier, plan.TypeYearly, addOns...))
			got := []string{}
			for item, d := range b.items(franchiser) {
				got = append(got, item)
				require.Equal(t, plan.DeliveryOf(item).How, d.How, item)
				require.NotEmpty(t, d.Name)
			}
			require.ElementsMatch(t, expected(b.Catalogue, p, tier), got, tier.Title())
			require.Equal(t, "plan 1 of 1, add-ons 4 of 4", b.coverage(franchiser), tier.Title())
		}
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM deliveries d JOIN orders o ON o.id = d.order_id WHERE d.created_at <> o.paid_at`),
		"the rows begin with the order")
}

// coverage counts the invoice lines with a row: the plan's line covers all features.
func (b *bundle) coverage(franchiser string) string {
	b.T.Helper()
	return b.Text(`
		WITH lines AS (
			SELECT ol.kind, CASE WHEN ol.kind = 'plan' THEN EXISTS (SELECT FROM deliveries d WHERE d.franchiser_id = l.franchiser_id AND d.order_id = ol.order_id
					AND NOT d.add_on AND d.state <> 'ended')
				ELSE EXISTS (SELECT FROM deliveries d
					WHERE d.franchiser_id = l.franchiser_id AND d.item = a.key AND d.state <> 'ended' AND d.created_at <= i.issued_at + interval '1 minute') END AS covered
			FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id AND i.kind = 'invoice' JOIN payments p ON p.id = i.payment_id
				JOIN order_lines ol ON ol.order_id = p.order_id AND ol.position = l.position LEFT JOIN plan_add_ons a ON a.id = ol.add_on_id
			WHERE l.franchiser_id = $1
		)
		SELECT format('plan %s of %s, add-ons %s of %s', count(*) FILTER (WHERE kind = 'plan' AND covered), count(*) FILTER (WHERE kind = 'plan'),
			count(*) FILTER (WHERE kind <> 'plan' AND covered), count(*) FILTER (WHERE kind <> 'plan')) FROM lines`, franchiser)
}

// orphans counts open rows of customers who do not hold them, and items that customers hold without a row.
func (b *bundle) orphans() int {
	b.T.Helper()
	return b.Count(`
		WITH held AS (
			SELECT DISTINCT h.franchiser_id, x.item FROM held_overview h CROSS JOIN LATERAL (SELECT h.key WHERE h.key IS NOT NULL
				UNION ALL SELECT p.item FROM plan_items(h.catalogue_revision, h.plan_id) p WHERE h.key IS NULL) x (item)
		)
		SELECT (SELECT count(*) FROM deliveries d WHERE d.state <> 'ended' AND NOT EXISTS (SELECT FROM held h WHERE h.franchiser_id = d.franchiser_id AND h.item = d.item))
			+ (SELECT count(*) FROM held h WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.franchiser_id = h.franchiser_id AND d.item = h.item AND d.state <> 'ended'))
			+ (SELECT count(*) FROM delivery_files f JOIN deliveries d ON d.id = f.delivery_id WHERE d.end_reason = 'erased')`)
}

func TestPromisedDay_WeekendAndHoliday_AreNotCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, "2026-11-02", b.Today().String())
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	items := b.items(b.Buyer)
	require.Equal(t, "2026-11-04", items["Dedicated account manager"].PromisedOn.String())
	// Twenty working days with four weekends, and a holiday on 24 November.
	require.Equal(t, "2026-12-01", items["Free social media campaign reaching 100K+ people"].PromisedOn.String())
	require.Equal(t, delivery.StateWaiting, items["Custom domain"].State)
	require.Equal(t, delivery.StateDelivered, items["E-mail support"].State)
	require.Equal(t, delivery.StatePlanned, items["Dedicated account manager"].State)
}

func TestNeeds_CustomerProvidesThemLater_PromisedDayCountsFromThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	d := b.items(b.Buyer)["Reward programme"]
	require.Equal(t, delivery.StateWaiting, d.State, "the catalogue says what it needs")
	require.Equal(t, "2026-11-16", d.PromisedOn.String(), "ten working days from the purchase")
	b.Pass(34 * 24 * time.Hour)
	require.False(t, d.Late(b.Today()), "it waits for the customer")
	require.Equal(t, "2026-12-06", b.Today().String())
	require.Contains(t, errs.As(b.ledger.Provide(t.Context(), b.Buyer, d.ID, " ")).Fields, "note")
	require.NoError(t, b.ledger.Provide(t.Context(), b.Buyer, d.ID, "One point for each 100 rupees."))
	d = b.items(b.Buyer)["Reward programme"]
	require.Equal(t, delivery.StateInProgress, d.State)
	require.Equal(t, "2026-12-18", d.PromisedOn.String(), "ten working days from then")
	require.Nil(t, d.WaitingSince)
	require.Equal(t, delivery.Provided{Note: "One point for each 100 rupees.", At: b.Clock.Now()}, d.Provided())
	b.Pass(time.Minute)
	require.NoError(t, b.ledger.Provide(t.Context(), b.Buyer, d.ID, "One point for each 200 rupees."), "a correction")
	corrected := b.items(b.Buyer)["Reward programme"]
	require.Equal(t, delivery.Provided{Note: "One point for each 200 rupees.", At: b.Clock.Now()}, corrected.Provided())
	require.Equal(t, []any{d.State, d.PromisedOn, d.Revision + 1}, []any{corrected.State, corrected.PromisedOn, corrected.Revision})
	// After four of the ten days, staff need more; six days remain. Saturday and Sunday do not count.
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	b.Pass(5 * 24 * time.Hour)
	change := func(c delivery.Change) {
		t.Helper()
		d, c.Reason = b.items(b.Buyer)["Reward programme"], "as agreed" //nolint:contextcheck // the helpers use the test's context
		require.NoError(t, desk.Change(ctx, b.Asha, b.Buyer, d.ID, d.Revision, c))
	}
	change(delivery.Change{State: delivery.StateWaiting, Needs: "Your logo."})
	b.Pass(10 * 24 * time.Hour)
	change(delivery.Change{State: delivery.StateInProgress})
	require.Equal(t, "2026-12-29", b.items(b.Buyer)["Reward programme"].PromisedOn.String())
	// A day that had passed before the wait stays passed.
	b.Pass(11 * 24 * time.Hour)
	change(delivery.Change{State: delivery.StateWaiting, Needs: "Your icon."})
	b.Pass(3 * 24 * time.Hour)
	change(delivery.Change{State: delivery.StateInProgress})
	d = b.items(b.Buyer)["Reward programme"]
	require.True(t, d.Late(b.Today()))
	require.Equal(t, "2027-01-01", d.PromisedOn.String())
	change(delivery.Change{State: delivery.StateDelivered, Proof: "It runs."})
	require.Equal(t, "nothing_needed", errs.As(b.ledger.Provide(t.Context(), b.Buyer, d.ID, "Again.")).Code, "it is delivered")
}

func png() []byte { return []byte("\x89PNG\x0d\x0a\x1a\x0a and pixels") }

func TestFiles_TypeSizeNumberAndOwner_AreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	items := b.items(b.Buyer)
	app, domain := items["Own Android and iOS app"].ID, items["Custom domain"].ID
	for name, c := range map[string]struct {
		name    string
		content []byte
		field   string
	}{
		"a script as image": {"logo.png", []byte("<script>alert(1)</script>"), "file"},
		"an SVG":            {"logo.svg", []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "file"},
		"nothing":           {"logo.png", nil, "file"},
	} {
		_, err := b.ledger.AddFile(t.Context(), b.Buyer, app, c.name, c.content)
		require.Contains(t, errs.As(err).Fields, c.field, name)
	}
	_, err := b.ledger.AddFile(t.Context(), b.Buyer, app, "logo.png", append(png(), make([]byte, filetype.MaxBytes)...))
	require.Equal(t, "file_too_large", errs.As(err).Code)
	_, err = b.ledger.AddFile(t.Context(), b.Buyer, domain, "logo.png", png())
	require.Equal(t, "nothing_needed", errs.As(err).Code, "the product finds the proof")
	f, err := b.ledger.AddFile(t.Context(), b.Buyer, app, "a/b\"\nlogo.png", png())
	require.NoError(t, err)
	require.Equal(t, "b logo.png", f.Name)
	got, err := b.ledger.File(t.Context(), b.Buyer, app, f.ID)
	require.NoError(t, err)
	require.Equal(t, png(), got.Content)
	require.Equal(t, "image/png", got.ContentType)
	list, err := b.ledger.AddFile(t.Context(), b.Buyer, app, "products.csv", []byte("name,price,stock\nसमोसा,20,100\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"products.csv", "text/csv"}, []string{list.Name, list.ContentType})
	other := b.Franchiser("27")
	_, err = b.ledger.File(t.Context(), other, app, f.ID)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = b.ledger.AddFile(t.Context(), other, app, "logo.png", png())
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.NoError(t, b.ledger.Provide(t.Context(), b.Buyer, app, ""), "the file says it")
	for range 8 {
		_, err = b.ledger.AddFile(t.Context(), b.Buyer, app, "icon.png", png())
		require.NoError(t, err)
	}
	_, err = b.ledger.AddFile(t.Context(), b.Buyer, app, "icon.png", png())
	require.Equal(t, "delivery_files_full", errs.As(err).Code)
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	_, err = desk.AddFile(ctx, b.Asha, b.Buyer, app, "screen.png", png())
	require.NoError(t, err)
	require.Len(t, b.items(b.Buyer)["Own Android and iOS app"].Files, 11)
}

func TestReport_ConnectedSystem_MovesItsRowsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	connected, err := b.ledger.Connected(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Len(t, connected, 9)
	items := b.items(b.Buyer)
	key := id.New()
	_, err = b.DB.Owner.Exec(`INSERT INTO api_keys (id, label, hint, hash, scopes, created_at) VALUES ($1, 'Orders', 'f360_abcdef', sha256('x'), '{deliveries:write}', $2)`, key, b.Clock.Now())
	require.NoError(t, err)
	report := func(item, once string, c delivery.Change) (delivery.Delivery, error) {
		return b.ledger.Report(t.Context(), b.Buyer, items[item].ID, delivery.Report{
			APIKeyID: key, System: "Orders", Key: once, Content: idempotency.Of([]byte(item + string(c.State) + c.Proof)), Change: c,
		})
	}
	const programme = "Reward programme"
	done := delivery.Change{State: delivery.StateDelivered, Proof: "https://example.in/rewards", Reason: "Version 1"}
	for range 2 {
		d, err := report(programme, "report-0001", done)
		require.NoError(t, err)
		require.Equal(t, "delivered Orders 2", string(d.State)+" "+d.Responsible()+" "+strconv.Itoa(d.Revision))
	}
	require.Equal(t, "Orders: Version 1", b.Text(`SELECT note FROM delivery_events WHERE actor = 'system'`))
	_, err = report(programme, "report-0001", delivery.Change{State: delivery.StateInProgress})
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code)
	_, err = report(programme, "short", done)
	require.Contains(t, errs.As(err).Fields, "idempotency_key")
	_, err = report("Dedicated account manager", "report-0002", done)
	require.Equal(t, "not_connected", errs.As(err).Code, "staff deliver it")
	_, err = report("Cross-selling and up-selling", "report-0003", delivery.Change{State: delivery.StateDelivered})
	require.Contains(t, errs.As(err).Fields, "proof")
	_, err = b.ledger.Report(t.Context(), b.Franchiser("27"), items[programme].ID, delivery.Report{APIKeyID: key, Key: "report-0004", Change: done})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestUpgrade_DeliveredItems_StayAndNewOnesBegin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	small, large := b.Tier(0, 0), b.Tier(3, 1)
	app := func(t plan.Tier) string { return t.AddOns[0].ID }
	b.Pay(b.Buyer, story.Buy(small, plan.TypeYearly, app(small)))
	b.delivers(b.Buyer, "users_app")
	b.delivers(b.Buyer, "Own Android and iOS app")
	before := b.items(b.Buyer)
	b.Pass(20 * 24 * time.Hour)
	b.Pay(b.Buyer, story.Buy(large, plan.TypeYearly, app(large)))
	after := b.items(b.Buyer)
	require.Greater(t, len(after), len(before))
	for item, d := range before {
		require.Equal(t, d, after[item], item)
	}
	require.Greater(t, after["White-label apps for Android, iOS and web"].PromisedOn, b.Today()+45)
	require.Contains(t, after, "On-site launch support")
	require.Zero(t, b.orphans())
	require.Zero(t, b.Count(`SELECT count(*) FROM delivery_events WHERE kind = 'ended'`))
}

func TestRenewal_DeliveredItems_DoNotChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	setupID := tier.AddOns[3].ID
	require.Equal(t, "distribution_setup", tier.AddOns[3].Key)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, setupID))
	b.delivers(b.Buyer, "distribution_setup")
	before := b.items(b.Buyer)
	b.Live(25)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, before, b.items(b.Buyer), "paid early")
	b.Live(10)
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer))
	require.Equal(t, before, b.items(b.Buyer), "in the next term")
}

func TestEnd_AddOnRefundAndExpiry_EndRowsWithTheirReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	refunded, expired := b.Franchiser("27"), b.Franchiser("04")
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, tier.AddOns[0].ID))
	paid := b.Pay(refunded, story.Buy(tier, plan.TypeMonthly))
	b.Pay(expired, story.Buy(tier, plan.TypeMonthly))
	_, err := b.APISubs.SetAddOn(t.Context(), b.Buyer, b.Text(`SELECT id FROM subscription_add_ons`), false)
	require.NoError(t, err)
	b.KeepOrEnd(paid, 0, false)
	require.Empty(t, b.items(refunded))
	require.Equal(t, "refunded", b.Text(`SELECT DISTINCT end_reason FROM deliveries WHERE franchiser_id = $1`, refunded))
	b.Live(25)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Contains(t, b.items(b.Buyer), "users_app", "it is paid until the end of the month")
	b.Live(7)
	require.NotContains(t, b.items(b.Buyer), "users_app")
	require.Equal(t, "changed", b.Text(`SELECT end_reason FROM deliveries WHERE item = 'users_app'`))
	require.Contains(t, b.items(b.Buyer), "Custom domain")
	require.Contains(t, b.items(expired), "Custom domain", "in grace")
	b.Live(10)
	require.Empty(t, b.items(expired))
	require.Zero(t, b.orphans())
	require.Equal(t, "expired", b.Text(`SELECT DISTINCT end_reason FROM deliveries WHERE franchiser_id = $1`, expired))
	broken, err := b.Hold(t.Context(), true)
	require.NoError(t, err)
	require.Empty(t, broken)
}

func TestPurchase_AfterExpiry_KeepsDeliveredItemsFor90Days(t *testing.T) {
	t.Parallel()
	const app = "Own Android and iOS app"
	for name, c := range map[string]struct {
		days int
		want delivery.State
	}{"soon": {60, delivery.StateDelivered}, "late": {200, delivery.StateWaiting}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
			b.delivers(b.Buyer, app)
			b.Live(c.days)
			require.Empty(t, b.items(b.Buyer))
			b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
			again := b.items(b.Buyer)
			require.Equal(t, c.want, again[app].State)
			require.Equal(t, c.want == delivery.StateDelivered, again[app].Proof != "")
			require.Equal(t, delivery.StateWaiting, again["Reward programme"].State)
			require.GreaterOrEqual(t, again["Reward programme"].PromisedOn, b.Today())
		})
	}
}

func TestTrial_HasNoRows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Trial(b.Buyer))
	require.Empty(t, b.items(b.Buyer), "nothing is invoiced")
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	require.NotEmpty(t, b.items(b.Buyer))
}

func TestSettle_CustomerWithoutRows_GetsThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeYearly))
	before := b.items(b.Buyer)
	for _, statement := range []string{`DELETE FROM delivery_events`, `DELETE FROM deliveries`} {
		_, err := b.DB.Owner.Exec(statement)
		require.NoError(t, err)
	}
	b.Pass(60 * 24 * time.Hour)
	n, err := b.keeper.Settle(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	for item, d := range b.items(b.Buyer) {
		require.GreaterOrEqual(t, d.PromisedOn, b.Today(), "%s is not late from the start", item)
	}
	require.Len(t, b.items(b.Buyer), len(before))
	n, err = b.keeper.Settle(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
}

func TestProve_DomainAndPartner_DeliverTheirFeatures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	prove := func() int {
		t.Helper()
		n, err := b.keeper.Prove(t.Context())
		require.NoError(t, err)
		return n
	}
	require.Zero(t, prove())
	tenant, now := id.New(), b.Clock.Now()
	exec := func(query string, args ...any) {
		t.Helper()
		_, err := b.DB.Owner.Exec(query, args...)
		require.NoError(t, err)
	}
	exec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug, created_at, updated_at)
		VALUES ($1, $2, 'Chai', (SELECT min(id) FROM business_types), 'chai', 'x', 'chai', $3, $3)`, tenant, b.Buyer, now)
	exec(`INSERT INTO outlet_partners (id, franchiser_id, tenant_id, name, mobile, role, state, invited_at, accepted_at)
		VALUES ($1, $2, $3, 'Ravi', '9876543210', 'viewer', 'active', $4, $4)`, id.New(), b.Buyer, tenant, now)
	require.Equal(t, 1, prove())
	require.Equal(t, delivery.StateDelivered, b.items(b.Buyer)["Franchisee onboarding"].State)
	require.Equal(t, delivery.StateWaiting, b.items(b.Buyer)["Custom domain"].State)
	exec(`INSERT INTO custom_domains (id, franchiser_id, tenant_id, domain, display, state, token, verified_at, claimed_at, state_since)
		VALUES ($1, $2, $3, 'shop.example.in', 'shop.example.in', 'active', md5('x'), $4, $4, $4)`, id.New(), b.Buyer, tenant, now)
	require.Equal(t, 1, prove())
	require.Equal(t, "https://shop.example.in", b.items(b.Buyer)["Custom domain"].Proof)
	require.Zero(t, prove(), "once")
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM delivery_events WHERE kind = 'moved' AND to_state = 'delivered'`))
}

func TestErasure_EndsRowsAndRemovesTexts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.delivers(b.Buyer, "Reward programme")
	data := delivery.NewPersonalData(b.Clock)
	in := func(fn func(tx *sqlx.Tx) error) {
		t.Helper()
		require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, fn))
	}
	in(func(tx *sqlx.Tx) error {
		name, section, err := data.ExportTx(t.Context(), tx, b.Buyer)
		require.Equal(t, "deliveries", name)
		require.Len(t, section, len(b.items(b.Buyer)))
		return err
	})
	_, err := b.ledger.AddFile(t.Context(), b.Buyer, b.items(b.Buyer)["Own Android and iOS app"].ID, "logo.png", png())
	require.NoError(t, err)
	in(func(tx *sqlx.Tx) error { return data.EraseTx(t.Context(), tx, b.Buyer) })
	require.Empty(t, b.items(b.Buyer))
	require.Zero(t, b.Count(`SELECT count(*) FROM deliveries WHERE state <> 'ended' OR proof <> '' OR needs <> ''`))
	require.Zero(t, b.Count(`SELECT count(*) FROM delivery_files`))
	_, err = b.DB.Owner.Exec(`SELECT settle_deliveries(ARRAY[$1::uuid], '-infinity')`, b.Buyer)
	require.NoError(t, err)
	require.Empty(t, b.items(b.Buyer), "nothing begins again")
}

func TestList_OtherCustomer_SeesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.Empty(t, b.items(b.Franchiser("27")))
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.API, b.Franchiser("27"), func(tx *sqlx.Tx) error {
		var n int
		require.NoError(t, tx.Get(&n, `SELECT count(*) FROM deliveries`))
		require.Zero(t, n)
		return nil
	}))
}
