package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// undecided is a customer whose renewal is being debited, with the payment of the debit.
func undecided(t *testing.T) (app *testApp, c *testClient, franchiser, payment string, renewal map[string]any) {
	t.Helper()
	app, c = renewing(t)
	app.clock.Advance(25 * 24 * time.Hour)
	app.login(t, c)
	var subscription string
	require.NoError(t, app.db.Owner.Get(&subscription, `SELECT id FROM subscriptions`))
	renewal = map[string]any{"subscription_id": subscription}
	asked := c.post(t, "/renew-subscription/payments/request", renewal)
	require.Equal(t, 200, asked.Status, "%s", asked.Raw)
	require.NoError(t, app.db.Owner.QueryRow(`UPDATE payments SET by_mandate = true WHERE state = 'created' RETURNING franchiser_id, id`).Scan(&franchiser, &payment))
	return app, c, franchiser, payment, renewal
}

func TestTransfer_DespiteUndecidedDebit_NeedsConfirmation(t *testing.T) {
	t.Parallel()
	_, c, _, _, renewal := undecided(t)
	details := c.post(t, "/renew-subscription/payments/details", renewal)
	require.NotNil(t, details.Data(t, "undecided_debit"), "%s", details.Raw)
	refused := c.do(t, http.MethodPost, "/transfers/renewal", renewal, "Idempotency-Key", id.New())
	require.Equal(t, []any{409, "debit_undecided"}, []any{refused.Status, refused.Body["code"]}, "%s", refused.Raw)
	renewal["pay_despite_debit"] = true
	given := c.do(t, http.MethodPost, "/transfers/renewal", renewal, "Idempotency-Key", id.New())
	require.Equal(t, []any{200, "open"}, []any{given.Status, given.Data(t, "state")}, "%s", given.Raw)
}

// Given a debit that its bank does not decide, when support requests its end and an admin approves, then the customer pays without a
// warning.
func TestEndDebit_AskedBySupportAndApproved_LetsTheCustomerPayAgain(t *testing.T) {
	t.Parallel()
	app, c, franchiser, paymentID, renewal := undecided(t)
	sunita := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	preview := map[string]any{"kind": "end_debit", "customer_id": franchiser, "payment_id": paymentID}
	soon := sunita.act(t, "/acts/preview", preview)
	require.Equal(t, []any{409, "not_undecided"}, []any{soon.Status, soon.Body["code"]}, "%s", soon.Raw)
	app.clock.Advance(61 * time.Minute)
	sunita = app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	ravi := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	got := sunita.act(t, "/acts/preview", preview)
	require.Equal(t, []any{200, true}, []any{got.Status, got.Data(t, "needs_approval")}, "%s", got.Raw)
	other := map[string]any{"kind": "end_debit", "customer_id": id.New(), "payment_id": paymentID}
	require.Equal(t, 404, sunita.act(t, "/acts/preview", other).Status)
	ask := map[string]any{"kind": "end_debit", "customer_id": franchiser, "payment_id": paymentID, "reason": "The bank does not answer"}
	got = sunita.act(t, "/acts", ask)
	require.Equal(t, []any{200, "waiting"}, []any{got.Status, got.Data(t, "state")}, "%s", got.Raw)
	act := got.Data(t, "id").(string)
	approved := ravi.act(t, "/acts/"+act+"/approve", map[string]any{"reason": "Asked the gateway"})
	require.Equal(t, []any{200, "approved"}, []any{approved.Status, approved.Data(t, "state")}, "%s", approved.Raw)
	require.NoError(t, app.actsOfWorker(t).Perform(t.Context(), act))
	require.Equal(t, 1, app.count(t, `SELECT count(*) FROM payments WHERE by_mandate AND state = 'expired'`))
	app.login(t, c)
	details := c.post(t, "/renew-subscription/payments/details", renewal)
	require.Equal(t, []any{200, nil}, []any{details.Status, details.Data(t, "undecided_debit")}, "%s", details.Raw)
	require.Equal(t, 200, c.post(t, "/renew-subscription/payments/request", renewal).Status)
}
