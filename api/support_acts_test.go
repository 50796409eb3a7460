package main

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// actsOfWorker performs the approved acts, as the worker does.
func (a *testApp) actsOfWorker(t *testing.T) *support.Acts {
	t.Helper()
	working, people := a.working(t, a.config), staff.NewRecorder(a.clock)
	jobs := testkit.NewInserter(t, a.db.Worker)
	tells := message.NewEnqueuer(message.EnqueuerOptions{Jobs: jobs, Email: true})
	return support.NewActs(support.ActOptions{
		DB: a.db.Worker, Jobs: jobs, Clock: a.clock, Recorder: people, Payments: working.Payments.Acts,
		Desk:         recovery.New(session.NewCache(working.Cache, testkit.NewKeyring(t)), tells, jobs, working.Records, 24*time.Hour),
		Concessions:  subscription.NewGraceExtensions(a.db.Worker, a.clock, people, tells),
		ApproveAbove: working.ApproveAbove,
	})
}

// Given a payment that lacks a rupee, then support requests its acceptance, an admin approves, and the worker activates the plan. Each role
// has its rights, and the trail records everything.
func TestStaff_AcceptAShortPaymentAndOpenItsInvoice(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	c := app.buyer(t, "9876500091")
	session := c.post(t, "/subscription/payments/request", choice(app.catalogue(t).Plans[0].Tiers[0], "yearly"))
	form, _ := session.Data(t, "gateway_details").(map[string]any)
	txn, _ := form["txnid"].(string)
	gateway.captured(txn, "159299.00")
	app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "success"))
	gateway.work(t, app)
	var franchiser, paymentID string
	require.NoError(t, app.db.Owner.QueryRow(`SELECT franchiser_id, id FROM payments WHERE transaction_id = $1 AND state = 'held'`, txn).Scan(&franchiser, &paymentID))

	sunita, ravi, meera := app.signedInAs(t, "sunita@example.in", staff.RoleSupport), app.signedInAs(t, "ravi@example.in", staff.RoleAdmin),
		app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	ask := map[string]any{"kind": "short_payment", "customer_id": franchiser, "payment_id": paymentID, "reason": "The bank kept a rupee"}
	preview := map[string]any{"kind": "short_payment", "customer_id": franchiser, "payment_id": paymentID}
	got := sunita.act(t, "/acts/preview", preview)
	require.Equal(t, []any{200, 100., true}, []any{got.Status, got.Data(t, "amount_paise"), got.Data(t, "needs_approval")}, "%s", got.Raw)
	require.Equal(t, 422, sunita.act(t, "/acts/preview", map[string]any{"kind": "short_payment", "customer_id": franchiser, "payment_id": paymentID, "days": 0}).Status)
	got = ravi.act(t, "/acts/preview", preview)
	require.Equal(t, false, got.Data(t, "needs_approval"), "an admin alone may give up a rupee")
	got = sunita.act(t, "/acts", ask)
	require.Equal(t, []any{200, "waiting"}, []any{got.Status, got.Data(t, "state")}, "%s", got.Raw)
	path := "/acts/" + got.Data(t, "id").(string)
	require.Equal(t, 409, ravi.act(t, "/acts", ask).Status, "one at a time")
	why := map[string]any{"reason": "Checked the payment"}
	require.Equal(t, 403, sunita.act(t, path+"/approve", why).Status)
	require.Equal(t, 403, sunita.act(t, path+"/decline", why).Status)
	require.Equal(t, 403, ravi.act(t, path+"/withdraw", why).Status)
	require.Equal(t, 422, ravi.act(t, path+"/approve", map[string]any{"reason": " "}).Status)
	withdrawn := sunita.act(t, path+"/withdraw", why)
	require.Equal(t, []any{200, "withdrawn"}, []any{withdrawn.Status, withdrawn.Data(t, "state")}, "%s", withdrawn.Raw)

	got = sunita.act(t, "/acts", ask)
	declined := ravi.act(t, "/acts/"+got.Data(t, "id").(string)+"/decline", why)
	require.Equal(t, []any{200, "declined"}, []any{declined.Status, declined.Data(t, "state")}, "%s", declined.Raw)
	got = sunita.act(t, "/acts", ask)
	actID, _ := got.Data(t, "id").(string)
	approved := meera.act(t, "/acts/"+actID+"/approve", why)
	require.Equal(t, []any{200, "approved"}, []any{approved.Status, approved.Data(t, "state")}, "%s", approved.Raw)
	require.Equal(t, 409, ravi.act(t, "/acts/"+actID+"/approve", why).Status)
	worker := app.actsOfWorker(t)
	require.NoError(t, worker.Perform(t.Context(), actID))

	list := sunita.call(t, http.MethodGet, "/acts?customer_id="+franchiser, nil)
	require.Equal(t, 200, list.Status, "%s", list.Raw)
	row := list.Body["data"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"done", "short_payment", franchiser}, []any{row["state"], row["kind"], row["customer_id"]})
	require.NotEmpty(t, row["customer_name"])
	require.Equal(t, 422, sunita.call(t, http.MethodGet, "/acts?state=lost", nil).Status)

	var invoiceID string
	require.NoError(t, app.db.Owner.Get(&invoiceID, `SELECT id FROM invoices WHERE kind = 'invoice' AND franchiser_id = $1`, franchiser))
	document := sunita.call(t, http.MethodGet, "/customers/"+franchiser+"/invoices/"+invoiceID, nil)
	require.Equal(t, []any{200, nil}, []any{document.Status, document.Data(t, "url")}, "%s", document.Raw)
	require.Equal(t, 404, sunita.call(t, http.MethodGet, "/customers/"+paymentID+"/invoices/"+invoiceID, nil).Status, "another customer's")
	var kinds []string
	require.NoError(t, app.db.Owner.Select(&kinds, `SELECT action FROM staff_actions WHERE franchiser_ref = $1 AND action <> 'read_list' ORDER BY sequence`, franchiser))
	require.Equal(t, []string{
		"request_short_payment", "withdraw_request", "request_short_payment", "decline_short_payment", "request_short_payment",
		"approve_short_payment", "open_document",
	}, kinds)
	// The invoice was for a company: it is issued again, and the customer's list says which invoice counts.
	correct := map[string]any{
		"kind": "correct_recipient", "customer_id": franchiser, "invoice_id": invoiceID, "name": "Asha Sweets LLP",
		"address": "12 Camp Road\nPune, Maharashtra 411001", "state_code": "27", "gstin": "27AAGCB7383J1Z8", "reason": "The company buys",
	}
	require.Equal(t, 422, ravi.act(t, "/acts", map[string]any{"kind": "correct_recipient", "customer_id": franchiser, "invoice_id": "first", "reason": "Wrong"}).Status)
	got = ravi.act(t, "/acts", correct)
	require.Equal(t, []any{200, "waiting"}, []any{got.Status, got.Data(t, "state")}, "%s", got.Raw)
	actID, _ = got.Data(t, "id").(string)
	require.Equal(t, 200, meera.act(t, "/acts/"+actID+"/approve", why).Status)
	require.NoError(t, worker.Perform(t.Context(), actID))
	listed := c.get(t, "/subscription/payments/list")
	require.Equal(t, 200, listed.Status, "%s", listed.Raw)
	documents := map[string][]any{}
	for _, d := range listed.Body["data"].([]any)[0].(map[string]any)["documents"].([]any) {
		d, _ := d.(map[string]any)
		documents[d["number"].(string)] = []any{d["kind"], d["replaces"], d["replaced_by"]}
	}
	require.Equal(t, []any{"invoice", "", "FP/26-27/000002"}, documents["FP/26-27/000001"], "%s", listed.Raw)
	require.Equal(t, []any{"invoice", "FP/26-27/000001", ""}, documents["FP/26-27/000002"])
	require.Equal(t, []any{"credit_note", "", ""}, documents["CN/26-27/000001"])
	require.Equal(t, 409, ravi.act(t, "/acts", map[string]any{"kind": "reset_authenticator", "customer_id": franchiser, "reason": "Lost phone"}).Status)
	require.Equal(t, 409, ravi.act(t, "/acts/preview", map[string]any{"kind": "outage_grace", "from": "2026-11-01", "to": "2026-11-02", "days": 3}).Status)
	require.Equal(t, 422, ravi.act(t, "/acts/preview", map[string]any{"kind": "outage_grace", "from": "yesterday", "to": "2026-11-02", "days": 3}).Status)

	// Another cycle waits for the renewal, and is worked out without anything being done.
	other := map[string]any{
		"kind": "switch_plan", "customer_id": franchiser, "plan_services_id": app.catalogue(t).Plans[0].Tiers[0].ID, "plan_type": "monthly",
		"add_ons_service_id": []string{}, "settlement": "renewal",
	}
	got = sunita.act(t, "/acts/preview", other)
	require.Equal(t, []any{200, 0., true}, []any{got.Status, got.Data(t, "amount_paise"), got.Data(t, "needs_approval")}, "%s", got.Raw)
	other["settlement"] = "refund"
	require.Equal(t, 409, ravi.act(t, "/acts/preview", other).Status)
	for field, wrong := range map[string]any{"plan_services_id": "first", "add_ons_service_id": []string{"second,third"}, "settlement": "free", "plan_type": "weekly"} {
		bad := maps.Clone(other)
		bad[field] = wrong
		require.Equal(t, 422, ravi.act(t, "/acts/preview", bad).Status, field)
	}
	// What another kind would need is checked, too.
	for field, wrong := range map[string]any{
		"payment_id": "", "invoice_id": "first", "name": strings.Repeat("a", 101), "address": strings.Repeat("a", 121), "state_code": "290",
		"gstin": "A29AAGCB7383J1Z4", "mobile": "", "from": "", "to": "yesterday", "days": 0, "plan_services_id": "", "plan_type": "weekly",
		"settlement": "", "add_ons_service_id": []string{""},
	} {
		bad := map[string]any{"kind": "cancel_plan", "customer_id": franchiser, field: wrong}
		require.Equal(t, 422, ravi.act(t, "/acts/preview", bad).Status, field)
	}

	// The requester of a refund can withdraw the request.
	got = ravi.act(t, "/reversals", map[string]any{
		"customer_id": franchiser, "payment_id": paymentID, "kind": reversal.KindRefund, "all": true, "reason": "Changed her mind",
	})
	require.Equal(t, []any{200, "waiting"}, []any{got.Status, got.Data(t, "state")}, "%s", got.Raw)
	path = "/reversals/" + got.Data(t, "id").(string) + "/withdraw"
	require.Equal(t, 403, meera.act(t, path, why).Status)
	withdrawn = ravi.act(t, path, why)
	require.Equal(t, []any{200, "withdrawn"}, []any{withdrawn.Status, withdrawn.Data(t, "state")}, "%s", withdrawn.Raw)
}

// Given a change of a lost mobile that two admins decided, then the customer's page names it. The link stops it without a log-in, opening
// the link stops nothing, and staff can stop the next change.
func TestMobileChange_IsStoppedByItsLinkOrStaff(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.buyer(t, "9876500092")
	var franchiser string
	require.NoError(t, app.db.Owner.Get(&franchiser, `SELECT id FROM franchisers WHERE mobile = '9876500092'`))
	ravi, meera := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin), app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	worker := app.actsOfWorker(t)
	schedule := func() string {
		got := ravi.act(t, "/acts", map[string]any{"kind": "change_mobile", "customer_id": franchiser, "mobile": "9876500093", "checked": "PAN card seen in a video call", "reason": "Lost SIM"})
		require.Equal(t, 200, got.Status, "%s", got.Raw)
		id, _ := got.Data(t, "id").(string)
		require.Equal(t, 200, meera.act(t, "/acts/"+id+"/approve", map[string]any{"reason": "Seen in a call"}).Status)
		require.NoError(t, worker.Perform(t.Context(), id))
		return id
	}
	pending := func() any {
		return ravi.call(t, http.MethodGet, "/customers/"+franchiser, nil).Data(t, "mobile_change")
	}
	require.Nil(t, pending())
	act := schedule()
	waits, _ := pending().(map[string]any)
	require.Equal(t, []any{act, "0093"}, []any{waits["act_id"], waits["ending"]})

	code, err := testkit.NewKeyring(t).LinkTo("stop a change of mobile", act)
	require.NoError(t, err)
	stranger := app.client(t)
	seen := stranger.get(t, "/mobile-changes/"+code)
	require.Equal(t, []any{200, "waiting", "0093"}, []any{seen.Status, seen.Data(t, "state"), seen.Data(t, "ending")}, "%s", seen.Raw)
	require.Equal(t, 404, stranger.get(t, "/mobile-changes/"+strings.Repeat("A", 38)).Status)
	require.Equal(t, 404, stranger.post(t, "/mobile-changes/"+strings.Repeat("A", 38)+"/stop", nil).Status)
	for range 2 {
		stopped := stranger.post(t, "/mobile-changes/"+code+"/stop", nil)
		require.Equal(t, []any{200, "stopped"}, []any{stopped.Status, stopped.Data(t, "state")}, "%s", stopped.Raw)
	}
	require.NoError(t, worker.Continue(t.Context(), act))
	require.Nil(t, pending())

	act = schedule()
	require.Equal(t, 422, ravi.act(t, "/acts/"+act+"/stop", map[string]any{"reason": " "}).Status)
	stopped := ravi.act(t, "/acts/"+act+"/stop", map[string]any{"reason": "The phone was found"})
	require.Equal(t, []any{200, "stopped"}, []any{stopped.Status, stopped.Data(t, "state")}, "%s", stopped.Raw)
	require.Equal(t, 409, ravi.act(t, "/acts/"+act+"/stop", map[string]any{"reason": "Once more"}).Status)
	list := ravi.call(t, http.MethodGet, "/acts?state=stopped&customer_id="+franchiser, nil)
	require.Len(t, list.Body["data"], 2)
}
