package account_test

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// post runs the worker's jobs for customer messages, and returns the e-mails to the address, oldest first.
func (b *bundle) post(tb testing.TB, address string) []message.Message {
	tb.Helper()
	const site = "https://franchise360.example"
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: b.phone, Site: message.Site{Host: "franchise360.example", URL: site}, Clock: b.clock, Email: b.phone,
		Logger: testkit.NewLogger(tb),
	})
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: b.db.Worker, Clock: b.clock, Outbox: outbox, Contacts: profile.Contacts{},
		Letters: profile.Letters(b.keys, site), Keys: b.keys,
	})
	var ids []string
	require.NoError(tb, b.db.Owner.Select(&ids, `SELECT args->>'message_id' FROM river_job WHERE kind = 'send_customer_message' ORDER BY id`))
	for _, id := range ids {
		if err := sender.Send(tb.Context(), id); err != nil && !errors.Is(err, message.ErrTooLate()) {
			require.ErrorIs(tb, err, b.phone.fail)
		}
	}
	var mine []message.Message
	for _, m := range b.phone.messages {
		if m.Email == address {
			mine = append(mine, m)
		}
	}
	return mine
}

// tokenIn returns the token in the link of the last e-mail to the address.
func (b *bundle) tokenIn(tb testing.TB, address string) string {
	tb.Helper()
	list := b.post(tb, address)
	require.NotEmpty(tb, list, "no e-mail was sent")
	return tokenOf(tb, list[len(list)-1])
}

func tokenOf(tb testing.TB, m message.Message) string {
	tb.Helper()
	found := regexp.MustCompile(`https://franchise360\.example/account/confirm-email#(\S+)\n`).FindStringSubmatch(m.Text)
	require.Len(tb, found, 2, "the e-mail holds no link: %q", m.Text)
	require.Contains(tb, m.HTML, `href="https://franchise360.example/account/confirm-email#`+found[1]+`"`)
	return found[1]
}

const (
	ashaEmail = "asha@example.in"
	newEmail  = "new@example.in"
)

// changeEmail changes Asha's address with a code to the mobile.
func (b *bundle) changeEmail(tb testing.TB, p account.Principal, email string) {
	tb.Helper()
	b.clock.Advance(account.CodePause)
	require.NoError(tb, b.Profiles.StartEmailChange(tb.Context(), p, email, credential.Proof{Password: goodPassword}, home()))
	_, err := b.Profiles.ConfirmEmailChange(tb.Context(), p, email, b.digits(tb, asha), home())
	require.NoError(tb, err)
}

func (b *bundle) emailState(tb testing.TB, p account.Principal) profile.EmailState {
	tb.Helper()
	f, err := b.Profiles.Profile(tb.Context(), p)
	require.NoError(tb, err)
	return b.Profiles.EmailState(f)
}

func TestEmailProof_LinkFromTheEmail_ProvesTheAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	require.Equal(t, profile.EmailUnproved, b.emailState(t, p))
	list := b.post(t, ashaEmail)
	require.Len(t, list, 1, "the link and nothing else")
	require.Len(t, b.post(t, ashaEmail), 1, "a job that runs again sends nothing")
	token := tokenOf(t, list[0])

	f, err := b.Profiles.ProveEmail(t.Context(), p, token)
	require.NoError(t, err)
	require.Equal(t, profile.EmailProved, b.Profiles.EmailState(f))
	_, err = b.Profiles.ProveEmail(t.Context(), p, token)
	requireCode(t, err, errs.KindMalformed, "email_proof_invalid") // a link counts once
	requireCode(t, b.Profiles.SendEmailProof(t.Context(), p), errs.KindConflict, "email_proved")
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM (SELECT to_jsonb(e)::text AS row FROM email_proofs e
		UNION ALL SELECT to_jsonb(m)::text FROM customer_messages m UNION ALL SELECT args::text FROM river_job) x WHERE row LIKE '%' || $1 || '%'`,
		strings.Split(token, ".")[1]), "the token is stored nowhere")
}

func TestEmailProof_LinkOfAnotherAccount_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	token := b.tokenIn(t, ashaEmail)
	other := principal(b.join(t, ravi)) // with the same address
	id, mac, _ := strings.Cut(token, ".")
	otherToken := b.tokenIn(t, ashaEmail)
	otherID, _, _ := strings.Cut(otherToken, ".")
	for name, c := range map[string]struct {
		who   account.Principal
		token string
	}{
		"another account":               {other, token},
		"another account's link":        {p, otherToken},
		"another row under this hash":   {other, otherID + "." + mac},
		"no hash":                       {p, id + "."},
		"nothing":                       {p, ""},
		"half":                          {p, id},
		"a hash of another length":      {p, token + "A"},
		"a number that is no number":    {p, "x." + mac},
		"an unheard-of row":             {p, "01935f3e-0000-7000-8000-000000000000." + mac},
		"a very long word":              {p, strings.Repeat("a", 5000)},
		"a word that SQL would not eat": {p, id + "\x00." + mac},
	} {
		_, err := b.Profiles.ProveEmail(t.Context(), c.who, c.token)
		require.Error(t, err, name)
		requireCode(t, err, errs.KindMalformed, "email_proof_invalid")
	}
	require.Equal(t, profile.EmailUnproved, b.emailState(t, p))
	require.Equal(t, profile.EmailUnproved, b.emailState(t, other))
	_, err := b.Profiles.ProveEmail(t.Context(), p, token)
	require.NoError(t, err, "nothing of that used it up")
}

func TestEmailProof_ExpiredLink_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	token := b.tokenIn(t, ashaEmail)
	b.clock.Advance(profile.EmailProofLife - time.Second)
	require.NoError(t, b.Profiles.SendEmailProof(t.Context(), p))
	b.clock.Advance(time.Second)
	_, err := b.Profiles.ProveEmail(t.Context(), p, token)
	requireCode(t, err, errs.KindMalformed, "email_proof_invalid")
	_, err = b.Profiles.ProveEmail(t.Context(), p, b.tokenIn(t, ashaEmail))
	require.NoError(t, err, "the one that was sent again counts")
}

func TestEmailProof_LinkForAnEarlierAddress_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	old := b.tokenIn(t, ashaEmail)
	b.changeEmail(t, p, newEmail)
	_, err := b.Profiles.ProveEmail(t.Context(), p, old)
	requireCode(t, err, errs.KindMalformed, "email_proof_invalid")
	require.Len(t, b.post(t, ashaEmail), 1, "an address that was never proved is told nothing of the change")
	_, err = b.Profiles.ProveEmail(t.Context(), p, b.tokenIn(t, newEmail))
	require.NoError(t, err)

	// when it changes again, the proved address is notified, and the new one has to be proved
	b.changeEmail(t, p, "third@example.in")
	require.Equal(t, profile.EmailUnproved, b.emailState(t, p))
	told := b.post(t, newEmail)
	require.Len(t, told, 2)
	require.Equal(t, message.TemplateEmailChanged, told[1].Template)
	require.NotContains(t, told[1].Text+told[1].HTML, "third@example.in")
	require.Len(t, b.post(t, "third@example.in"), 1)
}

func TestEmailProof_ConcurrentUsesOfOneLink_CountOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	token := b.tokenIn(t, ashaEmail)
	var all sync.WaitGroup
	failures := make(chan error, 8)
	for range cap(failures) {
		all.Go(func() {
			_, err := b.Profiles.ProveEmail(t.Context(), p, token)
			failures <- err
		})
	}
	all.Wait()
	close(failures)
	won := 0
	for err := range failures {
		if err == nil {
			won++
			continue
		}
		requireCode(t, err, errs.KindMalformed, "email_proof_invalid")
	}
	require.Equal(t, 1, won)
}

func TestEmailProof_Resend_IsLimitedPerDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	err := b.Profiles.SendEmailProof(t.Context(), p)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "it was sent just now")
	require.Equal(t, account.CodePause, errs.As(err).RetryAfter)
	for range 4 {
		b.clock.Advance(account.CodePause)
		var all sync.WaitGroup
		sent := make(chan error, 4)
		for range cap(sent) {
			all.Go(func() { sent <- b.Profiles.SendEmailProof(t.Context(), p) })
		}
		all.Wait()
		close(sent)
		won := 0
		for err := range sent {
			if err == nil {
				won++
			}
		}
		require.Equal(t, 1, won, "of requests at the same moment one counts")
	}
	b.clock.Advance(account.CodePause)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(b.Profiles.SendEmailProof(t.Context(), p)))
	require.Len(t, b.post(t, ashaEmail), 5)
	// a change of the address still works, but sends nothing
	b.changeEmail(t, p, newEmail)
	require.Empty(t, b.post(t, newEmail))
	b.clock.Advance(24 * time.Hour)
	require.NoError(t, b.Profiles.SendEmailProof(t.Context(), p))
	require.Len(t, b.post(t, newEmail), 1)
}

func TestEmailProof_ManyAccountsWithOneAddress_AreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 12 {
		b.join(t, "98765432"+string(rune('1'+i/10))+string(rune('0'+i%10)))
		b.clock.Advance(account.CodePause)
	}
	require.Len(t, b.post(t, ashaEmail), 10)
}

func TestEmail_AddressRefusesMessages_IsMarked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	b.phone.fail = errs.New(errs.KindInvalid, "email_refused", "No.")
	require.Empty(t, b.post(t, ashaEmail))
	require.Equal(t, profile.EmailRefused, b.emailState(t, p))
	b.phone.fail = nil
	b.clock.Advance(account.CodePause)
	require.NoError(t, b.Profiles.SendEmailProof(t.Context(), p), "the mailbox may have been mended")
	_, err := b.Profiles.ProveEmail(t.Context(), p, b.tokenIn(t, ashaEmail))
	require.NoError(t, err)
	require.Equal(t, profile.EmailProved, b.emailState(t, p))
}

func TestErasure_ProvedAddresses_AreDeleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	_, err := b.Profiles.ProveEmail(t.Context(), p, b.tokenIn(t, ashaEmail))
	require.NoError(t, err)
	b.changeEmail(t, p, newEmail)
	_, err = b.Erasures.RequestErasure(t.Context(), p, credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	b.clock.Advance(account.ErasureDelay)
	require.NoError(t, b.janitor.EraseDue(t.Context()))
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM email_proofs`))
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM franchisers WHERE email_proved_at IS NOT NULL`))
	sent := len(b.phone.messages)
	b.post(t, "")
	for _, m := range b.phone.messages[sent:] {
		require.Empty(t, m.Email, "nobody is written to any more")
	}
}
