package contact_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// late returns the requests on the work list of the member of staff, and how many there are in all.
func (o office) late(t *testing.T, p staff.Principal, limit int) (items []worklist.Item, total int) {
	t.Helper()
	return o.work(t, p, "late_request", limit)
}

func (o office) work(t *testing.T, p staff.Principal, kind string, limit int) (items []worklist.Item, total int) {
	t.Helper()
	sources := contact.WorkSources()
	at := slices.IndexFunc(sources, func(s worklist.Source) bool { return s.Kind == kind })
	require.GreaterOrEqual(t, at, 0, kind)
	require.Equal(t, []staff.Role{staff.RoleSupport, staff.RoleFinance}, sources[at].Roles)
	ctx := p.Sign(t.Context())
	require.NoError(t, postgres.InTx(ctx, o.DB.API, func(tx *sqlx.Tx) (err error) {
		items, total, err = sources[at].Read(ctx, tx, o.clock.Now(), limit)
		return err
	}))
	return items, total
}

// The work list names the reason and the owner of each late request, the latest first.
func TestWorkList_LateRequests_NameReasonAndOwner(t *testing.T) {
	t.Parallel()
	o := open(t)
	start := o.clock.Now()
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	o.clock.Advance(time.Hour)
	ravi := o.submit(t, left("ravi@example.in", "", "Where is my invoice?"))
	o.clock.Set(start.Add(8 * time.Hour))
	items, total := o.late(t, o.Sunita, 10)
	require.Empty(t, items, "the business day ends now, and it is not over")
	require.Zero(t, total)

	o.clock.Advance(time.Microsecond)
	items, total = o.late(t, o.Sunita, 10)
	require.Equal(t, 1, total)
	item := items[0]
	require.WithinDuration(t, start.Add(8*time.Hour), item.Since, 0)
	item.Since = time.Time{}
	require.Equal(t, worklist.Item{
		Key: asha, Title: "Contact request: Payments and invoices", Wrong: "It has no answer yet, and its time is up.",
		ToDo: "Answer it, or ask what is missing.", Link: "/support/contacts/" + asha,
	}, item)

	o.clock.Advance(24 * time.Hour)
	items, total = o.late(t, o.Sunita, 1)
	require.Len(t, items, 1)
	require.Equal(t, 2, total, "all are counted")
	require.Equal(t, asha, items[0].Key, "the longest first")
	require.NoError(t, o.desk.Give(o.Ravi.Sign(t.Context()), o.Ravi, ravi, &o.Ravi.StaffID, false))
	items, _ = o.late(t, o.Sunita, 10)
	require.Equal(t, "It has no answer yet, and its time is up. Ravi sees to it.", items[1].Wrong)
	require.Equal(t, "Ravi", items[1].Owner)
	require.NotEmpty(t, items[1].OwnerID)
	_, total = o.late(t, staff.Principal{}, 10)
	require.Zero(t, total, "nobody reads them without a proof of being staff")
}

func TestWorkList_RequestGivenToAColleague_IsOnTheListOfThatColleague(t *testing.T) {
	t.Parallel()
	o := open(t)
	asha := o.submit(t, left("asha@example.in", "", "I was debited twice."))
	o.submit(t, left("ravi@example.in", "", "Where is my invoice?"))
	items, total := o.work(t, o.Ravi, "own_request", 10)
	require.Empty(t, items)
	require.Zero(t, total)
	o.clock.Advance(time.Minute)
	given := o.clock.Now()
	require.NoError(t, o.desk.Give(o.Sunita.Sign(t.Context()), o.Sunita, asha, &o.Ravi.StaffID, false))
	items, total = o.work(t, o.Ravi, "own_request", 10)
	require.Equal(t, 1, total)
	require.WithinDuration(t, given, items[0].Since, 0)
	items[0].Since = time.Time{}
	require.Equal(t, worklist.Item{
		Key: asha, Title: "Contact request: Payments and invoices", Wrong: "It has no answer yet.",
		ToDo: "Answer it, or ask what is missing.", Link: "/support/contacts/" + asha, Owner: "Ravi", OwnerID: o.Ravi.StaffID,
	}, items[0])
	items, _ = o.work(t, o.Sunita, "own_request", 10)
	require.Empty(t, items, "a colleague's")

	items, total = o.work(t, o.Sunita, "unassigned_request", 10)
	require.Equal(t, 1, total, "the other one is nobody's")
	require.Equal(t, "It has no answer yet.", items[0].Wrong)
	require.Empty(t, items[0].Owner)

	o.clock.Advance(24 * time.Hour)
	items, _ = o.work(t, o.Ravi, "own_request", 10)
	require.Empty(t, items, "a late request is listed with the late ones")
	items, _ = o.work(t, o.Ravi, "unassigned_request", 10)
	require.Empty(t, items, "late too")
	items, _ = o.late(t, o.Ravi, 10)
	require.Contains(t, items[0].Wrong, "Ravi sees to it.")
}

// An answered late request is late again if it is not settled in time, and never while the staff wait for the person.
func TestWorkList_AnsweredRequestNotSettled_IsLateAgain(t *testing.T) {
	t.Parallel()
	o := open(t)
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	o.clock.Advance(9 * time.Hour)
	keys := func() (keys []string) {
		items, _ := o.late(t, o.Sunita, 10)
		for _, i := range items {
			keys = append(keys, i.Key+" "+i.Wrong+" "+i.ToDo)
		}
		return keys
	}
	require.Len(t, keys(), 1)
	o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: "Which part of Pune?", Then: contact.StateWaiting})
	require.Empty(t, keys())
	o.clock.Advance(60 * 24 * time.Hour)
	require.Empty(t, keys(), "it is the person's turn, however long")
	o.write(t, asha, contact.Written{Kind: contact.EntryAnswer, Text: "In Baner."})
	require.Empty(t, keys())
	o.clock.Advance(60 * 24 * time.Hour)
	require.Equal(t, []string{asha + " It is not settled, and its time is up. Sunita sees to it. Settle it, and set it to answered."}, keys())
	o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: "In March.", Then: contact.StateAnswered})
	require.Empty(t, keys())
}

// The preview of a reply job describes what it would do now, without the reply's text.
func TestReplyJob_Preview_DescribesItWithoutTheText(t *testing.T) {
	t.Parallel()
	o := open(t)
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: "In March.", Then: contact.StateAnswered})
	reply := o.read(t, asha).Entries[1]
	preview := func(entryID string) (p queue.JobPreview) {
		kind := contact.SendReplyArgs{}.Kind()
		ctx := o.Sunita.Sign(t.Context())
		require.NoError(t, postgres.InTx(ctx, o.DB.API, func(tx *sqlx.Tx) (err error) {
			p, err = contact.JobPreviews()[kind](ctx, tx, []byte(`{"entry_id": "`+entryID+`"}`), o.clock.Now())
			return err
		}))
		require.NotContains(t, p.Summary+p.Again, "March")
		return p
	}
	p := preview(reply.ID)
	require.False(t, p.Nothing)
	require.Equal(t, "Would ask the mail server to send the reply to a contact request to asha@example.in.", p.Summary)
	require.NotEmpty(t, p.Again)

	var expires time.Time
	require.NoError(t, o.DB.Owner.Get(&expires, `SELECT expires_at FROM contact_entries WHERE id = $1`, reply.ID))
	o.clock.Set(expires.Add(-time.Microsecond))
	require.False(t, preview(reply.ID).Nothing)
	o.clock.Set(expires)
	p = preview(reply.ID)
	require.True(t, p.Nothing)
	require.Contains(t, p.Summary, "too late")
	p = preview(id.New())
	require.True(t, p.Nothing)
	require.Contains(t, p.Summary, "it was sent or given up, or its request is gone")

	o.write(t, asha, contact.Written{Kind: contact.EntryNote, Text: "She means Baner Road."})
	require.True(t, preview(o.read(t, asha).Entries[1].ID).Nothing, "a note is sent to nobody")
}

// If the mail server does not take a reply, staff see the reason until it is sent.
func TestReply_NotTakenByTheMailServer_ShowsTheReason(t *testing.T) {
	t.Parallel()
	o := open(t)
	box := &console.Texts{Failure: errs.New(errs.KindUnavailable, "email_unavailable", "The mail server did not take it.")}
	site := message.Site{Host: "localhost", URL: "http://localhost"}
	sender := contact.NewReplySender(contact.ReplySenderOptions{
		DB: o.DB.Worker, Jobs: testkit.NewInserter(t, o.DB.Worker), Clock: o.clock, Keys: testkit.NewKeyring(t), Targets: hours(),
		By: contact.Channels{Email: true}, Outbox: message.NewOutbox(message.OutboxOptions{
			SMS: box, Site: site, Clock: o.clock, Email: box, Logger: testkit.NewLogger(t),
		}),
	})
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: "In March.", Then: contact.StateAnswered})
	entry := func() contact.Entry { return o.read(t, asha).Entries[1] }
	require.Error(t, sender.Send(t.Context(), entry().ID))
	require.Nil(t, entry().SentAt)
	require.Equal(t, "email_unavailable", entry().SendError)
	box.Failure = errors.New("connection reset")
	require.Error(t, sender.Send(t.Context(), entry().ID))
	require.Equal(t, "internal", entry().SendError, "never the text of a failure")
	box.Failure = nil
	require.NoError(t, sender.Send(t.Context(), entry().ID))
	require.NotNil(t, entry().SentAt)
	require.Empty(t, entry().SendError)
	require.Len(t, box.Sent, 1)
}

func TestMacros_AreListedByTitle(t *testing.T) {
	t.Parallel()
	o := open(t)
	ctx := o.Ravi.Sign(t.Context())
	for _, m := range []contact.Macro{
		{Title: "Refunds", Text: "In a week."}, {Title: "how to pay", Text: "By UPI."}, {Title: strings.Repeat("क", 80), Text: strings.Repeat("क", 2000)},
	} {
		_, err := o.desk.SaveMacro(ctx, o.Ravi, m)
		require.NoError(t, err)
	}
	for field, wrong := range map[string]contact.Macro{
		"title": {Title: strings.Repeat("क", 81), Text: "Yes."}, "text": {Title: "A", Text: strings.Repeat("क", 2001)},
	} {
		_, err := o.desk.SaveMacro(ctx, o.Ravi, wrong)
		require.Equal(t, []string{field}, fieldsOf(err))
	}
	list, err := o.desk.Macros(o.Sunita.Sign(t.Context()))
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.Equal(t, []string{"how to pay", "Refunds"}, []string{list[0].Title, list[1].Title}, "whatever their letters' case")
	require.Equal(t, []any{"Ravi", o.Ravi.StaffID}, []any{list[0].Changer, list[0].ChangedBy})
	require.WithinDuration(t, o.clock.Now(), list[0].ChangedAt, 0)
	list, err = o.desk.Macros(t.Context())
	require.NoError(t, err)
	require.Empty(t, list, "nobody reads them without a proof of being staff")
}

func fieldsOf(err error) (names []string) {
	for name := range errs.As(err).Fields {
		names = append(names, name)
	}
	return names
}
