package message_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// desk is a fixture for staff messages about views of an account.
type desk struct {
	db     *testkit.Database
	clock  *clock.Fake
	jobs   *queue.Inserter
	people console.People
	asha   string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{db: testkit.NewDatabase(t), clock: testkit.NewClock()}
	d.jobs = testkit.NewInserter(t, d.db.API)
	d.people = console.Hire(t, d.db, d.clock)
	d.asha = console.Customer(t, d.db, d.clock, "9876543210", "Asha", "Rao")
	return d
}

// ask stores a new view of the customer's account and returns the message about it.
func (d *desk) ask(t *testing.T, franchiserID string) message.StaffMessage {
	t.Helper()
	view, now := id.New(), d.clock.Now()
	d.db.Owner.MustExec(`INSERT INTO support_views (id, franchiser_ref, staff_id, session_id, reason, requested_at, code_expires_at)
		VALUES ($1, $2, $3, $4, 'She asked', $5, $5)`, view, franchiserID, d.people.Sunita.StaffID, d.people.Sunita.SessionID, now)
	return message.StaffMessage{
		FranchiserID: franchiserID, Template: message.TemplateViewConsent, ViewID: &view, CreatedAt: now, ExpiresAt: now.Add(10 * time.Minute),
	}
}

func (d *desk) enqueue(ctx context.Context, m message.StaffMessage) (jobID int64, err error) {
	ctx = d.people.Sunita.Sign(ctx)
	return jobID, postgres.InTenantTx(ctx, d.db.API, m.FranchiserID, func(tx *sqlx.Tx) error {
		jobID, err = message.EnqueueTx(ctx, tx, d.jobs, m)
		return err
	})
}

func (d *desk) messages(t *testing.T) (ids []string) {
	t.Helper()
	require.NoError(t, d.db.Owner.Select(&ids, `SELECT id FROM support_messages ORDER BY created_at, id`))
	return ids
}

func TestStaffMessage_SecondWithinAMinute_IsRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	// given an uncommitted message, when another is requested, then it waits and is refused
	first, second := d.ask(t, d.asha), d.ask(t, d.asha)
	answered := make(chan error, 1)
	ctx := d.people.Sunita.Sign(t.Context())
	require.NoError(t, postgres.InTenantTx(ctx, d.db.API, d.asha, func(tx *sqlx.Tx) error {
		if _, err := message.EnqueueTx(ctx, tx, d.jobs, first); err != nil {
			return err
		}
		go func() {
			_, err := d.enqueue(ctx, second)
			answered <- err
		}()
		require.Eventually(t, func() bool {
			return len(answered) > 0 || console.Count(t, d.db, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
				AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`) > 0
		}, time.Minute, 10*time.Millisecond)
		return nil
	}))
	err := <-answered
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "%v", err)
	require.Equal(t, 59*time.Second, errs.As(err).RetryAfter)
	require.Len(t, d.messages(t), 1)
	require.Equal(t, 1, console.Count(t, d.db, `SELECT count(*) FROM river_job WHERE kind = 'send_support_message'`), "no job without its message")

	ravi := console.Customer(t, d.db, d.clock, "9876543211", "Ravi", "Rao")
	_, err = d.enqueue(t.Context(), d.ask(t, ravi))
	require.NoError(t, err, "another customer waits for nobody")
	d.clock.Advance(message.StaffPause - time.Millisecond)
	_, err = d.enqueue(t.Context(), d.ask(t, d.asha))
	require.Equal(t, time.Millisecond, errs.As(err).RetryAfter)
	d.clock.Advance(time.Millisecond)
	jobID, err := d.enqueue(t.Context(), d.ask(t, d.asha))
	require.NoError(t, err)

	var job struct {
		Queue    string          `db:"queue"`
		Args     json.RawMessage `db:"args"`
		Metadata json.RawMessage `db:"metadata"`
	}
	require.NoError(t, d.db.Owner.Get(&job, `SELECT queue, args, metadata FROM river_job WHERE id = $1`, jobID))
	require.Equal(t, queue.QueueOTP, job.Queue, "somebody waits on the phone")
	require.JSONEq(t, `{"message_id": "`+d.messages(t)[2]+`"}`, string(job.Args), "a job holds no number and no text")
	require.JSONEq(t, `{"franchiser_id": "`+d.asha+`"}`, string(job.Metadata))
}

func TestStaffMessage_StillNeeded_IsSentOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	mobile, unread := "9876543210", errors.New("no rows")
	contents := map[string]message.Content{message.TemplateViewConsent: {
		Addressee: func(_ context.Context, _ *sqlx.Tx, m message.StaffMessage) (string, error) {
			require.Equal(t, d.asha, m.FranchiserID)
			return mobile, nil
		},
		Values: func(context.Context, *sqlx.Tx, message.StaffMessage) ([]string, error) {
			return []string{"123456"}, nil
		},
	}}
	p := &phone{}
	outbox := message.NewStaffOutbox(d.db.Worker, d.clock, message.NewOutbox(message.OutboxOptions{
		SMS: p, Site: site, Clock: d.clock, Logger: testkit.NewLogger(t),
	}), contents)
	_, err := d.enqueue(t.Context(), d.ask(t, d.asha))
	require.NoError(t, err)
	sent := d.messages(t)[0]
	preview := func(now time.Time) (e queue.JobPreview) {
		args, _ := json.Marshal(message.SendStaffMessageArgs{MessageID: sent})
		addressees := map[string]message.Addressee{message.TemplateViewConsent: contents[message.TemplateViewConsent].Addressee}
		require.NoError(t, postgres.InTx(t.Context(), d.db.Worker, func(tx *sqlx.Tx) error {
			var err error
			e, err = message.JobPreviews(addressees)["send_support_message"](t.Context(), tx, args, now)
			return err
		}))
		return e
	}
	require.False(t, preview(d.clock.Now()).Nothing)
	require.Contains(t, preview(d.clock.Now()).Summary, mobile)
	require.True(t, preview(d.clock.Now().Add(10*time.Minute)).Nothing, "in the moment of its end")

	mobile = ""
	require.NoError(t, outbox.Send(t.Context(), sent))
	require.Empty(t, p.took, "nobody needs it")
	require.True(t, preview(d.clock.Now()).Nothing)
	mobile = "9876543210"
	p.err = errs.New(errs.KindUnavailable, "sms_unavailable", "Not now.")
	require.Error(t, outbox.Send(t.Context(), sent))
	var failed string
	require.NoError(t, d.db.Owner.Get(&failed, `SELECT send_error FROM support_messages WHERE id = $1`, sent))
	require.Equal(t, "sms_unavailable", failed)
	p.err = nil
	for range 2 {
		require.NoError(t, outbox.Send(t.Context(), sent))
	}
	require.Len(t, p.took, 2, "the one that failed and the one that went out")
	require.Equal(t, p.took[0].ID, p.took[1].ID, "the provider knows it by the same id")
	require.True(t, preview(d.clock.Now()).Nothing, "it was sent")
	require.Zero(t, console.Count(t, d.db, `SELECT count(*) FROM support_messages WHERE send_error IS NOT NULL`))
	require.NoError(t, outbox.Send(t.Context(), id.New()), "a message that is gone")

	d.clock.Advance(time.Hour)
	_, err = d.enqueue(t.Context(), d.ask(t, d.asha))
	require.NoError(t, err)
	next := d.messages(t)[1]
	d.clock.Advance(10 * time.Minute)
	require.ErrorIs(t, outbox.Send(t.Context(), next), message.ErrTooLate())
	contents[message.TemplateViewConsent] = message.Content{
		Addressee: contents[message.TemplateViewConsent].Addressee,
		Values:    func(context.Context, *sqlx.Tx, message.StaffMessage) ([]string, error) { return nil, unread },
	}
	require.ErrorIs(t, outbox.Send(t.Context(), next), unread)
	delete(contents, message.TemplateViewConsent)
	require.ErrorContains(t, outbox.Send(t.Context(), next), message.TemplateViewConsent, "a template that nobody fills is a fault, no success")
	require.Len(t, p.took, 2)
}
