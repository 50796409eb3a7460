package queue_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// marks returns which marks a job has.
func (b bundle) marks(t *testing.T, jobID int64) (names []string) {
	t.Helper()
	all := map[string]json.RawMessage{}
	require.NoError(t, json.Unmarshal(b.row(t, jobID).Metadata, &all))
	for _, name := range []string{"rerun_at", "dismissed_at", "snoozed_at"} {
		if _, ok := all[name]; ok {
			names = append(names, name)
		}
	}
	return names
}

func TestAgesAfter_EachQueue_HasItsLimit(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]time.Duration{
		queue.QueueOTP: 30 * time.Second, queue.QueuePayments: 2 * time.Minute, queue.QueueDocuments: 10 * time.Minute,
		queue.QueueDefault: 5 * time.Minute, "": 5 * time.Minute, "of a newer release": 5 * time.Minute,
	} {
		require.Equal(t, want, queue.AgesAfter(name), name)
	}
	require.Less(t, queue.AgesAfter(queue.QueueOTP), queue.AgesAfter(queue.QueuePayments), "whoever waits with the phone in hand comes first")
}

// A job's twins are live jobs of its kind with the same arguments, in any order of their members.
func TestTwinTx_LiveJobWithTheSameArguments_IsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	twin := func(jobID int64, kind, args string) (found int64) {
		t.Helper()
		require.NoError(t, b.tx(t, func(tx *sqlx.Tx) (err error) {
			found, err = queue.TwinTx(t.Context(), tx, jobID, kind, args)
			return err
		}))
		return found
	}
	const args = `{"invoice_id": "1"}`
	mine := b.insert(t, renderArgs{"1"}, queue.Options{})
	b.insert(t, renderArgs{"2"}, queue.Options{})
	require.Zero(t, twin(mine, "render", args), "it is no twin of itself")
	other := b.insert(t, renderArgs{"1"}, queue.Options{})
	require.Equal(t, other, twin(mine, "render", args))
	require.Equal(t, mine, twin(other, "render", `{ "invoice_id":"1" }`))
	require.Equal(t, mine, twin(0, "render", args), "the first of several")
	require.Zero(t, twin(mine, "print", args))
	require.Zero(t, twin(mine, "render", `{"invoice_id": "1", "again": true}`))
	require.Zero(t, twin(mine, "render", `{"invoice_id": 1}`), "a number is no text")
	for state, lives := range map[string]bool{
		"available": true, "pending": true, "retryable": true, "running": true, "scheduled": true,
		"completed": false, "cancelled": false, "discarded": false,
	} {
		b.set(t, other, state)
		require.Equal(t, lives, twin(mine, "render", args) == other, state)
	}
}

// A new mark on a job removes the marks that contradict it.
func TestMarks_NewMark_RemovesContradictingOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	job := b.insert(t, renderArgs{"1"}, queue.Options{Subject: queue.Subject{InvoiceID: "1"}})
	b.set(t, job, "discarded")
	mark := func(fn func(tx *sqlx.Tx) error) []string {
		t.Helper()
		require.NoError(t, b.tx(t, fn))
		return b.marks(t, job)
	}
	ctx := t.Context()
	dismiss := func(tx *sqlx.Tx) error { return queue.MarkDismissedTx(ctx, tx, job) }
	postpone := func(tx *sqlx.Tx) error { return queue.PostponeTx(ctx, tx, job, time.Hour) }
	rerun := func(tx *sqlx.Tx) error { return queue.MarkRerunTx(ctx, tx, job) }
	require.Equal(t, []string{"dismissed_at"}, mark(dismiss))
	require.Equal(t, "cancelled", b.row(t, job).State, "the workers delete it in time")
	require.Equal(t, []string{"dismissed_at"}, mark(dismiss), "twice is once")
	require.Equal(t, []string{"snoozed_at"}, mark(postpone))
	require.Equal(t, "scheduled", b.row(t, job).State)
	require.Equal(t, []string{"dismissed_at", "snoozed_at"}, mark(dismiss), "that it waits stays true")
	require.Equal(t, "scheduled", b.row(t, job).State, "only what has failed for good ends by it")
	require.Equal(t, []string{"rerun_at"}, mark(rerun))
	require.Equal(t, []string{"rerun_at", "dismissed_at"}, mark(dismiss))
	var subject string
	require.NoError(t, b.db.Owner.Get(&subject, `SELECT metadata ->> 'invoice_id' FROM river_job WHERE id = $1`, job))
	require.Equal(t, "1", subject, "whom it concerns stays")
}

// A postponed job has an attempt left when its time comes, and at most one more than before.
func TestPostponeTx_AttemptsUsedUp_AddsOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, tc := range map[string]struct{ attempt, most, want int }{
		"used up": {3, 3, 4}, "beyond": {5, 3, 6}, "one left": {2, 3, 3}, "no attempt used": {0, 3, 3},
	} {
		job := b.insert(t, renderArgs{name}, queue.Options{MaxAttempts: tc.most})
		b.set(t, job, "discarded")
		b.db.Owner.MustExec(`UPDATE river_job SET attempt = $2 WHERE id = $1`, job, tc.attempt)
		require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error { return queue.PostponeTx(t.Context(), tx, job, 24*time.Hour) }))
		r := b.row(t, job)
		require.Equal(t, []any{"scheduled", tc.attempt, tc.want}, []any{r.State, r.Attempt, r.MaxAttempts}, name)
		require.InDelta(t, 24*60*60, r.Waits, 60*60, name)
	}
}

// Moving the clock brings waiting jobs forward; finished and running jobs stay.
func TestBringForwardTx_MovesOnlyWaitingJobs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	jobs := map[string]int64{}
	for _, state := range []string{"available", "pending", "retryable", "running", "scheduled", "completed", "cancelled", "discarded"} {
		jobs[state] = b.insert(t, renderArgs{state}, queue.Options{})
		b.set(t, jobs[state], state)
		b.db.Owner.MustExec(`UPDATE river_job SET scheduled_at = now() + interval '10 days' WHERE id = $1`, jobs[state])
	}
	require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error { return queue.BringForwardTx(t.Context(), tx, 4*24*60*60) }))
	for state, job := range jobs {
		days := 10.0
		if state == "retryable" || state == "scheduled" {
			days = 6
		}
		require.InDelta(t, days, b.row(t, job).Waits/(24*60*60), 0.1, state)
	}
}

func TestLockTx_UnknownJobOrQueue_IsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	job := b.insert(t, renderArgs{"1"}, queue.Options{})
	b.db.Owner.MustExec(`INSERT INTO river_queue (name, updated_at) VALUES ('documents', now())`)
	paused := func(name string) (is bool, err error) {
		return is, b.tx(t, func(tx *sqlx.Tx) error {
			is, err = queue.PausedTx(t.Context(), tx, name)
			return err
		})
	}
	is, err := paused("documents")
	require.NoError(t, err)
	require.False(t, is)
	_, err = paused("nonsense")
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error { return b.jobs.PauseTx(t.Context(), tx, "documents") }))
	is, err = paused("documents")
	require.NoError(t, err)
	require.True(t, is)

	require.NoError(t, b.tx(t, func(tx *sqlx.Tx) error {
		require.NoError(t, queue.LockTx(t.Context(), tx, job))
		var free int
		require.NoError(t, b.db.Owner.Get(&free, `SELECT count(*) FROM (SELECT FROM river_job WHERE id = $1 FOR UPDATE SKIP LOCKED) AS found`, job))
		require.Zero(t, free, "another transaction waits for it")
		require.Equal(t, errs.KindNotFound, errs.KindOf(queue.LockTx(t.Context(), tx, job+1)))
		return nil
	}))
}

func TestTraceparent_JobMetadata_IsRead(t *testing.T) {
	t.Parallel()
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for kept, want := range map[string]string{
		`{"traceparent": "` + parent + `", "payment_id": "1"}`: parent, `{}`: "", ``: "", `null`: "", `[]`: "", `{"traceparent": 7}`: "", `{"trace`: "",
	} {
		require.Equal(t, want, queue.Traceparent([]byte(kept)), "%q", kept)
	}
}
