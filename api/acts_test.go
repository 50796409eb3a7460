package main

import (
	"encoding/base32"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
)

func TestTOTP_IsEnrolledRequiredAndDisabled(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUp(t, "9876543210")
	got := c.post(t, "/profile/totp/enrol", map[string]any{"password": goodPassword})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	secret, _ := got.Data(t, "secret").(string)
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	require.NoError(t, err)
	code := func() string { return totp.Code(key, totp.StepAt(app.clock.Now())) }
	got = c.post(t, "/profile/totp/confirm", map[string]any{"code": code()})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Len(t, got.Data(t, "recovery_codes"), 10)

	app.clock.Advance(time.Minute)
	other := app.client(t)
	got = other.login(t, "9876543210", goodPassword)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, 401, other.get(t, "/session").Status, "the password alone opens nothing")
	got = other.post(t, "/login/totp", map[string]any{"totp_token": got.Data(t, "totp_token"), "code": code()})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, 200, other.get(t, "/session").Status)

	app.clock.Advance(time.Minute)
	got = other.post(t, "/profile/totp/disable", map[string]any{"password": goodPassword, "code": code()})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, 200, app.client(t).login(t, "9876543210", goodPassword).Status)
}

func TestRenewal_WithinItsWindow_IsPricedAndCharged(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500078")
	app.bought(t, c, newPayuServer(t))
	sub, _ := c.get(t, "/subscription/dashboard").Data(t, "subscription").(map[string]any)
	app.clock.Advance(350 * 24 * time.Hour)
	c = app.client(t)
	require.Equal(t, 200, c.login(t, "9876500078", goodPassword).Status)
	renewal := map[string]any{"subscription_id": sub["id"]}
	preview := c.post(t, "/renew-subscription/payments/details", renewal)
	require.Equal(t, 200, preview.Status, "%s", preview.Raw)
	require.Equal(t, "₹1,59,300", preview.Data(t, "total"))
	renewal["expected_total"] = preview.Data(t, "expected_total")
	session := c.post(t, "/renew-subscription/payments/request", renewal)
	require.Equal(t, 200, session.Status, "%s", session.Raw)
	form, _ := session.Data(t, "gateway_details").(map[string]any)
	require.Equal(t, "159300.00", form["amount"])
}

func TestStaff_HelpWithAPurchase(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.buyer(t, "9876543210")
	app.bought(t, owner, newPayuServer(t))
	open := owner.post(t, "/subscription/payments/request", choice(app.catalogue(t).Plans[1].Tiers[0], "yearly"))
	require.Equal(t, 200, open.Status, "%s", open.Raw)
	var asha, invoiceID, paymentID string
	require.NoError(t, app.db.Owner.Get(&asha, `SELECT id FROM franchisers`))
	require.NoError(t, app.db.Owner.Get(&invoiceID, `SELECT id FROM invoices`))
	require.NoError(t, app.db.Owner.Get(&paymentID, `SELECT id FROM payments WHERE state = 'created'`))
	_, err := app.db.Owner.Exec(`INSERT INTO invoice_documents (invoice_id, franchiser_id, object_key, sha256, size_bytes, rendered_at)
		VALUES ($1, $2, 'invoices/x.pdf', repeat('ab', 32), 1000, now())`, invoiceID, asha)
	require.NoError(t, err)

	people := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	customer := "/customers/" + asha
	got := people.act(t, customer+"/payments/"+paymentID+"/ask", map[string]any{"reason": "Has paid"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.act(t, customer+"/invoices/"+invoiceID+"/resend", map[string]any{"reason": "Lost it"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)

	_, err = app.db.Owner.Exec(`UPDATE subscriptions SET state = 'grace'`)
	require.NoError(t, err)
	app.clock.Set(time.Date(2027, 11, 3, 6, 0, 0, 0, time.UTC))
	people = staffClient{app.client(t)}
	got = people.call(t, http.MethodPost, "/login", map[string]any{"email": "sunita@example.in", "password": staffPassword, "code": app.staffCode()})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.act(t, customer+"/grace", map[string]any{"days": 3, "reason": "On holiday"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
}

func TestStaff_ChangeJobsContactsAndRequests(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	asha := app.client(t).signUp(t, "9876543210")
	failed := func() (job int64) {
		require.NoError(t, app.db.Owner.Get(&job, `INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, finalized_at, errors, metadata)
			VALUES ('sweep_payments', '{}', 'payments', 'discarded', 3, 3, now(),
				ARRAY[jsonb_build_object('at', now(), 'attempt', 3, 'error', 'the gateway is away', 'trace', '')], '{}') RETURNING id`))
		return job
	}
	people := app.signedInStaff(t)
	got := people.call(t, http.MethodGet, "/jobs/"+strconv.FormatInt(failed(), 10), nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, "/jobs/dismiss", map[string]any{"ids": []int64{failed()}, "reason": "Done by hand"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, "/jobs/snooze", map[string]any{"ids": []int64{failed()}, "reason": "Wait for them", "snooze_seconds": 600})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, "/jobs/dry-runs", map[string]any{"action": "rerun", "filter": map[string]any{"kind": "sweep_payments", "by": "first", "arg": "none"}})
	require.Equal(t, 409, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, "/jobs/dry-runs", map[string]any{"action": "rerun", "filter": map[string]any{"kind": "sweep_payments"}})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	dryRun, _ := got.Data(t, "id").(string)
	got = people.call(t, http.MethodPost, "/jobs/dry-runs/"+dryRun+"/continue", nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.EqualValues(t, 0, got.Data(t, "left"))
	require.Equal(t, 403, people.call(t, http.MethodPost, "/schedules/sweep_payments/run", map[string]any{"reason": "A customer waits"}).Status, "of admins alone")
	got = people.act(t, "/jobs/operations", map[string]any{"action": "rerun", "filter": map[string]any{"kind": "sweep_payments"}, "reason": "They are back"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	operation, _ := got.Data(t, "id").(string)
	got = people.call(t, http.MethodGet, "/jobs/operations/"+operation, nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)

	view := map[string]any{"list": "jobs", "name": "Given up", "query": "state=discarded", "shared": true}
	got = people.call(t, http.MethodPost, "/saved-views", view)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, 409, people.call(t, http.MethodPost, "/saved-views", view).Status)
	saved, _ := got.Data(t, "id").(string)
	got = people.call(t, http.MethodGet, "/saved-views?list=jobs", nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Len(t, got.Data(t, "views"), 1)
	require.Equal(t, 422, people.call(t, http.MethodGet, "/saved-views?list=money", nil).Status)
	got = people.call(t, http.MethodPost, "/saved-views/"+saved, map[string]any{"name": "Old ones", "shared": false})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodDelete, "/saved-views/"+saved, nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)

	notes := "/customers/" + asha + "/notes"
	got = people.act(t, notes, map[string]any{"text": "Prefers calls after 6 pm.", "pinned": false})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, "/customers/"+asha+"/tags", map[string]any{"tag": "vip", "set": true})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodGet, notes, nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, []any{"vip"}, got.Data(t, "tags"))
	written, _ := got.Data(t, "notes").([]any)
	require.Len(t, written, 1)
	first, _ := written[0].(map[string]any)
	got = people.call(t, http.MethodPost, notes+"/"+first["id"].(string)+"/pin", map[string]any{"pinned": true})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, notes+"/"+first["id"].(string)+"/delete", map[string]any{"reason": "Out of date"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)

	require.Equal(t, 200, app.client(t).post(t, "/contact", map[string]any{
		"name": "Asha", "email": "asha@example.in", "topic": "sales", "message": "We run twelve bakeries.",
		"consent": true, "consent_version": "2026-11",
	}).Status)
	list := people.call(t, http.MethodGet, "/contacts", nil)
	rows, _ := list.Body["data"].([]any)
	require.Len(t, rows, 1, "%s", list.Raw)
	row, _ := rows[0].(map[string]any)
	request := "/contacts/" + row["id"].(string)
	got = people.call(t, http.MethodGet, request, nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	colleague, _ := got.Data(t, "colleagues").([]any)[0].(map[string]any)
	got = people.call(t, http.MethodPost, request+"/owner", map[string]any{"owner_id": colleague["id"]})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, 422, people.act(t, request+"/entries", map[string]any{"kind": "reply", "text": "We call you.", "then": "open"}).Status)
	got = people.act(t, request+"/entries", map[string]any{"kind": "note", "text": "Called her"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, request, map[string]any{"state": "closed", "reason": "Answered"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, 409, people.call(t, http.MethodPost, request, map[string]any{"state": "waiting", "reason": "Answered"}).Status)
	counts := people.call(t, http.MethodGet, "/contacts/counts", nil)
	require.InDelta(t, 1, counts.Data(t, "closed"), 0, "%s", counts.Raw)

	page := map[string]any{"page": "customer:" + asha}
	require.Equal(t, 200, people.call(t, http.MethodPost, "/presence", page).Status)
	require.Equal(t, 200, people.call(t, http.MethodGet, "/presence?pages=customer:"+asha, nil).Status)
	require.Equal(t, 422, people.call(t, http.MethodGet, "/presence?pages=everybody", nil).Status)
	require.Equal(t, 200, people.call(t, http.MethodGet, "/contact-macros", nil).Status)
	admin := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	macro := map[string]any{"title": "How to pay", "text": "Dear {name}, you pay by UPI."}
	got = admin.call(t, http.MethodPost, "/contact-macros", macro)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	saved, _ = got.Data(t, "id").(string)
	require.Equal(t, 409, admin.call(t, http.MethodPost, "/contact-macros", macro).Status)
	require.Equal(t, 403, people.call(t, http.MethodPost, "/contact-macros/"+saved, macro).Status)
	require.Equal(t, 200, admin.call(t, http.MethodPost, "/contact-macros/"+saved, macro).Status)
	require.Equal(t, 200, admin.call(t, http.MethodDelete, "/contact-macros/"+saved, nil).Status)

	got = people.call(t, http.MethodPost, "/customers/"+asha+"/views", map[string]any{"reason": "She cannot find her invoice"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	look, _ := got.Data(t, "id").(string)
	got = people.call(t, http.MethodPost, "/views/"+look+"/begin", map[string]any{"code": app.consentCode(t, look)})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, "/views/"+look+"/end", nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
}

func TestStaff_RecheckADomainAndDeclineARefund(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	franchiser := c.signUpForTrial(t, asha)
	store := c.openStore(t, asha, "Asha Sweets")
	got := c.put(t, "/subscription/custom-domain/"+store, map[string]any{"custom_domain": "shop.ashasweets.in"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	ravi, meera := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin), app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	got = ravi.act(t, "/customers/"+franchiser+"/domain/recheck", map[string]any{"reason": "The record is set"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)

	buyer, paid := app.paidBy(t, app.bought(t, app.buyer(t, "9876500024"), newPayuServer(t)))
	got = ravi.act(t, "/reversals", map[string]any{
		"customer_id": buyer, "payment_id": paid, "kind": "refund", "all": true, "reason": "Bought by mistake",
	})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = meera.act(t, "/reversals/"+got.Data(t, "id").(string)+"/decline", map[string]any{"reason": "She keeps it after all"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "declined", got.Data(t, "state"))
}

func TestCloseDispute_ByAnAdmin(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	ravi := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	buyer, paid := app.paidBy(t, app.bought(t, app.buyer(t, "9876500025"), newPayuServer(t)))
	dispute := id.New()
	_, err := app.db.Owner.Exec(`INSERT INTO disputes (id, franchiser_id, payment_id, gateway_dispute_id, state, confirmed, amount_paise, opened_at)
		VALUES ($1, $2, $3, '1795784', 'open', false, 100, now())`, dispute, buyer, paid)
	require.NoError(t, err)
	end := func(body map[string]any) answer { return ravi.act(t, "/disputes/"+dispute+"/close", body) }
	require.Equal(t, 422, end(map[string]any{"customer_id": buyer, "outcome": "lost", "reason": "Read there"}).Status)
	require.Equal(t, 404, end(map[string]any{"customer_id": id.New(), "outcome": "won", "reason": "Read there"}).Status)
	got := end(map[string]any{"customer_id": buyer, "outcome": "dismissed", "reason": "Not in the gateway's list"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "dismissed", got.Data(t, "state"))
	require.Equal(t, 409, end(map[string]any{"customer_id": buyer, "outcome": "won", "reason": "Read there"}).Status)
}
