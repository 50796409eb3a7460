package message_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// drawer is a source of one message, which records the calls.
type drawer struct {
	waits    *message.Message
	err      error
	sent     int
	failures []string
	deaf     error
}

func (d *drawer) Waiting(context.Context, string) (*message.Message, error) { return d.waits, d.err }

func (d *drawer) MarkSent(context.Context, string) error {
	d.sent++
	return d.deaf
}

func (d *drawer) MarkFailed(ctx context.Context, _, code string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	d.failures = append(d.failures, code)
	return d.deaf
}

// phone accepts every message, or returns its error.
type phone struct {
	err  error
	took []message.Message
}

func (p *phone) Send(_ context.Context, m message.Message) error {
	p.took = append(p.took, m)
	return p.err
}

func TestOutbox_SendsOnlyWaitingMessages(t *testing.T) {
	t.Parallel()
	now := testkit.Start()
	waiting := func(expires time.Time) *message.Message {
		return &message.Message{ID: id.New(), Mobile: "9876543210", Template: message.TemplateCode, Values: []string{"123456", "123456"}, ExpiresAt: expires}
	}
	gone, refused := errors.New("connection refused"), errs.New(errs.KindInvalid, "sms_refused", "No.")
	for name, c := range map[string]struct {
		from     drawer
		phone    error
		want     error
		took     int
		sent     int
		failures []string
	}{
		"already sent":                         {from: drawer{}},
		"unreadable":                           {from: drawer{err: gone}, want: gone},
		"without an expiry":                    {from: drawer{waits: waiting(time.Time{})}, took: 1, sent: 1},
		"its last moment":                      {from: drawer{waits: waiting(now.Add(time.Microsecond))}, took: 1, sent: 1},
		"expires now":                          {from: drawer{waits: waiting(now)}, want: message.ErrTooLate(), failures: []string{"too_late"}},
		"expired":                              {from: drawer{waits: waiting(now.Add(-time.Hour))}, want: message.ErrTooLate(), failures: []string{"too_late"}},
		"a refused number":                     {from: drawer{waits: waiting(time.Time{})}, phone: refused, want: refused, took: 1, failures: []string{"sms_refused"}},
		"a failure without a code":             {from: drawer{waits: waiting(time.Time{})}, phone: gone, want: gone, took: 1, failures: []string{"internal"}},
		"a source that notes nothing":          {from: drawer{waits: waiting(time.Time{}), deaf: gone}, phone: refused, want: refused, took: 1, failures: []string{"sms_refused"}},
		"a success that could not be recorded": {from: drawer{waits: waiting(time.Time{}), deaf: gone}, want: gone, took: 1, sent: 1},
	} {
		var logged strings.Builder
		p := &phone{err: c.phone}
		outbox := message.NewOutbox(message.OutboxOptions{
			SMS: p, Site: site, Clock: testkit.NewClock(), Logger: slog.New(slog.NewTextHandler(&logged, nil)),
		})
		err := outbox.Send(t.Context(), &c.from, "row")
		require.ErrorIs(t, err, c.want, name)
		require.Len(t, p.took, c.took, name)
		require.Equal(t, c.sent, c.from.sent, name)
		require.Equal(t, c.failures, c.from.failures, name)
		for _, m := range p.took {
			require.Contains(t, m.Text, "123456 is your Franchise 360 code", name)
			require.Contains(t, m.Text, "@franchise360.example #123456", name)
		}
		require.NotContains(t, logged.String(), "9876543210", name)
		require.NotContains(t, logged.String(), "123456", name)
	}
}

func TestOutbox_ProviderUsesUpTheTime_StillRecordsTheFailure(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	from := &drawer{waits: &message.Message{ID: id.New(), Template: message.TemplateAccountExists}}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: ending{end}, Site: site, Clock: testkit.NewClock(), Logger: testkit.NewLogger(t),
	})
	require.ErrorIs(t, outbox.Send(ctx, from, "row"), context.Canceled)
	require.Equal(t, []string{"internal"}, from.failures)
}

type ending struct{ end func() }

func (e ending) Send(ctx context.Context, _ message.Message) error {
	e.end()
	return ctx.Err()
}

func TestCompose_PlaceholdersInValues_AreNotFilledIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		template string
		values   []string
		want     string
	}{
		"no such template":  {"unheard_of", []string{"1"}, ""},
		"no template":       {"", nil, ""},
		"a tag in a value":  {message.TemplateInvoiceLink, []string{"{#numeric#}{host}{url}"}, "Your Franchise 360 document {#numeric#}{host}{url} is ready. Download it here: https://franchise360.example/subscription_list"},
		"a pattern's group": {message.TemplateInvoiceLink, []string{"$1 ${1} \\1"}, "Your Franchise 360 document $1 ${1} \\1 is ready. Download it here: https://franchise360.example/subscription_list"},
		"a value missing":   {message.TemplateTrialReminder, nil, "Your Franchise 360 free trial ends on . Choose your plan here: https://franchise360.example/pricing"},
		"a value too many":  {message.TemplateMobileChanged, []string{"x"}, "The mobile number of your Franchise 360 account was changed. If this was not you, contact us at once: franchise360.example/helpcenter"},
	} {
		m := site.Compose(message.Message{Template: c.template, Values: c.values, Text: "by hand"})
		require.Equal(t, c.want, m.Text, name)
	}
}

// Every error code stored with a message has an explanation for staff.
func TestFailureText_EachCode_HasADistinctText(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, code := range []string{
		"too_late", "night", "sms_refused", "sms_account_fault", "sms_provider_limit", "sms_unavailable", "sms_no_answer", "sms_unconfirmed",
		"sms_undelivered", "sms_template", "no_address", "email_off", "email_refused", "email_rejected", "email_account_fault",
		"email_provider_limit", "email_unavailable", "email_no_answer", "email_unconfirmed", "email_template",
		"whatsapp_off", "whatsapp_refused", "whatsapp_rejected", "whatsapp_account_fault", "whatsapp_provider_limit", "whatsapp_unavailable",
		"whatsapp_no_answer", "whatsapp_unconfirmed", "whatsapp_template",
	} {
		words := message.FailureText(code)
		require.NotContains(t, words, "_", code)
		require.False(t, seen[words], "two codes are told alike: %s", code)
		seen[words] = true
		require.Equal(t, words+" 30006", message.FailureText(code+" 30006"), "the provider's own number stays")
	}
	for _, other := range []string{"", "internal", "sms", "sms_refusedx"} {
		require.Equal(t, other, message.FailureText(other))
	}
	for class, word := range map[message.Class]string{
		message.ClassRefused: "number", message.ClassAccount: "our account", message.ClassLimited: "rate limit",
		message.ClassUnconfirmed: "on its way", message.ClassUnavailable: "did not take", "unheard of": "did not take",
	} {
		cause := errors.New("EOF")
		err := &message.SendError{Provider: "msg91", Class: class, Code: "418", Cause: cause}
		require.Contains(t, err.Error(), word)
		require.Contains(t, err.Error(), "(418): EOF")
		require.ErrorIs(t, err, cause)
		require.NotContains(t, (&message.SendError{Provider: "msg91", Class: class}).Error(), "(")
	}
}

func TestSender_SeveralRateLimits_PausesForTheShortest(t *testing.T) {
	t.Parallel()
	h := newHouse(t, true)
	limited := func(d time.Duration) []*message.SendError {
		return []*message.SendError{{Class: message.ClassLimited, RetryAfter: d}}
	}
	h.first.answers, h.second.answers = limited(time.Minute), limited(20*time.Second)
	err := h.sender.Send(t.Context(), code())
	requireCode(t, errs.KindRateLimited, "sms_provider_limit", err)
	require.Equal(t, 20*time.Second, errs.As(err).RetryAfter)
	h.forward(15 * time.Second)
	err = h.sender.Send(t.Context(), code())
	requireCode(t, errs.KindRateLimited, "sms_provider_limit", err)
	require.Equal(t, 5*time.Second, errs.As(err).RetryAfter, "what is left of it")

	h.forward(time.Hour)
	h.first.answers, h.second.answers = limited(0), []*message.SendError{fails(message.ClassAccount, "1")}
	requireCode(t, errs.KindUnavailable, "sms_account_fault", h.sender.Send(t.Context(), code()))
	h.second.answers = limited(0)
	h.forward(time.Hour)
	err = h.sender.Send(t.Context(), code())
	requireCode(t, errs.KindRateLimited, "sms_provider_limit", err)
	require.GreaterOrEqual(t, errs.As(err).RetryAfter, time.Second, "a pause of nothing would be a loop")
}

func TestFaults_FailingProvider_IsReportedToStaff(t *testing.T) {
	t.Parallel()
	h := newHouse(t, true)
	faults := func() (names []string) {
		tx, err := h.db.API.Beginx()
		require.NoError(t, err)
		defer func() { _ = tx.Rollback() }()
		list, err := message.FaultsTx(t.Context(), tx)
		require.NoError(t, err)
		for _, f := range list {
			names = append(names, f.Provider+" "+f.Fault+" "+f.Code)
		}
		return names
	}
	require.Empty(t, faults())
	h.first.answers = []*message.SendError{fails(message.ClassUnavailable, "503")}
	for range 2 {
		require.NoError(t, h.sender.Send(t.Context(), code()))
	}
	require.Empty(t, faults(), "twice may be chance")
	require.NoError(t, h.sender.Send(t.Context(), code()))
	require.Equal(t, []string{"first unavailable 503"}, faults())

	h.second.answers = []*message.SendError{fails(message.ClassAccount, "20003")}
	require.Error(t, h.sender.Send(t.Context(), code()))
	require.Equal(t, []string{"first unavailable 503", "second account_fault 20003"}, faults(), "a fault of the account is told at once")
	h.db.Owner.MustExec(`UPDATE sms_providers SET failed_at = clock_timestamp() - interval '25 hours' WHERE provider = 'first'`)
	require.Equal(t, []string{"second account_fault 20003"}, faults(), "one that is used no more is not told of for ever")
	h.second.answers = nil
	h.forward(time.Hour)
	h.first.answers = []*message.SendError{fails(message.ClassUnavailable, "503")}
	require.NoError(t, h.sender.Send(t.Context(), code()))
	require.NotContains(t, strings.Join(faults(), ""), "second", "it works again")
}

type reader struct {
	list []message.Receipt
	err  error
}

func (r reader) ReadReceipts(message.Incoming) ([]message.Receipt, error) { return r.list, r.err }

func TestReceipts_InvalidWebhook_IsRefusedWhole(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	m := code()
	require.NoError(t, h.sender.Send(t.Context(), m))
	take := func(provider string, r reader) error {
		return message.NewReceipts(message.ReceiptOptions{
			DB: h.db.API, Readers: map[string]message.ReceiptReader{"first": r, "second": r}, Clock: h.clock,
			Counts: message.Uncounted{},
		}).
			Take(t.Context(), provider, message.Incoming{})
	}
	ours := message.Receipt{Ref: "first-" + m.ID, MessageID: m.ID, Delivered: true}
	require.Equal(t, errs.KindNotFound, errs.KindOf(take("third", reader{list: []message.Receipt{ours}})))
	require.Equal(t, errs.KindForbidden, errs.KindOf(take("first", reader{list: []message.Receipt{ours}, err: errs.Forbidden()})))
	many := make([]message.Receipt, 101)
	for i := range many {
		many[i] = ours
	}
	require.Equal(t, errs.KindMalformed, errs.KindOf(take("first", reader{list: many})))
	require.NoError(t, take("first", reader{}))
	require.NoError(t, take("second", reader{list: []message.Receipt{ours}}))
	require.NoError(t, take("first", reader{list: []message.Receipt{{Delivered: true}}}), "a receipt that names nothing is nobody's")
	require.Equal(t, "accepted", h.state(t, m, "first").State, "none of these told of it")
	require.NoError(t, take("first", reader{list: many[:100]}))
	require.Equal(t, "delivered", h.state(t, m, "first").State)
}

// A message that does not fit its template is refused permanently before the sender is called, on every channel. The error contains no
// value.
func TestOutbox_MessageDoesNotFitItsTemplate_IsRefusedBeforeSending(t *testing.T) {
	t.Parallel()
	box := &phone{}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: box, Site: site, Clock: testkit.NewClock(), Email: box, WhatsApp: box, Logger: testkit.NewLogger(t),
	})
	for code, m := range map[string]message.Message{
		"sms_template":      {Mobile: "9876543210", Template: message.TemplateCode, Values: []string{"secret"}},
		"email_template":    {Email: "asha@example.in", Template: message.TemplateEmailChanged, Values: []string{"secret", "secret"}},
		"whatsapp_template": {Mobile: "9876543210", Template: message.TemplatePaymentReceived + "_whatsapp", Values: []string{"secret"}},
	} {
		row := &drawer{waits: &m}
		err := outbox.Send(t.Context(), row, "row")
		requireCode(t, errs.KindInvalid, code, err)
		require.NotContains(t, err.Error(), "secret")
		require.Equal(t, []string{code}, row.failures)
	}
	require.Empty(t, box.took)
	good := message.Message{Email: "asha@example.in", Template: message.TemplateEmailChanged, Values: []string{"2 Nov 2026"}}
	require.NoError(t, outbox.Send(t.Context(), &drawer{waits: &good}, "row"))
	require.Len(t, box.took, 1)
}
