// Package renewaltest tests that the product renews plans through the adapter of a payment gateway.
package renewaltest

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/gatewaytest"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// Renewals are customers whose plans the product renews through an adapter at its provider's sandbox. They share a database and take turns;
// each has a sandbox whose business time the product follows.
type Renewals struct {
	*story.Story
	gatewaytest.MandateProvider

	reference mandate.Reference
}

// Run tests that the engine sets mandates up, notices, debits, fails and revokes by each method through the adapter. No notice of
// the provider reaches the product: everything has to be found by asking.
func Run(t *testing.T, methods []mandate.Method, start func(t *testing.T) gatewaytest.MandateProvider) {
	t.Helper()
	db := testkit.NewDatabase(t)
	w, err := world.New(t.Context(), world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker}, testkit.Start(), testkit.NewSilentLogger())
	require.NoError(t, err)
	// What the engine does without a payment differs here only; banks confirm the other methods at once.
	ofENACH, ofAll := []string{"a bank that confirms days later is waited for"}, []string{"want of money is tried again with another notice"}
	for _, method := range methods {
		tests := map[string]func(r *Renewals, t *testing.T){
			"a renewal is noticed, debited once and booked, and a stop is confirmed": (*Renewals).debited,
			"want of money is tried again with another notice":                       (*Renewals).insufficient,
			"a debit that succeeds after it failed is not repeated":                  (*Renewals).paidLate,
			"a mandate that ended without a notice is not debited":                   (*Renewals).endedSilently,
			"a lost answer makes no second debit":                                    (*Renewals).lostAnswer,
			"a payment without a mandate leaves none":                                (*Renewals).paidOnly,
			"a bank that confirms days later is waited for":                          (*Renewals).confirmedLate,
		}
		for _, name := range slices.Sorted(maps.Keys(tests)) { // always in the same order, because they share a clock
			if method == mandate.MethodENACH != slices.Contains(ofENACH, name) && !slices.Contains(ofAll, name) {
				continue
			}
			t.Run(string(method)+": "+name, func(t *testing.T) {
				r := &Renewals{Story: &story.Story{World: w, T: t, DB: db}, MandateProvider: start(t)}
				r.enter(t, method)
				tests[name](r, t)
				r.leave(t)
			})
		}
	}
	t.Run("upi: a pause without a notice holds the debit back until it lapses", func(t *testing.T) {
		r := &Renewals{Story: &story.Story{World: w, T: t, DB: db}, MandateProvider: start(t)}
		r.enter(t, mandate.MethodUPI)
		r.pausedSilently(t)
		r.leave(t)
	})
}

// enter buys a plan, lets the renewal open, and points the product at the sandbox.
func (r *Renewals) enter(t *testing.T, method mandate.Method) {
	t.Helper()
	r.follow(t)
	r.Buyer = r.Franchiser("29")
	r.use(t, r.Gateway)
	r.Pay(r.Buyer, story.Buy(r.Tier(0, 0), plan.TypeMonthly))
	gateway, ok := r.Debitor().(app.Gateway)
	require.True(t, ok)
	r.use(t, gateway, r.Gateway)
	r.days(t, 24)
	r.reference.Method, r.reference.RequestID = method, "REQ0000000000000001"
}

// use has the product charge and debit at the first of the gateways.
func (r *Renewals) use(t *testing.T, gateways ...app.Gateway) {
	t.Helper()
	change := func(p *app.BillingParts) {
		p.Gateways, p.AutomaticRenewal, p.Renewals = gateways, true, mandate.DefaultSettings()
	}
	api, worker := r.APIWith(change), r.WorkerWith(change)
	r.API, r.APISubs, r.APIMandates = api.Payments, api.Subscriptions, api.Mandates
	r.Worker, r.WorkerSubs, r.WorkerMandates = worker.Payments, worker.Subscriptions, worker.Mandates
}

// follow sets the product's clock to the sandbox's.
func (r *Renewals) follow(t *testing.T) {
	t.Helper()
	if behind := r.Clock.Now().Sub(r.Now()); behind > 0 {
		r.MandateProvider.Pass(t, behind)
	}
	require.NoError(t, r.World.Pass(t.Context(), r.Now().Sub(r.Clock.Now())))
}

// days passes time in steps of the engine: a few hours at a time, so that every open hour of UPI is met.
func (r *Renewals) days(t *testing.T, n int) {
	t.Helper()
	for range n * 8 {
		r.MandateProvider.Pass(t, 3*time.Hour)
		r.step(t)
	}
	r.Sweep()
}

func (r *Renewals) step(t *testing.T) {
	t.Helper()
	r.follow(t)
	_, err := r.WorkerMandates.Run(t.Context())
	require.NoError(t, err)
	r.Work()
}

// register agrees to automatic renewal, and authorises it at the sandbox with the renewal's payment.
func (r *Renewals) register(t *testing.T, how gatewaytest.Authorisation) {
	t.Helper()
	v, err := r.APIMandates.View(t.Context(), r.Buyer)
	require.NoError(t, err)
	for _, terms := range v.Terms {
		if terms.Method != r.reference.Method {
			continue
		}
		begun, err := r.APIMandates.Register(t.Context(), r.Buyer, mandate.Input{
			Method: terms.Method, Consented: true, Version: terms.Version, Text: terms.Text(i18n.English),
		})
		require.NoError(t, err)
		r.Authorise(t, begun.Session, mandate.Registration{Method: terms.Method}, how)
	}
	for range 8 {
		r.MandateProvider.Pass(t, 15*time.Minute)
		r.step(t)
	}
	r.reference.MandateID = r.Text(`SELECT provider_mandate_id FROM mandates WHERE franchiser_id = $1 ORDER BY created_at DESC LIMIT 1`, r.Buyer)
	r.reference.CustomerID = r.Text(`SELECT provider_customer_id FROM mandates WHERE franchiser_id = $1 ORDER BY created_at DESC LIMIT 1`, r.Buyer)
}

func (r *Renewals) state() string {
	return r.Text(`SELECT state FROM mandates WHERE franchiser_id = $1`, r.Buyer)
}

func (r *Renewals) debits() string {
	return r.Text(`SELECT coalesce(string_agg(number || ' ' || state || ' ' || cause, ', ' ORDER BY number), '') FROM mandate_debits
		WHERE franchiser_id = $1`, r.Buyer)
}

// until passes time until a debit is in a state.
func (r *Renewals) until(t *testing.T, state string) {
	t.Helper()
	for range 45 {
		if r.Count(`SELECT count(*) FROM mandate_debits WHERE state = $1 AND franchiser_id = $2`, state, r.Buyer) > 0 {
			return
		}
		r.days(t, 1)
	}
	require.Fail(t, "no debit", "none became %s: %s", state, r.debits())
}

// leave checks the rules for every customer and passes the turn on.
func (r *Renewals) leave(t *testing.T) {
	t.Helper()
	r.Balanced()
	require.Zero(t, r.Count(`SELECT count(*) FROM mandate_debits WHERE asked_at < noticed_at + interval '24 hours'`))
	require.Equal(t, r.Count(`SELECT count(*) FROM payments WHERE by_mandate AND state = 'paid' AND franchiser_id = $1`, r.Buyer),
		r.Count(`SELECT count(*) FROM mandate_debits WHERE state = 'paid' AND franchiser_id = $1`, r.Buyer))
	require.Zero(t, r.Count(`SELECT count(*) FROM payments WHERE by_mandate AND surplus`))
	r.DB.Owner.MustExec(`UPDATE mandates SET state = CASE state WHEN 'requested' THEN 'failed' ELSE 'revoked' END, ended_at = created_at,
		poll_at = NULL, plan_at = NULL WHERE state IN ('requested', 'active', 'paused')`)
	r.DB.Owner.MustExec(`UPDATE mandate_debits SET next_at = NULL`)
	r.DB.Owner.MustExec(`DELETE FROM river_job`)
	r.DB.Owner.MustExec(`UPDATE payments SET next_check_at = NULL`)
}

func (r *Renewals) debited(t *testing.T) {
	t.Helper()
	r.register(t, gatewaytest.AuthoriseFully)
	require.Equal(t, "active", r.state())
	r.until(t, "paid")
	require.Equal(t, 1, r.Debits())
	require.Equal(t, "1 paid ", r.debits())
	m, err := r.APIMandates.Stop(t.Context(), r.Buyer, r.Text(`SELECT id FROM mandates WHERE franchiser_id = $1`, r.Buyer))
	require.NoError(t, err)
	require.Equal(t, mandate.StateRevoked, m.State)
	known, err := r.Debitor().State(t.Context(), r.reference)
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderRevoked, known.State, "the provider has ended it")
	r.days(t, 12)
	require.Equal(t, 1, r.Debits(), "none after the stop")
}

func (r *Renewals) insufficient(t *testing.T) {
	t.Helper()
	r.register(t, gatewaytest.AuthoriseFully)
	r.until(t, "noticed")
	r.FailNext(t, r.reference)
	r.until(t, "failed")
	require.Contains(t, r.debits(), "1 failed insufficient_funds")
	if r.Count(`SELECT count(*) FROM mandate_debits WHERE number = 2 AND franchiser_id = $1`, r.Buyer) > 0 { // the rail has time for it
		r.until(t, "paid")
		require.Equal(t, "1 failed insufficient_funds, 2 paid ", r.debits())
		require.Equal(t, 2, r.Debits())
	}
}

func (r *Renewals) paidLate(t *testing.T) {
	t.Helper()
	r.register(t, gatewaytest.AuthoriseFully)
	r.until(t, "noticed")
	r.LateNext(t, r.reference)
	r.until(t, "failed")
	retried := r.Count(`SELECT count(*) FROM mandate_debits WHERE number = 2 AND franchiser_id = $1`, r.Buyer) > 0 // the rail has time for it
	r.until(t, "paid")
	r.days(t, 2)
	require.Equal(t, 1, r.Debits())
	if retried {
		require.Equal(t, "1 paid , 2 called_off ", r.debits())
	}
}

func (r *Renewals) confirmedLate(t *testing.T) {
	t.Helper()
	r.register(t, gatewaytest.AuthoriseConfirmedLate)
	require.Equal(t, "requested", r.state())
	require.Zero(t, r.Count(`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND gateway <> $2`, r.Buyer, world.GatewayName), "nothing was paid")
	for day := 0; day < 8 && r.state() == "requested"; day++ { // two working days, between which may lie a long weekend
		r.days(t, 1)
	}
	require.Equal(t, "active", r.state())
	r.until(t, "paid")
	require.Equal(t, 1, r.Debits())
}

func (r *Renewals) endedSilently(t *testing.T) {
	t.Helper()
	r.register(t, gatewaytest.AuthoriseFully)
	r.until(t, "noticed")
	require.Empty(t, r.Change(t, r.reference, mandate.ProviderRevoked, true))
	r.days(t, 12)
	require.Equal(t, "revoked", r.state())
	require.Zero(t, r.Debits())
	require.Equal(t, "1 called_off ", r.debits())
}

func (r *Renewals) lostAnswer(t *testing.T) {
	t.Helper()
	r.register(t, gatewaytest.AuthoriseFully)
	r.until(t, "noticed")
	r.LoseDebit()
	r.until(t, "paid")
	require.Equal(t, "1 paid ", r.debits())
	require.Equal(t, 1, r.Debits())
}

func (r *Renewals) paidOnly(t *testing.T) {
	t.Helper()
	r.register(t, gatewaytest.AuthorisePaidOnly)
	r.days(t, 7)
	require.Equal(t, "failed", r.state())
	require.Equal(t, 1, r.Count(`SELECT count(*) FROM payments p WHERE franchiser_id = $1 AND gateway <> $2 AND state = 'paid'`, r.Buyer, world.GatewayName),
		"what was paid counts")
	require.Empty(t, r.debits())
}

func (r *Renewals) pausedSilently(t *testing.T) {
	t.Helper()
	r.register(t, gatewaytest.AuthoriseFully)
	r.until(t, "noticed")
	require.Empty(t, r.Change(t, r.reference, mandate.ProviderPaused, true))
	r.days(t, 2)
	require.Equal(t, "paused", r.state())
	require.Zero(t, r.Debits())
	require.Empty(t, r.Change(t, r.reference, mandate.ProviderActive, true))
	r.days(t, 2)
	require.Equal(t, "active", r.state(), "found by asking")
}
