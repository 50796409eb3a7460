package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// With SMS templates registered in Hindi, a code is in the language of the page that requested it, and other SMS are in the franchiser's
// language.
func TestCode_Language_IsThatOfThePage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	everything := func(string, i18n.Language) bool { return true }
	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	b.sender = otp.NewSender(b.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: b.phone, Site: site, Clock: b.clock, SMSIn: everything, Logger: testkit.NewLogger(t),
	}), b.clock, b.keys)
	in := b.join(t, asha)
	require.Contains(t, b.phone.messages[0].Text, "is your Franchise 360 code", "no page was named")

	hindi := home()
	hindi.Language = "hi"
	b.clock.Advance(time.Minute)
	_, err := b.SignIns.StartReset(t.Context(), asha, hindi)
	require.NoError(t, err)
	list := b.inbox(t, asha)
	require.Contains(t, list[len(list)-1].Text, "आपका Franchise 360 कोड है")
	require.Len(t, b.digits(t, asha), 6, "browsers find it in every language")

	b.db.Owner.MustExec(`UPDATE franchisers SET language = 'hi' WHERE id = $1`, in.User.ID)
	b.db.Owner.MustExec(`INSERT INTO one_time_codes (id, mobile, purpose, message, franchiser_ref, created_at, expires_at)
		SELECT gen_random_uuid(), mobile, purpose, 'mobile_changed', $1, created_at + interval '1 second', expires_at + interval '1 day'
		FROM one_time_codes ORDER BY created_at DESC LIMIT 1`, in.User.ID)
	var id string
	require.NoError(t, b.db.Owner.Get(&id, `SELECT id FROM one_time_codes WHERE message = 'mobile_changed'`))
	require.NoError(t, b.sender.Send(t.Context(), id))
	require.Contains(t, b.phone.messages[len(b.phone.messages)-1].Text, "मोबाइल नंबर बदल दिया गया है")
}

// A sign-up on a Hindi page sets the account's language from its first message on, and the second language of its documents. A sign-up on
// an English page sets nothing.
func TestSignUp_OnAHindiPage_SetsTheLanguagesOfAccountAndDocuments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for mobile, language := range map[string]i18n.Language{asha: "hi", "9876500077": "en", "9876500078": "xx"} {
		o := home()
		o.Language = language
		var err error
		o.Browser, err = b.SignUps.StartSignUp(t.Context(), input(mobile), o)
		require.NoError(t, err)
		token, err := b.SignUps.VerifySignUp(t.Context(), mobile, b.digits(t, mobile), o)
		require.NoError(t, err)
		in, err := b.SignUps.CompleteSignUp(t.Context(), mobile, token, o)
		require.NoError(t, err)
		want := i18n.Language("")
		if language == "hi" {
			want = "hi"
		}
		var set struct{ Language, Documents i18n.Language }
		require.NoError(t, b.db.Owner.Get(&set, `SELECT language, document_language AS documents FROM franchisers WHERE id = $1`, in.User.ID))
		require.Equal(t, want, set.Language)
		require.Equal(t, want, set.Documents, "the sign-up form says so")
	}
}
