package delivery_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestMessages_NeededDeliveredAndLate_AreToldOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	items := b.items(b.Buyer)
	change := func(item string, revision int, c delivery.Change) {
		t.Helper()
		c.Reason = "as agreed"
		require.NoError(t, desk.Change(ctx, b.Asha, b.Buyer, items[item].ID, revision, c))
	}
	change("Reward programme", 1, delivery.Change{State: delivery.StateWaiting, Needs: "Your rules."})
	change("Commission structures", 1, delivery.Change{State: delivery.StateInProgress})
	change("Priority support", 1, delivery.Change{State: delivery.StateDelivered, Proof: "Your requests come first."})
	b.Pass(3 * 24 * time.Hour)
	for range 2 {
		_, err := b.keeper.TellLate(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, "delivery_done_email delivery_late_email delivery_needed_email",
		b.Text(`SELECT string_agg(template, ' ' ORDER BY template) FROM customer_messages WHERE template LIKE 'delivery%'`))
	// Values and notes name the item, in each language; a message whose delivery changed is not needed.
	about := func(template string) string {
		return b.Text(`SELECT about FROM customer_messages WHERE template = $1`, template)
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
	require.Equal(t, []string{"Priority support"}, write(message.TemplateDeliveryDoneEmail).Values)
	require.Equal(t, []string{"Dedicated account manager", "4 Nov 2026"}, write(message.TemplateDeliveryLateEmail).Values)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.API, b.Buyer, func(tx *sqlx.Tx) error {
		id := about(message.TemplateDeliveryLateEmail)
		notes, err := delivery.Notes()[message.TemplateDeliveryLateEmail](t.Context(), tx, b.Buyer, []string{id}, i18n.English)
		require.Equal(t, message.Note{Title: "Dedicated account manager is late", Text: "It was promised for 4 Nov 2026.", Link: "/dashboard"}, notes[id])
		return err
	}))
	change("Dedicated account manager", 1, delivery.Change{State: delivery.StateInProgress})
	require.Nil(t, write(message.TemplateDeliveryLateEmail))
}
