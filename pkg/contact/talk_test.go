package contact_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/filetype"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/webhook"
)

const inboundSecret = "an-inbound-secret-of-32-letters!"

// exchange is an office whose messages arrive and leave over all channels.
type exchange struct {
	office

	arrive   *contact.Inbox
	receiver *contact.Receiver
	sender   *contact.ReplySender
	box      *console.Texts
}

func openExchange(t *testing.T) exchange {
	t.Helper()
	x := exchange{office: open(t), box: &console.Texts{}}
	x.arrive = contact.NewInbox(x.DB.API, testkit.NewInserter(t, x.DB.API), x.clock, inboundSecret)
	x.receiver = contact.NewReceiver(contact.ReceiverOptions{
		DB: x.DB.Worker, Jobs: testkit.NewInserter(t, x.DB.Worker), Clock: x.clock, Keys: testkit.NewKeyring(t), Targets: hours(),
		By: contact.Channels{Email: true, WhatsApp: true}, From: "Franchise 360 <billing@franchise360.example>", ReplyTo: "help@franchise360.example",
	})
	x.sender = contact.NewReplySender(contact.ReplySenderOptions{
		DB: x.DB.Worker, Jobs: testkit.NewInserter(t, x.DB.Worker), Clock: x.clock, Keys: testkit.NewKeyring(t), Targets: hours(),
		By: contact.Channels{Email: true, WhatsApp: true}, Inbound: true, Outbox: message.NewOutbox(message.OutboxOptions{
			SMS: x.box, Email: x.box, WhatsApp: x.box, Site: message.Site{Host: "localhost", URL: "http://localhost"}, Clock: x.clock, Logger: testkit.NewLogger(t),
		}),
	})
	return x
}

// posted signs and posts an e-mail as the provider does.
func (x exchange) posted(t *testing.T, raw string, authenticated bool) {
	t.Helper()
	require.NoError(t, x.arrive.TakeEmail(t.Context(), x.signed(t, raw, authenticated)))
}

func (x exchange) signed(t *testing.T, raw string, authenticated bool) contact.Posted {
	t.Helper()
	body, err := json.Marshal(map[string]any{"message": base64.StdEncoding.EncodeToString([]byte(raw)), "sender_authenticated": authenticated})
	require.NoError(t, err)
	name, now := id.New(), x.clock.Now()
	return contact.Posted{
		ID: name, Timestamp: strconv.FormatInt(now.Unix(), 10), Signature: webhook.Sign([][]byte{[]byte(inboundSecret)}, name, now, body), Body: body,
	}
}

// work runs the jobs of all arrived messages.
func (x exchange) work(t *testing.T) {
	t.Helper()
	var waiting []string
	require.NoError(t, x.DB.Owner.Select(&waiting, `SELECT id FROM contact_inbound ORDER BY random()`))
	for _, one := range waiting {
		require.NoError(t, x.receiver.Receive(t.Context(), one))
		require.NoError(t, x.receiver.Receive(t.Context(), one), "a job that runs twice")
	}
	require.Zero(t, console.Count(t, x.DB, `SELECT count(*) FROM contact_inbound`))
}

func (x exchange) requests(t *testing.T) []contact.Request {
	t.Helper()
	list, _, err := x.desk.List(x.Sunita.Sign(t.Context()), x.Sunita, contact.Filter{}, 50, 0)
	require.NoError(t, err)
	return list
}

// sent answers the request and sends the answer.
func (x exchange) sent(t *testing.T, reference, text string) message.Message {
	t.Helper()
	x.write(t, reference, contact.Written{Kind: contact.EntryReply, Text: text, Then: contact.StateAnswered})
	entries := x.read(t, reference).Entries
	before := len(x.box.Sent)
	require.NoError(t, x.sender.Send(t.Context(), entries[len(entries)-1].ID))
	require.Len(t, x.box.Sent, before+1)
	return x.box.Sent[before]
}

func (x exchange) proved(t *testing.T, mobile, first string) (customer, email string) {
	t.Helper()
	customer = console.Customer(t, x.DB, x.clock, mobile, first, "Rao")
	x.DB.Owner.MustExec(`UPDATE franchisers SET email_proved_at = created_at WHERE id = $1`, customer)
	require.NoError(t, x.DB.Owner.Get(&email, `SELECT email FROM franchisers WHERE id = $1`, customer))
	return customer, email
}

// mailed is an e-mail with the headers, each with its line end, before its text.
func mailed(from, to, headers, text string) string {
	return "From: " + from + "\r\nTo: " + to + "\r\n" + headers + "\r\n" + text + "\r\n"
}

func texts(entries []contact.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, string(e.Kind)+" "+string(e.Channel)+" "+e.Text)
	}
	return all
}

// A customer writes in the account, answers by e-mail and by WhatsApp: it is one conversation, and each answer goes to the last channel.
func TestConversation_OverThreeChannels_IsOne(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, email := x.proved(t, "9876543210", "Asha")
	file, err := x.inbox.Upload(t.Context(), asha, `..\bill.exe`, []byte("%PDF-1.7\nA bill"))
	require.NoError(t, err)
	require.Equal(t, []any{"bill.exe.pdf", "application/pdf"}, []any{file.Name, file.ContentType})
	first := contact.MyMessage{Topic: "billing", Text: "Why two debits?", Files: []string{file.ID}, Key: "key-00001"}
	one, err := x.inbox.Start(t.Context(), asha, first)
	require.NoError(t, err)
	again, err := x.inbox.Start(t.Context(), asha, first)
	require.NoError(t, err)
	require.Equal(t, one, again, "pressed twice")
	first.Text = "Why three?"
	_, err = x.inbox.Start(t.Context(), asha, first)
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code)

	x.clock.Advance(time.Hour)
	answer := x.sent(t, one, "One was returned.")
	require.Equal(t, []any{email, message.TemplateContactReply}, []any{answer.Email, answer.Template})
	x.write(t, one, contact.Written{Kind: contact.EntryNote, Text: "She is angry."})

	x.clock.Advance(time.Hour)
	x.posted(t, mailed("Asha <"+strings.ToUpper(email)+">", "help+"+answer.ReplyTag+"@franchise360.example", "Subject: Anything\r\nMessage-ID: <a1@mail.example>\r\n",
		"Returned when?\r\n\r\nOn Mon, 2 Nov 2026 Franchise 360 wrote:\r\n> One was returned."), true)
	x.work(t)
	found := x.read(t, one)
	require.Equal(t, []any{contact.StateOpen, contact.ChannelEmail, ""}, []any{found.State, found.Channel, found.Entries[3].Sender})
	require.Equal(t, "On Mon, 2 Nov 2026 Franchise 360 wrote:\n> One was returned.", found.Entries[3].Quoted)
	answer = x.sent(t, one, "On Monday.")
	require.Equal(t, []string{"a1@mail.example"}, answer.References)

	x.clock.Advance(time.Hour)
	require.NoError(t, x.arrive.TakeWhatsApp(t.Context(), message.WhatsAppReply{Mobile: "9876543210", Text: "Nothing came.", Ref: "wamid.1", At: x.clock.Now()}))
	x.work(t)
	answer = x.sent(t, one, "We look into it.")
	require.Equal(t, []any{"9876543210", message.TemplateContactWhatsApp, "We look into it."}, []any{answer.Mobile, answer.Template, answer.Text})

	require.Len(t, x.requests(t), 1)
	thread, err := x.inbox.MyThread(t.Context(), asha, one)
	require.NoError(t, err)
	require.Equal(t, []string{
		"answer account Why two debits?", "reply email One was returned.", "answer email Returned when?", "reply email On Monday.",
		"answer whatsapp Nothing came.", "reply whatsapp We look into it.",
	}, texts(thread.Entries), "everything in order, without the note")
	kept, err := x.inbox.MyFile(t.Context(), asha, one, file.ID)
	require.NoError(t, err)
	require.Equal(t, "%PDF-1.7\nA bill", string(kept.Body))

	// Nobody else sees any of it.
	ravi, _ := x.proved(t, "9876543211", "Ravi")
	_, err = x.inbox.MyThread(t.Context(), ravi, one)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = x.inbox.MyFile(t.Context(), ravi, one, file.ID)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.Equal(t, errs.KindNotFound, errs.KindOf(x.inbox.Reply(t.Context(), ravi, one, contact.MyMessage{Text: "Mine?", Key: "key-00002"})))
	_, total, err := x.inbox.Mine(t.Context(), ravi, "", 10, 0)
	require.NoError(t, err)
	require.Zero(t, total)

	// Erasure leaves no text, address, file or waiting message.
	require.NoError(t, x.arrive.TakeWhatsApp(t.Context(), message.WhatsAppReply{Mobile: "9876543210", Text: "Hello?", Ref: "wamid.2"}))
	_, err = x.inbox.Upload(t.Context(), asha, "b.txt", []byte("not sent"))
	require.NoError(t, err)
	require.Contains(t, exportOf(t, x.DB, asha), `"files":["bill.exe.pdf"]`)
	require.NoError(t, postgres.InTenantTx(t.Context(), x.DB.Worker, asha, func(tx *sqlx.Tx) error {
		return contact.PersonalData{}.EraseTx(t.Context(), tx, asha)
	}))
	for _, table := range []string{"contact_files", "contact_inbound", "contact_requests WHERE franchiser_ref IS NOT NULL OR email <> '' OR mobile <> ''", "contact_requests WHERE state IN ('open', 'waiting')"} {
		require.Zero(t, console.Count(t, x.DB, `SELECT count(*) FROM `+table), table)
	}
	require.Zero(t, console.Count(t, x.DB, `SELECT count(*) FROM contact_entries WHERE text <> 'Erased on request' OR quoted <> '' OR external_id NOT LIKE 'erased:%'`))
}

// WhatsApp takes answers for a day. After it, an answer goes by e-mail or into the account, and staff see why.
func TestReply_AfterTheWhatsAppWindow_GoesElsewhere(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	say := func(mobile, ref string) {
		t.Helper()
		require.NoError(t, x.arrive.TakeWhatsApp(t.Context(), message.WhatsAppReply{Mobile: mobile, Text: "Hello", Ref: ref, Name: "A", At: x.clock.Now()}))
		x.work(t)
	}
	say("9876543210", "wamid.1")
	stranger := x.requests(t)[0].ID
	require.Equal(t, "WhatsApp 3210", x.read(t, stranger).Name)
	require.Equal(t, contact.ChannelWhatsApp, x.read(t, stranger).Way.Channel)
	x.write(t, stranger, contact.Written{Kind: contact.EntryReply, Text: "Late.", Then: contact.StateAnswered})
	x.clock.Advance(24 * time.Hour)
	entries := x.read(t, stranger).Entries
	require.Equal(t, "too_late", errs.As(x.sender.Send(t.Context(), entries[1].ID)).Code, "a job after the window sends nothing")
	require.Empty(t, x.box.Sent)
	way := x.read(t, stranger).Way
	require.Empty(t, way.Channel)
	require.Equal(t, "WhatsApp takes answers only within 24 hours of the person's last message. No e-mail address is known. Answer by phone, and note what you said.", way.Why)
	in := contact.Written{Kind: contact.EntryReply, Text: "Hi", Then: contact.StateAnswered, Key: "key-00001", Seen: x.read(t, stranger).Version}
	require.Equal(t, "no_email", errs.As(x.desk.Write(x.Sunita.Sign(t.Context()), x.Sunita, stranger, in)).Code)

	ravi := console.Customer(t, x.DB, x.clock, "9876543211", "Ravi", "Rao")
	say("9876543211", "wamid.2")
	list, _, err := x.inbox.Mine(t.Context(), ravi, "", 10, 0)
	require.NoError(t, err)
	require.Len(t, list, 1, "the account's mobile proves the customer")
	x.clock.Advance(25 * time.Hour)
	after := x.read(t, list[0].ID).Way
	require.Equal(t, contact.ChannelAccount, after.Channel)
	require.Equal(t, "WhatsApp takes answers only within 24 hours of the person's last message. No e-mail address is known. "+
		"The customer finds the reply under My requests, but gets no message about it. Call them if it is urgent.", after.Why)
	x.write(t, list[0].ID, contact.Written{Kind: contact.EntryReply, Text: "Read it here.", Then: contact.StateAnswered})
	thread, err := x.inbox.MyThread(t.Context(), ravi, list[0].ID)
	require.NoError(t, err)
	require.NotNil(t, thread.Entries[1].SentAt)
}

// The sender of an e-mail proves nothing without a token, a message id of ours, or the provider's word.
func TestEmail_WithoutProof_IsNotTheCustomers(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, email := x.proved(t, "9876543210", "Asha")
	mine := func() int {
		_, total, err := x.inbox.Mine(t.Context(), asha, "", 10, 0)
		require.NoError(t, err)
		return total
	}
	one, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "Hello", Key: "key-00001"})
	require.NoError(t, err)
	answer := x.sent(t, one, "Yes?")
	n := 0
	post := func(from, to, headers string, authenticated bool) {
		n++
		x.posted(t, mailed(from, to, headers+fmt.Sprintf("Message-ID: <m%d@mail.example>\r\n", n), fmt.Sprintf("Text %d", n)), authenticated)
		x.work(t)
	}
	desk := "help@franchise360.example"
	post(email, desk, "Subject: Re: your message to localhost\r\n", false)
	require.Equal(t, 1, mine(), "neither the subject nor the sender joins it")
	post(email, "help+"+strings.ToUpper(answer.ReplyTag)+"@franchise360.example", "", false)
	require.Equal(t, 1, mine(), "a forged token")
	require.Len(t, x.requests(t), 3, "each is a new request of somebody unknown")
	post(email, desk, "", true)
	require.Equal(t, 2, mine(), "the provider authenticated the proved address")
	post("mallory@example.in", desk, "In-Reply-To: <"+answer.ID+"@franchise360.example>\r\n", true)
	found := x.read(t, one)
	require.Equal(t, "mallory@example.in", found.Entries[2].Sender, "it was forwarded: shown with its own address")
	require.Equal(t, email, found.Email, "answers go to the customer")
	post("mallory@example.in", desk, "In-Reply-To: <"+answer.ID+"@elsewhere.example>\r\n", true)
	require.Len(t, x.read(t, one).Entries, 3, "an id of another host")
}

// Vacation replies and bounces neither open a request nor reach the customer; our own e-mails that come back are dropped.
func TestEmail_AutomaticOrLooping_OpensNothing(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, email := x.proved(t, "9876543210", "Asha")
	one, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "Hello", Key: "key-00001"})
	require.NoError(t, err)
	answer := x.sent(t, one, "Yes?")
	to := "help+" + answer.ReplyTag + "@franchise360.example"
	for i, header := range []string{
		"Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes", "Return-Path: <>", "List-Id: <a.example>",
		`Content-Type: multipart/report; boundary="b"`,
	} {
		x.posted(t, mailed(email, to, fmt.Sprintf("Message-ID: <v%d@mail.example>\r\n%s\r\n", i, header), "I am away."), true)
		x.posted(t, mailed(email, "help@franchise360.example", fmt.Sprintf("Message-ID: <w%d@mail.example>\r\n%s\r\n", i, header), "I am away."), true)
	}
	x.work(t)
	require.Len(t, x.requests(t), 1)
	found := x.read(t, one)
	require.Equal(t, contact.StateAnswered, found.State)
	require.Len(t, found.Entries, 2+6)
	require.Equal(t, contact.EntryAuto, found.Entries[3].Kind)
	thread, err := x.inbox.MyThread(t.Context(), asha, one)
	require.NoError(t, err)
	require.Len(t, thread.Entries, 2)

	x.posted(t, mailed("help+x@franchise360.example", to, "Message-ID: <o1@mail.example>\r\n", "Loop"), true)
	x.posted(t, mailed(email, to, "Message-ID: <"+answer.ID+"@franchise360.example>\r\n", "Loop"), true)
	x.work(t)
	require.Len(t, x.read(t, one).Entries, 8)
}

func TestTakeEmail_WrongOrOldSignature_IsRefused(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	raw := mailed("a@example.in", "help@franchise360.example", "Message-ID: <a@example.in>\r\n", "Hello")
	good := x.signed(t, raw, true)
	for name, change := range map[string]func(*contact.Posted){
		"no signature":     func(p *contact.Posted) { p.Signature = "" },
		"another":          func(p *contact.Posted) { p.Signature = "v1," + base64.StdEncoding.EncodeToString(make([]byte, 32)) },
		"another id":       func(p *contact.Posted) { p.ID = "x" },
		"no id":            func(p *contact.Posted) { p.ID = "" },
		"another time":     func(p *contact.Posted) { p.Timestamp = strconv.FormatInt(x.clock.Now().Unix()+1, 10) },
		"no time":          func(p *contact.Posted) { p.Timestamp = "" },
		"an edited body":   func(p *contact.Posted) { p.Body = bytes.Replace(p.Body, []byte("true"), []byte("1"), 1) },
		"an unsigned body": func(p *contact.Posted) { p.Body = append(bytes.Clone(p.Body), ' ') },
	} {
		bad := good
		change(&bad)
		require.Equal(t, errs.KindForbidden, errs.KindOf(x.arrive.TakeEmail(t.Context(), bad)), name)
	}
	old := x.signed(t, raw, true)
	x.clock.Advance(6 * time.Minute)
	require.Equal(t, errs.KindForbidden, errs.KindOf(x.arrive.TakeEmail(t.Context(), old)), "replayed later")
	off := contact.NewInbox(x.DB.API, testkit.NewInserter(t, x.DB.API), x.clock, "")
	require.Equal(t, errs.KindNotFound, errs.KindOf(off.TakeEmail(t.Context(), x.signed(t, raw, true))))
	require.Zero(t, console.Count(t, x.DB, `SELECT count(*) FROM contact_inbound`))
}

// Of two members of staff who answer at once, the second sees the first answer before sending.
func TestReply_ThreadChangedMeanwhile_IsRefused(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, _ := x.proved(t, "9876543210", "Asha")
	one, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "Hello", Key: "key-00001"})
	require.NoError(t, err)
	seen := x.read(t, one).Version
	x.write(t, one, contact.Written{Kind: contact.EntryNote, Text: "Notes disturb nobody."})
	x.write(t, one, contact.Written{Kind: contact.EntryReply, Text: "First.", Then: contact.StateAnswered, Seen: seen})
	in := contact.Written{Kind: contact.EntryReply, Text: "Second.", Then: contact.StateAnswered, Seen: seen, Key: "key-00002"}
	require.Equal(t, "thread_changed", errs.As(x.desk.Write(x.Ravi.Sign(t.Context()), x.Ravi, one, in)).Code)
	require.Len(t, x.read(t, one).Entries, 3)
	require.NoError(t, x.inbox.Reply(t.Context(), asha, one, contact.MyMessage{Text: "Thanks", Key: "key-00003"}))
	require.Equal(t, contact.StateOpen, x.read(t, one).State, "it is open again")
}

func TestUpload_OtherTypeOrTooLarge_IsRefused(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, _ := x.proved(t, "9876543210", "Asha")
	for name, body := range map[string][]byte{
		"nothing": {}, "a page": []byte("<html><script>alert(1)</script>"), "a program": []byte("MZ\x90\x00\x03\x00\x00\x00"),
		"a drawing": []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`), "an archive": []byte("PK\x03\x04aaaaaaaaaaaa"),
		"too large": append([]byte("%PDF-1.7\n"), make([]byte, filetype.MaxBytes)...),
	} {
		_, err := x.inbox.Upload(t.Context(), asha, "bill.pdf", body)
		require.Error(t, err, name)
	}
	var ids []string
	for range 20 {
		f, err := x.inbox.Upload(t.Context(), asha, "a.txt", []byte("Hello"))
		require.NoError(t, err)
		ids = append(ids, f.ID)
	}
	_, err := x.inbox.Upload(t.Context(), asha, "a.txt", []byte("Hello"))
	require.Equal(t, "too_many_files", errs.As(err).Code)
	ravi, _ := x.proved(t, "9876543211", "Ravi")
	_, err = x.inbox.Start(t.Context(), ravi, contact.MyMessage{Topic: "other", Text: "Hello", Key: "key-00001", Files: ids[:1]})
	require.Contains(t, errs.As(err).Fields, "files", "another's upload")
	_, err = x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "other", Text: "Hello", Key: "key-00001", Files: ids[:6]})
	require.Contains(t, errs.As(err).Fields, "files")
	x.clock.Advance(25 * time.Hour)
	require.NoError(t, contact.Purge(t.Context(), x.DB.Worker, x.clock.Now()))
	require.Zero(t, console.Count(t, x.DB, `SELECT count(*) FROM contact_files`))
}

// Open requests with priority support come first, then the earliest deadline.
func TestQueue_PriorityThenDeadline(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	var order []string
	for i, mobile := range []string{"9876543210", "9876543211", "9876543212"} {
		customer, _ := x.proved(t, mobile, "Asha")
		one, err := x.inbox.Start(t.Context(), customer, contact.MyMessage{Topic: "other", Text: "Hello", Key: "key-00001"})
		require.NoError(t, err)
		order = append(order, one)
		if i == 2 {
			x.DB.Owner.MustExec(`UPDATE contact_requests SET priority = true WHERE id = $1`, one)
		}
		x.clock.Advance(time.Hour)
	}
	var got []string
	for _, r := range x.requests(t) {
		got = append(got, r.ID)
	}
	require.Equal(t, []string{order[2], order[0], order[1]}, got)
	x.write(t, order[2], contact.Written{Kind: contact.EntryReply, Text: "Yes.", Then: contact.StateAnswered})
	require.Equal(t, order[2], x.requests(t)[2].ID, "answered ones come last")
}

// A stand-in for the mail provider and WhatsApp doubles, reorders, and drops and resends messages over three channels: none is lost, none is
// stored twice, and each is in its thread. STAND_IN_PEOPLE=200 makes it 10,000 messages instead of 500, which takes minutes.
func TestStandIn_DoubledReorderedAndDroppedMessages_AreStoredOnceInTheirThread(t *testing.T) {
	t.Parallel()
	const each = 50
	people := 10
	if n, err := strconv.Atoi(os.Getenv("STAND_IN_PEOPLE")); err == nil {
		people = n
	}
	x := openExchange(t)
	dice := rand.New(rand.NewPCG(1, 2))
	type person struct{ customer, email, mobile, request, tag string }
	all := make([]person, people)
	for i := range all {
		p := person{mobile: strconv.Itoa(9000000000 + i)}
		p.customer, p.email = x.proved(t, p.mobile, "Asha")
		var err error
		p.request, err = x.inbox.Start(t.Context(), p.customer, contact.MyMessage{Topic: "other", Text: "Message 0", Key: "key-00000"})
		require.NoError(t, err)
		p.tag, err = testkit.NewKeyring(t).LinkTo("answers by e-mail", p.request)
		require.NoError(t, err)
		all[i] = p
	}
	type sending struct{ of, n int }
	var queue []sending
	for of := range people {
		for n := 1; n < each; n++ {
			queue = append(queue, sending{of, n})
			if dice.IntN(2) == 0 { // doubled
				queue = append(queue, sending{of, n})
			}
		}
	}
	dice.Shuffle(len(queue), func(i, j int) { queue[i], queue[j] = queue[j], queue[i] })
	start := x.clock.Now()
	deliver := func(s sending) {
		p, text := all[s.of], fmt.Sprintf("Message %d", s.n)
		switch s.n % 3 {
		case 0:
			require.NoError(t, x.inbox.Reply(t.Context(), p.customer, p.request, contact.MyMessage{Text: text, Key: fmt.Sprintf("key-%05d", s.n)}))
		case 1:
			x.posted(t, mailed(p.email, "help+"+p.tag+"@franchise360.example", fmt.Sprintf("Message-ID: <m%d.%d@mail.example>\r\n", s.of, s.n), text), true)
		default:
			require.NoError(t, x.arrive.TakeWhatsApp(t.Context(), message.WhatsAppReply{
				Mobile: p.mobile, Text: text, Ref: fmt.Sprintf("wamid.%d.%d", s.of, s.n), At: start.Add(time.Duration(s.n) * time.Second),
			}))
		}
	}
	var dropped []sending
	for i, s := range queue {
		if dice.IntN(10) == 0 { // dropped, and sent again later
			dropped = append(dropped, s)
			continue
		}
		deliver(s)
		if i%(people*12) == 0 {
			x.clock.Advance(2 * time.Hour) // the worker keeps up
			x.work(t)
		}
	}
	x.clock.Advance(2 * time.Hour)
	for _, s := range dropped {
		deliver(s)
	}
	x.work(t)
	require.Equal(t, people*each, console.Count(t, x.DB, `SELECT count(*) FROM contact_entries`))
	require.Equal(t, people, console.Count(t, x.DB, `SELECT count(*) FROM contact_requests`))
	for i, p := range all {
		thread, err := x.inbox.MyThread(t.Context(), p.customer, p.request)
		require.NoError(t, err)
		got := map[string]int{}
		for j, e := range thread.Entries {
			got[e.Text]++
			require.False(t, j > 0 && e.CreatedAt.Before(thread.Entries[j-1].CreatedAt), "in order")
		}
		require.Len(t, got, each, "conversation %d", i)
		require.Len(t, thread.Entries, each, "conversation %d", i)
	}
}

// E-mail carries the files of a reply. WhatsApp names the place in the account where the customer reads them.
func TestReply_WithFiles_ReachesThePersonOnEachChannel(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, _ := x.proved(t, "9876543210", "Asha")
	staff := x.Sunita.Sign(t.Context())
	pdf := []byte("%PDF-1.7\nthe answer")
	upload := func() string {
		t.Helper()
		f, err := x.desk.Upload(staff, x.Sunita, "C:\\answer.pdf", pdf)
		require.NoError(t, err)
		return f.ID
	}
	reply := func(contactID string, files ...string) error {
		return x.desk.Write(staff, x.Sunita, contactID, contact.Written{
			Kind: contact.EntryReply, Text: "Here it is.", Then: contact.StateAnswered, Files: files, Key: id.New(), Seen: x.read(t, contactID).Version,
		})
	}
	send := func(contactID string) message.Message {
		t.Helper()
		entries := x.read(t, contactID).Entries
		last := entries[len(entries)-1]
		require.Equal(t, "answer.pdf", last.Files[0].Name)
		require.NoError(t, x.sender.Send(t.Context(), last.ID))
		return x.box.Sent[len(x.box.Sent)-1]
	}
	byMail, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "Where is it?", Key: "key-00001"})
	require.NoError(t, err)
	require.NoError(t, reply(byMail, upload()))
	mail := send(byMail)
	require.Equal(t, []message.Attachment{{Name: "answer.pdf", ContentType: "application/pdf", Body: pdf}}, mail.Attachments)
	thread, err := x.inbox.MyThread(t.Context(), asha, byMail)
	require.NoError(t, err)
	read, err := x.inbox.MyFile(t.Context(), asha, byMail, thread.Entries[1].Files[0].ID)
	require.NoError(t, err)
	require.Equal(t, pdf, read.Body)

	say := func(mobile, ref string) {
		t.Helper()
		require.NoError(t, x.arrive.TakeWhatsApp(t.Context(), message.WhatsAppReply{Mobile: mobile, Text: "Hello", Ref: ref, Name: "A", At: x.clock.Now()}))
		x.work(t)
	}
	say("9876543210", "wamid.1")
	require.NoError(t, reply(byMail, upload()))
	require.Equal(t, "Here it is.\n\nThis answer has files. Read them in your account under Help, My requests.", send(byMail).Body)
	say("9876543219", "wamid.2")
	stranger := x.requests(t)[0].ID
	require.Contains(t, errs.As(reply(stranger, upload())).Fields, "files", "a stranger has no account")

	theirs, err := x.inbox.Upload(t.Context(), asha, "mine.pdf", pdf)
	require.NoError(t, err)
	require.Contains(t, errs.As(reply(byMail, theirs.ID)).Fields, "files", "another person's upload")
	sent := thread.Entries[1].Files[0].ID
	require.Contains(t, errs.As(reply(byMail, sent)).Fields, "files", "a file that was sent already")
	large := []string{}
	for range 2 {
		f, err := x.desk.Upload(staff, x.Sunita, "scan.pdf", append([]byte("%PDF-1.7\n"), make([]byte, 4_500_000)...))
		require.NoError(t, err)
		large = append(large, f.ID)
	}
	require.Contains(t, errs.As(reply(byMail, large...)).Fields, "files", "more than an e-mail carries")
	note := contact.Written{Kind: contact.EntryNote, Text: "See it.", Files: []string{upload()}, Key: "key-00002"}
	require.Contains(t, errs.As(x.desk.Write(staff, x.Sunita, byMail, note)).Fields, "files")
}
