package contact_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
)

func (x exchange) kinds(t *testing.T) (requests int, kinds map[contact.EntryKind]int) {
	t.Helper()
	kinds = map[contact.EntryKind]int{}
	all := x.requests(t)
	for _, one := range all {
		for _, e := range x.read(t, one.ID).Entries {
			kinds[e.Kind]++
		}
	}
	return len(all), kinds
}

// A sender, or senders without a name, open five requests an hour by e-mail. Further e-mails are held in the newest, none is lost.
func TestEmail_ManyNewOnesOfASender_AreHeldInTheNewestRequest(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{"asha@example.in": "asha@example.in", "not an address": ""} {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			x := openExchange(t)
			for n := range 12 {
				x.posted(t, mailed(from, "help@franchise360.example", fmt.Sprintf("Message-ID: <m%d@example.in>\r\nSubject: Order %d\r\n", n, n), "Where is it?"), false)
			}
			x.work(t)
			requests, kinds := x.kinds(t)
			require.Equal(t, 5, requests)
			require.Equal(t, map[contact.EntryKind]int{contact.EntryAnswer: 5, contact.EntryHeld: 7}, kinds)
			require.Equal(t, want, x.requests(t)[0].Email)
			x.clock.Advance(61 * time.Minute)
			x.posted(t, mailed(from, "help@franchise360.example", "Message-ID: <later@example.in>\r\n", "Still nothing."), false)
			x.work(t)
			requests, _ = x.kinds(t)
			require.Equal(t, 6, requests)
		})
	}
}

func TestWhatsApp_Flood_IsHeldInItsRequest(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	for n := range 40 {
		require.NoError(t, x.arrive.TakeWhatsApp(t.Context(), message.WhatsAppReply{Mobile: "9876543210", Text: "Hello", Ref: fmt.Sprintf("wamid.%d", n), At: x.clock.Now()}))
	}
	x.work(t)
	requests, kinds := x.kinds(t)
	require.Equal(t, 1, requests)
	require.Equal(t, map[contact.EntryKind]int{contact.EntryAnswer: 30, contact.EntryHeld: 10}, kinds)
}

// The subject opens a request, and is the text of an e-mail without one. Two senders in one e-mail prove nobody. An e-mail that answers the
// authenticated sender's own earlier one continues its request; another sender's does not.
func TestEmail_SubjectSendersAndOwnThread(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, email := x.proved(t, "9876543210", "Asha")
	post := func(from, headers, text string) {
		x.posted(t, mailed(from, "help@franchise360.example", headers, text), true)
		x.work(t)
	}
	post(email, "Message-ID: <one@example.in>\r\nSubject: =?utf-8?q?Cancel_my_=E2=82=B9_plan?=\r\n", "")
	one := x.requests(t)[0]
	require.Equal(t, &asha, one.FranchiserID)
	require.Equal(t, "Cancel my ₹ plan", x.read(t, one.ID).Entries[0].Text)
	post(email, "Message-ID: <two@example.in>\r\nIn-Reply-To: <one@example.in>\r\nSubject: Re: Cancel\r\n", "At once, please.")
	require.Equal(t, "At once, please.", x.last(t, one.ID).Text)
	require.Len(t, x.requests(t), 1)
	post("mallory@example.in", "Message-ID: <three@example.in>\r\nIn-Reply-To: <one@example.in>\r\nSubject: Hello\r\n", "I pay later.")
	require.Len(t, x.requests(t), 2)
	require.Len(t, x.read(t, one.ID).Entries, 2)
	post(email+"\r\nFrom: mallory@example.in", "Message-ID: <four@example.in>\r\nSubject: "+strings.Repeat("long ", 90)+"\r\n", "Whose is it?")
	for _, r := range x.requests(t) {
		if r.Name == "Unknown sender" {
			require.Nil(t, r.FranchiserID)
			require.Empty(t, r.Email)
		}
	}
	require.Len(t, x.requests(t), 3)
}

// A customer who proves an address after writing in the account gets the reply there.
func TestReply_AddressProvedAfterTheRequest_GoesByEmail(t *testing.T) {
	t.Parallel()
	x := openExchange(t)
	asha, email := x.proved(t, "9876543210", "Asha")
	x.DB.Owner.MustExec(`UPDATE franchisers SET email_proved_at = NULL WHERE id = $1`, asha)
	one, err := x.inbox.Start(t.Context(), asha, contact.MyMessage{Topic: "billing", Text: "Hello", Key: "key-00001"})
	require.NoError(t, err)
	require.Equal(t, contact.ChannelAccount, x.read(t, one).Way.Channel)
	x.DB.Owner.MustExec(`UPDATE franchisers SET email_proved_at = created_at WHERE id = $1`, asha)
	require.Equal(t, contact.Way{Channel: contact.ChannelEmail}, x.read(t, one).Way)
	require.Equal(t, email, x.sent(t, one, "Yes.").Email)
}
