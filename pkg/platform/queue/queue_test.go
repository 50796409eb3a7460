package queue_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

type renderArgs struct {
	InvoiceID string `json:"invoice_id"`
}

func (renderArgs) Kind() string { return "render" }

type bundle struct {
	db   *testkit.Database
	jobs *queue.Inserter
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{db: testkit.NewDatabase(t)}
	b.jobs = testkit.NewInserter(t, b.db.API)
	return b
}

func (b bundle) tx(t *testing.T, fn func(tx *sqlx.Tx) error) error {
	t.Helper()
	return postgres.InTx(t.Context(), b.db.API, fn)
}

func (b bundle) insert(t *testing.T, args queue.Args, o queue.Options) (jobID int64) {
	t.Helper()
	require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error {
		var err error
		jobID, err = b.jobs.InsertTx(t.Context(), tx, args, o)
		return err
	}))
	return jobID
}

// row holds the columns of a job's row under test.
type row struct {
	Queue       string          `db:"queue"`
	State       string          `db:"state"`
	Attempt     int             `db:"attempt"`
	MaxAttempts int             `db:"max_attempts"`
	Metadata    json.RawMessage `db:"metadata"`
	Waits       float64         `db:"waits"`
	Errors      int             `db:"errors"`
}

func (b bundle) row(t *testing.T, jobID int64) row {
	t.Helper()
	var r row
	require.NoError(t, b.db.Owner.Get(&r, `SELECT queue, state, attempt, max_attempts, metadata, coalesce(array_length(errors, 1), 0) AS errors,
		extract(epoch FROM scheduled_at - clock_timestamp())::float8 AS waits FROM river_job WHERE id = $1`, jobID))
	return r
}

func (b bundle) set(t *testing.T, jobID int64, state string) {
	t.Helper()
	b.db.Owner.MustExec(`UPDATE river_job SET state = $2::river_job_state, attempt = 1, attempted_at = now(),
		finalized_at = CASE WHEN $2 IN ('completed', 'cancelled', 'discarded') THEN now() END WHERE id = $1`, jobID, state)
}

// A worker that fetched the first job before the second transaction committed learns of the second one only by its notification.
func TestInsert_JobsMillisecondsApart_BothNotify(t *testing.T) {
	t.Parallel()
	b := setup(t)
	listener := pq.NewListener(b.db.DSN(testkit.RoleWorker), time.Second, time.Minute, nil)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	var schema string
	require.NoError(t, b.db.Owner.Get(&schema, `SELECT current_schema()`))
	require.NoError(t, listener.Listen(schema+".river_insert"))

	for _, invoice := range []string{"1", "2", "3"} {
		b.insert(t, renderArgs{InvoiceID: invoice}, queue.Options{Queue: queue.QueueDocuments})
		select {
		case notification := <-listener.Notify:
			require.JSONEq(t, `{"queue":"documents"}`, notification.Extra)
		case <-time.After(time.Minute):
			require.Fail(t, "no notification")
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func TestInsert_StoresTheRequestedOptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	plain := b.row(t, b.insert(t, renderArgs{"1"}, queue.Options{}))
	require.Equal(t, queue.QueueDefault, plain.Queue)
	require.Equal(t, "available", plain.State)
	require.Equal(t, 25, plain.MaxAttempts)
	require.JSONEq(t, `{}`, string(plain.Metadata), "a job that concerns nobody names nobody")

	whole := b.row(t, b.insert(t, renderArgs{"2"}, queue.Options{
		Queue: queue.QueueDocuments, Delay: time.Hour, MaxAttempts: 3, Subject: queue.Subject{FranchiserID: "f", PaymentID: "p", InvoiceID: "i"},
	}))
	require.Equal(t, queue.QueueDocuments, whole.Queue)
	require.Equal(t, "scheduled", whole.State)
	require.InDelta(t, 3600, whole.Waits, 60)
	require.Equal(t, 3, whole.MaxAttempts)
	require.JSONEq(t, `{"franchiser_id": "f", "payment_id": "p", "invoice_id": "i"}`, string(whole.Metadata))

	past := b.row(t, b.insert(t, renderArgs{"3"}, queue.Options{Delay: -time.Hour}))
	require.Equal(t, "available", past.State)

	asked := id.New()
	require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error {
		jobID, err := b.jobs.InsertTx(id.WithRequest(t.Context(), asked), tx, renderArgs{"4"}, queue.Options{})
		if err != nil {
			return err
		}
		var kept string
		require.NoError(t, tx.Get(&kept, `SELECT metadata ->> 'request_id' FROM river_job WHERE id = $1`, jobID))
		require.Equal(t, asked, kept)
		return nil
	}))
}

func TestInsert_TransactionRollsBack_LeavesNoJob(t *testing.T) {
	t.Parallel()
	b := setup(t)
	away := errors.New("changed my mind")
	require.ErrorIs(t, b.tx(t, func(tx *sqlx.Tx) error {
		if _, err := b.jobs.InsertTx(t.Context(), tx, renderArgs{"1"}, queue.Options{Unique: true}); err != nil {
			return err
		}
		return away
	}), away)
	var jobs int
	require.NoError(t, b.db.Owner.Get(&jobs, `SELECT count(*) FROM river_job`))
	require.Zero(t, jobs)
}

func TestInsert_UniqueJob_ExistsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	unique := queue.Options{Unique: true}
	var (
		all  sync.WaitGroup
		lock sync.Mutex
		ids  = map[int64]bool{}
	)
	for range 5 {
		all.Go(func() {
			jobID := b.insert(t, renderArgs{"1"}, unique)
			lock.Lock()
			defer lock.Unlock()
			ids[jobID] = true
		})
	}
	all.Wait()
	require.Len(t, ids, 1, "five at once")
	var first int64
	for first = range ids {
	}
	for _, state := range []string{"running", "retryable", "scheduled", "available"} {
		b.set(t, first, state)
		require.Equal(t, first, b.insert(t, renderArgs{"1"}, unique), "while it is %s", state)
	}
	require.NotEqual(t, first, b.insert(t, renderArgs{"2"}, unique), "other arguments")
	for _, state := range []string{"completed", "cancelled", "discarded"} {
		b.set(t, first, state)
		next := b.insert(t, renderArgs{"1"}, unique)
		require.NotEqual(t, first, next, "once it is %s", state)
		first = next
	}
	require.NotEqual(t, first, b.insert(t, renderArgs{"1"}, queue.Options{}), "who asks for one of his own gets it")
}

func TestRetryAndCancelTx_EachState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	retry := func(jobID int64) error {
		return b.tx(t, func(tx *sqlx.Tx) error { return b.jobs.RetryTx(t.Context(), tx, jobID) })
	}
	cancel := func(jobID int64) error {
		return b.tx(t, func(tx *sqlx.Tx) error { return b.jobs.CancelTx(t.Context(), tx, jobID) })
	}

	used := b.insert(t, renderArgs{"1"}, queue.Options{MaxAttempts: 1})
	b.set(t, used, "discarded")
	require.NoError(t, retry(used))
	got := b.row(t, used)
	require.Equal(t, "available", got.State)
	require.Equal(t, 2, got.MaxAttempts, "one more attempt than it had")
	require.NoError(t, retry(used), "the second time changes nothing")
	require.Equal(t, 2, b.row(t, used).MaxAttempts)

	later := b.insert(t, renderArgs{"2"}, queue.Options{Delay: time.Hour})
	require.NoError(t, cancel(later))
	require.Equal(t, "cancelled", b.row(t, later).State)
	require.NoError(t, cancel(later))
	running := b.insert(t, renderArgs{"3"}, queue.Options{})
	b.set(t, running, "running")
	require.NoError(t, cancel(running))
	require.Equal(t, "running", b.row(t, running).State, "it is asked to stop, its worker says when")
	require.NoError(t, retry(running))
	require.Equal(t, "running", b.row(t, running).State, "what runs is not begun twice")

	require.Error(t, retry(1<<40))
	require.Error(t, cancel(1<<40))
	for _, control := range []func(context.Context, *sqlx.Tx, string) error{b.jobs.PauseTx, b.jobs.ResumeTx} {
		err := b.tx(t, func(tx *sqlx.Tx) error { return control(t.Context(), tx, "no such queue") })
		require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	}
}

func TestPauseAndResumeTx_Queue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.db.Owner.MustExec(`INSERT INTO river_queue (name, updated_at) VALUES ('documents', now())`)
	paused := func() (is bool) {
		require.NoError(t, b.db.Owner.Get(&is, `SELECT paused_at IS NOT NULL FROM river_queue WHERE name = 'documents'`))
		return is
	}
	for range 2 {
		require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error { return b.jobs.PauseTx(t.Context(), tx, queue.QueueDocuments) }))
		require.True(t, paused())
	}
	for range 2 {
		require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error { return b.jobs.ResumeTx(t.Context(), tx, queue.QueueDocuments) }))
		require.False(t, paused())
	}
}

func TestWaitsTx_OnlyJobsThatHaveNotStarted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	waits := func(args queue.Args, scheduled bool) (does bool) {
		require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error {
			var err error
			does, err = queue.WaitsTx(t.Context(), tx, args, scheduled)
			return err
		}))
		return does
	}
	require.False(t, waits(renderArgs{"1"}, true), "there is none")
	job := b.insert(t, renderArgs{"1"}, queue.Options{})
	require.True(t, waits(renderArgs{"1"}, false))
	require.False(t, waits(renderArgs{"2"}, true), "other arguments")
	for state, want := range map[string][2]bool{
		"available": {true, true}, "retryable": {true, true}, "scheduled": {false, true},
		"running": {false, false}, "completed": {false, false}, "cancelled": {false, false}, "discarded": {false, false},
	} {
		b.set(t, job, state)
		require.Equal(t, want, [2]bool{waits(renderArgs{"1"}, false), waits(renderArgs{"1"}, true)}, state)
	}

	// given a worker that takes the job now, then it no longer counts as waiting
	b.set(t, job, "available")
	require.NoError(t, postgres.InTx(t.Context(), b.db.Worker, func(tx *sqlx.Tx) error {
		if _, err := tx.Exec(`SELECT id FROM river_job WHERE id = $1 FOR UPDATE`, job); err != nil {
			return err
		}
		require.False(t, waits(renderArgs{"1"}, true))
		return nil
	}))
}

func TestWaits_RepeatedReason_IsStoredOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	note := queue.NewWaits(b.db.Worker)
	job := b.insert(t, renderArgs{"1"}, queue.Options{})
	require.NoError(t, note.Note(t.Context(), job, 1, "the gateway does not answer"))
	require.Zero(t, b.row(t, job).Errors, "it does not run")

	b.set(t, job, "running")
	for _, reason := range []string{"the gateway does not answer", "the gateway does not answer", "not settled", "not settled", "the gateway does not answer"} {
		require.NoError(t, note.Note(t.Context(), job, 1, reason))
	}
	require.Equal(t, 3, b.row(t, job).Errors, "a reason that repeats is kept once")
	require.NoError(t, note.Note(t.Context(), job, 2, "of another attempt"))
	require.NoError(t, queue.LeaveToNewer(t.Context(), b.db.Worker, job, 2))
	got := b.row(t, job)
	require.Equal(t, 3, got.Errors)
	require.Equal(t, "running", got.State, "a worker that lost the job touches it no more")
	require.Contains(t, string(got.Metadata), "snoozed_at")

	for range 2 {
		require.NoError(t, queue.LeaveToNewer(t.Context(), b.db.Worker, job, 1))
		got = b.row(t, job)
		require.Equal(t, "scheduled", got.State)
		require.Zero(t, got.Attempt, "the attempt is given back")
		require.Equal(t, 4, got.Errors)
		require.InDelta(t, 10, got.Waits, 5)
	}
	b.set(t, job, "running")
	require.NoError(t, queue.LeaveToNewer(t.Context(), b.db.Worker, job, 1))
	require.Equal(t, 4, b.row(t, job).Errors, "an old worker that fetches it again and again fills no list")
}

func TestPreview_ReadsItsArgumentsAndCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	previews := queue.JobPreviews{}
	queue.AddPreview(previews, func(_ context.Context, _ *sqlx.Tx, args renderArgs, now time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{Summary: args.InvoiceID + now.Format(" 2006-01-02")}, nil
	})
	look := previews["render"]
	effect, err := look(t.Context(), nil, json.RawMessage(`{"invoice_id": "1"}`), testkit.Start())
	require.NoError(t, err)
	require.Equal(t, "1 2026-11-02", effect.Summary)
	for _, broken := range []string{``, `[`, `[]`, `{"invoice_id": 1}`} {
		_, err := look(t.Context(), nil, json.RawMessage(broken), testkit.Start())
		require.ErrorContains(t, err, "render", broken)
	}

	for count, want := range map[string]string{
		"0": "Would look for add-ons: none are due → nothing.", "1": "Would end 1 add-ons.", "10000": "Would end 10000 add-ons.",
		"10001": "Would end more than 10,000 add-ons.",
	} {
		queue.AddSweepPreview[renderArgs](previews, "end", "add-ons", `SELECT `+count+` WHERE $1 = '2026-11-02T03:30:00Z'::timestamptz`, time.Hour)
		require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error {
			effect, err = previews["render"](t.Context(), tx, json.RawMessage(`{}`), testkit.Start())
			return err
		}))
		require.Equal(t, want, effect.Summary)
		require.Equal(t, count == "0", effect.Nothing)
		require.NotEmpty(t, effect.Again)
	}
}
