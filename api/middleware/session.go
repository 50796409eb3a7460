// Package middleware checks every call before its handler: its origin, its caller, and the caller's permission.
package middleware

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Context keys for the request's session.
const (
	keyPrincipal    = "principal"
	keySessionError = "session_error"
)

// Authenticator returns the owner of an access token; session.Service implements it.
type Authenticator interface {
	Authenticate(ctx context.Context, access string) (account.Principal, error)
}

// Session loads the request's session if there is one. It refuses nothing: public calls continue without one, private calls
// are stopped by RequireSession.
func Session(a Authenticator, k Cookies) gin.HandlerFunc {
	return func(c *gin.Context) {
		access := k.Access(c)
		if access == "" || Viewing(c) {
			return
		}
		p, err := a.Authenticate(c.Request.Context(), access)
		if err != nil {
			c.Set(keySessionError, err)
			return
		}
		c.Set(keyPrincipal, p)
	}
}

// RequireSession responds 401 to a call without a valid session, and 503 if the session could not be checked, so that customers are not
// logged out while the database is down.
func RequireSession(c *gin.Context) {
	if Principal(c) != (account.Principal{}) {
		return
	}
	if err, ok := c.Value(keySessionError).(error); ok && errs.KindOf(err) != errs.KindUnauthenticated {
		refuse(c, err)
		return
	}
	refuse(c, errs.Unauthenticated())
}

// Principal returns the owner of the request's session, or the zero value.
func Principal(c *gin.Context) account.Principal {
	p, _ := c.Value(keyPrincipal).(account.Principal)
	return p
}

// Owner returns the franchiser of a session in its own account, empty for anybody else: public calls tell a member nothing of an
// account's plan.
func Owner(c *gin.Context) string {
	if p := Principal(c); p.Owns() {
		return p.FranchiserID
	}
	return ""
}

// refuse stops the call; the router responds with the error's envelope.
func refuse(c *gin.Context, err error) {
	_ = c.Error(err)
	c.Abort()
}
