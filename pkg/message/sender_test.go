package message_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// provider returns its answers one after the other, repeating the last; nil accepts the message.
type provider struct {
	name    string
	answers []*message.SendError
	sent    []message.Message
	lives   []time.Duration
}

func (p *provider) Name() string { return p.name }

func (p *provider) Send(_ context.Context, m message.Message, life time.Duration) (string, error) {
	p.sent, p.lives = append(p.sent, m), append(p.lives, life)
	if len(p.answers) == 0 || p.answers[0] == nil {
		p.answers = p.answers[min(1, len(p.answers)):]
		return p.name + "-" + m.ID, nil
	}
	f := *p.answers[0]
	if len(p.answers) > 1 {
		p.answers = p.answers[1:]
	}
	f.Provider = p.name
	return "", &f
}

func fails(class message.Class, code string) *message.SendError {
	return &message.SendError{Class: class, Code: code, RetryAfter: 7 * time.Second}
}

type house struct {
	db            *testkit.Database
	clock         clock.Clock
	forward       func(time.Duration)
	sender        *message.Sender
	first, second *provider
	list          []message.Provider
}

var site = message.Site{Host: "franchise360.example", URL: "https://franchise360.example"} //nolint:gochecknoglobals // a constant

func newHouse(t *testing.T, both bool) *house {
	t.Helper()
	clk := testkit.NewClock()
	h := &house{db: testkit.NewDatabase(t), clock: clk, forward: func(d time.Duration) { clk.Advance(d) }, first: &provider{name: "first"}, second: &provider{name: "second"}}
	h.list = []message.Provider{h.first}
	if both {
		h.list = append(h.list, h.second)
	}
	h.count(t, message.Uncounted{})
	return h
}

// count rebuilds the sender with the counter.
func (h *house) count(t *testing.T, c message.Counts) {
	t.Helper()
	h.sender = message.NewSender(message.SenderOptions{
		DB: h.db.Worker, Providers: h.list, Site: site, Clock: h.clock, Counts: c, Logger: testkit.NewLogger(t),
	})
}

func code() message.Message {
	return site.Compose(message.Message{ID: id.New(), Mobile: "9876543210", Template: "otp", Values: []string{"123456", "123456"}})
}

func (h *house) state(t *testing.T, m message.Message, provider string) (s struct {
	State       string
	Code        string
	Unconfirmed int
	Tries       int
},
) {
	t.Helper()
	require.NoError(t, h.db.API.Get(&s, `SELECT state, code, unconfirmed, tries FROM sms_deliveries WHERE message_ref = $1 AND provider = $2`, m.ID, provider))
	return s
}

func requireCode(t *testing.T, kind errs.Kind, code string, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, errs.KindOf(err), "%v", err)
	require.Equal(t, code, errs.As(err).Code)
}

func TestSender_SendsOnceWithTheRemainingLifetime(t *testing.T) {
	t.Parallel()
	h := newHouse(t, true)
	m := code()
	m.ExpiresAt = h.clock.Now().Add(10 * time.Minute)
	h.forward(4 * time.Minute)
	require.NoError(t, h.sender.Send(t.Context(), m))
	require.NoError(t, h.sender.Send(t.Context(), m), "again, because the caller could not note it")
	require.Len(t, h.first.sent, 1)
	require.Equal(t, []time.Duration{6 * time.Minute}, h.first.lives)
	require.Empty(t, h.second.sent)
	require.Equal(t, "accepted", h.state(t, m, "first").State)

	late := code()
	late.ExpiresAt = h.clock.Now()
	requireCode(t, errs.KindInvalid, "too_late", h.sender.Send(t.Context(), late))
}

func TestSender_TextOperatorsWouldReject_IsNotSent(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	reminder := func(values ...string) message.Message {
		return site.Compose(message.Message{ID: id.New(), Mobile: "9876543210", Template: "renewal_reminder", Values: values})
	}
	long := "A plan whose name has forty-one letters!!"
	other := reminder("Growth", "30 September 2026")
	other.Text += " Hurry up"
	for name, m := range map[string]message.Message{
		"41 characters":      reminder(long, "30 September 2026"),
		"an empty variable":  reminder("", "30 September 2026"),
		"too few variables":  reminder("Growth"),
		"an address":         reminder("https://evil.example", "30 September 2026"),
		"a line break":       reminder("Growth\nx", "30 September 2026"),
		"another text":       other,
		"an unknown one":     site.Compose(message.Message{ID: id.New(), Template: "offer"}),
		"letters for digits": site.Compose(message.Message{ID: id.New(), Template: "otp", Values: []string{"12345a", "12345a"}}),
	} {
		err := h.sender.Send(t.Context(), m)
		requireCode(t, errs.KindInvalid, "sms_template", err)
		require.NotContains(t, err.Error(), "12345", name)
	}
	require.Empty(t, h.first.sent)
	require.NoError(t, h.sender.Send(t.Context(), reminder(long[:40], "30 September 2026")))
}

func TestSender_NumberRefused_IsNotRetried(t *testing.T) {
	t.Parallel()
	h := newHouse(t, true)
	h.first.answers = []*message.SendError{fails(message.ClassRefused, "21211")}
	m := code()
	requireCode(t, errs.KindInvalid, "sms_refused", h.sender.Send(t.Context(), m))
	require.Empty(t, h.second.sent, "no other provider has another number")
	require.Equal(t, "21211", h.state(t, m, "first").Code)
	var faults int
	require.NoError(t, h.db.API.Get(&faults, `SELECT count(*) FROM sms_providers WHERE failures > 0`))
	require.Zero(t, faults, "the provider works")
}

// If the provider never responds, a message is sent at most twice in all, by any provider. A try counts even if the process is killed
// during it.
func TestSender_ProviderNeverAnswers_SendsAtMostTwice(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.first.answers = []*message.SendError{fails(message.ClassUnconfirmed, "")}
	m := code()
	requireCode(t, errs.KindUnavailable, "sms_no_answer", h.sender.Send(t.Context(), m))
	requireCode(t, errs.KindUnavailable, "sms_no_answer", h.sender.Send(t.Context(), m))
	for range 5 {
		requireCode(t, errs.KindInvalid, "sms_unconfirmed", h.sender.Send(t.Context(), m))
	}
	require.Len(t, h.first.sent, 2)

	both := newHouse(t, true)
	both.first.answers = []*message.SendError{fails(message.ClassUnconfirmed, "")}
	requireCode(t, errs.KindUnavailable, "sms_no_answer", both.sender.Send(t.Context(), m))
	require.Empty(t, both.second.sent, "not twice within one try")
	require.NoError(t, both.sender.Send(t.Context(), m))
	require.Len(t, both.first.sent, 1)
	require.Len(t, both.second.sent, 1, "the other one gets the second try")
	require.Equal(t, 1, both.state(t, m, "first").Unconfirmed)
	require.Equal(t, 0, both.state(t, m, "second").Unconfirmed)

	killed := newHouse(t, false)
	_, err := killed.db.Worker.Exec(`INSERT INTO sms_deliveries (message_ref, provider, template, state, unconfirmed, tried_at)
		VALUES ($1, 'first', 'otp', 'unconfirmed', 2, now())`, m.ID)
	require.NoError(t, err)
	requireCode(t, errs.KindInvalid, "sms_unconfirmed", killed.sender.Send(t.Context(), m))
	require.Empty(t, killed.first.sent)
}

// After an unconfirmed try, an ordinary message waits for its receipt and for the provider's recovery before the second try. A code is
// retried whenever the caller wants.
func TestSender_UnconfirmedMessage_WaitsBeforeTheLastTry(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.first.answers = []*message.SendError{fails(message.ClassUnconfirmed, "500")}
	for left, want := range map[time.Duration]time.Duration{10 * time.Minute: 0, time.Hour: 10 * time.Minute, 24 * time.Hour: 10 * time.Minute} {
		m := code()
		m.ExpiresAt = h.clock.Now().Add(left)
		err := h.sender.Send(t.Context(), m)
		requireCode(t, errs.KindUnavailable, "sms_no_answer", err)
		require.Equal(t, want, errs.As(err).RetryAfter, left)
	}
}

func TestSender_CertainFailure_CanBeRetriedWithoutLimit(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.first.answers = []*message.SendError{fails(message.ClassUnavailable, "503")}
	m := code()
	for range 9 {
		requireCode(t, errs.KindUnavailable, "sms_unavailable", h.sender.Send(t.Context(), m))
	}
	require.Len(t, h.first.sent, 9, "the only provider is never left out")
	s := h.state(t, m, "first")
	require.Equal(t, 9, s.Tries)
	require.Zero(t, s.Unconfirmed)
	require.Equal(t, "503", s.Code)
	h.first.answers = nil
	require.NoError(t, h.sender.Send(t.Context(), m))
}

func TestSender_FirstProviderFails_SecondTakesOver(t *testing.T) {
	t.Parallel()
	for class, code429 := range map[message.Class]string{message.ClassAccount: "21606", message.ClassLimited: "429", message.ClassUnavailable: "503"} {
		h := newHouse(t, true)
		h.first.answers = []*message.SendError{fails(class, code429)}
		m := code()
		require.NoError(t, h.sender.Send(t.Context(), m), class)
		require.Len(t, h.second.sent, 1, class)
		require.Equal(t, string(class), h.state(t, m, "first").State)
		require.Equal(t, "accepted", h.state(t, m, "second").State)
	}
}

// A provider that is down gets a few messages, then one after half a minute, and is the first again once it works.
func TestSender_FirstProviderDown_IsSkippedUntilItRecovers(t *testing.T) {
	t.Parallel()
	h := newHouse(t, true)
	h.first.answers = []*message.SendError{fails(message.ClassUnavailable, "")}
	send := func(n int) {
		for range n {
			require.NoError(t, h.sender.Send(t.Context(), code()))
		}
	}
	send(10)
	require.Len(t, h.first.sent, 3)
	require.Len(t, h.second.sent, 10)
	h.forward(31 * time.Second)
	send(10)
	require.Len(t, h.first.sent, 4, "one of all looks whether it works again")
	h.forward(31 * time.Second)
	h.first.answers = nil
	send(10)
	require.Len(t, h.first.sent, 14)
	require.Len(t, h.second.sent, 20)
}

func TestSender_AccountFault_SkipsTheProviderAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, true)
	h.first.answers = []*message.SendError{fails(message.ClassAccount, "20003")}
	for range 5 {
		require.NoError(t, h.sender.Send(t.Context(), code()))
	}
	require.Len(t, h.first.sent, 1)
	var fault string
	require.NoError(t, h.db.API.Get(&fault, `SELECT fault || ' ' || code FROM sms_providers WHERE provider = 'first' AND failures > 0`))
	require.Equal(t, "account_fault 20003", fault)
}

func TestSender_RateLimit_WaitsForItsPause(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.first.answers = []*message.SendError{fails(message.ClassLimited, "429"), nil}
	m := code()
	err := h.sender.Send(t.Context(), m)
	requireCode(t, errs.KindRateLimited, "sms_provider_limit", err)
	require.Equal(t, 7*time.Second, errs.As(err).RetryAfter)
	require.ErrorContains(t, err, "first: its rate limit is reached (429)")
	err = h.sender.Send(t.Context(), code())
	requireCode(t, errs.KindRateLimited, "sms_provider_limit", err)
	require.Len(t, h.first.sent, 1, "nobody asks within the pause")
	h.forward(7 * time.Second)
	require.NoError(t, h.sender.Send(t.Context(), m))
}

func TestSender_UnknownError_CountsAsNoAnswer(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	s := message.NewSender(message.SenderOptions{
		DB: db.Worker, Providers: []message.Provider{broken{}}, Site: site, Clock: testkit.NewClock(),
		Counts: message.Uncounted{}, Logger: testkit.NewLogger(t),
	})
	requireCode(t, errs.KindUnavailable, "sms_no_answer", s.Send(t.Context(), code()))
}

type broken struct{}

func (broken) Name() string { return "broken" }

func (broken) Send(context.Context, message.Message, time.Duration) (string, error) {
	return "", errors.New("unheard of")
}

type told []message.Receipt

func (l told) ReadReceipts(message.Incoming) ([]message.Receipt, error) { return l, nil }

func (h *house) tell(t *testing.T, provider string, list ...message.Receipt) {
	t.Helper()
	r := message.NewReceipts(message.ReceiptOptions{
		DB: h.db.API, Readers: map[string]message.ReceiptReader{provider: told(list)}, Clock: h.clock,
		Counts: message.Uncounted{},
	})
	require.NoError(t, r.Take(t.Context(), provider, message.Incoming{}))
}

func TestReceipts_RecordTheDeliveryState(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	m := code()
	require.NoError(t, h.sender.Send(t.Context(), m))
	h.tell(t, "first", message.Receipt{Ref: "nobody's"}, message.Receipt{Ref: "first-" + m.ID, Code: "30003"})
	require.Equal(t, "undelivered", h.state(t, m, "first").State)
	require.Equal(t, "30003", h.state(t, m, "first").Code)
	for range 2 { // the same notice again, and a later one
		h.tell(t, "first", message.Receipt{Ref: "first-" + m.ID, Delivered: true})
		h.tell(t, "first", message.Receipt{Ref: "first-" + m.ID, Code: "30008"})
		require.Equal(t, "delivered", h.state(t, m, "first").State)
		require.Empty(t, h.state(t, m, "first").Code)
	}
	h.tell(t, "second", message.Receipt{Ref: "first-" + m.ID, Code: "1"})
	require.Equal(t, "delivered", h.state(t, m, "first").State, "another provider says nothing about it")

	err := message.NewReceipts(message.ReceiptOptions{
		DB: h.db.API, Clock: h.clock, Counts: message.Uncounted{},
	}).Take(t.Context(), "first", message.Incoming{})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

// A try without a response has a receipt with our own id: the message counts as delivered and is not sent again.
func TestReceipt_OfAnUnconfirmedTry_PreventsTheSecondTry(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.first.answers = []*message.SendError{fails(message.ClassUnconfirmed, "")}
	m := code()
	require.Error(t, h.sender.Send(t.Context(), m))
	h.tell(t, "first", message.Receipt{Ref: "SM1", MessageID: m.ID, Delivered: true})
	require.NoError(t, h.sender.Send(t.Context(), m))
	require.Len(t, h.first.sent, 1)
}

func TestDeliveries_Old_AreDeleted(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	require.NoError(t, h.sender.Send(t.Context(), code()))
	var left int
	require.NoError(t, message.Purge(t.Context(), h.db.Worker, h.clock.Now()))
	require.NoError(t, h.db.Owner.Get(&left, `SELECT count(*) FROM sms_deliveries`))
	require.Equal(t, 1, left)
	require.NoError(t, message.Purge(t.Context(), h.db.Worker, h.clock.Now().Add(time.Second)))
	require.NoError(t, h.db.Owner.Get(&left, `SELECT count(*) FROM sms_deliveries`))
	require.Zero(t, left)
}
