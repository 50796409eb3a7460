package middleware

import (
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// The product's cookies, each prefixed with hostPrefix except on plain-HTTP localhost. All are SameSite=Lax, and HttpOnly
// except the XSRF token, which the client reads.
const (
	CookieSession = "f360_session"
	CookieRefresh = "f360_refresh"
	// CookieBrowser ties a sign-up or a reset to the browser that started it.
	CookieBrowser = "f360_browser"
	// CookieDevice lists the accounts of customers and staff that the browser has signed in to.
	CookieDevice = "f360_device"
	// CookieXSRF is echoed in HeaderXSRF by the client.
	CookieXSRF = "XSRF-TOKEN"
	HeaderXSRF = "X-XSRF-TOKEN"
)

const (
	apiPath     = "/api/franchise"
	devicePath  = "/api"
	refreshPath = apiPath + "/refresh"
	browserLife = time.Hour
)

// Cookies reads and writes the product's cookies.
type Cookies struct {
	secure bool
	keys   secret.Keyring
}

// NewCookies returns the cookies of a site; they are Secure unless the site is plain HTTP on localhost.
func NewCookies(public *url.URL, keys secret.Keyring) Cookies {
	return Cookies{secure: public.Scheme == "https" || !isLocal(public.Hostname()), keys: keys}
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// Access returns the request's access token, or "".
func (k Cookies) Access(c *gin.Context) string { return k.read(c, CookieSession) }

// Refresh returns the request's refresh token, or "".
func (k Cookies) Refresh(c *gin.Context) string { return k.read(c, CookieRefresh) }

// Browser returns the token of the browser's sign-up or reset, or "".
func (k Cookies) Browser(c *gin.Context) string { return k.read(c, CookieBrowser) }

// hostPrefix stops other hosts of the same domain, such as a store's page, from setting the cookie. Browsers accept it only
// over https and for the whole site (RFC 6265bis).
const hostPrefix = "__Host-"

// read returns the cookie's value, or "" if it is missing.
func (k Cookies) read(c *gin.Context, name string) string {
	cookie, err := c.Request.Cookie(k.name(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

func (k Cookies) name(name string) string {
	if k.secure {
		return hostPrefix + name
	}
	return name
}

// Device returns the accounts that the browser has signed in to.
func (k Cookies) Device(c *gin.Context) guard.Device {
	return guard.ReadDevice(k.keys, k.read(c, CookieDevice))
}

// Remember adds the account to those the browser has signed in to.
func (k Cookies) Remember(c *gin.Context, kind guard.Kind, account string, now time.Time) {
	k.write(c, CookieDevice, k.Device(c).Remember(kind, account, now), devicePath, guard.DeviceLife, true)
}

// SetBrowser ties the sign-up or reset to this browser for as long as it may be pending.
func (k Cookies) SetBrowser(c *gin.Context, token string) {
	k.write(c, CookieBrowser, token, apiPath, browserLife, true)
}

// SetSession sets the session cookies. Without remember-me they end with the browser session.
func (k Cookies) SetSession(c *gin.Context, t session.Tokens, now time.Time) {
	var access, whole time.Duration
	if t.Remember {
		whole = t.ExpiresAt.Sub(now)
		access = min(account.AccessLife, whole)
	}
	k.write(c, CookieSession, t.Access, "/", access, true)
	k.write(c, CookieRefresh, t.Refresh, refreshPath, whole, true)
	k.write(c, CookieXSRF, k.xsrf(t.SessionID), "/", whole, false)
}

// EnsureXSRF sets the session's XSRF cookie if it is missing.
func (k Cookies) EnsureXSRF(c *gin.Context) {
	want := k.xsrf(Principal(c).SessionID)
	if k.read(c, CookieXSRF) != want {
		k.write(c, CookieXSRF, want, "/", 0, false)
	}
}

// ClearSession clears the session cookies.
func (k Cookies) ClearSession(c *gin.Context) {
	k.write(c, CookieSession, "", "/", -1, true)
	k.write(c, CookieRefresh, "", refreshPath, -1, true)
	k.write(c, CookieXSRF, "", "/", -1, false)
}

// write sets a cookie for life: 0 means until the browser closes, a negative life deletes it.
func (k Cookies) write(c *gin.Context, name, value, path string, life time.Duration, httpOnly bool) {
	cookie := http.Cookie{Name: name, Value: value, Path: path, HttpOnly: httpOnly, SameSite: http.SameSiteLaxMode} //nolint:gosec // set decides on Secure, and the client reads the XSRF token
	k.set(c, cookie, life)
}

// set writes the cookie, prefixed if it is secure.
func (k Cookies) set(c *gin.Context, cookie http.Cookie, life time.Duration) { //nolint:gosec // Secure is set here, HttpOnly by the caller
	cookie.Name, cookie.Secure, cookie.MaxAge = k.name(cookie.Name), k.secure, int(life/time.Second)
	if life < 0 {
		cookie.MaxAge = -1
	}
	if k.secure {
		cookie.Path = "/"
	}
	http.SetCookie(c.Writer, &cookie)
}

// xsrf returns a session's token. It is derived from the session id, so that a cookie planted by another site under the
// same domain does not match.
func (k Cookies) xsrf(sessionID string) string {
	return base64.RawURLEncoding.EncodeToString(k.keys.MAC(secret.PurposeXSRF, sessionID))
}

// fits reports whether the token matches the parts under any key.
func (k Cookies) fits(token string, parts ...string) bool {
	mac, err := base64.RawURLEncoding.DecodeString(token)
	return err == nil && k.keys.Fits(mac, secret.PurposeXSRF, parts...)
}
