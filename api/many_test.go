package main

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

// tenThousand returns ten thousand distinct values.
func tenThousand[T any](value func(n int) T) []T {
	list := make([]T, 10_000)
	for n := range list {
		list[n] = value(n + 1)
	}
	return list
}

// Given a call with ten thousand ids, then it is refused in the envelope with a short, clear message, and nothing is
// written.
func TestCalls_TenThousandIDs_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	tier := app.catalogue(t).Plans[0].Tiers[0]
	c := app.buyer(t, "9876500111")
	app.bought(t, c, gateway)
	people := app.signedInStaff(t)
	subscription := app.text(t, `SELECT id FROM subscriptions`)
	counts := `SELECT (SELECT count(*) FROM orders) + (SELECT count(*) FROM payments) + (SELECT count(*) FROM job_operations)
		+ (SELECT count(*) FROM staff_actions) + (SELECT count(*) FROM river_job) + (SELECT count(*) FROM idempotency_keys)`
	before := app.count(t, counts)

	short := tenThousand(strconv.Itoa)
	long := tenThousand(func(int) string { return id.New() })
	same := tenThousand(func(int) string { return tier.AddOns[0].ID[:1] })
	for path, of := range map[string]func(ids []string) map[string]any{
		"/subscription/payments/request": func(ids []string) map[string]any {
			return choice(tier, "yearly", "add_ons_service_id", ids)
		},
		"/subscription/add-ons-services/payments/request": func(ids []string) map[string]any {
			return map[string]any{"subscription_id": subscription, "add_ons_service_id": ids}
		},
	} {
		for name, try := range map[string]struct {
			ids    []string
			status int
		}{"short": {same, 422}, "different": {short, 413}, "long": {long, 413}} {
			got := c.do(t, http.MethodPost, path, of(try.ids), "Idempotency-Key", "0123456789-many")
			refusedShortly(t, got, try.status, path+" "+name, "add_ons_service_id")
		}
	}

	numbers := tenThousand(func(n int) int { return n })
	for _, path := range []string{"/jobs/rerun", "/jobs/cancel", "/jobs/dismiss", "/jobs/snooze", "/jobs/operations"} {
		body := map[string]any{"ids": numbers, "reason": "all of them"}
		switch path {
		case "/jobs/snooze":
			body["snooze_seconds"] = 3600
		case "/jobs/operations":
			body["action"] = "rerun"
		}
		refusedShortly(t, people.call(t, http.MethodPost, path, body), 422, path, "ids")
	}
	require.Equal(t, before, app.count(t, counts))
}

// refusedShortly expects the failure envelope, with a message for the field if the body could be parsed.
func refusedShortly(t *testing.T, got answer, status int, what, field string) {
	t.Helper()
	require.Equal(t, status, got.Status, "%s: %.300s", what, got.Raw)
	require.Equal(t, false, got.Body["status"], what)
	require.NotEmpty(t, got.Body["message"], what)
	require.Less(t, len(got.Raw), 1000, what)
	if status == http.StatusUnprocessableEntity {
		messages, _ := got.Body["messages"].(map[string]any)
		require.NotEmpty(t, messages[field], what)
	}
}

func (a *testApp) text(t *testing.T, query string) string {
	t.Helper()
	var s string
	require.NoError(t, a.db.Owner.Get(&s, query))
	return s
}
