package lifetest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func (b *bundle) figures(t *testing.T) map[subscription.FigureName]subscription.TermFigure {
	t.Helper()
	v, err := b.APISubs.TermValue(t.Context(), b.Buyer, connect.ReportedSQL)
	require.NoError(t, err)
	found := map[subscription.FigureName]subscription.TermFigure{}
	for _, f := range v.Figures {
		found[f.Name] = f
	}
	return found
}

func (b *bundle) store(t *testing.T, of string) (tenantID string) {
	t.Helper()
	tenantID = id.New()
	b.Owner.MustExec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug,
		created_at, updated_at) VALUES ($1, $2, 'Asha Sweets', 1, $3, 'x', $3, $4, $4)`, tenantID, of, tenantID, b.Clock.Now())
	return tenantID
}

func TestTermValue_WithoutPaidPlan_IsNil(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v, err := b.APISubs.TermValue(t.Context(), b.Buyer, connect.ReportedSQL)
	require.NoError(t, err)
	require.Nil(t, v)
	require.NoError(t, b.Trial(b.Buyer))
	v, err = b.APISubs.TermValue(t.Context(), b.Buyer, connect.ReportedSQL)
	require.NoError(t, err)
	require.Nil(t, v, "a trial")
}

func TestTermValue_UnknownFigures_AreMissingAndKnownZerosAreNot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	got := b.figures(t)
	require.Len(t, got, 1, "without a store, domain, request or connected system")
	require.EqualValues(t, 1, got[subscription.FigureInvoices].Value)
	b.store(t, b.Buyer)
	got = b.figures(t)
	require.Len(t, got, 3)
	require.Zero(t, got[subscription.FigureOutletsOpened].Value)
	require.NotContains(t, got, subscription.FigurePartnerSignIns, "nobody can sign in")
}

func TestTermValue_YearlyTerm_CountsOnlyTheTermAndTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	start := b.Today()
	other := b.Franchiser("29")
	for _, of := range []string{b.Buyer, other} {
		tenantID := b.store(t, of)
		event := func(outletID any, actor, kind, details string, at time.Time) {
			b.Owner.MustExec(`INSERT INTO outlet_events (id, franchiser_id, tenant_id, outlet_id, actor, kind, details, at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id.New(), of, tenantID, outletID, actor, kind, details, at)
		}
		outlet := func(name string) string {
			outletID := id.New()
			b.Owner.MustExec(`INSERT INTO franchises (id, franchiser_id, tenant_id, name, name_key, city, created_at)
				VALUES ($1, $2, $3, $4, $4, 'Pune', $5)`, outletID, of, tenantID, name, b.Clock.Now())
			return outletID
		}
		camp, deccan, undone := outlet("camp"), outlet("deccan"), outlet("undone")
		event(camp, "owner", "added", `{"state": "open"}`, start.Start().Add(-time.Second))
		event(camp, "owner", "moved", `{"from": "paused", "to": "open"}`, b.Clock.Now())
		event(deccan, "owner", "added", `{"state": "planned"}`, b.Clock.Now())
		event(deccan, "owner", "moved", `{"from": "planned", "to": "open"}`, b.Clock.Now())
		event(deccan, "owner", "moved", `{"from": "closed", "to": "open"}`, b.Clock.Now())
		event(undone, "owner", "added", `{"state": "open"}`, b.Clock.Now())
		b.Owner.MustExec(`UPDATE franchises SET removed_at = $2 WHERE id = $1`, undone, b.Clock.Now())
		b.Owner.MustExec(`INSERT INTO outlet_partners (id, franchiser_id, tenant_id, name, mobile, role, state, invited_at, accepted_at)
			VALUES ($1, $2, $3, 'Ravi', '9876500001', 'manager', 'active', $4, $4)`, id.New(), of, tenantID, b.Clock.Now())
		event(nil, "partner", "partner_accepted", `{}`, b.Clock.Now())
		event(nil, "partner", "partner_signed_in", `{}`, b.Clock.Now())
		for day, value := range []int{100, 50} {
			b.Owner.MustExec(`INSERT INTO reported_figures (franchiser_id, name, key_label, day, value, reported_at)
				VALUES ($1, 'sales_paise', 'ERP', $2, $3, now())`, of, start+subscription.Day(day)-1, value)
		}
	}
	b.Live(10)
	got := b.figures(t)
	counted := subscription.TermFigure{Name: subscription.FigureOutletsOpened, Value: 1, From: start, Until: start + 10}
	require.Equal(t, counted, got[subscription.FigureOutletsOpened], "paused and reopened, or removed with its import: not opened in the term")
	require.EqualValues(t, 1, got[subscription.FigurePartnersJoined].Value)
	require.EqualValues(t, 2, got[subscription.FigurePartnerSignIns].Value)
	require.Equal(t, subscription.TermFigure{
		Name: subscription.FigureSales, Value: 50, From: start, Until: start, Days: 1, Of: "ERP",
	}, got[subscription.FigureSales], "only the day within the term")
	require.NotContains(t, got, subscription.FigurePoints)
}

func TestTermValue_BrokenDomain_CountsTheDaysWithoutFault(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	tenantID, start := b.store(t, b.Buyer), b.Today()
	b.Owner.MustExec(`INSERT INTO custom_domains (id, franchiser_id, tenant_id, domain, display, token, state, claimed_at, state_since)
		VALUES ($1, $2, $3, 'asha.example', 'asha.example', repeat('0', 32), 'pending', now(), now())`, id.New(), b.Buyer, tenantID)
	check := func(domain, state string, from, until subscription.Day) {
		b.Owner.MustExec(`INSERT INTO domain_checks (franchiser_id, domain, state, reason, found_txt, found_ips, first_at, last_at)
			VALUES ($1, $2, $3, '', '{}', '{}', $4, $5)`, b.Buyer, domain, state, from.Start().Add(time.Hour), until.Start().Add(2*time.Hour))
	}
	check("asha.example", "pending", start, start+2)
	check("old.example", "active", start, start+20)
	b.Live(20)
	require.NotContains(t, b.figures(t), subscription.FigureDomainDays, "it never worked")
	check("asha.example", "active", start+2, start+8)
	check("asha.example", "broken", start+8, start+9)
	check("asha.example", "active", start+9, start+15)
	require.Equal(t, subscription.TermFigure{
		Name: subscription.FigureDomainDays, Value: 11, From: start + 3, Until: start + 15, Days: 13, Of: "asha.example",
	}, b.figures(t)[subscription.FigureDomainDays])
}

func TestTermValue_AnsweredRequest_CountsForTheCustomerOfTheMobile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	for _, mobile := range []string{b.Text(`SELECT mobile FROM franchisers WHERE id = $1`, b.Buyer), "9000000001"} {
		for _, answered := range []any{b.Clock.Now(), nil} {
			b.Owner.MustExec(`INSERT INTO contact_requests (id, topic, name, email, mobile, consent_version, consented_at, created_at, updated_at,
				answered_at) VALUES ($1, 'other', 'Asha', 'nobody@example.in', $2, '1', $3, $3, $3, $4)`,
				id.New(), mobile, b.Clock.Now(), answered)
		}
	}
	require.EqualValues(t, 1, b.figures(t)[subscription.FigureRequestsAnswered].Value)
}
