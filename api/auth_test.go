package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

const (
	asha = "9876543210"
	ravi = "9123456789"
)

func (a answer) user(t *testing.T) map[string]any {
	t.Helper()
	user, ok := a.Data(t, "franchiser-user").(map[string]any)
	require.True(t, ok, "%s", a.Raw)
	return user
}

func TestAccount_SignUpLoginAndLogout(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	franchiser := c.signUp(t, asha)

	a := c.get(t, "/session")
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, "subscription_price", a.Data(t, "redirect_to"))
	require.Equal(t, franchiser, a.user(t)["franchiser_id"])
	require.Equal(t, false, a.user(t)["is_active"])

	before := c.cookie(t, "f360_session")
	require.Equal(t, 200, c.post(t, "/logout", nil).Status)
	require.Empty(t, c.cookie(t, "f360_session"))
	require.Equal(t, 401, c.get(t, "/session").Status)
	require.Equal(t, 401, c.do(t, http.MethodGet, "/session", nil, "Cookie", "f360_session="+before).Status, "it ended on the server")

	a = c.login(t, asha, goodPassword)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.NotEqual(t, before, c.cookie(t, "f360_session"))
	require.Equal(t, 200, c.get(t, "/session").Status)
}

// cookie returns the value that the client sends with API requests.
func (c *testClient) cookie(t *testing.T, name string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.app.server.URL+"/api/franchise/refresh", nil)
	require.NoError(t, err)
	for _, cookie := range c.http.Jar.Cookies(r.URL) {
		if cookie.Name == name {
			return cookie.Value
		}
	}
	return ""
}

func TestSession_DuringATrial_IsActive(t *testing.T) {
	t.Parallel()
	c := newTestApp(t).client(t)
	c.signUpForTrial(t, asha)
	user := c.get(t, "/session").user(t)
	require.Equal(t, true, user["is_active"])
	require.InDelta(t, 4, user["payment_status"], 0)
	require.Equal(t, "subscription_store", user["redirect_to"])
	require.Equal(t, "Asha", user["first_name"])
}

func TestSignUp_WrongSteps_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	a := c.post(t, "/register", map[string]any{"mobile": "12345", "email": "asha", "password": "short"})
	require.Equal(t, 422, a.Status)
	require.Equal(t, map[string]any{
		"mobile": []any{"Please enter valid number"}, "email": []any{"Please enter your valid email id"},
		"password": []any{"Password needs at least 8 characters"},
	}, a.Body["messages"])

	in := map[string]any{"mobile": asha, "email": "asha@example.in", "password": goodPassword}
	require.Equal(t, 200, c.post(t, "/register", in).Status)
	a = c.post(t, "/register", in)
	require.Equal(t, 429, a.Status)
	require.Equal(t, "59", a.Header.Get("Retry-After"))
	a = c.post(t, "/mobile/validate-otp", map[string]any{"mobile": asha, "otp": "12345"})
	require.Equal(t, 422, a.Status)
	a = c.post(t, "/mobile/validate-otp", map[string]any{"mobile": ravi, "otp": app.code(t, asha)})
	require.Equal(t, 400, a.Status)
	require.Equal(t, "otp_wrong", a.Body["code"])
	for _, verification := range []string{id.New(), "Yx2v7cB0kq3m9TzR4hPw8dLs", "' OR 1=1; --"} {
		a = c.post(t, "/register", map[string]any{"mobile": asha, "verification_id": verification})
		require.Equal(t, 400, a.Status, "%s", a.Raw)
		require.Equal(t, "verification_invalid", a.Body["code"])
	}
	a = c.post(t, "/register", map[string]any{"mobile": asha, "verification_id": "x", "password": goodPassword})
	require.Equal(t, 400, a.Status)
	require.Equal(t, 401, c.get(t, "/session").Status)
}

func TestPasswordReset_ByOTP(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUp(t, asha)
	app.clock.Advance(time.Minute)

	other := app.client(t)
	require.Equal(t, 200, other.post(t, "/password/reset-otp", map[string]any{"mobile": asha}).Status)
	a := other.post(t, "/password/validate-otp", map[string]any{"mobile": asha, "otp": app.code(t, asha)})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	a = other.post(t, "/password/reset", map[string]any{
		"mobile": asha, "verification_id": a.Data(t, "otp_verification_id"),
		"password": "Guava#2027", "password_confirmation": "Guava#2027",
	})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, 401, c.get(t, "/session").Status, "every session ended")
	require.Equal(t, 400, c.login(t, asha, goodPassword).Status)
	require.Equal(t, 200, c.login(t, asha, "Guava#2027").Status)
}

func TestAccountCalls_KnownAndUnknownMobiles_LookTheSame(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.client(t).signUp(t, asha)
	app.clock.Advance(time.Minute)
	for _, step := range []struct {
		path string
		body func(mobile string) map[string]any
	}{
		{"/login", func(m string) map[string]any { return map[string]any{"username": m, "password": "Wrong#2026"} }},
		{"/register", func(m string) map[string]any {
			return map[string]any{"mobile": m, "email": "x@example.in", "password": goodPassword}
		}},
		{"/password/reset-otp", func(m string) map[string]any { return map[string]any{"mobile": m} }},
		{"/password/validate-otp", func(m string) map[string]any { return map[string]any{"mobile": m, "otp": "000000"} }},
		{"/mobile/validate-otp", func(m string) map[string]any { return map[string]any{"mobile": m, "otp": "000000"} }},
		{"/mobile/otp", func(m string) map[string]any { return map[string]any{"mobile": m} }},
		{"/otp/resend-otp", func(m string) map[string]any { return map[string]any{"mobile": m, "password": goodPassword} }},
	} {
		app.clock.Advance(time.Minute)
		known := app.client(t).post(t, step.path, step.body(asha))
		unknown := app.client(t).post(t, step.path, step.body(ravi))
		require.Equal(t, known.Status, unknown.Status, step.path)
		delete(known.Body, "request_id")
		delete(unknown.Body, "request_id")
		require.Equal(t, known.Body, unknown.Body, step.path)
	}
}

func TestRefresh_CookieRenewsTheSessionOnce(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUp(t, asha)
	app.clock.Advance(16 * time.Minute)
	require.Equal(t, 401, c.get(t, "/session").Status)
	spent := c.cookie(t, "f360_refresh")
	require.Equal(t, 200, c.post(t, "/refresh", nil).Status)
	require.Equal(t, 200, c.get(t, "/session").Status)

	// reuse of a spent token, as by a thief, ends all sessions
	app.clock.Advance(time.Minute)
	thief := app.client(t)
	a := thief.do(t, http.MethodPost, "/refresh", nil, "Cookie", "f360_refresh="+spent+"; XSRF-TOKEN=x", "X-XSRF-TOKEN", "x")
	require.Equal(t, 401, a.Status)
	require.Equal(t, 401, c.get(t, "/session").Status)
	require.Equal(t, 401, c.post(t, "/refresh", nil).Status)
	require.Empty(t, c.cookie(t, "f360_refresh"), "what is worth nothing is taken away")
	require.Equal(t, 401, c.post(t, "/refresh", nil).Status)
}

func TestCookies_AreHttpOnlyAndSameSite(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUp(t, asha)
	a := c.post(t, "/login", map[string]any{"username": asha, "password": goodPassword, "remember": true})
	require.Equal(t, 200, a.Status)
	seen := map[string]*http.Cookie{}
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		seen[cookie.Name] = cookie
		require.Equal(t, http.SameSiteLaxMode, cookie.SameSite, cookie.Name)
		require.Equal(t, cookie.Name != "XSRF-TOKEN", cookie.HttpOnly, cookie.Name)
		require.False(t, cookie.Secure, "plain HTTP on this machine")
		require.Empty(t, cookie.Domain, cookie.Name)
	}
	require.Equal(t, 15*60, seen["f360_session"].MaxAge)
	require.Equal(t, 30*24*3600, seen["f360_refresh"].MaxAge)
	require.Equal(t, "/api/franchise/refresh", seen["f360_refresh"].Path)
	for _, cookie := range (&http.Response{Header: c.login(t, asha, goodPassword).Header}).Cookies() {
		if cookie.Name == "f360_device" {
			require.Equal(t, 180*24*3600, cookie.MaxAge, "it opens nothing")
			require.Equal(t, "/api", cookie.Path)
			continue
		}
		require.Zero(t, cookie.MaxAge, "%s ends with the browser", cookie.Name)
	}
}

func TestSessions_ListAndEndOnesOwn(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, phone, stranger := app.client(t), app.client(t), app.client(t)
	c.signUp(t, asha)
	require.Equal(t, 200, phone.login(t, asha, goodPassword).Status)
	stranger.signUp(t, ravi)

	list := sessions(t, c)
	require.Len(t, list, 2)
	var other string
	for _, s := range list {
		if s["current"] == false {
			other, _ = s["id"].(string)
		}
	}
	foreign, _ := sessions(t, stranger)[0]["id"].(string)
	missing := c.do(t, http.MethodDelete, "/profile/sessions/"+id.New(), nil)
	require.Equal(t, 404, missing.Status)
	for _, sessionID := range []string{foreign, "1", "x'--", "00000000-0000-0000-0000-000000000000"} {
		a := c.do(t, http.MethodDelete, "/profile/sessions/"+sessionID, nil)
		require.Equal(t, 404, a.Status, sessionID)
		require.Equal(t, missing.Body["message"], a.Body["message"])
	}
	require.Equal(t, 200, stranger.get(t, "/session").Status)
	require.Equal(t, 400, stranger.login(t, ravi, "Wrong#2026").Status)

	require.Equal(t, 200, c.do(t, http.MethodDelete, "/profile/sessions/"+other, nil).Status)
	require.Equal(t, 401, phone.get(t, "/session").Status)
	require.Equal(t, 200, phone.login(t, asha, goodPassword).Status)
	require.Equal(t, 200, c.do(t, http.MethodDelete, "/profile/sessions", nil).Status)
	require.Equal(t, 401, phone.get(t, "/session").Status)
	require.Equal(t, 200, c.get(t, "/session").Status)
}

func sessions(t *testing.T, c *testClient) []map[string]any {
	t.Helper()
	a := c.get(t, "/profile/sessions")
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	rows, ok := a.Body["data"].([]any)
	require.True(t, ok)
	list := make([]map[string]any, 0, len(rows))
	for _, r := range rows {
		row, ok := r.(map[string]any)
		require.True(t, ok)
		list = append(list, row)
	}
	return list
}

func TestProfile_IsUpdatedExportedAndScheduledForErasure(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUp(t, asha)

	a := c.post(t, "/profile/update/profile", map[string]any{"first_name": "<img src=x>", "last_name": "K"})
	require.Equal(t, 422, a.Status)
	a = c.post(t, "/profile/update/profile", map[string]any{"first_name": "Asha", "last_name": "Kulkarni"})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, "Kulkarni", c.get(t, "/profile/details/profile").Data(t, "last_name"))

	require.Nil(t, c.get(t, "/profile/details/profile").Data(t, "language"), "nobody has chosen")
	require.Equal(t, 422, c.do(t, http.MethodPut, "/profile/language", map[string]any{"language": "ta"}).Status)
	require.Equal(t, 422, c.do(t, http.MethodPut, "/profile/language", map[string]any{"language": ""}).Status)
	require.Equal(t, 200, c.do(t, http.MethodPut, "/profile/language", map[string]any{"language": "hi"}).Status)
	require.Equal(t, "hi", c.get(t, "/profile/details/profile").Data(t, "language"))

	require.Nil(t, c.get(t, "/profile/details/profile").Data(t, "document_language"), "documents stay in English until the customer chooses")
	for _, none := range []string{"ta", ""} {
		require.Equal(t, 422, c.do(t, http.MethodPut, "/profile/document-language", map[string]any{"language": none}).Status)
	}
	a = c.do(t, http.MethodPut, "/profile/document-language", map[string]any{"language": "hi"})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, "hi", a.Data(t, "document_language"))
	require.Nil(t, c.do(t, http.MethodPut, "/profile/document-language", map[string]any{"language": "en"}).Data(t, "document_language"))
	require.Equal(t, 200, c.do(t, http.MethodPut, "/profile/document-language", map[string]any{"language": "hi"}).Status)

	require.Equal(t, 200, c.post(t, "/profile/email/otp", map[string]any{"email": "new@example.in", "password": goodPassword}).Status)
	a = c.post(t, "/profile/email", map[string]any{"email": "new@example.in", "otp": app.code(t, asha)})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, "new@example.in", a.Data(t, "email"))

	require.Equal(t, 400, c.post(t, "/profile/mobile/otp", map[string]any{"mobile": ravi, "password": "Wrong#2026"}).Status)
	require.Equal(t, 200, c.post(t, "/profile/mobile/otp", map[string]any{"mobile": ravi, "password": goodPassword}).Status)
	a = c.post(t, "/profile/mobile", map[string]any{"mobile": ravi, "otp": app.code(t, ravi)})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, ravi, a.Data(t, "mobile"))

	a = c.post(t, "/profile/export", map[string]any{"password": goodPassword})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Contains(t, a.Header.Get("Content-Disposition"), "attachment")
	require.Contains(t, string(a.Raw), "new@example.in")
	require.Regexp(t, `"language": ?"hi"`, string(a.Raw))
	require.Regexp(t, `"document_language": ?"hi"`, string(a.Raw))

	require.Equal(t, 409, c.do(t, http.MethodDelete, "/profile/erasure", nil).Status)
	a = c.post(t, "/profile/erasure", map[string]any{"password": goodPassword})
	require.Equal(t, 202, a.Status, "%s", a.Raw)
	require.Equal(t, "2026-11-09", a.Data(t, "erase_on"))
	require.Equal(t, 409, c.post(t, "/profile/erasure", map[string]any{"password": goodPassword}).Status)
	require.Equal(t, "scheduled", c.get(t, "/profile/erasure").Data(t, "state"))
	require.Equal(t, 200, c.do(t, http.MethodDelete, "/profile/erasure", nil).Status)
	a = c.get(t, "/profile/erasure")
	require.Equal(t, "none", a.Data(t, "state"))
	require.NotEmpty(t, a.Data(t, "kept"), "what stays is told before anything is asked for")
}

func TestRedisDown_SessionsAndLimitsStillWork(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUp(t, asha)
	app.redis.Close()
	require.Equal(t, 200, c.get(t, "/session").Status, "nobody is logged out")
	for range 11 { // ten free guesses, and one turn
		require.Equal(t, 400, app.client(t).login(t, asha, "Wrong#2026").Status)
	}
	a := app.client(t).login(t, asha, goodPassword)
	require.Equal(t, 429, a.Status, "still limited")
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	a = app.client(t).post(t, "/password/reset-otp", map[string]any{"mobile": asha})
	require.Equal(t, 200, a.Status)
	require.Equal(t, 429, app.client(t).post(t, "/password/reset-otp", map[string]any{"mobile": asha}).Status)
	require.Equal(t, 200, c.post(t, "/logout", nil).Status)
	require.Equal(t, 401, c.get(t, "/session").Status)
}

func TestResponse_Markup_IsEscapedJSON(t *testing.T) {
	t.Parallel()
	c := newTestApp(t).client(t)
	a := c.post(t, "/login", map[string]any{"username": "<script>alert(1)</script>", "password": "x"})
	require.Equal(t, 422, a.Status)
	require.True(t, strings.HasPrefix(a.Header.Get("Content-Type"), "application/json"))
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	require.NotContains(t, string(a.Raw), "<script>")
}
