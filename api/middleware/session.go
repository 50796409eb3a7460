// Package middleware is what stands before every call: where it comes from, who makes it, and whether it may.
package middleware

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Keys under which the session of a request is kept.
const (
	keyPrincipal    = "principal"
	keySessionError = "session_error"
)

// Authenticator tells who an access token belongs to; account.Service is the one that does.
type Authenticator interface {
	Authenticate(ctx context.Context, access string) (account.Principal, error)
}

// Session looks up the session of the request where it brings one. It refuses nothing: public calls go on without,
// private ones are stopped by RequireSession.
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

// RequireSession stops a call without a live session with 401, and with 503 where that could not be found out: while a
// database is down nobody is told to log in again.
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

// Principal returns who stands behind the session of the request; the zero value where there is none.
func Principal(c *gin.Context) account.Principal {
	p, _ := c.Value(keyPrincipal).(account.Principal)
	return p
}

// refuse stops the call; the router answers with the error's envelope.
func refuse(c *gin.Context, err error) {
	_ = c.Error(err)
	c.Abort()
}
