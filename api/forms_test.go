package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Given an office whose visitors share one address, when one visitor uses up the contact form, then the others read their waiting time.
// Signed-in customers there have their own limit, also while Redis is down.
func TestContactForm_SharedAddressLimited_CustomersHaveTheirOwnLimit(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.LiveLimits = true
	app.start(t)
	owner, stranger := app.client(t), app.client(t)
	owner.signUp(t, asha)
	request := map[string]any{
		"name": "Asha", "email": "asha@example.in", "topic": "support", "message": "The code does not arrive, since this morning.",
		"consent": true, "consent_version": "2026-11",
	}
	for range 5 {
		sent := stranger.post(t, "/contact", request)
		require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	}
	refused := app.client(t).post(t, "/contact", request)
	require.Equal(t, 429, refused.Status)
	require.NotEmpty(t, refused.Header.Get("Retry-After"))
	for n := range 5 {
		if n == 3 {
			app.redis.Close()
		}
		sent := owner.post(t, "/contact", request)
		require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	}
	require.Equal(t, 200, owner.post(t, "/newsletter/unsubscribe", map[string]any{"email": "asha@example.in"}).Status)
}
