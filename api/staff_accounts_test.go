package main

import (
	"encoding/base32"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// staffLink sends the open invitation of staff and returns its link.
func (a *testApp) staffLink(t *testing.T) string {
	t.Helper()
	box, site := &inbox{}, message.Site{Host: "localhost", URL: "http://localhost:8080"}
	outbox := message.NewOutbox(message.OutboxOptions{SMS: box, Site: site, Clock: a.clock, Email: box, Logger: testkit.NewLogger(t)})
	sender := staff.NewInvitationSender(a.db.Worker, outbox, a.clock, a.config.Keys, site.URL)
	require.NoError(t, sender.Send(t.Context(), a.text(t, `SELECT id FROM staff_invitations WHERE used_at IS NULL AND withdrawn_at IS NULL`)))
	require.Len(t, box.messages, 1)
	return box.messages[0].Link
}

// enrolled accepts the invitation with the link and signs in.
func (a *testApp) enrolled(t *testing.T, url, email string) staffClient {
	t.Helper()
	c := staffClient{a.client(t)}
	_, link, found := strings.Cut(url, "#")
	require.True(t, found)
	opened := c.call(t, http.MethodPost, "/enrolment/open", map[string]any{"link": link})
	require.Equal(t, 200, opened.Status, "%s", opened.Raw)
	shown := opened.Data(t, "authenticator").(map[string]any)
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(shown["secret"].(string))
	require.NoError(t, err)
	in := map[string]any{
		"link": link, "password": "Guava#2027#Tree", "sealed": shown["sealed"], "code": totp.Code(key, totp.StepAt(a.clock.Now())),
	}
	got := c.call(t, http.MethodPost, "/enrolment", in)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "invitation_invalid", c.call(t, http.MethodPost, "/enrolment", in).Body["code"])
	a.clock.Advance(time.Minute)
	signIn := map[string]any{"email": email, "password": "Guava#2027#Tree", "code": totp.Code(key, totp.StepAt(a.clock.Now()))}
	got = c.call(t, http.MethodPost, "/login", signIn)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	return c
}

func TestStaffAccounts_AreManagedInTheConsole(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	ravi := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	because := map[string]any{"reason": "She joins the team"}
	do := func(c staffClient, method, path string, body any) answer {
		t.Helper()
		got := c.call(t, method, path, body)
		require.Equal(t, 200, got.Status, "%s %s: %s", method, path, got.Raw)
		return got
	}
	invite := map[string]any{"email": "priya@example.in", "name": "Priya Rao", "role": "finance", "reason": "She keeps the books"}
	do(ravi, http.MethodPost, "/staff-invitations", app.proved(invite))
	open := do(ravi, http.MethodGet, "/staff", nil).Data(t, "invitations").([]any)[0].(map[string]any)["id"].(string)
	do(ravi, http.MethodPost, "/staff-invitations/"+open+"/withdraw", because)
	do(ravi, http.MethodPost, "/staff-invitations", app.proved(invite))
	open = do(ravi, http.MethodGet, "/staff", nil).Data(t, "invitations").([]any)[0].(map[string]any)["id"].(string)
	require.Nil(t, do(ravi, http.MethodPost, "/staff-invitations/"+open+"/resend", app.proved(because)).Data(t, "url"), "it goes by e-mail")
	priya := app.enrolled(t, app.staffLink(t), "priya@example.in")
	require.Equal(t, 403, priya.call(t, http.MethodGet, "/staff", nil).Status)
	require.Equal(t, 403, priya.call(t, http.MethodGet, "/jobs", nil).Status)
	do(priya, http.MethodGet, "/settlements", nil)

	accounts := do(ravi, http.MethodGet, "/staff", nil).Data(t, "accounts").([]any)
	ids := map[string]string{}
	for _, a := range accounts {
		one := a.(map[string]any)
		ids[one["email"].(string)] = one["id"].(string)
	}
	at := "/staff/" + ids["priya@example.in"]
	require.Equal(t, "own_account", ravi.call(t, http.MethodPost, "/staff/"+ids["ravi@example.in"]+"/disable", because).Body["code"])
	sessions := do(ravi, http.MethodGet, at, nil).Data(t, "sessions").([]any)
	do(ravi, http.MethodPost, "/staff-sessions/"+sessions[0].(map[string]any)["id"].(string)+"/end", because)
	require.Equal(t, 401, priya.call(t, http.MethodGet, "/me", nil).Status)
	do(ravi, http.MethodPut, at, app.proved(map[string]any{"role": "auditor", "reason": "She reads only"}))
	do(ravi, http.MethodPost, at+"/disable", because)
	do(ravi, http.MethodPost, at+"/enable", app.proved(because))

	meera := app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	do(ravi, http.MethodPost, at+"/reset", because)
	waiting := func() string {
		return do(meera, http.MethodGet, "/staff", nil).Data(t, "resets").([]any)[0].(map[string]any)["id"].(string)
	}
	require.Equal(t, "own_account", ravi.call(t, http.MethodPost, "/staff-resets/"+waiting()+"/approve", app.proved(because)).Body["code"])
	do(meera, http.MethodPost, "/staff-resets/"+waiting()+"/decline", because)
	do(ravi, http.MethodPost, at+"/reset", because)
	do(meera, http.MethodPost, "/staff-resets/"+waiting()+"/approve", app.proved(because))
	auditor := app.enrolled(t, app.staffLink(t), "priya@example.in")
	do(auditor, http.MethodGet, "/staff", nil)
	do(auditor, http.MethodGet, "/audit", nil)
	require.Equal(t, 403, auditor.call(t, http.MethodPost, "/jobs/rerun", map[string]any{"ids": []int{1}, "reason": "because"}).Status)
}

func TestStaff_ChangeTheirOwnSignIn(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	people := app.signedInStaff(t)
	got := people.call(t, http.MethodPost, "/account/password", map[string]any{"current_password": "wrong", "password": "Guava#2027#Tree"})
	require.Equal(t, 422, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, "/account/password", map[string]any{"current_password": staffPassword, "password": "Guava#2027#Tree"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	shown := people.call(t, http.MethodPost, "/account/authenticator", nil)
	require.Equal(t, 200, shown.Status, "%s", shown.Raw)
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(shown.Data(t, "secret").(string))
	require.NoError(t, err)
	change := app.staffProof("Guava#2027#Tree")
	change["sealed"], change["code"] = shown.Data(t, "sealed"), totp.Code(key, totp.StepAt(app.clock.Now()))
	got = people.call(t, http.MethodPut, "/account/authenticator", change)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	own := people.call(t, http.MethodGet, "/account", nil)
	require.Equal(t, 200, own.Status, "%s", own.Raw)
	session := own.Data(t, "sessions").([]any)[0].(map[string]any)
	require.Equal(t, true, session["own"])
	require.Equal(t, 200, people.call(t, http.MethodPost, "/account/sessions/"+session["id"].(string)+"/end", nil).Status)
	require.Equal(t, 401, people.call(t, http.MethodGet, "/me", nil).Status)
}
