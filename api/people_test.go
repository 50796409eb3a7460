package main

import (
	"context"
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// goodPassword satisfies the password rules.
const goodPassword = "Mango#2026"

// inbox is the SMS provider for tests.
type inbox struct{ messages []message.Message }

// Send accepts every message.
func (i *inbox) Send(_ context.Context, m message.Message) error {
	i.messages = append(i.messages, m)
	return nil
}

// sms does the worker's job for queued send_otp jobs, and returns the messages sent to the mobile, oldest first.
func (a *testApp) sms(t *testing.T, mobile string) []message.Message {
	t.Helper()
	var args [][]byte
	require.NoError(t, a.db.Owner.Select(&args, `SELECT args FROM river_job WHERE kind = 'send_otp' ORDER BY id`))
	box := &inbox{}
	sender := otp.NewSender(a.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: box, Site: message.Site{Host: a.config.PublicURL.Hostname()}, Clock: a.clock, Logger: testkit.NewLogger(t),
	}),
		a.clock, a.config.Keys)
	for _, raw := range args {
		require.NotContains(t, string(raw), mobile, "a job's arguments hold no personal data")
		var job otp.SendOTPArgs
		require.NoError(t, json.Unmarshal(raw, &job))
		if err := sender.Send(t.Context(), job.CodeID); err != nil {
			require.ErrorIs(t, err, message.ErrTooLate())
		}
	}
	a.sent = append(a.sent, box.messages...)
	var mine []message.Message
	for _, m := range a.sent {
		if m.Mobile == mobile {
			mine = append(mine, m)
		}
	}
	return mine
}

// code returns the code in the last SMS to the mobile.
func (a *testApp) code(t *testing.T, mobile string) string {
	t.Helper()
	list := a.sms(t, mobile)
	require.NotEmpty(t, list, "no SMS was sent")
	last := regexp.MustCompile(`@localhost #([0-9]{6})$`).FindStringSubmatch(list[len(list)-1].Text)
	require.Len(t, last, 2, "no code in %q", list[len(list)-1].Text)
	return last[1]
}

// signUp creates an account through the API and leaves the client signed in. It returns the franchiser's id.
func (c *testClient) signUp(t *testing.T, mobile string) string {
	t.Helper()
	return c.complete(t, mobile, map[string]any{"mobile": mobile, "email": "asha@example.in", "password": goodPassword})
}

// signUpForTrial is signUp with the free trial.
func (c *testClient) signUpForTrial(t *testing.T, mobile string) string {
	t.Helper()
	return c.complete(t, mobile, map[string]any{
		"mobile": mobile, "email": "asha@example.in", "password": goodPassword, "first_name": "Asha", "free_trial": 1,
	})
}

func (c *testClient) complete(t *testing.T, mobile string, in map[string]any) string {
	t.Helper()
	a := c.post(t, "/register", in)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	a = c.post(t, "/mobile/validate-otp", map[string]any{"mobile": mobile, "otp": c.app.code(t, mobile)})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	a = c.post(t, "/register", map[string]any{"mobile": mobile, "verification_id": a.Data(t, "otp_verification_id")})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	user, ok := a.Data(t, "franchiser-user").(map[string]any)
	require.True(t, ok)
	id, ok := user["franchiser_id"].(string)
	require.True(t, ok)
	return id
}

func (c *testClient) login(t *testing.T, mobile, password string) answer {
	t.Helper()
	return c.post(t, "/login", map[string]any{"username": mobile, "password": password})
}
