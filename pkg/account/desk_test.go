package account_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/totp"
)

// Staff remove a lost authenticator app: the password alone signs in, pending challenges and all sessions end, and the customer is notified
// by SMS and e-mail.
func TestDesk_LostAuthenticator_IsRemovedAndEndsSessions(t *testing.T) {
	t.Parallel()
	c := openDesk(t, time.Hour)
	in := c.join(t, asha)
	uses := func() (is bool) {
		require.NoError(t, c.tx(t, func(tx *sqlx.Tx) (err error) {
			is, err = c.desk.HasTOTPTx(t.Context(), tx, in.User.ID)
			return err
		}))
		return is
	}
	about := id.New()
	reset := func() error {
		var after func(context.Context)
		err := c.tx(t, func(tx *sqlx.Tx) (err error) {
			after, err = c.desk.ResetTOTPTx(t.Context(), tx, in.User.ID, about, c.clock.Now())
			return err
		})
		if err == nil {
			after(t.Context())
		}
		return err
	}
	require.False(t, uses())
	requireCode(t, reset(), errs.KindConflict, "no_authenticator")
	_, err := c.Credentials.BeginTOTP(t.Context(), principal(in), goodPassword)
	require.NoError(t, err)
	require.False(t, uses(), "one that is not confirmed is none")
	key, recovery := c.enrol(t, principal(in))
	require.True(t, uses())
	c.clock.Advance(totp.Step)
	begun := c.challenge(t, asha, goodPassword)

	require.NoError(t, reset())
	require.False(t, uses())
	require.False(t, c.lives(t, in.Tokens.Access))
	for _, code := range []string{totp.Code(key, totp.StepAt(c.clock.Now())), recovery[0]} {
		_, err = c.SignIns.LoginTOTP(t.Context(), begun, code, home())
		requireCode(t, err, errs.KindMalformed, "totp_wrong")
	}
	_, err = c.login(t, asha, goodPassword)
	require.NoError(t, err)
	require.Zero(t, count(t, c.db.Owner, `SELECT count(*) FROM totp_recovery_codes`))
	require.Equal(t, 2, count(t, c.db.Owner, `SELECT count(*) FROM customer_messages WHERE about = $1
		AND template IN ('authenticator_removed', 'authenticator_removed_email')`, about))
	requireCode(t, reset(), errs.KindConflict, "no_authenticator")
}

// The desk's messages are written when they are sent: with the stop link for a waiting change, and not at all for an ended one.
func TestMobileChangeMessage_OnlyAWaitingChange_HasItsLink(t *testing.T) {
	t.Parallel()
	c := openDesk(t, time.Hour)
	franchiser := c.join(t, asha).User.ID
	change, link := c.schedule(t, franchiser, fresh)
	letters := recovery.Letters(c.keys, "https://franchise360.example")
	write := func(template, about string, l i18n.Language) (m *message.Message) {
		t.Helper()
		require.NoError(t, c.tx(t, func(tx *sqlx.Tx) (err error) {
			m, err = letters[template].Write(t.Context(), tx, message.CustomerMessage{FranchiserID: franchiser, Template: template, About: about, Language: l})
			return err
		}))
		return m
	}
	sms := write(message.TemplateMobileChangeAsked, change.ID, "")
	require.Equal(t, []string{"0001", "2 Nov 2026, 11:00", link}, sms.Values)
	require.Equal(t, change.DueAt, sms.ExpiresAt, "afterwards nothing is left to stop")
	mail := write(message.TemplateMobileChangeAskedEmail, change.ID, "hi")
	require.Equal(t, "https://franchise360.example/hi/stop/"+link, mail.Link)
	require.Len(t, mail.Values, 2)
	require.NotContains(t, mail.Values, link, "the address stands in the button alone")
	require.Nil(t, write(message.TemplateMobileChangeAsked, id.New(), ""), "of another change")
	_, err := c.changes.Stop(t.Context(), link)
	require.NoError(t, err)
	for _, template := range []string{message.TemplateMobileChangeAsked, message.TemplateMobileChangeAskedEmail} {
		require.Nil(t, write(template, change.ID, ""))
	}
	for template, letter := range letters {
		require.False(t, letter.Reminder, "%s: what concerns the account's security is always sent", template)
	}
}

// The preview describes a job before it runs, without the code that the job sends.
func TestJobPreviews_OfAccounts_DescribeTheJobWithoutTheCode(t *testing.T) {
	t.Parallel()
	c := openDesk(t, time.Hour)
	franchiser := c.join(t, asha).User.ID
	previews := app.JobPreviews()
	preview := func(kind string, args map[string]string) (nothing bool, summary string) {
		t.Helper()
		raw, err := json.Marshal(args)
		require.NoError(t, err)
		require.NoError(t, postgres.InTenantTx(t.Context(), c.db.API, franchiser, func(tx *sqlx.Tx) error {
			p, err := previews[kind](t.Context(), tx, raw, c.clock.Now())
			require.NoError(t, err)
			require.NotEmpty(t, p.Again)
			nothing, summary = p.Nothing, p.Summary
			return nil
		}))
		return nothing, summary
	}
	told := func(kind string, args map[string]string, nothing bool, words string) {
		t.Helper()
		gotNothing, got := preview(kind, args)
		require.Contains(t, got, words)
		require.Equal(t, nothing, gotNothing, got)
	}
	change, link := c.schedule(t, franchiser, fresh)
	of := func(changeID string) map[string]string { return map[string]string{"change_id": changeID} }
	told("change_mobile", of(change.ID), true, "it waits until 2 November 2026, 11:00 → nothing.")
	c.clock.Advance(time.Hour)
	told("change_mobile", of(change.ID), false, "Would move the account to the mobile ending in 0001")
	_, err := c.changes.Stop(t.Context(), link)
	require.NoError(t, err)
	told("change_mobile", of(change.ID), true, "it is stopped → nothing but noting it.")
	told("change_mobile", of(id.New()), true, "it is no longer kept → nothing.")

	code := func(codeID string) map[string]string { return map[string]string{"code_id": codeID} }
	sent := c.codeIDs(t)[0]
	told("send_otp", code(sent), true, "to 9876543210: it was sent already → nothing.")
	told("send_otp", code(id.New()), true, "it is no longer kept → nothing.")
	c.clock.Advance(time.Minute)
	c.startReset(t, asha)
	ids := c.codeIDs(t)
	waits := ids[len(ids)-1]
	told("send_otp", code(waits), false, "Would ask the SMS provider to send the message (password reset) to 9876543210.")
	c.clock.Advance(time.Minute)
	c.startReset(t, asha)
	told("send_otp", code(waits), true, "a newer one took its place → nothing.")
	ids = c.codeIDs(t)
	c.clock.Advance(10 * time.Minute)
	told("send_otp", code(ids[len(ids)-1]), true, "its code has expired, so it is given up → nothing is sent.")
	told("erase_accounts", nil, true, "none are due → nothing.")
	c.db.Owner.MustExec(`UPDATE franchisers SET erasure_requested_at = $2 WHERE id = $1`, franchiser, c.clock.Now().Add(-account.ErasureDelay))
	told("erase_accounts", nil, false, "Would erase 1 accounts whose seven days are over.")
}

func TestSetLanguage_KeepsTheDocumentLanguage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	for _, l := range []i18n.Language{"hi", "en", "hi"} {
		require.NoError(t, b.Profiles.SetLanguage(t.Context(), p, l))
		f, err := b.Profiles.Profile(t.Context(), p)
		require.NoError(t, err)
		require.Empty(t, f.DocumentLanguage, l)
	}
}

// Each person sets names, site language and document language. English documents store no language.
func TestProfile_NameAndLanguages_AreSetPerPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	p := principal(in)
	f, err := b.Profiles.Rename(t.Context(), p, "  Usha   Devi ", "Rao")
	require.NoError(t, err)
	require.Equal(t, []string{"Usha Devi", "Rao"}, []string{f.FirstName, f.LastName})
	_, err = b.Profiles.Rename(t.Context(), p, "<b>", "9")
	require.Len(t, errs.As(err).Fields, 2)
	f, err = b.Profiles.Profile(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, "Usha Devi", f.FirstName, "what was refused changed nothing")

	for _, l := range []i18n.Language{"hi", "en"} {
		require.NoError(t, b.Profiles.SetLanguage(t.Context(), p, l))
		var kept string
		require.NoError(t, b.db.Owner.Get(&kept, `SELECT language FROM franchisers WHERE id = $1`, p.FranchiserID))
		require.Equal(t, string(l), kept)
	}
	for l, want := range map[i18n.Language]string{"hi": "hi", "en": ""} {
		_, err = b.Profiles.SetDocumentLanguage(t.Context(), p, l)
		require.NoError(t, err)
		var kept string
		require.NoError(t, b.db.Owner.Get(&kept, `SELECT document_language FROM franchisers WHERE id = $1`, p.FranchiserID))
		require.Equal(t, want, kept)
	}
	for _, none := range []i18n.Language{"", "fr", "HI", "hi-IN"} {
		require.Contains(t, errs.As(b.Profiles.SetLanguage(t.Context(), p, none)).Fields, "language", none)
		_, err = b.Profiles.SetDocumentLanguage(t.Context(), p, none)
		require.Contains(t, errs.As(err).Fields, "language", none)
	}
	gone := account.Principal{FranchiserID: id.New(), SessionID: id.New()}
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(b.Profiles.SetLanguage(t.Context(), gone, "hi")))
	_, err = b.Profiles.Rename(t.Context(), gone, "Usha", "Rao")
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
	_, err = b.Profiles.SetDocumentLanguage(t.Context(), gone, "hi")
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
}

// A member's action in another account is recorded before it starts, and with its outcome after it. An unknown action ends nothing.
func TestMemberAct_IsRecordedBeforeAndAfter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, person := b.join(t, asha), b.join(t, ravi)
	m, session := b.member(t, owner.User.ID, account.RoleManager, person)
	p := b.who(t, session.Tokens.Access)
	noted := func() (list []string) {
		require.NoError(t, b.db.Owner.Select(&list, `SELECT operation || ' ' || role || ' ' || coalesce(outcome, '') FROM team_events
			WHERE kind = 'act' AND member_id = $1 ORDER BY id`, m.ID))
		return list
	}
	first, err := b.Teams.BeginAct(t.Context(), p, "updateStore")
	require.NoError(t, err)
	require.Equal(t, []string{"updateStore manager "}, noted(), "nothing is done of which nobody knows")
	second, err := b.Teams.BeginAct(t.Context(), p, "addOutlet")
	require.NoError(t, err)
	require.NoError(t, b.Teams.EndAct(t.Context(), p, first, true))
	require.NoError(t, b.Teams.EndAct(t.Context(), p, second, false))
	require.NoError(t, b.Teams.EndAct(t.Context(), p, id.New(), true))
	require.Equal(t, []string{"updateStore manager done", "addOutlet manager refused"}, noted())
	stranger := p
	stranger.FranchiserID = person.User.ID
	require.NoError(t, b.Teams.EndAct(t.Context(), stranger, second, true))
	require.Equal(t, "addOutlet manager refused", noted()[1], "nobody ends what was begun in another's account")
}

// A number that has used up its SMS is set free by staff, and no other number is.
func TestDesk_MobileOverItsSMSLimit_CanBeReset(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Sends.PerMobile = 1
	b := setupWithLimits(t, limits)
	start := func(mobile string) error {
		_, err := b.SignUps.StartSignUp(t.Context(), input(mobile), home())
		return err
	}
	require.NoError(t, start(asha))
	require.NoError(t, start(ravi))
	b.clock.Advance(time.Minute)
	for _, mobile := range []string{asha, ravi} {
		require.Equal(t, errs.KindRateLimited, errs.KindOf(start(mobile)), mobile)
	}
	require.NoError(t, b.SignIns.StaffUnlockMobile(t.Context(), asha))
	require.NoError(t, start(asha))
	require.Equal(t, errs.KindRateLimited, errs.KindOf(start(ravi)))
	require.NoError(t, b.SignIns.StaffUnlockMobile(t.Context(), "9000000009"), "one that nobody has tried")
	require.ErrorIs(t, b.SignIns.StaffUnlock(t.Context(), id.New()), errs.NotFound())
}
