package alert_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// counting keeps what it was told, and fails while it is broken.
type counting struct {
	mu     sync.Mutex
	told   []alert.Notice
	broken error
}

func (*counting) Name() string { return "webhook" }

func (c *counting) Deliver(_ context.Context, n alert.Notice) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil {
		return c.broken
	}
	c.told = append(c.told, n)
	return nil
}

func (c *counting) rules() (list []string) {
	for _, n := range c.told {
		list = append(list, n.What+" "+n.Rule+" "+n.Subject)
	}
	return list
}

type house struct {
	db          *testkit.Database
	clock       *clock.Fake
	channel     *counting
	worker, api *alert.Watch
	service     *alert.Service
	deliverer   *alert.Deliverer
	sunita      staff.Principal
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{db: testkit.NewDatabase(t), clock: testkit.NewClock(), channel: &counting{}}
	limits := alert.Thresholds{
		Window: 10 * time.Minute, FailurePercent: 50, FailureCount: 5, FailingJobs: 20, HungAfter: 45 * time.Second,
		ScheduleLate: 10 * time.Minute, BooksUnchecked: 36 * time.Hour,
	}
	watch := func(db *sqlx.DB) (*alert.Watch, *alert.Deliverer) {
		d := alert.NewDeliverer(db, h.clock, h.channel)
		return alert.NewWatch(db, testkit.NewInserter(t, db), h.clock, d, limits, testkit.NewLogger(t)), d
	}
	h.worker, h.deliverer = watch(h.db.Worker)
	h.api, _ = watch(h.db.API)
	h.api.InAPI()
	h.service = alert.NewService(h.db.API, h.clock, staff.NewRecorder(h.clock), h.api)
	var err error
	h.sunita, err = member.Add(t.Context(), h.db.Owner, "Sunita", staff.RoleSupport, h.clock.Now())
	require.NoError(t, err)
	return h
}

func (h *house) beat(t *testing.T) {
	t.Helper()
	require.NoError(t, jobadmin.Beat(t.Context(), h.db.Worker, jobadmin.Heartbeat{Worker: "w", Queues: map[string]int{"documents": 2}}))
}

// work runs the delivery jobs that wait, as a worker would.
func (h *house) work(t *testing.T) {
	t.Helper()
	var ids []string
	require.NoError(t, h.db.Owner.Select(&ids, `SELECT args ->> 'delivery_id' FROM river_job WHERE kind = 'deliver_alert' ORDER BY id`))
	for _, one := range ids {
		_ = h.deliverer.Deliver(t.Context(), one, false)
	}
}

func open(t *testing.T, w *alert.Watch) (rules []string) {
	t.Helper()
	list, err := w.Look(t.Context())
	require.NoError(t, err)
	for _, a := range list {
		rules = append(rules, a.Rule)
	}
	return rules
}

func TestAHangingDependencyIsAnAlert(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	require.Empty(t, open(t, h.worker))
	_, err := h.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, scheduled_at, errors)
		SELECT 'render_invoice', '{}', 'documents', CASE WHEN n > 12 THEN 'available' ELSE 'retryable' END::river_job_state, 1, 25,
			now() - interval '1 minute', now(), ARRAY[jsonb_build_object('at', now() - interval '1 minute', 'attempt', 1, 'error', 'no answer')]
		FROM generate_series(1, 25) n`)
	require.NoError(t, err)
	require.Equal(t, []string{"dependency_failing", "jobs_failing"}, open(t, h.worker))
}

func TestOneCustomerWhoWaitsIsAnAlertUntilTheDependencyAnswersAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	_, err := h.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, scheduled_at, errors)
		VALUES ('verify_payment', '{}', 'payments', 'retryable', 2, 25, now(), now(), ARRAY[
			jsonb_build_object('at', now() - interval '40 seconds', 'attempt', 1, 'error', 'no answer'),
			jsonb_build_object('at', now() - interval '1 second', 'attempt', 2, 'error', 'no answer')])`)
	require.NoError(t, err)
	list, err := h.worker.Look(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "dependency_failing payment gateway", list[0].Rule+" "+list[0].Subject)
	require.Contains(t, list[0].Message, "1 job is failing now, and a customer has waited for 40 s")
	_, err = h.db.Owner.Exec(`UPDATE river_job SET state = 'completed', finalized_at = now() WHERE kind = 'verify_payment'`)
	require.NoError(t, err)
	h.clock.Advance(2 * time.Minute)
	require.Empty(t, open(t, h.worker))
}

func TestWhoeverLooksThereIsOneAlertDeliveredOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var group sync.WaitGroup
	for _, w := range []*alert.Watch{h.worker, h.api, h.worker, h.api} {
		group.Go(func() {
			if _, err := w.Look(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	var alerts int
	require.NoError(t, h.db.Owner.Get(&alerts, `SELECT count(*) FROM alerts`))
	require.Equal(t, 1, alerts)
	for range 4 {
		group.Go(func() { _ = h.api.Deliver(context.Background()) })
		group.Go(func() { h.work(t) })
	}
	group.Wait()
	require.Equal(t, []string{"fired no_workers "}, h.channel.rules())

	h.beat(t)
	h.clock.Advance(2 * time.Minute)
	require.Empty(t, open(t, h.worker))
	h.work(t)
	require.Equal(t, []string{"fired no_workers ", "resolved no_workers "}, h.channel.rules())
}

func TestTheAPITellsThatNoWorkerLives(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	require.Equal(t, []string{"no_workers"}, open(t, h.api))
	h.channel.broken = errs.Unavailable(context.DeadlineExceeded)
	require.Error(t, h.api.Deliver(t.Context()))
	h.channel.broken = nil
	require.NoError(t, h.api.Deliver(t.Context()))
	require.NoError(t, h.api.Deliver(t.Context()))
	require.Equal(t, []string{"fired no_workers "}, h.channel.rules())
}

func TestASilencedAlertIsToldToNobodyUntilItsSilenceEnds(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.sunita.Sign(t.Context())
	list, err := h.service.Open(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, errs.KindInvalid, errs.KindOf(h.service.Silence(ctx, h.sunita, list[0].ID, "Known", time.Minute)))
	require.Error(t, h.service.Acknowledge(t.Context(), h.sunita, list[0].ID, "No proof"))
	require.NoError(t, h.service.Acknowledge(ctx, h.sunita, list[0].ID, "I look"))
	require.NoError(t, h.service.Silence(ctx, h.sunita, list[0].ID, "Maintenance until noon", time.Hour))

	// It ends, and comes again within its silence.
	h.beat(t)
	h.clock.Advance(2 * time.Minute)
	require.Empty(t, open(t, h.worker))
	require.NoError(t, jobadmin.Leave(t.Context(), h.db.Worker, "w"))
	require.Equal(t, []string{"no_workers"}, open(t, h.api))
	var told bool
	require.NoError(t, h.db.Owner.Get(&told, `SELECT told FROM alerts WHERE resolved_at IS NULL`))
	require.False(t, told)
	h.clock.Advance(time.Hour)
	open(t, h.api)
	require.NoError(t, h.db.Owner.Get(&told, `SELECT told FROM alerts WHERE resolved_at IS NULL`))
	require.True(t, told)
	past, err := h.service.History(ctx)
	require.NoError(t, err)
	require.Len(t, past, 2)
	require.Equal(t, "Sunita", past[1].AcknowledgedBy)
	var kinds []string
	for _, e := range past[1].Events {
		kinds = append(kinds, e.Kind)
	}
	require.Equal(t, []string{"fired", "acknowledged", "silenced", "resolved"}, kinds)
}
