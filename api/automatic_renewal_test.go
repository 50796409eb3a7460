package main

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

const automaticRenewal = "/subscription/automatic-renewal"

// renewing is a customer of a monthly plan whose renewal is open, of a platform that debits renewals.
func renewing(t *testing.T) (*testApp, *testClient) {
	t.Helper()
	app := newTestApp(t)
	app.config.AutomaticRenewal = true
	app.start(t)
	c, gateway := app.buyer(t, "9876543210"), newPayuServer(t)
	session := c.post(t, "/subscription/payments/request", choice(app.catalogue(t).Plans[0].Tiers[0], "monthly"))
	require.Equal(t, 200, session.Status, "%s", session.Raw)
	form, _ := session.Data(t, "gateway_details").(map[string]any)
	gateway.captured(form["txnid"].(string), form["amount"].(string))
	require.Equal(t, 303, app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "success")).Status)
	gateway.work(t, app)
	return app, c
}

func choiceOf(t *testing.T, c *testClient, number int) map[string]any {
	t.Helper()
	got := c.get(t, automaticRenewal)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	list, _ := got.Data(t, "choices").([]any)
	require.Len(t, list, 3)
	one, _ := list[number].(map[string]any)
	return map[string]any{
		"method": one["method"], "consented": true, "consent_version": one["consent_version"], "consent_text": one["consent_text"],
	}
}

func TestAutomaticRenewal_SwitchedOff_IsNotOffered(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876543210")
	got := c.get(t, automaticRenewal)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, false, got.Data(t, "offered"))
	refused := c.post(t, automaticRenewal, map[string]any{"method": "upi", "consented": true, "consent_version": "1", "consent_text": "x"})
	require.Equal(t, 404, refused.Status, "%s", refused.Raw)
	require.Equal(t, "automatic_renewal_off", refused.Body["code"])
}

func TestAutomaticRenewal_AgreedPausedSkippedAndStopped(t *testing.T) {
	t.Parallel()
	app, c := renewing(t)
	first := c.get(t, automaticRenewal).Data(t, "choices").([]any)[0].(map[string]any)
	require.NotEqual(t, "-", first["opens_on"], "not before the renewal is open")
	require.Equal(t, "renewal_not_open", c.post(t, automaticRenewal, choiceOf(t, c, 0)).Body["code"])
	app.clock.Advance(25 * 24 * time.Hour)
	app.login(t, c)
	require.Equal(t, "-", c.get(t, automaticRenewal).Data(t, "opens_on"))

	unticked := choiceOf(t, c, 0)
	unticked["consented"] = false
	require.Equal(t, 422, c.post(t, automaticRenewal, unticked).Status)
	other := choiceOf(t, c, 0)
	other["consent_text"] = "Pay whatever you like."
	require.Equal(t, "consent_needed", c.post(t, automaticRenewal, other).Body["code"])

	bank := choiceOf(t, c, 0)
	bank["method"] = "enach"
	require.Equal(t, "consent_needed", c.post(t, automaticRenewal, bank).Body["code"], "the words are those of another method")

	var txn any
	for i, number := range []int{0, 1, 0} { // another method before it was authorised, and back
		asked := choiceOf(t, c, number)
		if i == 2 { // in Hindi at last
			shown := c.do(t, http.MethodGet, automaticRenewal, nil, "Accept-Language", "hi")
			asked["consent_text"] = shown.Data(t, "choices").([]any)[number].(map[string]any)["consent_text"]
		}
		begun := c.post(t, automaticRenewal, asked)
		require.Equal(t, 200, begun.Status, "%s", begun.Raw)
		form, _ := begun.Data(t, "gateway_details").(map[string]any)
		require.NotEmpty(t, form["si_details"])
		if txn == nil {
			txn = form["txnid"]
		}
		require.Equal(t, txn, form["txnid"])
	}
	require.Equal(t, 1, app.count(t, `SELECT count(*) FROM mandates WHERE method = 'upi' AND consent_text LIKE '%से हर महीने ₹14,750 (GST समेत) का भुगतान%'`))
	mandate := c.get(t, automaticRenewal).Data(t, "mandate").(map[string]any)
	require.Equal(t, "requested", mandate["state"])
	path := automaticRenewal + "/" + mandate["id"].(string)
	require.Equal(t, []any{true, false}, []any{mandate["can_stop"], mandate["paid"]})

	_, err := app.db.Owner.Exec(`UPDATE mandates SET state = 'active', provider_mandate_id = 'M1', active_at = $1, masked = 'as•••@upi'`, app.clock.Now())
	require.NoError(t, err)
	_, err = app.db.Owner.Exec(`INSERT INTO mandate_debits (id, franchiser_id, mandate_id, subscription_id, renew_on, number, state,
		amount_paise, debit_at, notice_token, created_at) SELECT $1, franchiser_id, id, subscription_id, '2027-06-01', 1, 'planned',
		1475000, $2, 'T1', $2 FROM mandates`, id.New(), app.clock.Now())
	require.NoError(t, err)
	require.Nil(t, c.get(t, "/subscription/renewals").Data(t, "debit"), "it is of another renewal")
	_, err = app.db.Owner.Exec(`UPDATE mandate_debits SET renew_on = (SELECT renew_on FROM subscriptions s WHERE s.id = subscription_id)`)
	require.NoError(t, err)
	debited := c.get(t, "/subscription/renewals").Data(t, "debit").(map[string]any)
	require.Equal(t, []any{"₹14,750", false}, []any{debited["amount"], debited["in_progress"]})
	next := c.get(t, automaticRenewal).Data(t, "mandate").(map[string]any)["next_debit"].(map[string]any)
	require.Equal(t, []any{"₹14,750", true, true}, []any{next["amount"], next["announced"], next["can_skip"]})

	stranger := app.buyer(t, "9876500032")
	for _, act := range []string{"/pause", "/resume", "/skip", "/unskip", "/stop"} {
		require.Equal(t, 404, stranger.post(t, path+act, nil).Status, "another's")
		require.Equal(t, 404, c.post(t, automaticRenewal+"/"+id.New()+act, nil).Status)
	}
	for _, act := range []string{"/skip", "/skip"} {
		require.Equal(t, 200, c.post(t, path+act, nil).Status)
	}
	skipped := c.get(t, automaticRenewal).Data(t, "mandate").(map[string]any)
	require.Equal(t, true, skipped["can_unskip"], "%v", skipped)
	require.NotEqual(t, "-", skipped["skipped_on"])
	for _, act := range []string{"/unskip", "/unskip", "/resume", "/pause", "/pause", "/resume", "/stop", "/stop"} { // a second click changes nothing
		got := c.post(t, path+act, nil)
		require.Equal(t, 200, got.Status, "%s %s", act, got.Raw)
	}
	require.Equal(t, 409, c.post(t, path+"/pause", nil).Status, "stopped")
	require.Equal(t, 409, c.post(t, path+"/unskip", nil).Status, "stopped")
	var happened []string
	for _, e := range c.get(t, automaticRenewal).Data(t, "events").([]any) {
		happened = append(happened, e.(map[string]any)["kind"].(string)+" by "+e.(map[string]any)["by"].(string))
	}
	require.Equal(t, []string{
		"stopped by customer", "resumed by customer", "paused by customer", "unskipped by customer", "skipped by customer", "requested by customer",
	}, happened)
	debits := c.get(t, automaticRenewal).Data(t, "debits").([]any)
	require.Equal(t, "You skipped this debit.", debits[0].(map[string]any)["why"])
	require.Equal(t, true, c.get(t, automaticRenewal).Data(t, "mandate").(map[string]any)["stopping"])

	var buyer string
	require.NoError(t, app.db.Owner.Get(&buyer, `SELECT franchiser_id FROM mandates`))
	seen := app.signedInStaff(t).call(t, http.MethodGet, "/customers/"+buyer, nil)
	require.Equal(t, 200, seen.Status, "%s", seen.Raw)
	desk := seen.Data(t, "mandates").([]any)[0].(map[string]any)
	require.Equal(t, []any{"active", "payu", "upi", "as•••@upi", "M1"}, []any{desk["state"], desk["gateway"], desk["method"], desk["masked"], desk["gateway_id"]})
	require.NotNil(t, desk["stop_asked_at"])
	require.Len(t, desk["events"], 6)
	require.Equal(t, "You skipped this debit.", desk["debits"].([]any)[0].(map[string]any)["why"])
}

// A bank account is registered with nothing to pay; what the browser brings back is a hint, and the customer may stop while the bank
// decides.
func TestMandate_OfABankAccount_NeedsNoPaymentAndCanBeStoppedWhilePending(t *testing.T) {
	t.Parallel()
	app, c := renewing(t)
	require.Equal(t, "-", c.get(t, automaticRenewal).Data(t, "opens_on"), "a bank account at any time")
	payments := app.count(t, `SELECT count(*) FROM payments`)
	begun := c.post(t, automaticRenewal, choiceOf(t, c, 2))
	require.Equal(t, 200, begun.Status, "%s", begun.Raw)
	require.Equal(t, []any{nil, "₹0"}, []any{begun.Data(t, "order_id"), begun.Data(t, "amount")})
	form, _ := begun.Data(t, "gateway_details").(map[string]any)
	require.Equal(t, []any{"0.00", "netbanking"}, []any{form["amount"], form["enforce_paymethod"]})
	require.Contains(t, form["si_details"], `"billingCycle":"ADHOC"`)
	require.Equal(t, payments, app.count(t, `SELECT count(*) FROM payments`))

	waiting := c.get(t, automaticRenewal).Data(t, "mandate").(map[string]any)
	require.Equal(t, []any{"requested", "enach", false, true}, []any{waiting["state"], waiting["method"], waiting["authorised"], waiting["can_stop"]})
	require.NotEqual(t, "-", waiting["waits_until"])

	app.clock.Advance(time.Minute)
	back := app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "success"))
	require.Equal(t, 303, back.Status, "%s", back.Raw)
	require.Equal(t, "/dashboard/automatic-renewal", back.Header.Get("Location"))
	var poll time.Time
	require.NoError(t, app.db.Owner.Get(&poll, `SELECT poll_at FROM mandates WHERE state = 'requested'`))
	require.WithinDuration(t, app.clock.Now(), poll, time.Millisecond, "the bank is asked")
	unknown := map[string]any{}
	maps.Copy(unknown, form)
	unknown["txnid"] = "FP261201NOBODYSNOBOD"
	require.Equal(t, 400, app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(unknown, "success")).Status)

	_, err := app.db.Owner.Exec(`UPDATE mandates SET provider_mandate_id = '403993715523', masked = 'HDFC'`)
	require.NoError(t, err)
	require.Equal(t, "automatic_renewal_waits", c.post(t, automaticRenewal, consentOf(begunWords(t, app))).Body["code"])
	require.Empty(t, c.get(t, automaticRenewal).Data(t, "choices"))
	path := automaticRenewal + "/" + waiting["id"].(string)
	stopped := c.post(t, path+"/stop", nil)
	require.Equal(t, 200, stopped.Status, "%s", stopped.Raw)
	require.Equal(t, true, c.get(t, automaticRenewal).Data(t, "mandate").(map[string]any)["stopping"])
}

// begunWords are the words of the newest consent.
func begunWords(t *testing.T, app *testApp) (words string) {
	t.Helper()
	require.NoError(t, app.db.Owner.Get(&words, `SELECT consent_text FROM mandates ORDER BY created_at DESC LIMIT 1`))
	return words
}

func consentOf(words string) map[string]any {
	return map[string]any{"method": "enach", "consented": true, "consent_version": mandate.ConsentVersion, "consent_text": words}
}
