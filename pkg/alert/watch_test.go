package alert_test

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// counting is a channel that records its deliveries, and fails while it is broken.
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
	watch := func(db *sqlx.DB, inAPI bool) (*alert.Watch, *alert.Deliverer) {
		d := alert.NewDeliverer(db, h.clock, h.channel)
		return alert.NewWatch(alert.WatchOptions{
			DB: db, Jobs: testkit.NewInserter(t, db), Clock: h.clock, Deliverer: d, Limits: limits, InAPI: inAPI,
			Refusals: &postgres.Refusals{}, Logger: testkit.NewLogger(t),
		}), d
	}
	h.worker, h.deliverer = watch(h.db.Worker, false)
	h.api, _ = watch(h.db.API, true)
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

func TestWatch_DependencyFailsAndItsQueueGrows_RaisesOneAlert(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	require.Empty(t, open(t, h.worker))
	_, err := h.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, scheduled_at, errors)
		SELECT 'render_invoice', '{}', 'documents', CASE WHEN n > 12 THEN 'available' ELSE 'retryable' END::river_job_state, 1, 25,
			now() - interval '1 minute', now(), ARRAY[jsonb_build_object('at', now() - interval '1 minute', 'attempt', 1, 'error', 'provider failed: unavailable: no answer')]
		FROM generate_series(1, 25) n`)
	require.NoError(t, err)
	require.Equal(t, []string{"dependency_failing"}, open(t, h.worker), "one cause, one alert")
}

func TestWatch_OneCustomerWaits_AlertsUntilTheDependencyAnswers(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	_, err := h.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, scheduled_at, errors)
		VALUES ('verify_payment', '{}', 'payments', 'retryable', 2, 25, now(), now(), ARRAY[
			jsonb_build_object('at', now() - interval '40 seconds', 'attempt', 1, 'error', 'provider failed: unavailable: no answer'),
			jsonb_build_object('at', now() - interval '1 second', 'attempt', 2, 'error', 'provider failed: unavailable: no answer')])`)
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

func TestWatch_ConcurrentLooks_OpenOneAlertAndDeliverItOnce(t *testing.T) {
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

func TestWatch_NoWorkerAlive_APIDeliversTheAlert(t *testing.T) {
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

func TestSilencedAlert_FiresAgain_IsNotSentUntilTheSilenceEnds(t *testing.T) {
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

// fail adds jobs of a kind that wait to run again after this error.
func (h *house) fail(t *testing.T, kind string, jobs int, failure string) {
	t.Helper()
	_, err := h.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, scheduled_at, errors)
		SELECT $1, '{}', 'default', 'retryable', 1, 25, now(), now(), ARRAY[jsonb_build_object('at', now(), 'attempt', 1, 'error', $3::text)]
		FROM generate_series(1, $2)`, kind, jobs, failure)
	require.NoError(t, err)
}

func (h *house) look(t *testing.T) {
	t.Helper()
	_, err := h.worker.Look(t.Context())
	require.NoError(t, err)
	h.work(t)
	h.clock.Advance(time.Second)
}

func TestWatch_OpenAlertGrowsTenfold_IsSentAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	h.fail(t, "verify_payment", 5, "provider failed: unavailable: POST: status 503")
	h.look(t)
	h.fail(t, "verify_payment", 30, "provider failed: unavailable: POST: status 503")
	h.look(t)
	require.Equal(t, []string{"fired dependency_failing payment gateway"}, h.channel.rules(), "not tenfold")
	h.fail(t, "verify_payment", 15, "provider failed: unavailable: POST: status 503")
	h.look(t)
	h.look(t)
	require.Equal(t, []string{"fired dependency_failing payment gateway", "grown dependency_failing payment gateway"}, h.channel.rules())
	require.Contains(t, h.channel.told[1].Message, "50 jobs are failing now. Last error: unavailable: POST: status 503.")

	h.fail(t, "refund_payment", 1, "provider failed: unavailable: POST: status 503")
	h.look(t)
	h.look(t)
	require.Len(t, h.channel.told, 3, "another kind of job fails, too")

	ctx := h.sunita.Sign(t.Context())
	list, err := h.service.Open(ctx)
	require.NoError(t, err)
	require.NoError(t, h.service.Silence(ctx, h.sunita, list[0].ID, "The gateway knows", time.Hour))
	h.fail(t, "check_dispute", 1, "provider failed: unavailable: POST: status 503")
	h.look(t)
	require.Len(t, h.channel.told, 3, "silenced")
	h.clock.Advance(time.Hour)
	h.look(t)
	require.Len(t, h.channel.told, 4)
}

func TestWatch_SeverityRises_IsSentAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	h.fail(t, "purge", 5, "index out of range")
	h.look(t)
	h.fail(t, "purge", 15, "index out of range")
	h.look(t)
	h.look(t)
	require.Equal(t, []string{"fired jobs_failing purge", "grown jobs_failing purge"}, h.channel.rules())
}

func TestWatch_PoisonJob_DoesNotHideTheNextOutage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	_, err := h.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, scheduled_at, errors)
		VALUES ('verify_payment', '{"transaction_id": 7}', 'payments', 'retryable', 2, 25, now(), now(), ARRAY[
			jsonb_build_object('at', now() - interval '40 seconds', 'attempt', 1, 'error', 'pq: invalid input syntax for type uuid: "7" (22P02)')])`)
	require.NoError(t, err)
	h.look(t)
	require.Equal(t, []string{"fired jobs_failing verify_payment"}, h.channel.rules())
	require.Equal(t, alert.Warning, h.channel.told[0].Severity)
	h.fail(t, "verify_payment", 5, "provider failed: unavailable: POST: status 503")
	h.fail(t, "purge", 5, "database failed: pq: canceling statement due to lock timeout")
	h.look(t)
	require.ElementsMatch(t, []string{
		"fired jobs_failing verify_payment", "fired dependency_failing payment gateway", "fired database_failing ",
	}, h.channel.rules())
}

func TestWatch_AlertExplainedByAnother_ResolvesWithoutAMessage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	h.fail(t, "send_otp", 25, "provider failed: sms_unavailable: The SMS provider did not take the message.")
	h.look(t)
	_, err := h.db.Worker.Exec(`INSERT INTO sms_providers (provider, failures, fault, code, since) VALUES ('msg91', 3, 'unavailable', '503', $1)`, h.clock.Now())
	require.NoError(t, err)
	h.look(t)
	require.Equal(t, []string{"sms_provider"}, open(t, h.worker))
	require.Equal(t, []string{"fired dependency_failing SMS provider", "fired sms_provider msg91"}, h.channel.rules())
	past, err := h.service.History(h.sunita.Sign(t.Context()))
	require.NoError(t, err)
	last := past[1].Events[len(past[1].Events)-1]
	require.Equal(t, "resolved Part of sms_provider.", last.Kind+" "+last.Detail)
}

// The check found it; no job, and no word of a member of staff but an admin's, takes it back.
func TestWatch_ChangedAuditTrail_OnlyAdminsCanSilenceIt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	_, err := h.db.Worker.Exec(`INSERT INTO staff_audit_checks (id, at, entries, head, broken_at, problem)
		VALUES ('019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50', $1, 9, 'x', 6, 'Record 6 was changed, or one before it is missing.')`, h.clock.Now())
	require.NoError(t, err)
	_, err = h.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, finalized_at, metadata, errors)
		VALUES ('verify_audit', '{}', 'default', 'cancelled', 1, 25, now(), now(), '{"dismissed_at": "2026-11-28"}', ARRAY[jsonb_build_object('at', now(), 'error', 'x')])`)
	require.NoError(t, err)
	require.Equal(t, []string{"audit_changed"}, open(t, h.worker))
	_, err = h.db.Owner.Exec(`DELETE FROM river_job WHERE kind = 'verify_audit'`)
	require.NoError(t, err)
	h.look(t)
	require.Equal(t, []string{"fired audit_changed "}, h.channel.rules())
	require.Contains(t, h.channel.told[0].Message, "The audit trail was changed. Record 6 was changed")

	ctx := h.sunita.Sign(t.Context())
	var alertID string
	require.NoError(t, h.db.Owner.Get(&alertID, `SELECT id FROM alerts WHERE rule = 'audit_changed'`))
	require.ErrorIs(t, h.service.Silence(ctx, h.sunita, alertID, "It is known", time.Hour), alert.ErrAdminsAlone)
	require.ErrorIs(t, h.service.Unsilence(ctx, h.sunita, alertID, "It is known"), alert.ErrAdminsAlone)
	err = postgres.InTx(ctx, h.db.API, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE alerts SET silenced_until = now() + interval '1 day', silenced_by = $2 WHERE id = $1`, alertID, h.sunita.StaffID)
		return err
	})
	require.ErrorContains(t, err, "nobody but an admin silences this alert", "the database holds it, too")
	require.NoError(t, h.service.Acknowledge(ctx, h.sunita, alertID, "I call the admin"))

	admin, err := member.Add(t.Context(), h.db.Owner, "Ravi", staff.RoleAdmin, h.clock.Now())
	require.NoError(t, err)
	require.NoError(t, h.service.Silence(admin.Sign(t.Context()), admin, alertID, "The auditors look at it", time.Hour))

	_, err = h.db.Worker.Exec(`INSERT INTO staff_audit_checks (id, at, entries, head, broken_at, problem) VALUES ('019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51', $1, 9, 'x', 0, '')`,
		h.clock.Now())
	require.NoError(t, err)
	h.clock.Advance(4 * time.Hour)
	require.Contains(t, open(t, h.worker), "audit_unchecked", "whoever stops the checks is noticed")
}

func TestAdminsAlone_EachRule_MatchesTheDatabase(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, r := range alert.Rules() {
		var guarded bool
		require.NoError(t, h.db.Owner.Get(&guarded, `SELECT alert_for_admins($1, '')`, r.Name))
		require.Equal(t, alert.Alert{Rule: r.Name}.AdminsAlone(), guarded, r.Name)
	}
}

func TestWatch_OutageIsOver_IsInTheHistory(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	began := h.clock.Now()
	for range 4 {
		h.worker.Looked(t.Context(), context.DeadlineExceeded)
		h.clock.Advance(15 * time.Second)
	}
	h.worker.Looked(t.Context(), nil)
	h.worker.Looked(t.Context(), nil)
	require.Equal(t, []string{"fired database_away ", "resolved database_away "}, h.channel.rules())
	past, err := h.service.History(h.sunita.Sign(t.Context()))
	require.NoError(t, err)
	require.Len(t, past, 1)
	require.Equal(t, began.UTC(), past[0].OpenedAt)
	require.NotNil(t, past[0].ResolvedAt)
	require.Len(t, past[0].Events, 3)
	require.Empty(t, open(t, h.worker))
	require.Len(t, h.channel.told, 2, "nothing is told again")
}

func TestWatch_ReadOnlyDatabase_LookFails(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, err := h.db.Worker.Exec(`SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY`)
	require.NoError(t, err)
	h.db.Worker.SetMaxOpenConns(1)
	_, err = h.worker.Look(t.Context())
	require.True(t, postgres.Failed(err), err)
}

// A worker that could not report is not gone.
func TestWatch_FirstLookAfterAFailure_RaisesNoWorkerAlert(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ended, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ended.Done()
	_, err := h.api.Look(ended)
	require.Error(t, err)
	require.Empty(t, open(t, h.api))
}

// A member of staff who leaves the page of alerts while it loads says nothing about the database.
func TestWatch_CallerAbortsALook_DoesNotDelayTheWorkerAlert(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	aborted, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := h.api.Look(aborted)
	require.Error(t, err)
	require.Equal(t, []string{"no_workers"}, open(t, h.api))
}

// A look fails in each of these ways, and each outage is reported without the database.
func TestWatch_DatabaseUnusable_AlertNamesTheReason(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	name := "limited_" + strings.ReplaceAll(id.New(), "-", "")
	h.db.Owner.MustExec(`CREATE ROLE ` + name + ` LOGIN PASSWORD 'of-a-test' CONNECTION LIMIT 0`)
	t.Cleanup(func() { _, _ = h.db.Owner.Exec(`DROP ROLE ` + name) })
	as := func(user *url.Userinfo) string {
		u, err := url.Parse(h.db.DSN(""))
		require.NoError(t, err)
		u.User = user
		return u.String()
	}
	for reason, dsn := range map[string]string{
		"it cannot be reached":         "postgres://nobody@127.0.0.1:1/none?sslmode=disable",
		"it refuses our password":      as(url.UserPassword("nobody_of_that_name", "wrong")),
		"all its connections are used": as(url.UserPassword(name, "of-a-test")),
		"it does not answer":           "frozen",
	} {
		db := h.db.API
		if dsn != "frozen" {
			var err error
			db, err = sqlx.Open("postgres", dsn)
			require.NoError(t, err)
			t.Cleanup(func() { _ = db.Close() })
		}
		channel := &counting{}
		w := alert.NewWatch(alert.WatchOptions{
			DB: db, Jobs: testkit.NewInserter(t, db), Clock: h.clock, Deliverer: alert.NewDeliverer(db, h.clock, channel),
			Limits: alert.Thresholds{}, Refusals: &postgres.Refusals{}, Logger: testkit.NewLogger(t),
		})
		for range 4 {
			ctx := t.Context()
			if dsn == "frozen" { // the time of a look is over before an answer comes
				ended, cancel := context.WithTimeout(ctx, time.Nanosecond)
				<-ended.Done()
				defer cancel()
				ctx = ended
			}
			_, err := w.Look(ctx)
			require.Error(t, err, reason)
			w.Looked(t.Context(), err)
		}
		require.Equal(t, []string{"fired database_away "}, channel.rules(), reason)
		require.Contains(t, channel.told[0].Message, reason)
	}
}
