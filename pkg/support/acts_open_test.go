package support_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestCustomer_ActsThatWait_AreOpenRequestsAndHealth(t *testing.T) {
	t.Parallel()
	b := acting(t)
	customers := support.NewCustomers(b.DB.API, b.Clock, staff.NewRecorder(b.Clock), nil)
	paid := b.PaymentOf(b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly)))
	asked := map[support.ActKind]support.ActContent{
		support.ActChangeMobile:     {Mobile: "9812345678", Checked: checked},
		support.ActCancelPlan:       {},
		support.ActCorrectRecipient: {InvoiceID: b.invoiceOf(paid), Recipient: pune()},
	}
	page := func() (requests map[support.ActKind]support.OpenAct, health []string) {
		c, err := customers.Customer(b.Asha.Sign(t.Context()), b.Asha, b.Buyer)
		require.NoError(t, err)
		requests = map[support.ActKind]support.OpenAct{}
		for _, one := range c.OpenActs {
			requests[one.Kind] = one
		}
		for _, one := range customers.Health(staff.RoleAdmin, c) {
			if one.Kind == "approval" {
				health = append(health, one.Level+": "+one.Text)
			}
		}
		return requests, health
	}
	for kind, content := range asked {
		act, err := b.ask(kind, content)
		require.NoError(t, err)
		require.Equal(t, approval.Waiting, act.State, kind)
	}
	requests, health := page()
	require.Len(t, requests, len(asked))
	require.Equal(t, asked[support.ActCorrectRecipient].InvoiceID, requests[support.ActCorrectRecipient].InvoiceID)
	require.Equal(t, "asha", requests[support.ActCancelPlan].RequestedBy)
	require.Positive(t, requests[support.ActCancelPlan].Amount)
	require.Len(t, health, len(asked))
	require.Contains(t, health, "warn: asha asked to change a lost mobile. A second admin has to approve it.")
	require.Contains(t, health, "warn: asha asked to cancel a plan. A second admin has to approve it.")

	for _, one := range requests {
		_, err := b.asked.Decline(b.Ravi.Sign(t.Context()), b.Ravi, one.ID, "Not agreed")
		require.NoError(t, err)
	}
	requests, health = page()
	require.Empty(t, requests)
	require.Empty(t, health)
}
