package delivery_test

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestMessages_NeededDeliveredAndLate_AreOneDigestADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	change := func(item string, c delivery.Change) {
		t.Helper()
		c.Reason = "as agreed"
		d := b.items(b.Buyer)[item] //nolint:contextcheck // the helpers use the test's context
		require.NoError(t, desk.Change(ctx, b.Asha, b.Buyer, d.ID, d.Revision, c))
	}
	tell := func() (n int) {
		t.Helper()
		_, err := b.keeper.MarkLate(t.Context())
		require.NoError(t, err)
		n, err = b.keeper.Tell(t.Context())
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 1, tell(), "what the purchase needs")
	require.Zero(t, tell())
	change("Reward programme", delivery.Change{State: delivery.StateInProgress})
	change("Reward programme", delivery.Change{State: delivery.StateWaiting, Needs: "Your rules."})
	require.Zero(t, tell(), "one message of a kind a day")
	change("Priority support", delivery.Change{State: delivery.StateDelivered, Proof: "Your requests come first."})
	require.Equal(t, 1, tell())
	b.Pass(34 * 24 * time.Hour)
	require.Equal(t, 2, tell(), "what is needed, and all that is late")
	require.Zero(t, tell())
	require.Equal(t, "delivery_done_email delivery_late delivery_late_email delivery_needed delivery_needed delivery_needed_email delivery_needed_email",
		b.Text(`SELECT string_agg(template, ' ' ORDER BY template) FROM customer_messages WHERE template LIKE 'delivery%'`))
	// Values and notes name the item, in each language; a message whose delivery changed is not needed.
	about := func(template string) string {
		return b.Text(`SELECT about FROM customer_messages WHERE template = $1 ORDER BY created_at DESC LIMIT 1`, template)
	}
	write := func(template string) (m *message.Message) {
		t.Helper()
		require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) (err error) {
			m, err = delivery.Letters()[template].Write(t.Context(), tx, message.CustomerMessage{
				FranchiserID: b.Buyer, Template: template, About: about(template), Language: i18n.English,
			})
			return err
		}))
		return m
	}
	require.Equal(t, []string{"Reward programme", "Your rules."}, write(message.TemplateDeliveryNeededEmail).Values)
	require.Empty(t, write(message.TemplateDeliveryNeeded).Values, "an SMS leads to the list")
	require.Equal(t, []string{"Priority support"}, write(message.TemplateDeliveryDoneEmail).Values)
	late := []string{"Dedicated account manager, Cross-selling and up-selling, Reward-portal sales earnings", "4 Nov 2026, 23 Nov 2026"}
	require.Equal(t, late, write(message.TemplateDeliveryLateEmail).Values)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.API, b.Buyer, func(tx *sqlx.Tx) error {
		id := about(message.TemplateDeliveryLateEmail)
		notes, err := delivery.Notes()[message.TemplateDeliveryLateEmail](t.Context(), tx, b.Buyer, []string{id}, i18n.English)
		require.Equal(t, message.Note{Title: "Late: " + late[0], Text: "Promised for " + late[1] + ".", Link: "/deliveries"}, notes[id])
		return err
	}))
	for _, item := range []string{"Dedicated account manager", "Cross-selling and up-selling", "Reward-portal sales earnings"} {
		change(item, delivery.Change{State: delivery.StateDelivered, Proof: "Done."})
	}
	for _, template := range []string{message.TemplateDeliveryLateEmail, message.TemplateDeliveryLate} {
		require.Nil(t, write(template), "nothing of it is late any more")
	}
}

func TestMessages_HindiReader_GetNamesAndNeedsInHindiAndStaffsWordsAsWritten(t *testing.T) {
	t.Parallel()
	const hindi i18n.Language = "hi"
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	_, err := b.DB.Owner.Exec(`UPDATE deliveries SET name = 'Own aeroplane', needs = 'A runway.' WHERE item = 'Custom domain'`)
	require.NoError(t, err)
	_, err = b.keeper.Tell(t.Context())
	require.NoError(t, err)
	about := b.Text(`SELECT about FROM customer_messages WHERE template = 'delivery_needed_email'`)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) error {
		m, err := delivery.Letters()[message.TemplateDeliveryNeededEmail].Write(t.Context(), tx, message.CustomerMessage{
			FranchiserID: b.Buyer, Template: message.TemplateDeliveryNeededEmail, About: about, Language: hindi,
		})
		require.NoError(t, err)
		require.Equal(t, []string{
			"फ्रैंचाइज़ को जोड़ना, Own aeroplane, कार्ड पेमेंट गेटवे और 4 अन्य",
			"पहला पार्टनर अभी जुड़ा नहीं है: उसे आमंत्रित करें। A runway. वह बैंक खाता जिसमें आपके ग्राहकों के भुगतान आते हैं। और 4 अन्य",
		}, m.Values)
		notes, err := delivery.Notes()[message.TemplateDeliveryNeededEmail](t.Context(), tx, b.Buyer, []string{about}, hindi)
		require.Equal(t, message.Note{Title: "हमें आपसे कुछ चाहिए: " + m.Values[0], Text: m.Values[1], Link: "/deliveries"}, notes[about])
		return err
	}))
}

// A value of an e-mail has 300 characters at most.
func TestMessages_LongNeeds_FitTheEmail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	_, err := b.DB.Owner.Exec(`UPDATE deliveries SET needs = left(repeat(name || ' ', 300), 300) WHERE state = 'waiting_for_customer'`)
	require.NoError(t, err)
	_, err = b.keeper.Tell(t.Context())
	require.NoError(t, err)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) error {
		m, err := delivery.Letters()[message.TemplateDeliveryNeededEmail].Write(t.Context(), tx, message.CustomerMessage{
			FranchiserID: b.Buyer, Template: message.TemplateDeliveryNeededEmail, Language: "hi",
			About: b.Text(`SELECT about FROM customer_messages WHERE template = 'delivery_needed_email'`),
		})
		require.LessOrEqual(t, utf8.RuneCountInString(m.Values[1]), 300)
		require.Contains(t, m.Values[1], "… और")
		return err
	}))
}

func TestRemind_CustomerDoesNotAnswer_IsRemindedTwiceThenStaffCall(t *testing.T) {
	t.Parallel()
	b := setup(t) // on Monday, 2 November
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	waiting := b.Count(`SELECT count(*) FROM deliveries WHERE state = 'waiting_for_customer'`)
	require.Positive(t, waiting)
	remind := func() (rows, messages int) {
		t.Helper()
		rows, err := b.keeper.Remind(t.Context())
		require.NoError(t, err)
		messages, err = b.keeper.Tell(t.Context())
		require.NoError(t, err)
		return rows, messages
	}
	reminded := []string{}
	for range 12 {
		rows, messages := remind()
		if rows > 0 {
			reminded = append(reminded, subscription.DayOf(b.Clock.Now()).String())
			require.Equal(t, []int{waiting, 1}, []int{rows, messages}, "one message for all of them")
		}
		rows, messages = remind()
		require.Equal(t, []int{0, 0}, []int{rows, messages}, "a second run on the same day")
		b.Pass(24 * time.Hour)
	}
	require.Equal(t, []string{"2026-11-05", "2026-11-11"}, reminded, "after three and seven working days")
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM customer_messages WHERE template = 'delivery_needed_email'`), "the first message and two reminders")

	asha := b.Asha.Sign(t.Context())
	require.Equal(t, waiting, b.work(asha, "unanswered_delivery"))
	app := b.items(b.Buyer)["Own Android and iOS app"]
	require.Zero(t, b.work(asha, "provided_delivery"))
	require.NoError(t, b.ledger.Provide(t.Context(), b.Buyer, app.ID, "Use the red logo."))
	require.Equal(t, []int{waiting - 1, 1}, []int{b.work(asha, "unanswered_delivery"), b.work(asha, "provided_delivery")})
	d := b.items(b.Buyer)["Own Android and iOS app"]
	require.NoError(t, b.desk().Change(asha, b.Asha, b.Buyer, d.ID, d.Revision, delivery.Change{State: delivery.StateWaiting, Needs: "A larger logo.", Reason: "too small"}))
	require.Zero(t, b.Count(`SELECT reminders FROM deliveries WHERE id = $1`, d.ID), "a new wait has its own reminders")
	require.Zero(t, b.work(asha, "provided_delivery"), "staff saw to it")
}
