package middleware

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/passkey"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
)

// The staff cookies are separate from those of franchisers, so that one browser can be signed in as both. They are
// SameSite=Strict; the client reads the XSRF token and sends it back in HeaderXSRF.
const (
	CookieStaff     = "f360_staff"
	CookieStaffXSRF = "STAFF-XSRF-TOKEN"
	// CookieStaffPasskey ties a sign-in by passkey to the browser that began it.
	CookieStaffPasskey = "f360_staff_passkey" //nolint:gosec // a name
)

const (
	staffPath = "/api/support"
	keyStaff  = "staff"
)

// StaffAuthenticator returns the owner of a staff token; staff.Service implements it.
type StaffAuthenticator interface {
	Authenticate(ctx context.Context, token string) (staff.Principal, error)
}

// Staff returns the request's staff token, or "".
func (k Cookies) Staff(c *gin.Context) string { return k.read(c, CookieStaff) }

// SetStaff sets the staff session cookies.
func (k Cookies) SetStaff(c *gin.Context, t staff.Tokens, now time.Time) {
	life := t.ExpiresAt.Sub(now)
	k.writeStaff(c, CookieStaff, t.Token, staffPath, life, true)
	k.writeStaff(c, CookieStaffXSRF, k.staffXSRF(t.SessionID), "/", life, false)
}

// ClearStaff clears the staff session cookies.
func (k Cookies) ClearStaff(c *gin.Context) {
	k.writeStaff(c, CookieStaff, "", staffPath, -time.Second, true)
	k.writeStaff(c, CookieStaffXSRF, "", "/", -time.Second, false)
}

// StaffPasskey returns the token of the browser's sign-in by passkey, or "".
func (k Cookies) StaffPasskey(c *gin.Context) string { return k.read(c, CookieStaffPasskey) }

// SetStaffPasskey ties the sign-in by passkey to this browser for as long as it may take.
func (k Cookies) SetStaffPasskey(c *gin.Context, token string) {
	k.writeStaff(c, CookieStaffPasskey, token, staffPath, passkey.Life, true)
}

// ClearStaffPasskey clears that cookie.
func (k Cookies) ClearStaffPasskey(c *gin.Context) {
	k.writeStaff(c, CookieStaffPasskey, "", staffPath, -time.Second, true)
}

func (k Cookies) writeStaff(c *gin.Context, name, value, path string, life time.Duration, httpOnly bool) {
	cookie := http.Cookie{Name: name, Value: value, Path: path, HttpOnly: httpOnly, SameSite: http.SameSiteStrictMode} //nolint:gosec // set decides on Secure, and the client reads the XSRF token
	k.set(c, cookie, life)
}

func (k Cookies) staffXSRF(sessionID string) string {
	return base64.RawURLEncoding.EncodeToString(k.keys.MAC(secret.PurposeXSRF, "staff", sessionID))
}

// RequireStaff stops a call without a valid staff session: 403 for a franchiser, 401 for everyone else. A write also needs
// the XSRF header. The role is read with the session, so revoking it takes effect at once.
func RequireStaff(a StaffAuthenticator, k Cookies, e *authz.Enforcer) gin.HandlerFunc {
	return func(c *gin.Context) {
		p, err := staff.Principal{}, errs.Unauthenticated()
		if token := k.Staff(c); token != "" {
			found, failure := a.Authenticate(c.Request.Context(), token)
			p, err = found, errs.As(failure)
			if failure == nil {
				err = nil
			}
		}
		if err != nil {
			if err.Kind == errs.KindUnauthenticated && Principal(c) != (account.Principal{}) {
				err = errs.Forbidden()
			}
			refuse(c, err)
			return
		}
		header := c.GetHeader(HeaderXSRF)
		if !isSafe(c.Request.Method) && (!same(k.read(c, CookieStaffXSRF), header) || !k.fits(header, "staff", p.SessionID)) {
			refuse(c, errs.New(errs.KindForbidden, "xsrf_failed", "This page is out of date. Please reload it and try again."))
			return
		}
		ok, failure := e.Allowed(authz.Request{Role: authz.Role("role:" + string(p.Role)), Route: c.FullPath(), Method: c.Request.Method})
		if failure != nil {
			refuse(c, failure)
			return
		}
		if !ok {
			refuse(c, roleRefused(e, c.FullPath(), c.Request.Method))
			return
		}
		c.Set(keyStaff, p)
		c.Request = c.Request.WithContext(p.Sign(c.Request.Context()))
	}
}

// roleRefused tells the caller which roles of staff may make the call.
func roleRefused(e *authz.Enforcer, route, method string) error {
	called := map[staff.Role]string{
		staff.RoleSupport: "support", staff.RoleFinance: "finance", staff.RoleAuditor: "auditors", staff.RoleAdmin: "admins",
	}
	var may []string
	for _, role := range staff.Roles() {
		ok, err := e.Allowed(authz.Request{Role: authz.Role("role:" + string(role)), Route: route, Method: method})
		if err != nil {
			return err
		}
		if ok {
			may = append(may, called[role])
		}
	}
	if len(may) == 0 {
		return errs.Forbidden()
	}
	verb := "do"
	if isSafe(method) {
		verb = "see"
	}
	who := may[len(may)-1]
	if len(may) > 1 {
		who = strings.Join(may[:len(may)-1], ", ") + " and " + who
	}
	return errs.New(errs.KindForbidden, "staff_role", "Your role may not "+verb+" this. It is for "+who+".")
}

// Staff returns the member of staff making the call, or the zero value.
func Staff(c *gin.Context) staff.Principal {
	p, _ := c.Value(keyStaff).(staff.Principal)
	return p
}
