package main

import (
	"bytes"
	"html"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// upload sends a file as the form of the first step does.
func (v *visitor) upload(t *testing.T, path, name string, file []byte) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	require.NoError(t, err)
	_, err = part.Write(file)
	require.NoError(t, err)
	require.NoError(t, form.Close())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.app.server.URL+path, &body)
	require.NoError(t, err)
	r.Host = v.host
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Cookie", "store_session="+v.cookie)
	resp, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var raw bytes.Buffer
	_, err = raw.ReadFrom(resp.Body)
	require.NoError(t, err)
	return answer{Status: resp.StatusCode, Header: resp.Header, Raw: raw.Bytes()}
}

var (
	inputs   = regexp.MustCompile(`<input ([^>]*)>`)
	selects  = regexp.MustCompile(`(?s)<select [^>]*name="([^"]*)"[^>]*>(.*?)</select>`)
	selected = regexp.MustCompile(`<option value="([^"]*)" selected>`)
)

func attribute(tag, name string) string {
	if m := regexp.MustCompile(`(?:^| )` + name + `="([^"]*)"`).FindStringSubmatch(tag); m != nil {
		return html.UnescapeString(m[1])
	}
	return ""
}

// formOf returns what a browser would send from the page's first form with a hidden key.
func formOf(page []byte) url.Values {
	form := url.Values{}
	first, _, _ := bytes.Cut(page[bytes.Index(page, []byte(`name="key"`))-40:], []byte("</form>"))
	for _, m := range inputs.FindAllStringSubmatch(string(first), -1) {
		if tag := m[1]; attribute(tag, "type") != "checkbox" || strings.Contains(tag, " checked") {
			form.Set(attribute(tag, "name"), attribute(tag, "value"))
		}
	}
	for _, m := range selects.FindAllStringSubmatch(string(first), -1) {
		if chosen := selected.FindStringSubmatch(m[2]); chosen != nil {
			form.Set(m[1], html.UnescapeString(chosen[1]))
		}
	}
	return form
}

// Given a workbook of 108 messy rows, then a person corrects the wrong rows, imports what the plan allows, and undoes the import.
func TestImport_OfAWorkbook_FromFileToUndo(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost:8080"}
	require.Equal(t, 303, v.signIn(t, asha, goodPassword).Status)
	require.Contains(t, string(v.get(t, "/dashboard/outlets").Raw), `href="/dashboard/outlets/import"`)
	require.Contains(t, string(v.get(t, "/dashboard/outlets/import").Raw), "Paste from your sheet")
	require.Contains(t, string(v.get(t, "/dashboard/outlets/import/sample.csv").Raw), "Outlet name,City,State")

	file, err := os.ReadFile("../pkg/outlet/testdata/import/network.xlsx")
	require.NoError(t, err)
	page := v.upload(t, "/dashboard/outlets/import/preview", "network.xlsx", file)
	require.Equal(t, 200, page.Status, "%s", page.Raw)
	require.Contains(t, string(page.Raw), "Rows chosen: 18.")
	require.Contains(t, string(page.Raw), "The spreadsheet shortened this number")
	require.Contains(t, string(page.Raw), "Your plan has room for 18 more outlets, so 90 rows are left out.")
	form := formOf(page.Raw)
	require.Equal(t, "108", form.Get("count"))
	require.Contains(t, string(page.Raw), `value="Shivamogga"`)

	refused := v.send(t, http.MethodPost, "/dashboard/outlets/import", form)
	require.Equal(t, 422, refused.Status)
	require.Contains(t, string(refused.Raw), "Some rows are wrong. Correct them, or leave them out.")
	form = formOf(refused.Raw)
	require.Equal(t, "9.8E+09", form.Get("17.phone"))
	form.Set("17.phone", "98220-11223")
	form.Set("invite", "1")
	form.Set("store_password", goodPassword)
	added := v.send(t, http.MethodPost, "/dashboard/outlets/import", form)
	require.Equal(t, 303, added.Status, "%s", added.Raw)
	require.Equal(t, added.Header.Get("Location"), v.send(t, http.MethodPost, "/dashboard/outlets/import", form).Header.Get("Location"), "the form sent twice")
	done := v.get(t, added.Header.Get("Location"))
	require.Contains(t, string(done.Raw), "The outlets were added.")
	require.Contains(t, string(done.Raw), "<dd>18</dd>")
	require.Contains(t, string(v.get(t, "/dashboard/outlets").Raw), "Your last import can still be undone.")

	full := v.send(t, http.MethodPost, "/dashboard/outlets/import/preview", url.Values{"paste": {"Name\tCity\nCamp\tPune\n"}})
	require.Contains(t, string(full.Raw), "You have reached your plan&#39;s limit of 18 franchises.")
	require.Contains(t, string(full.Raw), "Go to add-ons and plans")

	path, _, _ := strings.Cut(added.Header.Get("Location"), "?")
	undone := v.send(t, http.MethodPost, path+"/undo", url.Values{})
	require.Equal(t, 303, undone.Status)
	require.Contains(t, string(v.get(t, undone.Header.Get("Location")).Raw), "The import was undone.")
	require.Contains(t, string(v.get(t, "/dashboard/outlets").Raw), "No outlets yet")

	one := v.upload(t, "/dashboard/outlets/import", "one.csv", []byte("Outlet,Contact Person,Phone,City\nCamp,Asha,9822011223,Pune\n"))
	require.Equal(t, 200, one.Status, "the page's own address reads a sheet too: %s", one.Raw)
	require.Contains(t, string(one.Raw), "The sheet has one number for each outlet")
	asked := v.send(t, http.MethodPost, "/dashboard/outlets/import/preview", url.Values{"paste": {"A\tB\nCamp\tPune\n"}})
	require.Contains(t, string(asked.Raw), "For example")
}

// Given a person who corrects rows, pauses for three hours and signs in again, then the corrections and the remarks on mended values are
// kept, the password is not, and the import goes on.
func TestImport_PauseBeyondTheSession_KeepsTheCorrections(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost:8080"}
	require.Equal(t, 303, v.signIn(t, asha, goodPassword).Status)
	sheet := "Name\tCity\tPin\tPhone\nCamp\tPune\t411 001\t98\nKothrud\tPune\t411038\t9822011224\nRemarks " + strings.Repeat("x", 9000) + "\n"
	form := formOf(v.send(t, http.MethodPost, "/dashboard/outlets/import/preview", url.Values{"paste": {sheet}}).Raw)
	require.Equal(t, "98", form.Get("0.phone"))
	form.Set("0.phone", "98220 11223")
	form.Set("store_password", "Mangoes#2027")
	app.clock.Advance(3 * time.Hour)

	ended := v.send(t, http.MethodPost, "/dashboard/outlets/import", form)
	require.Equal(t, 401, ended.Status)
	require.Contains(t, string(ended.Raw), "what you typed is kept")
	require.NotContains(t, string(ended.Raw), "Mangoes#2027")
	kept := hiddenFields(ended)
	kept.Set("username", asha)
	kept.Set("password", "Wrong#2026")
	wrong := v.send(t, http.MethodPost, "/dashboard/login", kept)
	require.Equal(t, 401, wrong.Status)
	kept = hiddenFields(wrong)
	kept.Set("username", asha)
	kept.Set("password", goodPassword)
	again := v.send(t, http.MethodPost, "/dashboard/login", kept)
	require.Equal(t, 200, again.Status, "%s", again.Raw)
	require.Contains(t, string(again.Raw), "Nothing was saved yet")
	require.Contains(t, string(again.Raw), "Pincode: 411 001 → 411001. Written as six digits.")
	form = formOf(again.Raw)
	require.Equal(t, "9822011223", form.Get("0.phone"))
	require.Equal(t, 303, v.send(t, http.MethodPost, "/dashboard/outlets/import", form).Status)
	require.Contains(t, string(v.get(t, "/dashboard/outlets").Raw), "Kothrud")

	stranger := &visitor{app: app, host: v.host, cookie: "nothing"}
	require.Equal(t, 303, stranger.send(t, http.MethodPost, "/dashboard/outlets/import", form).Status)
	require.Equal(t, 400, stranger.send(t, http.MethodPost, "/dashboard/login", kept).Status, "8 KB at most")
}

func TestImport_WithoutSignIn_ReadsNothing(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost:8080"}
	for _, path := range []string{"/dashboard/outlets/import", "/dashboard/outlets/import/preview", "/dashboard/imports/019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50/undo"} {
		sent := v.send(t, http.MethodPost, path, url.Values{"paste": {"Name\tCity\nCamp\tPune\n"}})
		require.Equal(t, 303, sent.Status, path)
		require.Contains(t, sent.Header.Get("Location"), "/dashboard/login", path)
	}
}
