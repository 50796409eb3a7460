package contact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// office is a desk with members of staff, and the form of the site.
type office struct {
	console.People

	clock *clock.Fake
	inbox *contact.Service
	desk  *contact.Desk
}

func open(t *testing.T) office {
	t.Helper()
	o := office{clock: testkit.NewClock()}
	o.People = console.Hire(t, testkit.NewDatabase(t), o.clock)
	o.inbox = contact.NewService(o.DB.API, testkit.NewInserter(t, o.DB.API), o.clock, testkit.NewKeyring(t), hours(), true)
	o.desk = contact.NewDesk(o.DB.API, testkit.NewInserter(t, o.DB.API), o.clock, o.Service, hours(), contact.Channels{Email: true, WhatsApp: true})
	return o
}

func (o office) submit(t *testing.T, in contact.Input) string {
	t.Helper()
	reference, err := o.inbox.Submit(t.Context(), "", in)
	require.NoError(t, err)
	return reference
}

func (o office) read(t *testing.T, reference string) contact.Opened {
	t.Helper()
	found, err := o.desk.Open(o.Sunita.Sign(t.Context()), o.Sunita, reference)
	require.NoError(t, err)
	return found
}

func (o office) write(t *testing.T, reference string, in contact.Written) {
	t.Helper()
	if in.Key == "" {
		in.Key = id.New()
	}
	if in.Seen == 0 {
		in.Seen = o.read(t, reference).Version
	}
	require.NoError(t, o.desk.Write(o.Sunita.Sign(t.Context()), o.Sunita, reference, in))
}

func TestDesk_FindsRequestsBySearchAndFilter(t *testing.T) {
	t.Parallel()
	o := open(t)
	for _, in := range []contact.Input{
		left("asha_r@example.in", "9876543210", "When do you open in Pune?"), left("ravi@example.in", "", "Where is my invoice?"),
	} {
		o.submit(t, in)
		o.clock.Advance(time.Minute)
	}
	find := func(f contact.Filter) int {
		list, total, err := o.desk.List(o.Sunita.Sign(t.Context()), o.Sunita, f, 10, 0)
		require.NoError(t, err)
		require.Len(t, list, total)
		return total
	}
	for search, found := range map[string]int{"ASHA": 2, "asha_r@ex": 1, "98765": 1, "kulkarni": 0, "%": 0, "_sha": 0, "asha%": 0, "' OR true --": 0, `\`: 0} {
		require.Equal(t, found, find(contact.Filter{Search: search}), search)
	}
	require.Equal(t, 2, find(contact.Filter{State: contact.StateOpen, Topic: "billing", Owner: contact.OwnerNobody}))
	require.Zero(t, find(contact.Filter{Owner: contact.OwnerMe}))
	require.Zero(t, find(contact.Filter{Overdue: true}))
	o.clock.Advance(24 * time.Hour)
	require.Equal(t, 2, find(contact.Filter{Overdue: true}))
	counts, err := o.desk.Counts(o.Sunita.Sign(t.Context()))
	require.NoError(t, err)
	require.Equal(t, contact.Counts{Open: 2, Overdue: 2, Unowned: 2}, counts)
	for _, f := range []contact.Filter{{State: "done"}, {Topic: "complaint"}, {Owner: "all"}} {
		_, _, err := o.desk.List(o.Sunita.Sign(t.Context()), o.Sunita, f, 10, 0)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	}
	_, total, err := o.desk.List(t.Context(), o.Sunita, contact.Filter{}, 10, 0)
	require.NoError(t, err)
	require.Zero(t, total, "nobody reads them without a proof of being staff")
}

// Entries move a request from state to state, its clock stops while the staff wait for the person, and everything is in the audit trail.
func TestThread_Entries_ChangeTheStateAndTheClock(t *testing.T) {
	t.Parallel()
	o := open(t)
	start := o.clock.Now() // Monday, ten o'clock
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	found := o.read(t, asha)
	require.Equal(t, contact.StateOpen, found.State)
	require.WithinDuration(t, start.Add(8*time.Hour), *found.Due(), 0, "a business day for the first answer")

	o.clock.Advance(2 * time.Hour)
	key := id.New()
	for range 2 { // pressed twice
		o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: " Which part of Pune?\r\n\r\nSunita ", Then: contact.StateWaiting, Key: key})
	}
	other := contact.Written{Kind: contact.EntryReply, Text: "Which year?", Then: contact.StateWaiting, Key: key}
	err := o.desk.Write(o.Sunita.Sign(t.Context()), o.Sunita, asha, other)
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code, "nobody is told that another text was added")
	found = o.read(t, asha)
	require.Equal(t, contact.StateWaiting, found.State)
	require.Nil(t, found.Due())
	require.Equal(t, "Sunita", found.Owner, "whoever replies sees to it")
	require.Len(t, found.Entries, 2)
	require.Equal(t, "Which part of Pune?\n\nSunita", found.Entries[1].Text)
	require.Equal(t, 1, console.Count(t, o.DB, `SELECT count(*) FROM river_job WHERE kind = 'send_contact_reply' AND args ->> 'entry_id' = $1`, found.Entries[1].ID))

	o.clock.Advance(48 * time.Hour)
	o.write(t, asha, contact.Written{Kind: contact.EntryAnswer, Text: "In Baner."})
	found = o.read(t, asha)
	require.Equal(t, contact.StateOpen, found.State)
	require.WithinDuration(t, time.Date(2026, 11, 6, 18, 0, 0, 0, clock.IST), *found.Due(), 0, "22 business hours were left of 24")

	o.write(t, asha, contact.Written{Kind: contact.EntryNote, Text: "She means Baner Road."})
	o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: "In March.", Then: contact.StateAnswered})
	move := func(to contact.State, reason string) error {
		return o.desk.Move(o.Sunita.Sign(t.Context()), o.Sunita, asha, to, reason)
	}
	require.NoError(t, move(contact.StateClosed, "Nothing is left to do"))
	require.Equal(t, "contact_state", errs.As(move(contact.StateWaiting, "Waits")).Code)
	require.Equal(t, errs.KindInvalid, errs.KindOf(move(contact.StateOpen, "  ")))
	require.Equal(t, errs.KindInvalid, errs.KindOf(move("lost", "Where is it")))
	o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: "In April, we hear.", Then: contact.StateAnswered})
	require.Equal(t, contact.StateAnswered, o.read(t, asha).State, "a reply opens what was closed")
	require.Equal(t, []string{"reply_contact", "note_contact", "note_contact", "reply_contact", "move_contact", "reply_contact"}, o.Actions(t))
	require.Zero(t, console.Count(t, o.DB, `SELECT count(*) FROM staff_actions WHERE before || after || reason LIKE '%Pune%'`), "the trail keeps no text")
}

func TestWrite_InvalidEntry_IsRefused(t *testing.T) {
	t.Parallel()
	o := open(t)
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	for name, in := range map[string]contact.Written{
		"text": {Kind: contact.EntryNote, Text: " \n ", Key: "key-00001"}, "then": {Kind: contact.EntryReply, Text: "Yes.", Then: contact.StateClosed, Key: "key-00001"},
		"kind": {Kind: "shout", Text: "Yes.", Key: "key-00001"}, "Idempotency-Key": {Kind: contact.EntryNote, Text: "Yes."},
	} {
		require.Contains(t, errs.As(o.desk.Write(o.Sunita.Sign(t.Context()), o.Sunita, asha, in)).Fields, name)
	}
	in := contact.Written{Kind: contact.EntryNote, Text: strings.Repeat("क", 4000), Key: "key-00002"}
	o.write(t, asha, in)
	require.Equal(t, errs.KindNotFound, errs.KindOf(o.desk.Write(o.Sunita.Sign(t.Context()), o.Sunita, id.New(), in)))
	silent := contact.NewDesk(o.DB.API, testkit.NewInserter(t, o.DB.API), o.clock, o.Service, hours(), contact.Channels{})
	reply := contact.Written{Seen: 1, Kind: contact.EntryReply, Text: "Yes.", Then: contact.StateAnswered, Key: "key-00003"}
	require.Equal(t, "email_off", errs.As(silent.Write(o.Sunita.Sign(t.Context()), o.Sunita, asha, reply)).Code)
}

func TestRequest_HasOneOwner(t *testing.T) {
	t.Parallel()
	o := open(t)
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	sunita, ravi := o.Sunita, o.Ravi
	require.NoError(t, o.desk.Give(sunita.Sign(t.Context()), sunita, asha, &sunita.StaffID, false))
	err := o.desk.Give(ravi.Sign(t.Context()), ravi, asha, &ravi.StaffID, false)
	require.Equal(t, "claimed", errs.As(err).Code)
	require.ErrorContains(t, err, "Sunita sees to this already.")
	require.NoError(t, o.desk.Give(ravi.Sign(t.Context()), ravi, asha, &ravi.StaffID, true))
	require.Equal(t, "Ravi", o.read(t, asha).Owner)
	require.NoError(t, o.desk.Give(ravi.Sign(t.Context()), ravi, asha, nil, false))
	require.Empty(t, o.read(t, asha).Owner)
	nobody := id.New()
	require.Contains(t, errs.As(o.desk.Give(ravi.Sign(t.Context()), ravi, asha, &nobody, false)).Fields, "owner_id")
	require.Equal(t, []string{"assign_contact", "assign_contact", "assign_contact"}, o.Actions(t))
}

// A request names the customer by the address that it proved, or by its mobile, and not by an address that was only typed.
func TestRequest_NamesTheCustomerByProvedAddressOrMobile(t *testing.T) {
	t.Parallel()
	o := open(t)
	asha := console.Customer(t, o.DB, o.clock, "9876543210", "Asha", "Rao")
	_, err := o.DB.Owner.Exec(`UPDATE franchisers SET email = 'asha@example.in'`)
	require.NoError(t, err)
	byEmail, byMobile := o.submit(t, left("asha@example.in", "", "When do you open in Pune?")), o.submit(t, left("x@example.in", "9876543210", "When do you open in Pune?"))
	require.Nil(t, o.read(t, byEmail).CustomerID, "anybody may type an address")
	found := o.read(t, byMobile)
	require.Equal(t, []any{asha, "Asha Rao", false}, []any{*found.CustomerID, found.Customer, found.ByEmail})
	_, err = o.DB.Owner.Exec(`UPDATE franchisers SET email_proved_at = now()`)
	require.NoError(t, err)
	found = o.read(t, byEmail)
	require.Equal(t, []any{asha, true}, []any{*found.CustomerID, found.ByEmail})
}

func TestMacro_IsFilledInFromTheRequest(t *testing.T) {
	t.Parallel()
	o := open(t)
	admin := o.Ravi
	save := func(m contact.Macro) (contact.Macro, error) {
		return o.desk.SaveMacro(admin.Sign(t.Context()), admin, m)
	}
	m, err := save(contact.Macro{Title: " How  to pay ", Text: "Dear {first_name}, your request {reference} of {received_on}. {customer}, {staff}"})
	require.NoError(t, err)
	require.Equal(t, "How to pay", m.Title)
	_, err = save(contact.Macro{Title: "HOW TO PAY", Text: "Again."})
	require.Equal(t, "macro_exists", errs.As(err).Code)
	for field, wrong := range map[string]contact.Macro{"title": {Text: "Yes."}, "text": {Title: "A", Text: "Dear {nickname}"}} {
		_, err = save(wrong)
		require.Contains(t, errs.As(err).Fields, field)
	}
	for _, braces := range []string{"Dear {name", "Dear name}", "{}", "{{name}}"} {
		_, err = save(contact.Macro{Title: "B", Text: braces})
		require.Contains(t, errs.As(err).Fields, "text", braces)
	}
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	filled := o.read(t, asha).Macros[0]
	require.Equal(t, "Dear Asha, your request "+asha+" of 2 November 2026. , Sunita", filled.Text)
	require.Equal(t, []string{"customer"}, filled.Lacks)

	_, err = o.desk.SaveMacro(o.Sunita.Sign(t.Context()), o.Sunita, contact.Macro{Title: "Mine", Text: "Yes."})
	require.Error(t, err, "the database takes macros of admins alone")
	m.Text = "You pay by UPI."
	_, err = save(m)
	require.NoError(t, err)
	_, err = save(contact.Macro{ID: id.New(), Title: "C", Text: "Yes."})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.NoError(t, o.desk.DeleteMacro(admin.Sign(t.Context()), admin, m.ID))
	require.Equal(t, errs.KindNotFound, errs.KindOf(o.desk.DeleteMacro(admin.Sign(t.Context()), admin, m.ID)))
	require.Equal(t, []string{"add_macro", "change_macro", "delete_macro"}, o.Actions(t))
}

// The worker sends a reply once, unchanged, to the address of the request, and sends nothing to an erased person.
func TestReply_IsSentOnce(t *testing.T) {
	t.Parallel()
	o := open(t)
	box := &console.Texts{}
	site := message.Site{Host: "localhost", URL: "http://localhost"}
	sender := contact.NewReplySender(contact.ReplySenderOptions{
		DB: o.DB.Worker, Jobs: testkit.NewInserter(t, o.DB.Worker), Clock: o.clock, Keys: testkit.NewKeyring(t), Targets: hours(),
		By: contact.Channels{Email: true, WhatsApp: true}, Inbound: true, Outbox: message.NewOutbox(message.OutboxOptions{
			SMS: box, Site: site, Clock: o.clock, Email: box, Logger: testkit.NewLogger(t),
		}),
	})
	asha := o.submit(t, left("asha@example.in", "", "When do you open in Pune?"))
	o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: "In March.\n\n<b>{1}</b>", Then: contact.StateAnswered})
	entry := o.read(t, asha).Entries[1].ID
	require.NoError(t, sender.Send(t.Context(), entry))
	require.NoError(t, sender.Send(t.Context(), entry))
	require.Len(t, box.Sent, 1)
	sent := box.Sent[0]
	require.Equal(t, []any{"asha@example.in", "Re: your message to localhost", true}, []any{sent.Email, sent.Subject, sent.Personal})
	require.Contains(t, sent.Text, "In March.\n\n<b>{1}</b>\n\n", "what people write is never filled in")
	require.Contains(t, sent.HTML, "&lt;b&gt;{1}&lt;/b&gt;")
	require.Contains(t, sent.Text, "You wrote to us on 2 Nov 2026. Your reference: "+asha)
	require.NotNil(t, o.read(t, asha).Entries[1].SentAt)
	require.Len(t, sent.ReplyTag, secret.LinkLength, "an answer finds its request")

	o.write(t, asha, contact.Written{Kind: contact.EntryReply, Text: "Or in April.", Then: contact.StateAnswered})
	_, err := o.DB.Owner.Exec(`UPDATE contact_requests SET email = ''`)
	require.NoError(t, err)
	require.NoError(t, sender.Send(t.Context(), o.read(t, asha).Entries[2].ID))
	require.Len(t, box.Sent, 1)
}

func TestFinance_SeesBillingRequestsAndTheOnesItOwns(t *testing.T) {
	t.Parallel()
	o := open(t)
	meera, err := member.Add(t.Context(), o.DB.Owner, "Meera", staff.RoleFinance, o.clock.Now())
	require.NoError(t, err)
	billing := o.submit(t, left("asha@example.in", "", "You debited me twice."))
	sales := left("ravi@example.in", "", "When do you open in Pune?")
	sales.Topic = "sales"
	other := o.submit(t, sales)
	seen := func() (ids []string) {
		list, total, err := o.desk.List(meera.Sign(t.Context()), meera, contact.Filter{}, 10, 0)
		require.NoError(t, err)
		require.Len(t, list, total)
		counts, err := o.desk.Counts(meera.Sign(t.Context()))
		require.NoError(t, err)
		require.Equal(t, total, counts.Open+counts.Waiting+counts.Answered+counts.Closed)
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		return ids
	}
	reply := func(id string) error {
		in := contact.Written{Kind: contact.EntryReply, Text: "We give it back.", Then: contact.StateAnswered, Key: id, Seen: 1}
		return o.desk.Write(meera.Sign(t.Context()), meera, id, in)
	}
	require.Equal(t, []string{billing}, seen())
	_, err = o.desk.Open(meera.Sign(t.Context()), meera, other)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.Equal(t, errs.KindNotFound, errs.KindOf(reply(other)))
	require.Equal(t, errs.KindNotFound, errs.KindOf(o.desk.Move(meera.Sign(t.Context()), meera, other, contact.StateClosed, "Not ours")))

	require.NoError(t, reply(billing))
	require.Equal(t, "Meera", o.read(t, billing).Owner)
	found := o.read(t, other)
	require.Contains(t, found.Colleagues, contact.Colleague{ID: meera.StaffID, Name: "Meera", Role: staff.RoleFinance})
	require.NoError(t, o.desk.Give(o.Sunita.Sign(t.Context()), o.Sunita, other, &meera.StaffID, false))
	require.ElementsMatch(t, []string{billing, other}, seen())
	require.NoError(t, reply(other))
	require.NoError(t, o.desk.Give(meera.Sign(t.Context()), meera, other, &o.Sunita.StaffID, false))
	require.Equal(t, []string{billing}, seen(), "it is given away")
}

func TestRequests_OfACustomer_AreFoundByMobileAndProvedAddress(t *testing.T) {
	t.Parallel()
	o := open(t)
	asha := console.Customer(t, o.DB, o.clock, "9876543210", "Asha", "Rao")
	_, err := o.DB.Owner.Exec(`UPDATE franchisers SET email = 'asha@example.in', email_proved_at = $2 WHERE id = $1`, asha, o.clock.Now())
	require.NoError(t, err)
	ravi := console.Customer(t, o.DB, o.clock, "9876543211", "Ravi", "Rao")
	byMobile := o.submit(t, left("other@example.in", "9876543210", "Where is my invoice?"))
	byEmail := o.submit(t, left("asha@example.in", "9876543211", "I have another number now."))
	o.submit(t, left("stranger@example.in", "", "Where is my invoice?"))
	of := func(customer string) (ids []string) {
		list, total, err := o.desk.List(o.Sunita.Sign(t.Context()), o.Sunita, contact.Filter{CustomerID: customer}, 10, 0)
		require.NoError(t, err)
		require.Len(t, list, total)
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		return ids
	}
	require.ElementsMatch(t, []string{byMobile, byEmail}, of(asha))
	require.Empty(t, of(ravi), "the proved address counts before the mobile")
}
