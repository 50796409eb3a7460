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
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// The cookies of the product, each with hostPrefix before its name but on plain-HTTP localhost. All are SameSite=Lax, and HttpOnly but for the XSRF token, which the client reads.
const (
	CookieSession = "f360_session"
	CookieRefresh = "f360_refresh"
	// CookieBrowser ties a sign-up or a reset to the browser that began it.
	CookieBrowser = "f360_browser"
	// CookieDevice knows which accounts of customers and staff the browser signed in to before.
	CookieDevice = "f360_device"
	// CookieXSRF is sent back in HeaderXSRF by the client.
	CookieXSRF = "XSRF-TOKEN"
	HeaderXSRF = "X-XSRF-TOKEN"
)

const (
	apiPath     = "/api/franchise"
	devicePath  = "/api"
	refreshPath = apiPath + "/refresh"
	browserLife = time.Hour
)

// Cookies writes and reads the product's cookies.
type Cookies struct {
	secure bool
	keys   secret.Keyring
}

// NewCookies returns the cookies of a site; they are Secure unless it is plain HTTP on this very machine.
func NewCookies(public *url.URL, keys secret.Keyring) Cookies {
	return Cookies{secure: public.Scheme == "https" || !isLocal(public.Hostname()), keys: keys}
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// Access returns the access token that the request brings, empty where it brings none.
func (k Cookies) Access(c *gin.Context) string { return k.read(c, CookieSession) }

// Refresh returns the refresh token that the request brings, empty where it brings none.
func (k Cookies) Refresh(c *gin.Context) string { return k.read(c, CookieRefresh) }

// Browser returns the token of the browser's sign-up or reset, empty where it has none.
func (k Cookies) Browser(c *gin.Context) string { return k.read(c, CookieBrowser) }

// hostPrefix before a cookie's name lets no other host of the same domain set it, which a store's page could try. Browsers
// take it over https and for the whole site only (RFC 6265bis).
const hostPrefix = "__Host-"

// read finds the cookie under its prefixed name, or under the bare one of browsers that signed in before there was a prefix.
func (k Cookies) read(c *gin.Context, name string) string {
	if k.secure {
		if value := bare(c, hostPrefix+name); value != "" {
			return value
		}
	}
	return bare(c, name)
}

func bare(c *gin.Context, name string) string {
	cookie, err := c.Request.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Device returns what the browser knows of the accounts that it signed in to.
func (k Cookies) Device(c *gin.Context) guard.Device {
	return guard.ReadDevice(k.keys, k.read(c, CookieDevice))
}

// Remember lets the browser know the account, as one that has signed in to it.
func (k Cookies) Remember(c *gin.Context, kind guard.Kind, account string, now time.Time) {
	k.write(c, CookieDevice, k.Device(c).Remember(kind, account, now), devicePath, guard.DeviceLife, true)
}

// SetBrowser ties the sign-up or reset to this browser for as long as it may be pending.
func (k Cookies) SetBrowser(c *gin.Context, token string) {
	k.write(c, CookieBrowser, token, apiPath, browserLife, true)
}

// SetSession gives the browser its session. Without remember-me the cookies end with the browser.
func (k Cookies) SetSession(c *gin.Context, t account.Tokens, now time.Time) {
	var access, whole time.Duration
	if t.Remember {
		whole = t.ExpiresAt.Sub(now)
		access = min(account.AccessLife, whole)
	}
	k.write(c, CookieSession, t.Access, "/", access, true)
	k.write(c, CookieRefresh, t.Refresh, refreshPath, whole, true)
	k.write(c, CookieXSRF, k.xsrf(t.SessionID), "/", whole, false)
}

// EnsureXSRF gives the browser the XSRF token of its session where it has lost it.
func (k Cookies) EnsureXSRF(c *gin.Context) {
	want := k.xsrf(Principal(c).SessionID)
	if k.read(c, CookieXSRF) != want {
		k.write(c, CookieXSRF, want, "/", 0, false)
	}
}

// ClearSession makes the browser forget its session.
func (k Cookies) ClearSession(c *gin.Context) {
	k.write(c, CookieSession, "", "/", -1, true)
	k.write(c, CookieRefresh, "", refreshPath, -1, true)
	k.write(c, CookieXSRF, "", "/", -1, false)
}

// write sets a cookie for life: until the browser ends where it is 0, not at all where it is negative.
func (k Cookies) write(c *gin.Context, name, value, path string, life time.Duration, httpOnly bool) {
	cookie := http.Cookie{Name: name, Value: value, Path: path, HttpOnly: httpOnly, SameSite: http.SameSiteLaxMode} //nolint:gosec // set decides about Secure, and the client reads the XSRF token
	k.set(c, cookie, life)
}

// set writes the cookie with its prefix where it is secure, and takes a bare one of before away.
func (k Cookies) set(c *gin.Context, cookie http.Cookie, life time.Duration) { //nolint:gosec // Secure is decided here, HttpOnly by the caller
	cookie.Secure, cookie.MaxAge = k.secure, int(life/time.Second)
	if life < 0 {
		cookie.MaxAge = -1
	}
	if k.secure {
		if bare(c, cookie.Name) != "" {
			old := cookie //nolint:gosec // as the one that it takes away
			old.Value, old.MaxAge = "", -1
			http.SetCookie(c.Writer, &old)
		}
		cookie.Name, cookie.Path = hostPrefix+cookie.Name, "/"
	}
	http.SetCookie(c.Writer, &cookie)
}

// xsrf returns the token of a session. It is derived from the session's id, so that a cookie that another site under
// the same domain has planted does not fit.
func (k Cookies) xsrf(sessionID string) string {
	return base64.RawURLEncoding.EncodeToString(k.keys.MAC(secret.PurposeXSRF, sessionID))
}

// fits says whether the token is that of the parts under any key.
func (k Cookies) fits(token string, parts ...string) bool {
	mac, err := base64.RawURLEncoding.DecodeString(token)
	return err == nil && k.keys.Fits(mac, secret.PurposeXSRF, parts...)
}
