package alert_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/webhook"
)

const console = "https://franchise360.example"

// held is a notice of a payment that waits, opened one minute after midnight in India.
func held() alert.Notice {
	return alert.Notice{
		ID: "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", What: "fired", AlertID: "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51", Rule: "payment_held", Subject: "FP26/1",
		Severity: alert.Critical, Message: "It brought <₹1> & more.", OpenedAt: time.Date(2026, 11, 2, 18, 31, 0, 0, time.UTC),
	}
}

func resolved(n alert.Notice) alert.Notice {
	at := n.OpenedAt.Add(90 * time.Minute)
	n.What, n.ResolvedAt = "resolved", &at
	return n
}

// inbox records the posted notices and answers with the given status or error.
type inbox struct {
	status int
	err    error
	got    []webhook.Message
}

func (i *inbox) Post(_ context.Context, m webhook.Message) (webhook.Answer, error) {
	i.got = append(i.got, m)
	return webhook.Answer{Status: i.status}, i.err
}

func TestSlack_MessageWithMarkup_IsEscaped(t *testing.T) {
	t.Parallel()
	in := &inbox{status: 200}
	channel := alert.NewSlack(in, "https://hooks.example.in/T1", console)
	require.Equal(t, "slack", channel.Name())
	unknown := held()
	unknown.Rule, unknown.Subject = "of_a_later_release", ""
	for _, n := range []alert.Notice{held(), resolved(held()), unknown} {
		require.NoError(t, channel.Deliver(t.Context(), n))
	}
	var texts []string
	for _, m := range in.got {
		var body map[string]string
		require.NoError(t, json.Unmarshal(m.Body, &body))
		require.Len(t, body, 1)
		require.Equal(t, "https://hooks.example.in/T1", m.URL)
		texts = append(texts, body["text"])
	}
	const lines = "\nIt brought &lt;₹1&gt; &amp; more.\nSince 3 Nov 2026 00:01 IST."
	const where = "\nConsole: https://franchise360.example/support/payments/FP26%2F1\nRunbook: scripts/monitoring/runbooks/payment-held.md"
	require.Equal(t, []string{
		"[ALERT] payment held: FP26/1" + lines + where,
		"[Resolved] payment held: FP26/1" + lines + "\nResolved 3 Nov 2026 01:31 IST." + where,
		"[ALERT] of a later release" + lines,
	}, texts)
}

func TestWebhookChannel_Deliver_SignsAsStandardWebhooks(t *testing.T) {
	t.Parallel()
	in, clk, key := &inbox{status: 204}, testkit.NewClock(), []byte("0123456789abcdef0123456789abcdef")
	channel := alert.NewWebhook(in, "https://alerts.example.in", key, console, clk)
	require.Equal(t, "webhook", channel.Name())
	unknown := held()
	unknown.Rule = "of_a_later_release"
	for _, n := range []alert.Notice{held(), resolved(held()), unknown} {
		require.NoError(t, channel.Deliver(t.Context(), n))
	}
	const data = `"alert_id":"019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51","subject":"FP26/1","severity":"critical","message":"It brought <₹1> & more.","opened_at":"2026-11-02T18:31:00Z"`
	const where = `"rule":"payment_held","console":"https://franchise360.example/support/payments/FP26%2F1","runbook":"payment-held"`
	for i, want := range []string{
		`{"type":"alert.fired","timestamp":"2026-11-02T04:30:00Z","data":{` + data + "," + where + `}}`,
		`{"type":"alert.resolved","timestamp":"2026-11-02T04:30:00Z","data":{` + data + "," + where + `,"resolved_at":"2026-11-02T20:01:00Z"}}`,
		`{"type":"alert.fired","timestamp":"2026-11-02T04:30:00Z","data":{` + data + `,"rule":"of_a_later_release"}}`,
	} {
		require.JSONEq(t, want, string(in.got[i].Body))
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte("019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50.1793593800." + string(in.got[i].Body)))
		require.Equal(t, map[string]string{
			"webhook-id": "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", "webhook-timestamp": "1793593800",
			"webhook-signature": "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)),
		}, in.got[i].Header, "the id is the delivery's, by which a receiver knows a repeat")
	}
}

// A receiver that redirects, or answers nothing, has not taken the notice.
func TestChannels_AnswerOtherThan2xx_IsAFailedDelivery(t *testing.T) {
	t.Parallel()
	gone := errors.New("connection refused")
	for name, c := range map[string]struct {
		status int
		err    error
		want   string
	}{
		"200": {200, nil, ""}, "299": {299, nil, ""}, "199": {199, nil, "answered 199"}, "300": {300, nil, "answered 300"}, "a redirect": {302, nil, "answered 302"},
		"too often": {429, nil, "answered 429"}, "broken": {500, nil, "answered 500"}, "no answer": {0, gone, "connection refused"},
	} {
		in := &inbox{status: c.status, err: c.err}
		for _, channel := range []alert.Channel{alert.NewSlack(in, "https://x", console), alert.NewWebhook(in, "https://x", []byte("k"), console, testkit.NewClock())} {
			err := channel.Deliver(t.Context(), held())
			if c.want == "" {
				require.NoError(t, err, name)
				continue
			}
			require.EqualError(t, err, c.want, name)
		}
	}
}

// server is a mail server that refuses an address.
type server struct {
	refuses string
	sent    []message.Message
}

func (*server) Name() string { return message.EmailProvider }

func (s *server) Send(_ context.Context, m message.Message, life time.Duration) (string, error) {
	if m.Email == s.refuses || life < time.Minute {
		return "", errors.New("no such mailbox")
	}
	s.sent = append(s.sent, m)
	return "", nil
}

func TestMailChannel_SeveralAddresses_GetSeparateEmails(t *testing.T) {
	t.Parallel()
	mail := &server{}
	site := message.Site{Host: "franchise360.example", URL: console}
	channel := alert.NewMail(mail, []string{"oncall@example.in", "ops@example.in"}, site)
	require.Equal(t, "email", channel.Name())
	require.NoError(t, channel.Deliver(t.Context(), resolved(held())))
	require.Len(t, mail.sent, 2)
	for i, to := range []string{"oncall@example.in", "ops@example.in"} {
		m := mail.sent[i]
		require.NoError(t, m.Fits())
		require.Equal(t, []string{to, "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50-" + string(rune('0'+i)), "[Resolved] payment held: FP26/1"}, []string{m.Email, m.ID, m.Subject})
		for _, line := range []string{
			"It brought <₹1> & more.", "Since: 3 Nov 2026 00:01 IST", "Resolved: 3 Nov 2026 01:31 IST", "Runbook: scripts/monitoring/runbooks/payment-held.md",
			"https://franchise360.example/support/payments/FP26%2F1",
		} {
			require.Contains(t, m.Text, line)
		}
		require.NotContains(t, m.HTML, "<₹1>")
	}
	unknown := held()
	unknown.Rule = "of_a_later_release"
	require.NoError(t, channel.Deliver(t.Context(), unknown))
	require.Contains(t, mail.sent[2].Text, "Resolved: not yet")
	require.Contains(t, mail.sent[2].Text, "Runbook: none")
	require.Contains(t, mail.sent[2].Text, "https://franchise360.example/support/alerts\n")
	mail.refuses = "ops@example.in"
	require.Error(t, channel.Deliver(t.Context(), held()), "told to one of two is not told")
}

// A delivery is tried twelve times, then given up and noted in the alert's history. A claim whose process died expires after 30 seconds.
func TestDelivery_TwelveFailedAttempts_IsGivenUp(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	require.Equal(t, []string{"no_workers"}, open(t, h.api))
	h.channel.broken = errors.New("post: token=hunter2 refused")
	for n := range 12 {
		require.Error(t, h.api.Deliver(t.Context()), n)
	}
	require.NoError(t, h.api.Deliver(t.Context()), "nothing is left to be delivered")
	var attempts int
	require.NoError(t, h.db.Owner.Get(&attempts, `SELECT attempts FROM alert_deliveries WHERE given_up_at IS NOT NULL AND claimed_until IS NULL`))
	require.Equal(t, 12, attempts)
	past, err := h.service.History(h.sunita.Sign(t.Context()))
	require.NoError(t, err)
	last := past[0].Events[len(past[0].Events)-1]
	require.Equal(t, "not_delivered", last.Kind)
	require.True(t, strings.HasPrefix(last.Detail, "webhook: "), last.Detail)
	require.NotContains(t, last.Detail, "hunter2")

	h.channel.broken = nil
	var delivery string
	require.NoError(t, h.db.Owner.Get(&delivery, `SELECT id FROM alert_deliveries`))
	require.NoError(t, h.deliverer.Deliver(t.Context(), delivery, false))
	require.Empty(t, h.channel.told, "what was given up stays so")
	h.db.Owner.MustExec(`UPDATE alert_deliveries SET given_up_at = NULL, claimed_until = $1`, h.clock.Now().Add(30*time.Second))
	h.clock.Advance(30*time.Second - time.Microsecond)
	require.NoError(t, h.deliverer.Deliver(t.Context(), delivery, false))
	require.Empty(t, h.channel.told, "another process has it in hand")
	h.clock.Advance(time.Microsecond)
	require.NoError(t, h.deliverer.Deliver(t.Context(), delivery, false))
	require.Equal(t, []string{"fired no_workers "}, h.channel.rules())
	require.NoError(t, h.deliverer.Deliver(t.Context(), "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", false), "one that was pruned")

	// A process whose settings name no such channel says so, instead of losing it.
	h.db.Owner.MustExec(`UPDATE alert_deliveries SET delivered_at = NULL, claimed_until = NULL`)
	other := alert.NewDeliverer(h.db.Worker, h.clock)
	require.ErrorContains(t, other.Deliver(t.Context(), delivery, false), "the channel is off in this process")
}

// Prune deletes an alert ninety days after it was resolved, and never an open one.
func TestPrune_AlertResolvedNinetyDaysAgo_IsDeleted(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	open(t, h.api)
	h.clock.Advance(400 * 24 * time.Hour)
	count := func() (n int) {
		require.NoError(t, h.deliverer.Prune(t.Context()))
		require.NoError(t, h.db.Owner.Get(&n, `SELECT count(*) FROM alerts`))
		return n
	}
	require.Equal(t, 1, count())
	h.db.Owner.MustExec(`UPDATE alerts SET resolved_at = $1`, h.clock.Now())
	h.clock.Advance(90 * 24 * time.Hour)
	require.Equal(t, 1, count())
	h.clock.Advance(time.Microsecond)
	require.Zero(t, count())
}
