package mandate_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
	"github.com/franchise360/franchise360/pkg/transfer"
)

func TestMonthlyRenewals_AreDebitedOnceEach(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.hours(100 * 24)
	require.Equal(t, 3, b.are("paid"), b.debits())
	require.Zero(t, b.are("failed")+b.are("called_off"), b.debits())
	require.Zero(t, b.Count(`SELECT count(*) FROM subscription_events WHERE to_state = 'grace' AND franchiser_id = $1`, b.Buyer), "nobody was overdue")
	b.safe()
}

func TestDebit_InsufficientFunds_IsRetriedWithANewNotice(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	require.Contains(t, b.debits(), "1 failed insufficient_funds, 2 ")
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseNone })
	b.until("paid")
	require.Equal(t, "1 failed insufficient_funds, 2 paid ", b.debits())
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM customer_messages WHERE template = 'debit_retried' AND franchiser_ref = $1`, b.Buyer))
	b.safe()
}

func TestDebit_InsufficientFunds_IsTriedFourTimesWithinTheGrace(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	b.hours(20 * 24)
	require.LessOrEqual(t, len(b.made()), 4)
	require.Equal(t, "expired", b.Text(`SELECT state FROM subscriptions WHERE franchiser_id = $1`, b.Buyer))
	for _, d := range b.made() {
		require.Zero(t, b.Count(`SELECT count(*) FROM subscriptions WHERE renew_on + 7 <= day_in_india($1) AND franchiser_id = $2`, d.At, b.Buyer))
	}
	b.safe()
}

func TestProcessingDebit_BeforeItIsDecided_IsNotRequestedAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Processing = true })
	b.until("asked")
	b.hours(48)
	require.Len(t, b.made(), 1)
	_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, err, checkout.ErrDebitUndecided, "nobody pays manually meanwhile")
	b.Mandates.Finish(payment.StatusPaid)
	b.until("paid")
	require.Len(t, b.made(), 1)
	b.safe()
}

func TestDebit_AnswerOrRequestLost_IsVerifiedOrRequestedAgain(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Loses = true })
	b.until("paid")
	require.Len(t, b.made(), 1)
	b.Mandates.Set(func(m *world.Mandates) { m.Loses, m.Unheard = false, true })
	b.until("asked")
	require.Len(t, b.made(), 1)
	b.Mandates.Set(func(m *world.Mandates) { m.Unheard = false })
	b.hours(24)
	require.Len(t, b.made(), 2)
	require.Equal(t, 2, b.are("paid"))
	b.safe()
}

func TestStop_BeforeTheDebit_NothingIsDebited(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	m, err := b.APIMandates.Stop(t.Context(), b.Buyer, b.mandate())
	require.NoError(t, err)
	require.Equal(t, mandate.StateRevoked, m.State, "the gateway confirmed")
	b.hours(12 * 24)
	require.Empty(t, b.made())
	require.Equal(t, "1 called_off ", b.debits())
	b.safe()
}

func TestNoticedDebit_PausedSkippedOrPaidManually_IsCalledOff(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(*life) error{
		"pause": func(b *life) error { return b.APIMandates.Pause(t.Context(), b.Buyer, b.mandate()) },
		"skip":  func(b *life) error { return b.APIMandates.Skip(t.Context(), b.Buyer, b.mandate()) },
		"hand":  func(b *life) error { b.Pay(b.Buyer, b.Renewal(b.Buyer)); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.until("noticed")
			require.NoError(t, act(b))
			b.hours(10 * 24)
			require.Empty(t, b.made())
			require.Equal(t, "1 called_off ", b.debits())
			require.Equal(t, 1, b.Mandates.WithdrawnOf(b.id))
			b.safe()
		})
	}
}

func TestMandate_EndedOrPausedWithoutAWebhook_IsDetected(t *testing.T) {
	t.Parallel()
	for word, want := range map[mandate.ProviderState]string{
		mandate.ProviderRevoked: "revoked", mandate.ProviderPaused: "paused", mandate.ProviderExpired: "expired",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.Mandates.SetState(b.id, word)
			b.hours(25)
			require.Equal(t, want, b.state())
			b.hours(30 * 24)
			require.Empty(t, b.made())
			if word == mandate.ProviderPaused {
				b.Mandates.SetState(b.id, mandate.ProviderActive)
				b.hours(25)
				require.Equal(t, "active", b.state())
			}
			b.safe()
		})
	}
}

func TestBillAboveTheCap_IsNotDebited(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cap = 100 * money.Rupee })
	b.until("failed")
	require.Equal(t, "1 failed above_cap", b.debits())
	b.hours(24)
	require.Empty(t, b.Mandates.NoticesOf(b.id))
	b.safe()
}

func TestDebit_PriceChangesAfterTheNotice_UsesTheNoticedAmount(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	before := b.Count(`SELECT amount_paise FROM mandate_debits WHERE franchiser_id = $1`, b.Buyer)
	require.NoError(t, b.Reprice(t.Context(), b.DB.Worker, -500))
	b.until("paid")
	require.Equal(t, money.Paise(before), b.made()[0].Charge.Amount)
	b.safe()
}

func TestAddOn_BoughtAfterTheNotice_IsDebitedAtMostOnce(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("noticed")
	b.Pay(b.Buyer, b.AddOns(b.Buyer, b.Tier(0, 0).AddOns[0].ID))
	b.hours(10 * 24)
	paid := b.are("paid")
	require.LessOrEqual(t, paid, 1)
	require.Contains(t, b.debits(), "1 called_off")
	b.safe()
}

func TestRegister_ConsentToOtherTerms_IsRefused(t *testing.T) {
	t.Parallel()
	b := enter(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	_, err := b.APIMandates.Register(t.Context(), b.Buyer, mandate.Input{Method: mandate.MethodUPI, Consented: true})
	require.Error(t, err, "the renewal is not open")
	b.Live(25)
	_, err = b.APIMandates.Register(t.Context(), b.Buyer, mandate.Input{Method: mandate.MethodUPI, Consented: true, Version: "0"})
	require.ErrorIs(t, err, mandate.ErrConsent)
}

func TestDatabase_SecondDebitOfARenewal_IsRefused(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("paid")
	_, err := b.DB.Owner.Exec(`INSERT INTO mandate_debits (id, franchiser_id, mandate_id, subscription_id, renew_on, number, state,
		amount_paise, debit_at, notice_token, created_at) SELECT uuidv7(), franchiser_id, mandate_id, subscription_id, renew_on, 2, 'planned',
		amount_paise, debit_at, 'X', created_at FROM mandate_debits WHERE franchiser_id = $1`, b.Buyer)
	require.ErrorContains(t, err, "mandate_debits_one_a_cycle")
	_, err = b.DB.Owner.Exec(`UPDATE mandate_debits SET asked_at = noticed_at + interval '23 hours' WHERE franchiser_id = $1`, b.Buyer)
	require.ErrorContains(t, err, "mandate_debits_after_notice")
}

// told returns how often a customer was sent a template, of SMS.
func (b *life) told(template string) int {
	b.T.Helper()
	return b.Count(`SELECT count(*) FROM customer_messages WHERE template = $1 AND franchiser_ref = $2`, template, b.Buyer)
}

func TestReminders_RenewalIsDebited_AreNotSent(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.until("paid")
	require.Equal(t, 1, b.told("debit_announced"))
	require.Equal(t, 1, b.told("debit_announced_email"))
	before := b.told("renewal_reminder")
	b.hours(40 * 24)
	require.Equal(t, 2, b.are("paid"), b.debits())
	require.Equal(t, before, b.told("renewal_reminder"), "the announcement takes the place of the reminders")
	require.Equal(t, 2, b.told("debit_announced"))

	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseDeclined })
	b.until("failed")
	require.Equal(t, before, b.told("renewal_reminder"))
	require.Equal(t, 1, b.told("debit_failed"), "by a message that has the link of a reminder")
	require.Zero(t, b.told("debit_retried"))
	b.hours(10 * 24)
	require.Greater(t, b.told("renewal_reminder"), before, "what is not tried again is reminded of as by hand")
	b.safe()
}

func TestTimeline_MessagesAboutDebits_AreNamedByTheirSubject(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseDeclined })
	b.until("failed")
	b.Work()
	for _, source := range message.TimelineSources(func(string, string) string { return "NULL::text" }) {
		if source.Name != "customer-message" {
			continue
		}
		var titles []string
		require.NoError(t, b.DB.Owner.Select(&titles, `SELECT title FROM (`+source.SQL+`) x`, b.Buyer))
		require.Subset(t, titles, []string{"Debit failed by SMS", "Debit announced by e-mail", "Automatic renewal is on by SMS"})
		require.NotContains(t, strings.Join(titles, "\n"), "Refund")
	}
}

func TestDashboard_DebitsAndMandates_HaveNotifications(t *testing.T) {
	t.Parallel()
	b := begin(t)
	all := receipt.Notes(transfer.Deductions{})
	maps.Copy(all, mandate.Notes())
	centre := message.NewCentre(b.DB.API, b.Clock, all)
	told := func() map[string]string {
		list, _, err := centre.List(t.Context(), b.Buyer, i18n.English, nil, 100)
		require.NoError(t, err)
		found := map[string]string{}
		for _, n := range list {
			require.NotEmpty(t, n.Text)
			found[n.Template] = n.Title
		}
		return found
	}
	require.Equal(t, "Automatic renewal is on", told()[message.TemplateMandateActive])
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	amount := b.view().History[0].Amount.Display()
	require.Contains(t, told()[message.TemplateDebitAnnounced], amount+" is debited on ")
	require.Equal(t, "We could not debit "+amount, told()[message.TemplateDebitRetried])
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseNone })
	b.until("paid")
	b.Work()
	require.Equal(t, "We received your payment of "+amount, told()[message.TemplatePaymentReceived])
	b.Mandates.SetState(b.id, mandate.ProviderRevoked)
	b.hours(25)
	require.Equal(t, "Automatic renewal was ended at your bank", told()[message.TemplateMandateEnded])
}

func TestDebitFailedMessage_HasTheReminderLink(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseInsufficient })
	b.until("failed")
	letters := mandate.Letters(testkit.NewKeyring(t), "https://shop.example")
	written := func(template string) message.Message {
		var out *message.Message
		about := b.Text(`SELECT id FROM mandate_debits WHERE franchiser_id = $1 AND state = 'failed' ORDER BY number DESC LIMIT 1`, b.Buyer)
		require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) (err error) {
			out, err = letters[template].Write(t.Context(), tx, message.CustomerMessage{FranchiserID: b.Buyer, About: about, Template: template})
			return err
		}))
		require.NotNil(t, out, template)
		require.NoError(t, world.Addressed(*out, template).Fits())
		return *out
	}
	sms := written(message.TemplateDebitRetried)
	require.Equal(t, message.TemplateDebitRetried, sms.Template)
	require.Equal(t, "there was not enough money", sms.Values[1])
	link, err := b.APISubs.FindPayLink(t.Context(), testkit.NewKeyring(t), sms.Values[3])
	require.NoError(t, err)
	require.Equal(t, b.Buyer, link.FranchiserID)
	email := written(message.TemplateDebitRetriedEmail)
	require.Equal(t, "https://shop.example/p/"+sms.Values[3], email.Link)
	require.Contains(t, email.Values[3], "Keep the amount in the account")

	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseDeclined })
	b.hours(6 * 24)
	require.Equal(t, "1 failed insufficient_funds, 2 failed declined", b.debits())
	sms = written(message.TemplateDebitFailed)
	require.Equal(t, []string{message.TemplateDebitFailed, "your bank declined it"}, []string{sms.Template, sms.Values[1]})
	require.Equal(t, message.TemplateDebitFailedEmail, written(message.TemplateDebitFailedEmail).Template)
	b.safe()
}
