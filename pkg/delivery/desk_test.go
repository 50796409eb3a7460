package delivery_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func (b *bundle) desk() *delivery.Desk {
	return delivery.NewDesk(b.DB.API, b.Clock, staff.NewRecorder(b.Clock), tells(b.T, b.DB.API))
}

func TestDesk_Change_IsRecordedAndOldRevisionIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	manager := b.items(b.Buyer)["Dedicated account manager"]
	ravi := b.Ravi.StaffID
	require.NoError(t, desk.Assign(ctx, b.Asha, b.Buyer, manager.ID, 1, &ravi))
	require.ErrorContains(t, desk.Change(ctx, b.Asha, b.Buyer, manager.ID, 1, delivery.Change{State: delivery.StateInProgress, Reason: "begun"}), "changed meanwhile")
	nobody := id.New()
	require.Contains(t, errs.As(desk.Assign(ctx, b.Asha, b.Buyer, manager.ID, 2, &nobody)).Fields, "staff_id")
	require.Contains(t, errs.As(desk.Change(ctx, b.Asha, b.Buyer, manager.ID, 2, delivery.Change{State: delivery.StateInProgress})).Fields, "reason")
	require.NoError(t, desk.Change(ctx, b.Asha, b.Buyer, manager.ID, 2, delivery.Change{
		State: delivery.StateDelivered, Proof: "Ravi called on 3 November.", Reason: "first call",
	}))
	got := b.items(b.Buyer)["Dedicated account manager"]
	require.Equal(t, "delivered Ravi called on 3 November. ravi", string(got.State)+" "+got.Proof+" "+got.Staff)
	o, err := desk.Open(ctx, b.Buyer, manager.ID)
	require.NoError(t, err)
	kinds := []string{}
	for _, e := range o.Events {
		kinds = append(kinds, e.Kind+" "+e.Note)
	}
	require.Equal(t, []string{"moved first call", "assigned ravi", "begun "}, kinds)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM staff_actions WHERE target = $1`, "delivery:"+manager.ID))
	_, err = desk.Open(ctx, b.Franchiser("27"), manager.ID)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestDesk_List_FiltersLateOpenAndAssigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.Franchiser("27")
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	names := func(f delivery.Filter) []string {
		t.Helper()
		rows, total, err := desk.List(ctx, b.Asha, f, 100, 0)
		require.NoError(t, err)
		require.Len(t, rows, total)
		list := []string{}
		for _, r := range rows {
			require.NotEmpty(t, r.Customer)
			list = append(list, r.Name)
		}
		return list
	}
	require.Empty(t, names(delivery.Filter{State: delivery.FilterLate}))
	require.Len(t, names(delivery.Filter{State: delivery.FilterOpen, CustomerID: other}), 7)
	require.Len(t, names(delivery.Filter{CustomerID: other}), 8)
	b.Pass(5 * 24 * time.Hour)
	require.Equal(t, []string{"Priority support", "Dedicated account manager"}, names(delivery.Filter{State: delivery.FilterLate}),
		"what waits for the customer is not late")
	require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
		late, err := delivery.CountLateTx(t.Context(), tx, b.Clock.Now())
		require.Equal(t, 2, late)
		return err
	}))
	manager := b.items(b.Buyer)["Dedicated account manager"]
	require.NoError(t, desk.Assign(ctx, b.Asha, b.Buyer, manager.ID, 1, &b.Asha.StaffID))
	require.Equal(t, []string{"Dedicated account manager"}, names(delivery.Filter{Owner: "me"}))
	require.NotContains(t, names(delivery.Filter{Owner: "nobody"}), "Dedicated account manager")
	require.Equal(t, []string{"Custom domain", "Custom domain"}, names(delivery.Filter{Search: "DOMAIN", How: "product"}))
	rows, total, err := desk.List(ctx, b.Asha, delivery.Filter{}, 3, 3)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, 23, total)
	_, _, err = desk.List(t.Context(), b.Asha, delivery.Filter{}, 3, 0)
	require.Error(t, err, "only staff with a session see every customer")
}
