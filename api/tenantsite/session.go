package tenantsite

import (
	"cmp"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// secure reports whether stores are served over https; only plain HTTP on localhost is not.
func (r *request) secure() bool { return r.options.Public.Scheme == "https" }

// named returns the name of a cookie, bound to the exact host if served over https.
func (r *request) named(name string) string {
	if r.secure() {
		return "__Host-" + name
	}
	return name
}

func (r *request) read(name string) string {
	c, err := r.c.Request.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

func (r *request) set(name, value string, seconds int) {
	http.SetCookie(r.c.Writer, &http.Cookie{ //nolint:gosec // Secure except for plain HTTP on localhost
		Name: name, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: r.secure(), SameSite: http.SameSiteLaxMode,
	})
}

func (r *request) token() string { return r.read(r.named(sessionName)) }

func (r *request) setToken(token string, seconds int) { r.set(r.named(sessionName), token, seconds) }

// signedIn reports whether the request has a valid session for this store, and notes whose it is.
func (r *request) signedIn() (bool, error) {
	session, err := r.stores.SignedIn(r.ctx, r.ref, r.token())
	if err != nil || session == nil {
		return false, err
	}
	r.ref.MemberID = session.MemberID
	return true, nil
}

// paused reports whether the visitor's session ended because nobody used it. It is known for the rest of its 12 hours.
func (r *request) paused() (bool, error) { return r.stores.Paused(r.ctx, r.ref, r.token()) }

// takeEntry signs in by a link of the product's.
func (r *request) takeEntry() {
	if r.c.Request.Method != http.MethodGet {
		r.c.Status(http.StatusOK) // a look at the address does not use the link up
		return
	}
	token, err := r.stores.TakeEntry(r.ctx, r.ref, r.c.Query(tenant.EntryCode))
	if err != nil {
		r.refuse(err, "login", view{Title: r.titled(r.say("Sign in"))})
		return
	}
	r.letIn(token)
	r.see(pathDashboard)
}

// letIn begins the session of the token.
func (r *request) letIn(token string) {
	r.setToken(token, int(tenant.SessionLife.Seconds()))
	r.logger.LogAttrs(r.ctx, slog.LevelInfo, "signed in",
		slog.String("request_id", r.c.Writer.Header().Get("X-Request-Id")), slog.String("actor", "tenant:"+r.ref.TenantID),
		slog.String("network", log.Network(r.c.ClientIP())))
}

// enter responds to visitors who are not signed in, and reports whether to continue.
func (r *request) enter() bool {
	live, err := r.signedIn()
	if err != nil {
		r.failed(err)
		return false
	}
	if !live {
		r.askSignIn(ownersDoor())
	}
	return live
}

func (r *request) loginPage() {
	live, err := r.signedIn()
	switch {
	case err != nil:
		r.failed(err)
	case live:
		r.see(cmp.Or(r.next(ownersDoor()), pathDashboard))
	default:
		r.render(http.StatusOK, ownersDoor().page, view{Title: r.titled(r.say("Sign in")), Kept: r.keep(r.next(ownersDoor()), keptPrefix)})
	}
}

func (r *request) signIn() {
	username, password := text.Mobile(r.c.PostForm("username")), r.c.PostForm("password")
	next := r.next(ownersDoor())
	problem := view{Title: r.titled(r.say("Sign in")), Username: username, Kept: r.keep(next, keptPrefix)}
	var token string
	device := guard.ReadDevice(r.options.Keys, r.read(r.named(deviceName)))
	visitor := guard.Visitor{Address: r.c.ClientIP(), Device: device}
	err := r.guardian.Try(r.ctx, r.options.Limits.Store, guard.KindStore, r.ref.TenantID, visitor, func() (err error) {
		if len(password) > maxPassword {
			return tenant.ErrWrongLogin
		}
		token, err = r.stores.SignIn(r.ctx, r.ref, username, password, device.Knows(guard.KindStore, r.ref.TenantID, r.options.Clock.Now()))
		return err
	})
	if err != nil {
		r.refuse(err, "login", problem)
		return
	}
	r.set(r.named(deviceName), device.Remember(guard.KindStore, r.ref.TenantID, r.options.Clock.Now()), int(guard.DeviceLife.Seconds()))
	r.letIn(token)
	if !r.resume(next) {
		r.see(cmp.Or(next, pathDashboard))
	}
}

const maxPassword = 128

// passwordName is the field of the store's password in the forms that give somebody access.
const passwordName = "store_password"

// prove checks the store's password of the form, because partners keep their access when the session ends. Guesses are limited as at
// the sign-in.
func (r *request) prove() error {
	given := r.c.PostForm(passwordName)
	if given == "" {
		return tenant.ErrNoPassword
	}
	device := guard.ReadDevice(r.options.Keys, r.read(r.named(deviceName)))
	err := r.guardian.Try(r.ctx, r.options.Limits.Store, guard.KindStore, r.ref.TenantID, guard.Visitor{Address: r.c.ClientIP(), Device: device}, func() error {
		if len(given) > maxPassword {
			return tenant.ErrWrongPassword
		}
		return r.stores.ProvePassword(r.ctx, r.ref, given, device.Knows(guard.KindStore, r.ref.TenantID, r.options.Clock.Now()))
	})
	if kind(err) != errs.KindRateLimited {
		return err
	}
	limited := errs.RateLimited(errs.As(err).RetryAfter)
	limited.Message = r.say("There were many wrong tries of the store password. Please wait for {1}.", waitText(r.in, limited.RetryAfter))
	limited.Code = codeGuesses
	return limited
}

// codeGuesses is the code of a refusal because of many wrong passwords; its message is in the reader's language.
const codeGuesses = "too_many_guesses"

// tooManyGuesses returns the refusal of prove; false for another error.
func tooManyGuesses(err error) (*errs.Error, bool) {
	if kind(err) != errs.KindRateLimited || errs.As(err).Code != codeGuesses {
		return nil, false
	}
	return errs.As(err), true
}

// passwordField asks for the store's password.
func (r *request) passwordField() field {
	return field{
		Name: passwordName, Label: r.say("Store password"), Hint: r.say("Partners keep their access after you sign out, so we ask again."),
		Type: "password", Auto: "current-password", Max: maxPassword, Required: true,
	}
}

func (r *request) signOut() {
	if token := r.token(); token != "" {
		if err := r.stores.SignOut(r.ctx, r.ref, token); err != nil {
			r.failed(err)
			return
		}
	}
	r.setToken("", -1)
	r.see(pathLogin)
}

// refuse shows the page again with the errors and everything entered except the password.
func (r *request) refuse(err error, page string, v view) {
	e := errs.As(err)
	status := http.StatusUnprocessableEntity
	switch e.Kind {
	case errs.KindUnauthenticated:
		status = http.StatusUnauthorized
	case errs.KindLimit:
		status = http.StatusPaymentRequired
	case errs.KindNotFound:
		status = http.StatusNotFound
	case errs.KindRateLimited:
		status = http.StatusTooManyRequests
		r.c.Header("Retry-After", roundUp(e.RetryAfter.Seconds()))
	case errs.KindInvalid:
	default:
		r.failed(err)
		return
	}
	r.logger.LogAttrs(r.ctx, slog.LevelInfo, "request failed",
		slog.String("request_id", r.c.Writer.Header().Get("X-Request-Id")), slog.String("method", r.c.Request.Method),
		slog.String("route", "store:"+page), slog.String("actor", "tenant:"+r.ref.TenantID), slog.String("network", log.Network(r.c.ClientIP())),
		slog.Int("status", status), slog.String("code", e.Code))
	if r.wantsJSON() {
		r.json(status, e)
		return
	}
	v.Problem, v.Fields = r.again(e.Message), e.Fields
	if e.Kind == errs.KindRateLimited && page == "login" {
		v.Problem = r.say("There were many wrong tries. Please wait for {1}, or sign in from a browser in which you did so before.", waitText(r.in, e.RetryAfter))
	}
	r.render(status, page, v)
}

// roundUp writes a waiting time in whole units, rounded up, so that a visitor does not retry too early.
func roundUp(units float64) string { return strconv.Itoa(int(math.Ceil(units))) }

// waitText formats a waiting time for people: in seconds up to a minute and a half, then in minutes, then in hours.
func waitText(l i18n.Language, d time.Duration) string {
	switch {
	case d <= time.Second:
		return l.Say("1 second")
	case d <= 90*time.Second:
		return l.Say("{1} seconds", roundUp(d.Seconds()))
	case d <= 90*time.Minute:
		return l.Say("{1} minutes", roundUp(d.Minutes()))
	}
	return l.Say("{1} hours", roundUp(d.Hours()))
}

// see redirects the browser to a page of this host, to be fetched with GET.
func (r *request) see(path string) {
	r.c.Header("Cache-Control", "no-store")
	r.c.Header("Location", path)
	r.c.Writer.WriteHeader(http.StatusSeeOther)
	r.c.Writer.WriteHeaderNow()
}
