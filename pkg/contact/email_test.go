package contact_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
)

// A flood of e-mails opens a request once for each answer of staff. None is lost: staff see how many the guard holds, and the customer sees them.
func TestEmail_Flood_IsHeldVisiblyAndOpensTheRequestOnce(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, email := x.proved(t, "9876543210", "Asha")
	one, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "Hello", Key: "key-00001"})
	require.NoError(t, err)
	to := "help+" + x.sent(t, one, "Yes?").ReplyTag + "@franchise360.example"
	n := 0
	arrive := func(times int) contact.Opened {
		t.Helper()
		for range times {
			n++
			x.posted(t, mailed(email, to, fmt.Sprintf("Message-ID: <l%d@mail.example>\r\n", n), fmt.Sprintf("My message %d.", n)), true)
		}
		x.work(t)
		return x.read(t, one)
	}
	held := func(o contact.Opened) (n int) {
		for _, e := range o.Entries {
			if e.Kind == contact.EntryHeld {
				n++
			}
		}
		return n
	}
	before := arrive(30)
	require.Zero(t, held(before))
	found := arrive(10)
	require.Equal(t, []any{10, contact.StateOpen, before.Version}, []any{held(found), found.State, found.Version}, "a flood does not keep staff from replying")
	thread, err := x.inbox.MyThread(t.Context(), asha, one)
	require.NoError(t, err)
	require.Len(t, thread.Entries, 42, "the customer sees each of them")

	x.write(t, one, contact.Written{Kind: contact.EntryReply, Text: "Please call us.", Then: contact.StateAnswered})
	answered := x.read(t, one)
	found = arrive(2)
	require.Equal(t, []any{12, contact.StateOpen, answered.Version + 1}, []any{held(found), found.State, found.Version}, "it opens once again")
	x.clock.Advance(time.Hour)
	found = arrive(1)
	require.Equal(t, []any{12, found.Version}, []any{held(found), answered.Version + 2}, "an hour later the guard holds nothing more")
}

// Mailboxes announce their automatic answers in many ways, and people write about automatic answers too.
func TestEmail_AutomaticAnswerWithoutAutoSubmitted_IsStoredWithoutOpening(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, email := x.proved(t, "9876543210", "Asha")
	one, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "Hello", Key: "key-00001"})
	require.NoError(t, err)
	to := "help+" + x.sent(t, one, "Yes?").ReplyTag + "@franchise360.example"
	n := 0
	arrives := func(from, to, header string) contact.Opened {
		t.Helper()
		n++
		x.posted(t, mailed(from, to, fmt.Sprintf("Message-ID: <s%d@mail.example>\r\n%s\r\n", n, header), "I am on leave."), true)
		x.work(t)
		return x.read(t, one)
	}
	for _, header := range []string{
		"Subject: Automatic reply: Re: your message to localhost", "Subject: Automatic reply", "Subject: AUTO: Asha is away (returning 12/12/2026)",
		"Subject: Out of Office: Re: your message", "Subject: Out of the office until Monday", "Subject: Out of Office AutoReply: Re: your message",
		"Subject: Auto-Reply: Thank you", "Subject: [Autoreply] Thank you", "Subject: Vacation reply",
		"Subject: =?UTF-8?B?4KS44KWN4KS14KSa4KS+4KSy4KS/4KSkIOCkieCkpOCljeCkpOCksDogUmU6IHlvdXIgbWVzc2FnZQ==?=",
		"Subject: स्वचालित जवाब: Re: your message", "Subject: कार्यालय से बाहर: Re: your message",
		"X-Autoreply: yes", "X-Autorespond: Re: your message", "X-Auto-Reply-From: asha@example.in", "Precedence: auto_reply", "X-Auto-Response-Suppress: OOF, AutoReply",
		"List-Unsubscribe: <mailto:a@mail.example>",
	} {
		found := arrives(email, to, header)
		last := found.Entries[len(found.Entries)-1]
		require.Equal(t, []any{contact.StateAnswered, contact.EntryAuto, "I am on leave."}, []any{found.State, last.Kind, last.Text}, header)
	}
	found := arrives("MAILER-DAEMON@mail.example", to, "Subject: Undelivered")
	require.Equal(t, []any{contact.StateAnswered, contact.EntryAuto}, []any{found.State, found.Entries[len(found.Entries)-1].Kind})
	require.Len(t, x.requests(t), 1)

	for _, header := range []string{
		"Subject: Re: Automatic reply: your message", "Subject: Out of office chairs", "Subject: Automatic replying does not work",
		"X-Auto-Response-Suppress: None", "Auto-Submitted: no",
	} {
		found := arrives(email, to, header)
		require.Equal(t, contact.StateOpen, found.State, header)
		x.write(t, one, contact.Written{Kind: contact.EntryReply, Text: "Yes.", Then: contact.StateAnswered})
	}
	arrives("ravi@example.in", "help@franchise360.example", "Subject: Out of office: my outlet has no bill")
	require.Len(t, x.requests(t), 2, "a subject alone loses no message")
}
