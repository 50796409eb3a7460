package middleware

import (
	"crypto/subtle"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// XSRF refuses a write with a valid session or a refresh token but without the header that only a script of this site can
// set from the XSRF cookie. A call with neither has nothing to misuse. The exempt routes, as registered, are signed by the
// payment provider, whose page may be close enough for the browser to send our cookies.
func XSRF(k Cookies, exempt ...string) gin.HandlerFunc {
	return func(c *gin.Context) {
		if isSafe(c.Request.Method) || slices.Contains(exempt, c.FullPath()) {
			return
		}
		p := Principal(c)
		if p == (account.Principal{}) && (c.Request.URL.Path != refreshPath || k.Refresh(c) == "") {
			return
		}
		cookie, header := k.read(c, CookieXSRF), c.GetHeader(HeaderXSRF)
		ok := header != "" && same(cookie, header)
		if p != (account.Principal{}) {
			ok = ok && k.fits(header, p.SessionID)
		}
		if !ok {
			refuse(c, errs.New(errs.KindForbidden, "xsrf_failed", "This page is out of date. Please reload it and try again."))
		}
	}
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
