package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// These triggers simulate a full disk, which refuses every write and serves every read.
const (
	diskFullSQL = `
		CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			RAISE EXCEPTION 'could not extend file "base/16384/16397": No space left on device' USING ERRCODE = 'disk_full';
		END $$;
		DO $$ DECLARE t text; BEGIN
			FOR t IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
				EXECUTE 'CREATE TRIGGER aaa_disk_full BEFORE INSERT OR UPDATE OR DELETE ON ' || t || ' EXECUTE FUNCTION disk_full()';
			END LOOP;
		END $$`
	diskFreeSQL = `DROP FUNCTION disk_full() CASCADE`
)

// Given a database with a full disk, when people use the site, then reads succeed, writes are refused with a temporary
// error that reveals no internals, and once there is space the same calls succeed, exactly once.
func TestFullDisk_RefusesWritesAndServesReads(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	tier := app.catalogue(t).Plans[0].Tiers[0]
	owner, newcomer := app.buyer(t, "9876500121"), app.buyer(t, "9876500122")
	txn := app.bought(t, owner, gateway)
	open := newcomer.post(t, "/subscription/payments/request", choice(tier, "yearly"))
	form, _ := open.Data(t, "gateway_details").(map[string]any)
	other, _ := form["txnid"].(string)
	amount, _ := form["amount"].(string)
	gateway.captured(other, amount)
	renewal := choice(tier, "monthly")

	_, err := app.db.Owner.Exec(diskFullSQL)
	require.NoError(t, err)
	for _, path := range []string{
		"/subscription-plan/list", "/subscription/dashboard", "/subscription/list", "/subscription/payments/list",
		"/subscription/payments/status/" + txn, "/subscription/renewals", "/profile/details/profile", "/profile/sessions",
	} {
		got := owner.get(t, path)
		require.Equal(t, 200, got.Status, "%s: %s", path, got.Raw)
	}
	refused := map[string]answer{
		"request":  owner.post(t, "/subscription/payments/request", renewal),
		"callback": app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "success")),
		"webhook":  app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", app.returned(form, "success")),
		"login":    app.client(t).login(t, "9876500121", goodPassword),
		"refresh":  owner.post(t, "/refresh", nil),
	}
	for what, got := range refused {
		require.Equal(t, 503, got.Status, "%s: %s", what, got.Raw)
		require.NotContains(t, string(got.Raw), "device", what)
	}
	require.Equal(t, "confirming", newcomer.get(t, "/subscription/payments/status/"+other).Data(t, "state"))

	_, err = app.db.Owner.Exec(diskFreeSQL)
	require.NoError(t, err)
	require.Equal(t, 200, owner.post(t, "/refresh", nil).Status, "nobody was signed out")
	require.Equal(t, 200, app.client(t).login(t, "9876500121", goodPassword).Status)
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", app.returned(form, "success")).Status)
	require.Equal(t, 303, app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "success")).Status)
	gateway.work(t, app)
	require.Equal(t, "paid", newcomer.get(t, "/subscription/payments/status/"+other).Data(t, "state"))
	for query, want := range map[string]int{
		`SELECT count(*) FROM invoices`: 2, `SELECT count(*) FROM payments`: 2, `SELECT count(*) FROM orders`: 2,
		`SELECT count(*) FROM ledger_journals`: 4, `SELECT count(*) FROM subscriptions WHERE state = 'active'`: 2,
	} {
		require.Equal(t, want, app.count(t, query), query)
	}
}
