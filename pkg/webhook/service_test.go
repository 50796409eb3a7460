package webhook_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// receiver is a connected system: it keeps the requests and answers with its status or error.
type receiver struct {
	status int
	err    error
	got    []webhook.Message
}

func (r *receiver) Post(_ context.Context, m webhook.Message) (webhook.Answer, error) {
	r.got = append(r.got, m)
	return webhook.Answer{Status: r.status, Body: []byte("seen\x00 \xff")}, r.err
}

type bundle struct {
	db        *testkit.Database
	clock     *clock.Fake
	keys      secret.Keyring
	people    console.People
	service   *webhook.Service
	receiver  *receiver
	deliverer *webhook.Deliverer
}

func setup(t *testing.T) bundle {
	t.Helper()
	return setupOn(t, testkit.NewDatabase(t), testkit.NewClock())
}

func setupOn(t *testing.T, db *testkit.Database, clk *clock.Fake) bundle {
	t.Helper()
	b := bundle{db: db, clock: clk, keys: testkit.NewKeyring(t), receiver: &receiver{status: 200}}
	b.people = console.Hire(t, db, clk)
	b.service = webhook.NewService(db.API, testkit.NewInserter(t, db.API), clk, b.keys, b.people.Service, console.Prover{}, false)
	b.deliverer = webhook.NewDeliverer(db.Worker, b.receiver, clk, b.keys, testkit.NewSilentLogger())
	return b
}

func as(t *testing.T, p staff.Principal) context.Context {
	t.Helper()
	return postgres.WithProof(t.Context(), p.Proof)
}

const why = "The new ERP goes live"

func (b bundle) add(t *testing.T, kinds ...webhook.Kind) webhook.Endpoint {
	t.Helper()
	e, shown, err := b.service.Add(as(t, b.people.Ravi), b.people.Ravi, webhook.EndpointInput{
		URL: "https://erp.example.in/hooks", Description: "Orders and stock", Kinds: kinds,
	}, staff.Proof{}, why)
	require.NoError(t, err)
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, shown)
	return e
}

// job is a delivery that waits for a worker.
type job struct {
	ID         int64  `db:"id"`
	DeliveryID string `db:"delivery_id"`
	Franchiser string `db:"franchiser"`
}

// jobs returns the waiting jobs and removes them from the queue.
func (b bundle) jobs(t *testing.T) (list []job) {
	t.Helper()
	require.NoError(t, b.db.Owner.Select(&list, `
		DELETE FROM river_job WHERE kind = 'deliver_webhook' AND queue = 'webhooks' AND state = 'available' AND max_attempts = 10
		RETURNING id, args ->> 'delivery_id' AS delivery_id, coalesce(metadata ->> 'franchiser_id', '') AS franchiser`))
	return list
}

func (b bundle) states(t *testing.T) (list []string) {
	t.Helper()
	require.NoError(t, b.db.Owner.Select(&list, `SELECT state FROM webhook_deliveries ORDER BY id`))
	return list
}

func TestEvent_IsWrittenInTheTransactionOfItsChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.add(t)
	b.add(t, "account.created")
	b.add(t, "invoice.issued")
	franchiser := console.Customer(t, b.db, b.clock, "9876543210", "Asha", "Kulkarni")
	jobs := b.jobs(t)
	require.Len(t, jobs, 2, "for the two that want it")
	require.Equal(t, franchiser, jobs[0].Franchiser)
	require.Equal(t, []string{"waiting", "waiting"}, b.states(t))

	tx, err := b.db.Worker.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.Exec(`UPDATE franchisers SET first_name = 'Usha' WHERE id = $1`, franchiser)
	require.NoError(t, err)
	require.NoError(t, tx.Rollback())
	require.Empty(t, b.jobs(t), "what did not happen is not told")
	require.Len(t, b.states(t), 2)
}

func TestEvent_WithoutEnabledEndpoints_IsNotWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	console.Customer(t, b.db, b.clock, "9876543210", "Asha", "Kulkarni")
	e := b.add(t)
	require.NoError(t, b.service.Remove(as(t, b.people.Ravi), b.people.Ravi, e.ID, why))
	console.Customer(t, b.db, b.clock, "9876543211", "Asha", "Kulkarni")
	var n int
	require.NoError(t, b.db.Owner.Get(&n, `SELECT count(*) FROM webhook_events`))
	require.Zero(t, n)
	require.Empty(t, b.jobs(t))
}

// documented returns the example of each event in EVENTS.md.
func documented(t *testing.T) map[webhook.Kind]map[string]any {
	t.Helper()
	text, err := os.ReadFile("EVENTS.md")
	require.NoError(t, err)
	examples := map[webhook.Kind]map[string]any{}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1) {
		var e map[string]any
		require.NoError(t, json.Unmarshal(block[1], &e))
		examples[webhook.Kind(e["type"].(string))] = e
	}
	return examples
}

// like requires the same fields, each an id, a time or one of the words that the documents use.
func like(t *testing.T, want, got map[string]any, at string) {
	t.Helper()
	for name := range want {
		require.Contains(t, got, name, at)
	}
	for name, value := range got {
		require.Contains(t, want, name, "%s: the documents lack it", at)
		switch v := value.(type) {
		case map[string]any:
			like(t, want[name].(map[string]any), v, at+"."+name)
		case string:
			switch {
			case name == "timestamp":
				_, err := time.Parse(time.RFC3339, v)
				require.NoError(t, err, at)
				require.Regexp(t, `Z$`, v, at)
			case regexp.MustCompile(`_id$`).MatchString(name):
				require.True(t, id.Valid(v), "%s.%s", at, name)
			case name == "type":
				require.Equal(t, want[name], v, at)
			default: // a state or a cause: one word, nothing personal
				require.Regexp(t, `^[a-z_]{2,30}$`, v, "%s.%s", at, name)
			}
		default:
			require.Equal(t, want[name], v, "%s.%s", at, name)
		}
	}
}

// limit is a plan with room for outlets.
type limit struct{}

func (limit) EntitlementTx(context.Context, *sqlx.Tx, string) (tenant.Entitlement, error) {
	return tenant.Entitlement{Usable: true, FranchiseLimit: 10}, nil
}

func TestEvents_EachKind_EqualsItsDocumentedExample(t *testing.T) {
	t.Parallel()
	s := story.New(t)
	b := setupOn(t, s.DB, s.Clock)
	b.add(t)
	examples := documented(t)
	for _, kind := range webhook.Kinds() {
		require.Contains(t, examples, kind, "EVENTS.md lacks it")
	}
	require.Len(t, examples, len(webhook.Kinds()), "EVENTS.md has one that is none")

	happens(t, s)

	for _, j := range b.jobs(t) {
		require.NoError(t, b.deliverer.Deliver(t.Context(), j.DeliveryID, false))
	}
	told := map[webhook.Kind]int{}
	for _, m := range b.receiver.got {
		var e map[string]any
		require.NoError(t, json.Unmarshal(m.Body, &e))
		kind := webhook.Kind(e["type"].(string))
		told[kind]++
		like(t, examples[kind], e, string(kind))
	}
	for _, kind := range webhook.Kinds() {
		require.NotZero(t, told[kind], "%s is never told", kind)
	}
}

// happens causes an event of every kind.
func happens(t *testing.T, s *story.Story) {
	t.Helper()
	tier := s.Tier(0, 0)
	buyer, other := s.Franchiser("29"), s.Franchiser("29")
	s.Pay(buyer, story.Buy(tier, plan.TypeMonthly))                                                                              // subscription.activated, invoice.issued
	s.Pay(buyer, s.AddOns(buyer, tier.AddOns[0].ID))                                                                             // subscription.changed
	s.Live(25)                                                                                                                   // until renewal opens
	s.Pay(buyer, s.Renewal(buyer))                                                                                               // subscription.renewed
	refunded := s.Pay(other, story.Buy(tier, plan.TypeYearly))                                                                   //
	s.KeepOrEnd(refunded, money.Paise(s.Count(`SELECT amount_paise FROM payments WHERE id = $1`, s.PaymentOf(refunded))), false) // cancelled, credit_note.issued
	s.Live(80)                                                                                                                   // subscription.expired

	ref := tenant.Ref{FranchiserID: buyer, TenantID: id.New()}
	_, err := s.Owner.Exec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug,
		created_at, updated_at) VALUES ($1, $2, 'Asha Sweets', 1, 'asha', 'x', 'asha', $3, $3)`, ref.TenantID, buyer, s.Clock.Now())
	require.NoError(t, err)
	_, err = s.Owner.Exec(`UPDATE tenants SET store_name = 'Usha Sweets', updated_at = $2 WHERE id = $1`, ref.TenantID, s.Clock.Now())
	require.NoError(t, err)
	outlets := outlet.NewService(s.DB.API, s.Clock, limit{})
	o, err := outlets.Add(t.Context(), ref, outlet.Input{Name: "Camp", City: "Pune"}, outlet.StatePlanned, "") // outlet.changed
	require.NoError(t, err)
	for _, state := range []string{"open", "closed"} {
		_, err = s.Owner.Exec(`UPDATE franchises SET state = $2, updated_at = $3 WHERE id = $1`, o.ID, state, s.Clock.Now())
		require.NoError(t, err)
	}
	_, err = s.Owner.Exec(`INSERT INTO outlet_partners (id, franchiser_id, tenant_id, name, mobile, role, state, invited_at)
		VALUES ($1, $2, $3, 'Ravi', '9876543210', 'manager', 'invited', $4)`, id.New(), buyer, ref.TenantID, s.Clock.Now())
	require.NoError(t, err)
	_, err = s.Owner.Exec(`UPDATE outlet_partners SET state = 'active', accepted_at = $1`, s.Clock.Now())
	require.NoError(t, err)
	_, err = s.Owner.Exec(`UPDATE franchisers SET first_name = 'Usha' WHERE id = $1`, other)
	require.NoError(t, err)
	_, err = s.Owner.Exec(`UPDATE franchisers SET first_name = '', erased_at = $2 WHERE id = $1`, other, s.Clock.Now())
	require.NoError(t, err)
}

func (b bundle) deliver(t *testing.T) error {
	t.Helper()
	jobs := b.jobs(t)
	require.Len(t, jobs, 1)
	return b.deliverer.Deliver(t.Context(), jobs[0].DeliveryID, false)
}

func (b bundle) test(t *testing.T, endpointID string) string {
	t.Helper()
	deliveryID, err := b.service.Test(as(t, b.people.Ravi), b.people.Ravi, endpointID, why)
	require.NoError(t, err)
	return deliveryID
}

func TestDeliver_EndpointFails_IsRetried(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	deliveryID := b.test(t, e.ID)
	b.receiver.status = 503
	require.Equal(t, errs.KindUnavailable, errs.KindOf(b.deliver(t)))
	require.Equal(t, []string{"waiting"}, b.states(t))
	b.receiver.status = 302
	require.Equal(t, errs.KindUnavailable, errs.KindOf(b.deliverer.Deliver(t.Context(), deliveryID, true)), "a redirect is no yes")
	require.Equal(t, []string{"failed"}, b.states(t))

	list, err := b.service.Endpoints(as(t, b.people.Sunita))
	require.NoError(t, err)
	require.Equal(t, 1, list[0].Undelivered)
	require.NotNil(t, list[0].FailingSince)
	_, err = b.service.Resend(as(t, b.people.Sunita), b.people.Sunita, deliveryID, why)
	require.Error(t, err, "support only looks")
	d, err := b.service.Resend(as(t, b.people.Ravi), b.people.Ravi, deliveryID, why)
	require.NoError(t, err)
	require.Equal(t, webhook.DeliveryWaiting, d.State)
	b.receiver.status = 200
	require.NoError(t, b.deliver(t))
	require.Equal(t, []string{"delivered"}, b.states(t))

	got, err := b.service.Delivery(as(t, b.people.Sunita), deliveryID)
	require.NoError(t, err)
	require.Len(t, got.Tries, 3)
	require.Equal(t, 200, *got.Tries[0].Status)
	require.Equal(t, "seen", got.Tries[0].Answer, "as Postgres takes it")
	first, last := b.receiver.got[0], b.receiver.got[2]
	require.Equal(t, first.Header[webhook.HeaderID], last.Header[webhook.HeaderID], "by which a receiver knows a repeat")
	require.Equal(t, first.Body, last.Body)
	list, err = b.service.Endpoints(as(t, b.people.Sunita))
	require.NoError(t, err)
	require.Nil(t, list[0].FailingSince)
}

func TestDeliver_AlreadyDelivered_IsNotSentAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	deliveryID := b.test(t, b.add(t).ID)
	require.NoError(t, b.deliver(t))
	require.NoError(t, b.deliverer.Deliver(t.Context(), deliveryID, false))
	require.Len(t, b.receiver.got, 1)
	require.NoError(t, b.deliverer.Deliver(t.Context(), id.New(), false), "one that was deleted is nothing to do")
}

func TestRotate_DuringTheOverlap_SignsWithBothSecrets(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	signatures := func() int {
		b.test(t, e.ID)
		require.NoError(t, b.deliver(t))
		return len(regexp.MustCompile(`v1,\S+`).FindAllString(b.receiver.got[len(b.receiver.got)-1].Header[webhook.HeaderSignature], -1))
	}
	require.Equal(t, 1, signatures())
	after, shown, err := b.service.Rotate(as(t, b.people.Ravi), b.people.Ravi, e.ID, staff.Proof{}, why)
	require.NoError(t, err)
	require.Regexp(t, `^whsec_`, shown)
	require.NotNil(t, after.OldSecretUntil)
	require.Equal(t, 2, signatures())
	b.clock.Advance(24 * time.Hour)
	require.Equal(t, 1, signatures())

	next, err := secret.ParseKeyring("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")
	require.NoError(t, err)
	_, left, err := webhook.ResealSecrets(t.Context(), b.db.Owner, next)
	require.NoError(t, err)
	require.Equal(t, 1, left, "a key that never sealed it opens nothing")
}

func TestDeliver_EndpointAnswers410_DisablesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	b.test(t, e.ID)
	b.receiver.status = 410
	require.Equal(t, errs.KindInvalid, errs.KindOf(b.deliver(t)))
	list, err := b.service.Endpoints(as(t, b.people.Sunita))
	require.NoError(t, err)
	require.Equal(t, webhook.DisabledForGone, list[0].DisabledFor)
	b.missed(t, e.ID)
}

func TestDeliver_EndpointFailsForFiveDays_DisablesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	deliveryID := b.test(t, e.ID)
	b.receiver.status, b.receiver.err = 0, context.DeadlineExceeded
	require.Equal(t, errs.KindUnavailable, errs.KindOf(b.deliver(t)))
	b.clock.Advance(5*24*time.Hour - time.Second)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(b.deliverer.Deliver(t.Context(), deliveryID, false)))
	b.clock.Advance(time.Second)
	require.Equal(t, errs.KindInvalid, errs.KindOf(b.deliverer.Deliver(t.Context(), deliveryID, false)))
	b.missed(t, e.ID)
}

// missed requires that a disabled endpoint gets nothing, and that staff can resend the held events.
func (b bundle) missed(t *testing.T, endpointID string) {
	t.Helper()
	sent := len(b.receiver.got)
	tx, err := b.db.Worker.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	stopped, err := webhook.StoppedTx(t.Context(), tx)
	require.NoError(t, err)
	require.NoError(t, tx.Rollback())
	require.Len(t, stopped, 1, "the alert")

	console.Customer(t, b.db, b.clock, "9876543210", "Asha", "Kulkarni")
	require.Empty(t, b.jobs(t))
	require.Equal(t, []string{"held", "held"}, b.states(t))
	_, err = b.service.ResendSince(as(t, b.people.Ravi), b.people.Ravi, endpointID, time.Time{}, why)
	require.ErrorIs(t, err, webhook.ErrDisabled)
	_, err = b.service.Enable(as(t, b.people.Ravi), b.people.Ravi, endpointID, staff.Proof{}, why)
	require.NoError(t, err)
	_, err = b.service.Enable(as(t, b.people.Ravi), b.people.Ravi, endpointID, staff.Proof{}, why)
	require.ErrorIs(t, err, webhook.ErrState)
	n, err := b.service.ResendSince(as(t, b.people.Ravi), b.people.Ravi, endpointID, time.Time{}, why)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	b.receiver.status, b.receiver.err = 200, nil
	for _, j := range b.jobs(t) {
		require.NoError(t, b.deliverer.Deliver(t.Context(), j.DeliveryID, false))
	}
	require.Len(t, b.receiver.got, sent+2)
	require.Equal(t, []string{"delivered", "delivered"}, b.states(t))
}

func TestEndpoints_OnlyAdminsCanChangeThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	in := webhook.EndpointInput{URL: "https://erp.example.in/other", Description: "Other", Kinds: []webhook.Kind{"tenant.live", "tenant.live"}}
	_, _, err := b.service.Add(as(t, b.people.Sunita), b.people.Sunita, in, staff.Proof{}, why)
	require.Error(t, err)
	_, err = b.service.Change(as(t, b.people.Sunita), b.people.Sunita, e.ID, in, staff.Proof{}, why)
	require.ErrorIs(t, err, errs.Forbidden())
	list, err := b.service.Endpoints(t.Context())
	require.NoError(t, err)
	require.Empty(t, list, "without a member of staff there is nothing to see")
	list, err = b.service.Endpoints(as(t, b.people.Sunita))
	require.NoError(t, err)
	require.Equal(t, e.URL, list[0].URL)

	after, err := b.service.Change(as(t, b.people.Ravi), b.people.Ravi, e.ID, in, staff.Proof{}, why)
	require.NoError(t, err)
	require.Equal(t, []webhook.Kind{"tenant.live"}, after.Kinds)
	_, err = b.service.Disable(as(t, b.people.Ravi), b.people.Ravi, e.ID, why)
	require.NoError(t, err)
	_, err = b.service.Test(as(t, b.people.Ravi), b.people.Ravi, e.ID, why)
	require.ErrorIs(t, err, webhook.ErrDisabled)
	require.NoError(t, b.service.Remove(as(t, b.people.Ravi), b.people.Ravi, e.ID, why))
	_, err = b.service.Enable(as(t, b.people.Ravi), b.people.Ravi, e.ID, staff.Proof{}, why)
	require.ErrorIs(t, err, errs.NotFound())
	actions := b.people.Actions(t)
	for _, action := range []string{"add_webhook", "change_webhook", "disable_webhook", "remove_webhook"} {
		require.True(t, slices.Contains(actions, action), action)
	}
	var secrets int
	require.NoError(t, b.db.Owner.Get(&secrets, `SELECT count(*) FROM staff_actions WHERE before || after LIKE '%whsec%'`))
	require.Zero(t, secrets)

	_, _, err = b.service.Add(as(t, b.people.Ravi), b.people.Ravi, webhook.EndpointInput{URL: "http://x", Kinds: []webhook.Kind{"x"}}, staff.Proof{}, why)
	for _, field := range []string{"url", "description", "kinds"} {
		require.NotEmpty(t, errs.As(err).Fields[field], field)
	}
}

func TestPrune_EventsOlderThanNinetyDays_AreDeleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	b.test(t, e.ID)
	require.NoError(t, b.deliver(t))
	b.clock.Advance(90 * 24 * time.Hour)
	b.test(t, e.ID)
	b.clock.Advance(time.Second)
	require.NoError(t, b.deliverer.Prune(t.Context()))
	require.Equal(t, []string{"waiting"}, b.states(t))
	list, more, err := b.service.Deliveries(as(t, b.people.Sunita), webhook.DeliveryQuery{EndpointID: e.ID, State: webhook.DeliveryWaiting})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.False(t, more)
}

// Given a delivery whose job was called off, or died in its last attempt, then it has failed, and staff may send it again.
func TestPrune_DeliveryWithoutAJob_HasFailed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	deliveryID := b.test(t, e.ID)
	admin := as(t, b.people.Ravi)
	for _, live := range []string{"available", "pending", "running", "retryable", "scheduled"} {
		b.db.Owner.MustExec(`UPDATE river_job SET state = $1::river_job_state WHERE kind = 'deliver_webhook'`, live)
		require.NoError(t, b.deliverer.Prune(t.Context()))
		require.Equal(t, []string{"waiting"}, b.states(t), live)
		_, err := b.service.Resend(admin, b.people.Ravi, deliveryID, why)
		require.ErrorIs(t, err, webhook.ErrWaiting, live)
	}
	for _, lost := range []string{"cancelled", "discarded"} {
		b.db.Owner.MustExec(`UPDATE river_job SET state = $1::river_job_state, finalized_at = now() WHERE kind = 'deliver_webhook'`, lost)
		require.NoError(t, b.deliverer.Prune(t.Context()))
		require.Equal(t, []string{"failed"}, b.states(t), lost)
		n, err := b.service.ResendSince(admin, b.people.Ravi, e.ID, time.Time{}, why)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.NoError(t, b.deliverer.Prune(t.Context()))
		require.Equal(t, []string{"waiting"}, b.states(t), "it has a job again")
	}
	require.NoError(t, b.deliver(t))
	require.NoError(t, b.deliverer.Prune(t.Context()))
	require.Equal(t, []string{"delivered"}, b.states(t))
}

// Given an endpoint that has failed for almost five days, when it gets another address, then that one has its own five days.
func TestChange_NewURL_RestartsTheFiveDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.add(t)
	deliveryID := b.test(t, e.ID)
	b.receiver.status = 503
	require.Error(t, b.deliver(t))
	b.clock.Advance(4 * 24 * time.Hour)
	in := webhook.EndpointInput{URL: e.URL, Description: "Another description"}
	after, err := b.service.Change(as(t, b.people.Ravi), b.people.Ravi, e.ID, in, staff.Proof{}, why)
	require.NoError(t, err)
	require.NotNil(t, after.FailingSince, "the same address")
	in.URL = "https://erp.example.in/right"
	after, err = b.service.Change(as(t, b.people.Ravi), b.people.Ravi, e.ID, in, staff.Proof{}, why)
	require.NoError(t, err)
	require.Nil(t, after.FailingSince)
	b.clock.Advance(2 * 24 * time.Hour)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(b.deliverer.Deliver(t.Context(), deliveryID, false)), "not disabled")
}
