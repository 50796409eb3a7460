package payment_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// told returns the templates of the messages about refunds, and the texts by template.
func told(c *carrier) (templates []string, texts map[string]string) {
	texts = map[string]string{}
	for _, m := range c.took {
		if m.Template != message.TemplatePaymentReceived && m.Template != message.TemplatePaymentEmail {
			templates, texts[m.Template] = append(templates, m.Template), m.Text
		}
	}
	return templates, texts
}

func proved(b *bundle) {
	b.DB.Owner.MustExec(`UPDATE franchisers SET email = 'asha@example.in', email_proved_at = created_at`)
}

// Given a refund that the gateway completes immediately, then each channel reports it once, with amount, reason and days. The earlier
// message about the decision is not sent.
func TestRefundMessages_ImmediateRefund_AreSentOnceByEachChannel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proved(b)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.KeepOrEnd(r, 0, false)
	sms, email := b.deliver()
	templates, texts := told(sms)
	require.Equal(t, []string{message.TemplateRefundDone}, templates)
	require.Equal(t, "Your Franchise 360 refund of Rs 14,750 was paid out: your plan ended on 2 Nov 2026. Your bank shows it within 2 to 7 days. "+
		"Details: https://franchise360.example/subscription_list", texts[message.TemplateRefundDone])
	templates, texts = told(email)
	require.Equal(t, []string{message.TemplateRefundDoneEmail}, templates)
	for _, want := range []string{"₹14,750", "as decided by our team; your plan ended on 2 Nov 2026", "Start up · Expansion", r.TransactionID, "within 2 to 7 days"} {
		require.Contains(t, texts[message.TemplateRefundDoneEmail], want)
	}
	require.Equal(t, "within 2 to 7 days", b.backOf().Arrives, "the order says the same")
}

// Given a refund that takes days and fails, then each step is reported once, when it is reached.
func TestRefundMessages_SlowRefund_ReportEachStepOnce(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		end payment.RefundOutcome
		sms string
	}{
		"done":   {payment.RefundOutcome{Done: true}, message.TemplateRefundDone},
		"failed": {payment.RefundOutcome{Failed: true, Reason: "closed"}, message.TemplateRefundFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			proved(b)
			r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
			b.Gateway.SlowRefunds(r.TransactionID)
			b.KeepOrEnd(r, 0, false)
			sms, _ := b.deliver()
			templates, _ := told(sms)
			require.Equal(t, []string{message.TemplateRefundSent}, templates)
			tc.end.RefundID = b.Text(`SELECT gateway_refund_id FROM refunds`)
			b.Gateway.EndRefund(tc.end)
			require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds`)))
			sms, email := b.deliver()
			templates, _ = told(sms)
			require.Equal(t, []string{tc.sms}, templates)
			mails, texts := told(email)
			require.Equal(t, []string{tc.sms + "_email"}, mails)
			require.NotContains(t, texts[tc.sms+"_email"], "closed", "what the gateway says is for staff")
		})
	}
}

// Given a kept part that completes after the refund of the rest, then its message tells that the plan ended with it.
func TestRefundMessages_KeptPartCompletesLast_TellThatThePlanEnded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proved(b)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Gateway.SlowRefunds(r.TransactionID)
	b.KeepOrEnd(r, 100, true)
	b.Pass(time.Minute)
	b.KeepOrEnd(r, 0, false)
	b.deliver()
	for _, amount := range []money.Paise{r.Amount - 100, 100} {
		refundID := b.Text(`SELECT id FROM refunds WHERE amount_paise = $1`, int64(amount))
		b.Gateway.EndRefund(payment.RefundOutcome{Done: true, RefundID: b.Text(`SELECT gateway_refund_id FROM refunds WHERE id = $1`, refundID)})
		require.NoError(t, b.Worker.Refunds.Send(t.Context(), refundID))
	}
	_, email := b.deliver()
	_, texts := told(email)
	require.Contains(t, texts[message.TemplateRefundDoneEmail], "Amount: ₹1\n", "the last message is that of the kept part")
	require.Contains(t, texts[message.TemplateRefundDoneEmail], "your plan ended on 2 Nov 2026")
}

// Given a plan that was paid by bank transfer and is cancelled, then the message announces the refund and reports no failure: staff
// transfer it.
func TestRefundMessages_RefundByBankTransfer_ReportNoFailure(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proved(b)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	require.NoError(t, postgres.InTx(t.Context(), b.DB.Owner, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), `SET LOCAL session_replication_role = replica; UPDATE payments SET gateway = 'bank', slug = 'bank_transfer'`)
		return err
	}))
	require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
		c, err := b.Worker.Acts.CancellationTx(t.Context(), tx, b.Buyer, b.Today())
		require.NoError(t, err)
		require.Equal(t, c.Total(), c.ByHand())
		_, err = b.Worker.Acts.CancelTx(t.Context(), tx, b.Buyer, b.Today(), c.Total(), "Leaves us", b.Clock.Now())
		return err
	}))
	b.Work()
	require.Equal(t, "failed", b.Text(`SELECT state FROM refunds`))
	sms, email := b.deliver()
	templates, texts := told(sms)
	require.Equal(t, []string{message.TemplateRefundDecided}, templates)
	require.Contains(t, texts[message.TemplateRefundDecided], "within 2 working days")
	require.Contains(t, texts[message.TemplateRefundDecided], "your plan ended on 2 Nov 2026")
	templates, texts = told(email)
	require.Equal(t, []string{message.TemplateRefundDecidedEmail}, templates)
	require.Contains(t, texts[message.TemplateRefundDecidedEmail], "Plan cancelled: the unused part; your plan ended on 2 Nov 2026")
}

// Given an upgrade that an earlier payment paid for in part and that is cancelled, then the customer hears of both refunds, and what staff
// transfer is no failure.
func TestCancelTx_UpgradePaidBySetOff_TellsOfBothAmounts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		tooOld bool
		told   []string
	}{
		"the first payment is refunded":    {false, []string{message.TemplateRefundDone, message.TemplateRefundDone}},
		"the first payment is too old now": {true, []string{message.TemplateRefundDecided, message.TemplateRefundDone}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			proved(b)
			first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
			up := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
			if tc.tooOld {
				b.Gateway.Window = time.Nanosecond
				b.Pass(time.Minute)
			}
			b.cancelled()
			sms, _ := b.deliver()
			templates, texts := told(sms)
			require.ElementsMatch(t, tc.told, templates)
			all := fmt.Sprint(sms.took)
			require.Contains(t, all, "Rs "+strings.TrimPrefix(first.Amount.Display(), "₹"))
			require.Contains(t, all, "Rs "+strings.TrimPrefix(up.Amount.Display(), "₹"))
			if tc.tooOld {
				require.Contains(t, texts[message.TemplateRefundDecided], "within 2 working days")
			}
		})
	}
}

// Given a refund that leaves the plan running, then the messages do not claim that the plan ended.
func TestRefundMessages_PlanKept_NameNoEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proved(b)
	b.KeepOrEnd(b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly)), 0, true)
	sms, email := b.deliver()
	require.NotContains(t, fmt.Sprint(sms.took, email.took), "plan ended on")
}

func TestRefundMessages_CancelledPlanInHindi_NameTheLastDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proved(b)
	b.DB.Owner.MustExec(`UPDATE franchisers SET language = 'hi'`)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.cancelled()
	_, email := b.deliver()
	templates, texts := told(email)
	require.Len(t, templates, 1)
	require.Contains(t, texts[templates[0]], "आपका प्लान 2 नवंबर 2026 को समाप्त हुआ")
}

func TestGoingBack_RefundPaidOut_NamesTheMoment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	c := b.cancelled()
	back, err := b.API.History.GoingBack(t.Context(), b.Buyer, b.Today())
	require.NoError(t, err)
	require.Equal(t, c.Total(), back.ByGateway)
	require.NotNil(t, back.GatewayDone)
	require.Equal(t, b.Today(), subscription.DayOf(*back.GatewayDone))
	require.Nil(t, back.TransferDone, "no bank transfer was due")
}

// cancelled cancels everything that the buyer has paid for.
func (b *bundle) cancelled() act.Cancellation {
	b.T.Helper()
	var c act.Cancellation
	require.NoError(b.T, postgres.InTx(b.T.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
		var err error
		if c, err = b.Worker.Acts.CancellationTx(b.T.Context(), tx, b.Buyer, b.Today()); err != nil {
			return err
		}
		c, err = b.Worker.Acts.CancelTx(b.T.Context(), tx, b.Buyer, b.Today(), c.Total(), "Leaves us", b.Clock.Now())
		return err
	}))
	b.Work()
	return c
}

func TestRefundMessages_PaidTwice_NameTheReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly)), b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(first, payment.StatusPaid)
	b.Settle(second, payment.StatusPaid)
	sms, _ := b.deliver()
	_, texts := told(sms)
	require.Contains(t, texts[message.TemplateRefundDone], "Rs 1,59,300")
	require.Contains(t, texts[message.TemplateRefundDone], "your plan had changed by then")
}

// The bank tells the customer about a chargeback, so we send no refund message.
func TestRefundMessages_LostDispute_AreNotSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proved(b)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Dispute(r, "d1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: r.Amount})
	require.Zero(t, b.Count(`SELECT count(*) FROM customer_messages WHERE template LIKE 'refund%'`))
}

func TestArrival_EachGatewayAndMethod_HasItsDays(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		gateway, paidWith string
		channel           payment.RefundChannel
		want              string
	}{
		{"payu", "upi", payment.ChannelGateway, "within 5 to 21 days"},
		{"razorpay", "card", payment.ChannelGateway, "within 5 to 10 days"},
		{"razorpay", "netbanking", payment.ChannelGateway, "within 2 to 10 days"},
		{"razorpay", "wallet", payment.ChannelGateway, "within 3 days"},
		{"razorpay", "upi", payment.ChannelGateway, "within 2 to 7 days"},
		{"razorpay", "emi", payment.ChannelGateway, "within 5 to 7 working days"},
		{"payu", "card", payment.ChannelBank, "within 2 working days"},
	} {
		got, err := world.Providers().Arrival(tc.gateway, tc.paidWith, tc.channel)
		require.NoError(t, err, tc)
		require.Equal(t, tc.want, got, tc)
		require.LessOrEqual(t, len(tc.want), message.MaxValue)
	}
}

func TestProviders_RefundAtAnUnknownGateway_IsAnError(t *testing.T) {
	t.Parallel()
	_, err := world.Providers().Arrival("unknown", "upi", payment.ChannelGateway)
	require.ErrorIs(t, err, payment.ErrProviderUnknown)
	got, err := world.Providers().Arrival("unknown", "upi", payment.ChannelBank)
	require.NoError(t, err)
	require.Equal(t, "within 2 working days", got, "a bank transfer is not the gateway's")
}
