package middleware

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/consent"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// The cookies of staff viewing an account. CookieView is the secret and sent only to the product's calls; CookieViewing
// lets the pages show a banner: the view's id, the customer's, and its end (Unix seconds), separated by dots.
const (
	CookieView    = "f360_view"
	CookieViewing = "F360-VIEWING"
)

const keyView = "view"

// Viewer returns the account that a view shows; consent.Service implements it.
type Viewer interface {
	Find(ctx context.Context, token string) (consent.View, error)
}

// SetView sets the view's cookies until it ends.
func (k Cookies) SetView(c *gin.Context, v consent.View, token string, now time.Time) {
	life := v.EndsAt.Sub(now)
	k.writeStaff(c, CookieView, token, apiPath, life, true)
	k.writeStaff(c, CookieViewing, v.ID+"."+v.FranchiserID+"."+strconv.FormatInt(v.EndsAt.Unix(), 10), "/", life, false)
}

// ClearView clears the view's cookies.
func (k Cookies) ClearView(c *gin.Context) {
	k.writeStaff(c, CookieView, "", apiPath, -time.Second, true)
	k.writeStaff(c, CookieViewing, "", "/", -time.Second, false)
}

// View lets a browser with a live view read as the account's franchiser, taking precedence over its own session. Anything
// but a read is refused with 403 on every call, and so is the first call after the view has ended: a page's request as one
// user must never be answered as another.
func View(v Viewer, k Cookies) gin.HandlerFunc {
	return func(c *gin.Context) {
		token := k.read(c, CookieView)
		if token == "" {
			return
		}
		view, err := v.Find(c.Request.Context(), token)
		switch {
		case errs.KindOf(err) == errs.KindUnauthenticated && err != nil:
			k.ClearView(c)
			refuse(c, errs.New(errs.KindForbidden, "view_ended", "The view of this account has ended."))
		case err != nil:
			refuse(c, err)
		case c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead:
			refuse(c, errs.New(errs.KindForbidden, "view_only", "You are looking at this account. Nothing can be changed in it."))
		default:
			c.Set(keyPrincipal, account.Principal{FranchiserID: view.FranchiserID, SessionID: view.ID})
			c.Set(keyView, view)
		}
	}
}

// Viewing reports whether staff are viewing the account with its customer's consent.
func Viewing(c *gin.Context) bool {
	_, ok := c.Value(keyView).(consent.View)
	return ok
}
