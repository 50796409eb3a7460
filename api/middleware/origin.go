package middleware

import (
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Origin refuses writes triggered from another site. It trusts Sec-Fetch-Site, which no script can set, then Origin; a call
// with neither does not come from a browser that could be tricked. The exempt routes, as registered, are those to which the
// payment provider's page and server post.
func Origin(public *url.URL, exempt ...string) gin.HandlerFunc {
	ours := public.Scheme + "://" + public.Host
	return func(c *gin.Context) {
		if isSafe(c.Request.Method) || slices.Contains(exempt, c.FullPath()) {
			return
		}
		if !fromOurs(c.GetHeader("Sec-Fetch-Site"), c.GetHeader("Origin"), ours) {
			refuse(c, errs.New(errs.KindForbidden, "cross_site", "This call can only be made from our own pages."))
		}
	}
}

// fromOurs reports whether a write comes from one of our pages. A tenant's page is same-site but not ours.
func fromOurs(fetchSite, origin, ours string) bool {
	switch fetchSite {
	case "same-origin":
		return true
	case "":
		return origin == "" || origin == ours
	default: // cross-site and same-site; none is a typed URL, which never writes
		return origin == ours
	}
}
