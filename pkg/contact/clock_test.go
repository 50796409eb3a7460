package contact_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// Requests change state without an e-mail, as on the phone. Each clock continues with its remaining time, or restarts if the person writes
// after the answer. Business hours are ten to six; the targets are eight hours to answer and twenty-four to settle.
func TestRequestClock_FollowsTheState(t *testing.T) {
	t.Parallel()
	o := open(t)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, clock.IST) }
	move := func(reference string, to contact.State) {
		t.Helper()
		require.NoError(t, o.desk.Move(o.Sunita.Sign(t.Context()), o.Sunita, reference, to, "As said on the phone"))
	}
	due := func(reference string, want time.Time, why string) {
		t.Helper()
		found := o.read(t, reference).Due()
		require.NotNil(t, found, why)
		require.WithinDuration(t, want, *found, 0, why)
	}
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?")) // Monday, ten o'clock
	ravi := o.submit(t, left("ravi@example.in", "", "Where is my invoice?"))
	due(asha, at(2, 18, 0), "its answer, within the day")

	o.clock.Set(at(2, 14, 0))
	move(asha, contact.StateWaiting)
	found := o.read(t, asha)
	require.Nil(t, found.Due())
	require.WithinDuration(t, at(2, 14, 0), *found.Answered, 0, "asked on the phone, it has its first answer")
	require.WithinDuration(t, at(2, 14, 0), *found.Waiting, 0)
	move(asha, contact.StateWaiting)
	require.WithinDuration(t, at(2, 14, 0), *o.read(t, asha).Waiting, 0, "what is so already changes nothing")

	o.clock.Set(at(7, 12, 0)) // Saturday
	move(asha, contact.StateOpen)
	due(asha, at(11, 14, 0), "of 24 hours four were over: twenty from Monday on")
	require.Nil(t, o.read(t, asha).Waiting)

	o.clock.Set(at(10, 17, 0))
	move(asha, contact.StateAnswered)
	require.WithinDuration(t, at(10, 17, 0), *o.read(t, asha).Settled, 0)
	o.clock.Set(at(12, 10, 0))
	o.write(t, asha, contact.Written{Kind: contact.EntryAnswer, Text: "And in Nashik?"})
	due(asha, at(16, 18, 0), "after an answer the time begins anew: Thursday, Friday, Monday")
	require.Nil(t, o.read(t, asha).Settled)
	require.WithinDuration(t, at(2, 14, 0), *o.read(t, asha).Answered, 0, "the first answer stays the first")

	// Ravi's had no answer, and its time is up; while it waits for him nothing is late.
	counts := func() contact.Counts {
		t.Helper()
		c, err := o.desk.Counts(o.Sunita.Sign(t.Context()))
		require.NoError(t, err)
		return c
	}
	require.Equal(t, contact.Counts{Open: 2, Overdue: 1, Unowned: 2}, counts())
	move(ravi, contact.StateWaiting)
	require.Equal(t, contact.Counts{Open: 1, Waiting: 1, Unowned: 1}, counts())
	o.clock.Set(at(13, 11, 0))
	move(ravi, contact.StateOpen)
	due(ravi, at(13, 11, 0), "no hour of its time was left")
	require.Zero(t, counts().Overdue, "at its moment it is not late")
	o.clock.Advance(time.Microsecond)
	require.Equal(t, 1, counts().Overdue)
	move(ravi, contact.StateClosed)
	require.Equal(t, contact.Counts{Open: 1, Closed: 1, Unowned: 1}, counts())
	require.Nil(t, o.read(t, ravi).Due())

	for from, refused := range map[string][]contact.State{ravi: {contact.StateWaiting, contact.StateAnswered}} {
		for _, to := range refused {
			err := o.desk.Move(o.Sunita.Sign(t.Context()), o.Sunita, from, to, "As said on the phone")
			require.Equal(t, "contact_state", errs.As(err).Code, to)
			require.ErrorContains(t, err, "This request is closed by now.")
		}
	}
	require.Equal(t, errs.KindNotFound, errs.KindOf(o.desk.Move(o.Sunita.Sign(t.Context()), o.Sunita, id.New(), contact.StateOpen, "Who is it")))
	require.Equal(t, 6, console.Count(t, o.DB, `SELECT count(*) FROM staff_actions WHERE action = 'move_contact'`), "each move, and none that changed nothing")
}

// A reply sent by two windows at once is one entry and one e-mail. Of two different replies under one key, one is refused.
func TestReply_SameKeyTwice_IsWrittenOnce(t *testing.T) {
	t.Parallel()
	o := open(t)
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	key := id.New()
	var group sync.WaitGroup
	failed := make(chan error, 8)
	for range 8 {
		group.Go(func() {
			failed <- o.desk.Write(o.Sunita.Sign(t.Context()), o.Sunita, asha, contact.Written{Kind: contact.EntryReply, Text: "In March.", Then: contact.StateAnswered, Key: key, Seen: 1})
		})
	}
	group.Wait()
	close(failed)
	for err := range failed {
		require.NoError(t, err)
	}
	require.Len(t, o.read(t, asha).Entries, 2)
	require.Equal(t, 1, console.Count(t, o.DB, `SELECT count(*) FROM river_job WHERE kind = 'send_contact_reply'`))
	require.Equal(t, []string{"reply_contact"}, o.Actions(t))
	write := func(reference string, in contact.Written) error {
		return o.desk.Write(o.Ravi.Sign(t.Context()), o.Ravi, reference, in)
	}
	err := write(asha, contact.Written{Kind: contact.EntryNote, Text: "In March.", Key: key})
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code, "the same words as a note are something else")
	other := o.submit(t, left("ravi@example.in", "", "Where is my invoice?"))
	require.NoError(t, write(other, contact.Written{Kind: contact.EntryNote, Text: "In March.", Key: key}), "a key is that of one request")
	require.Empty(t, o.read(t, other).Owner, "a note makes nobody its owner")
	require.NoError(t, write(other, contact.Written{Kind: contact.EntryReply, Text: "Here.", Then: contact.StateAnswered, Key: id.New(), Seen: 1}))
	require.Equal(t, "Ravi", o.read(t, other).Owner)
	require.NoError(t, o.desk.Write(o.Sunita.Sign(t.Context()), o.Sunita, other, contact.Written{Kind: contact.EntryReply, Text: "And here.", Then: contact.StateWaiting, Key: id.New(), Seen: 2}))
	require.Equal(t, "Ravi", o.read(t, other).Owner, "whoever replies takes nothing from its owner")
	err = o.desk.Give(o.Sunita.Sign(t.Context()), o.Sunita, other, nil, false)
	require.Equal(t, "claimed", errs.As(err).Code, "nor is it given back for another")
	require.NoError(t, o.desk.Give(o.Sunita.Sign(t.Context()), o.Sunita, other, nil, true))
	require.Empty(t, o.read(t, other).Owner)
	require.NoError(t, o.desk.Give(o.Sunita.Sign(t.Context()), o.Sunita, other, nil, false), "nobody's is nobody's")
	o.DB.Owner.MustExec(`UPDATE contact_requests SET email = '' WHERE id = $1`, other)
	err = write(other, contact.Written{Kind: contact.EntryReply, Text: "Are you there?", Then: contact.StateWaiting, Key: id.New(), Seen: 3})
	require.Equal(t, "contact_erased", errs.As(err).Code)
	require.NoError(t, write(other, contact.Written{Kind: contact.EntryNote, Text: "Erased.", Key: id.New()}), "staff may still note something")
}
