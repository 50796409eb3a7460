package contact_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// says lets the mobile write by WhatsApp, and returns the newest request.
func (x exchange) says(t *testing.T, mobile, ref string) string {
	t.Helper()
	require.NoError(t, x.arrive.TakeWhatsApp(t.Context(), message.WhatsAppReply{Mobile: mobile, Text: "Hello", Ref: ref, Name: "Asha", At: x.clock.Now()}))
	x.work(t)
	var request string
	require.NoError(t, x.DB.Owner.Get(&request, `SELECT contact_id FROM contact_entries WHERE external_id = $1`, ref))
	return request
}

// answers writes a reply, and returns its entry.
func (x exchange) answers(t *testing.T, request string, then contact.State) contact.Entry {
	t.Helper()
	x.write(t, request, contact.Written{Kind: contact.EntryReply, Text: "Yes.", Then: then})
	return x.last(t, request)
}

func (x exchange) last(t *testing.T, request string) contact.Entry {
	t.Helper()
	entries := x.read(t, request).Entries
	return entries[len(entries)-1]
}

func (x exchange) jobs(t *testing.T, entry string) int {
	t.Helper()
	return console.Count(t, x.DB, `SELECT count(*) FROM river_job WHERE kind = 'send_contact_reply' AND args ->> 'entry_id' = $1`, entry)
}

// A reply that no provider takes opens its request again, once, with the failure. A fault that may pass changes nothing.
func TestReply_RefusedForGood_OpensTheRequestOnce(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	stranger := x.says(t, "9876543210", "wamid.1")
	reply := x.answers(t, stranger, contact.StateWaiting)
	x.box.Failure = errs.New(errs.KindUnavailable, "whatsapp_unavailable", "WhatsApp did not take it.")
	require.Equal(t, x.box.Failure, x.sender.Send(t.Context(), reply.ID))
	found := x.read(t, stranger)
	require.Equal(t, contact.StateWaiting, found.State)
	require.Equal(t, "whatsapp_unavailable", found.Entries[1].SendError)
	require.Nil(t, found.Entries[1].FailedAt)

	x.box.Failure = errs.New(errs.KindInvalid, "whatsapp_rejected", "WhatsApp refuses this message.")
	require.Equal(t, errs.KindInvalid, errs.KindOf(x.sender.Send(t.Context(), reply.ID)))
	found = x.read(t, stranger)
	require.Equal(t, []any{contact.StateOpen, "whatsapp_rejected"}, []any{found.State, found.Entries[1].SendError})
	require.NotNil(t, found.Entries[1].FailedAt)
	require.Nil(t, found.Answered, "the person still has no answer")

	require.NoError(t, x.desk.Move(x.Sunita.Sign(t.Context()), x.Sunita, stranger, contact.StateAnswered, "Answered by phone"))
	x.box.Failure = nil
	require.NoError(t, x.sender.Send(t.Context(), reply.ID), "a job that runs again")
	require.Empty(t, x.box.Sent)
	require.Equal(t, contact.StateAnswered, x.read(t, stranger).State)

	late := x.says(t, "9876543211", "wamid.2")
	reply = x.answers(t, late, contact.StateAnswered)
	x.clock.Advance(24 * time.Hour)
	require.Equal(t, "too_late", errs.As(x.sender.Send(t.Context(), reply.ID)).Code)
	require.Equal(t, contact.StateOpen, x.read(t, late).State)
}

// WhatsApp's refusal of a reply to a customer with a proved e-mail address sends it by e-mail.
func TestReply_RefusedByWhatsApp_GoesToTheProvedEmailAddress(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	_, email := x.proved(t, "9876543210", "Asha")
	request := x.says(t, "9876543210", "wamid.1")
	reply := x.answers(t, request, contact.StateAnswered)
	x.box.Failure = errs.New(errs.KindInvalid, "whatsapp_rejected", "WhatsApp refuses this message.").Because(
		&message.SendError{Provider: "whatsapp", Class: message.ClassRefused, Code: "131047", Message: true})
	require.Equal(t, errs.KindInvalid, errs.KindOf(x.sender.Send(t.Context(), reply.ID)))
	found := x.read(t, request)
	require.Equal(t, []any{contact.StateAnswered, contact.ChannelEmail, "whatsapp_late"}, []any{found.State, found.Entries[1].Channel, found.Entries[1].SendError})
	require.Equal(t, 2, x.jobs(t, reply.ID))
	x.box.Failure = nil
	require.NoError(t, x.sender.Send(t.Context(), reply.ID))
	require.NoError(t, x.sender.Send(t.Context(), reply.ID))
	require.Len(t, x.box.Sent, 1)
	require.Equal(t, []any{email, "Yes."}, []any{x.box.Sent[0].Email, x.box.Sent[0].Body})
	sent := x.last(t, request)
	require.NotNil(t, sent.SentAt)
	require.Equal(t, "whatsapp_late", sent.SendError, "the thread says why it went by e-mail")

	// Two unanswered tries may have arrived: a second channel could repeat it.
	reply = x.answers(t, request, contact.StateAnswered)
	x.box.Failure = errs.New(errs.KindInvalid, "whatsapp_unconfirmed", "It may have arrived.")
	require.Error(t, x.sender.Send(t.Context(), reply.ID))
	require.Equal(t, contact.StateOpen, x.read(t, request).State)
	require.Equal(t, 1, x.jobs(t, reply.ID))

	x.box.Failure = errs.New(errs.KindInvalid, "whatsapp_refused", "WhatsApp refuses this number.")
	reply = x.answers(t, request, contact.StateAnswered)
	require.Error(t, x.sender.Send(t.Context(), reply.ID))
	x.box.Failure = errs.New(errs.KindInvalid, "email_refused", "The mail server refuses this address.")
	require.Error(t, x.sender.Send(t.Context(), reply.ID))
	found = x.read(t, request)
	require.Equal(t, []any{contact.StateOpen, "email_refused"}, []any{found.State, x.last(t, request).SendError}, "the second channel failed too")
}

// WhatsApp reports some failures after it took the message.
func TestReply_ReportedAsUndelivered_OpensTheRequestOrGoesByEmail(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	undelivered := func(entry, code string) {
		t.Helper()
		x.DB.Owner.MustExec(`INSERT INTO sms_deliveries (message_ref, provider, template, state, code, tries, tried_at) VALUES ($1, 'whatsapp', 'contact_reply_text', 'undelivered', $2, 1, $3)
			ON CONFLICT DO NOTHING`, entry, code, x.clock.Now())
		require.NoError(t, x.arrive.Undelivered(t.Context(), entry))
		require.NoError(t, x.sender.Send(t.Context(), entry))
		require.NoError(t, x.sender.Send(t.Context(), entry), "a job that runs twice")
	}
	stranger := x.says(t, "9876543211", "wamid.1")
	x.sent(t, stranger, "Yes.")
	reply := x.last(t, stranger)
	undelivered(reply.ID, "131026")
	found := x.read(t, stranger)
	require.Equal(t, []any{contact.StateOpen, "whatsapp_undelivered"}, []any{found.State, found.Entries[1].SendError})
	require.Nil(t, found.Entries[1].SentAt)
	require.Equal(t, 2, x.jobs(t, reply.ID))

	_, email := x.proved(t, "9876543210", "Asha")
	request := x.says(t, "9876543210", "wamid.2")
	x.sent(t, request, "Yes.")
	undelivered(x.last(t, request).ID, "131047")
	require.Equal(t, contact.StateAnswered, x.read(t, request).State)
	require.Equal(t, email, x.box.Sent[len(x.box.Sent)-1].Email)
	require.Equal(t, "whatsapp_late", x.last(t, request).SendError)
}

// An e-mail with a reply says that answers to it are read, and shows customers the way to their request.
func TestReply_ByEmail_SaysThatAnswersAreRead(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, _ := x.proved(t, "9876543210", "Asha")
	one, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "Hello", Key: "key-00001"})
	require.NoError(t, err)
	answer := x.sent(t, one, "Yes?")
	require.Contains(t, answer.Text, "See your request:\nhttp://localhost/requests/"+one)
	require.Contains(t, answer.Text, "Reply to this e-mail, and we read your answer.")
	require.Contains(t, answer.HTML, "Reply to this e-mail, and we read your answer.")
	require.NotContains(t, answer.Text, "/contact")
	guest := x.submit(t, left("ravi@example.in", "", "When do you open in Pune?"))
	answer = x.sent(t, guest, "In March.")
	require.Contains(t, answer.Text, "Write to us:\nhttp://localhost/contact")
	require.Contains(t, answer.Text, "Reply to this e-mail, and we read your answer.")
}

// A file by WhatsApp is declined once a day in each request.
func TestWhatsApp_File_IsDeclinedOnceADay(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	for i := range 3 {
		require.NoError(t, x.arrive.TakeWhatsApp(t.Context(), message.WhatsAppReply{
			Mobile: "9876543210", Media: "image", Text: "My bill", Ref: fmt.Sprint("wamid.", i), At: x.clock.Now(),
		}))
	}
	x.work(t)
	found := x.read(t, x.requests(t)[0].ID)
	require.Len(t, found.Entries, 4)
	require.Equal(t, contact.StateOpen, found.State)
	require.Equal(t, 3, console.Count(t, x.DB, `SELECT count(*) FROM contact_entries WHERE kind = 'answer' AND text = '[image] My bill'`))
	require.Equal(t, 1, console.Count(t, x.DB, `SELECT count(*) FROM river_job WHERE kind = 'send_contact_reply'`))
}

// returned is a report as in RFC 3464, appendix E.1.
func returned(messageID, action, status string) string {
	lines := []string{
		"From: Mail Delivery Subsystem <MAILER-DAEMON@mail.example>", "To: billing@franchise360.example", "Message-ID: <" + action + messageID + "@mail.example>",
		"Subject: Returned mail: Cannot send message", "MIME-Version: 1.0",
		`Content-Type: multipart/report; report-type=delivery-status; boundary="b"`, "",
		"--b", "", "The original message was received at Sat, 28 Nov 2026 09:00:00 +0530", "",
		"--b", "Content-Type: message/delivery-status", "",
		"Reporting-MTA: dns; mail.example", "",
		"Original-Recipient: rfc822;asha@example.in", "Final-Recipient: rfc822;asha@example.in", "Action: " + action, "Status: " + status,
		"Diagnostic-Code: smtp; 550 no such user", "",
		"--b", "Content-Type: message/rfc822", "",
		"From: billing@franchise360.example", "Message-ID: <" + messageID + ">", "Subject: Re: Your request", "", "Yes.", "",
		"--b--", "",
	}
	return strings.Join(lines, "\r\n")
}

// A reply by e-mail that a mail server returns opens its request again. A delay, a report twice and one of another sender's e-mail do not.
func TestReply_ReturnedByTheMailServer_OpensTheRequestOnce(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	x.posted(t, mailed("asha@example.in", "help@franchise360.example", "Message-ID: <a@example.in>\r\n", "Hello"), true)
	x.work(t)
	one := x.requests(t)[0].ID
	ours := x.sent(t, one, "Yes.").ID + "@franchise360.example"
	report := func(messageID, action, status string) contact.Opened {
		t.Helper()
		x.posted(t, returned(messageID, action, status), true)
		x.work(t)
		return x.read(t, one)
	}
	for messageID, said := range map[string][2]string{
		ours: {"delayed", "4.4.7"}, strings.Replace(ours, "franchise360", "other", 1): {"failed", "5.1.1"},
		"019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50@franchise360.example": {"failed", "5.1.1"},
	} {
		require.Equal(t, contact.StateAnswered, report(messageID, said[0], said[1]).State, messageID)
	}
	found := report(ours, "failed", "5.1.1")
	require.Equal(t, []any{contact.StateOpen, "email_returned"}, []any{found.State, found.Entries[1].SendError})
	require.NotNil(t, found.Entries[1].FailedAt)
	require.Len(t, found.Entries, 2, "the report is no answer")
	x.sent(t, one, "Once more.")
	require.Equal(t, contact.StateAnswered, report(ours, "failed", "5.1.1").State)
	require.Len(t, x.requests(t), 1)
}

// What the product adds to a reply is in the customer's language; staff choose theirs.
func TestReply_ToAHindiReader_IsFramedInHindi(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, _ := x.proved(t, "9876543210", "Asha")
	x.DB.Owner.MustExec(`UPDATE franchisers SET language = 'hi' WHERE id = $1`, asha)
	one, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "नमस्ते", Key: "key-00001"})
	require.NoError(t, err)
	x.write(t, one, contact.Written{Kind: contact.EntryReply, Text: "हाँ।", Then: contact.StateAnswered})
	x.DB.Owner.MustExec(`UPDATE contact_entries SET channel = 'email' WHERE kind = 'reply'`)
	require.NoError(t, x.sender.Send(t.Context(), x.last(t, one).ID))
	sent := x.box.Sent[0]
	require.Equal(t, "उत्तर: localhost को आपका संदेश", sent.Subject)
	require.Contains(t, sent.Text, "आपने हमें 2 नवंबर 2026 को लिखा था।")
	require.Contains(t, sent.Text, "/hi/requests/"+one)
}
