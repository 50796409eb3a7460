package middleware

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// KeyAuthenticator returns the key of a text; connect.Service implements it.
type KeyAuthenticator interface {
	Authenticate(ctx context.Context, text string) (connect.Key, error)
}

// KeyRules limit calls per key, and wrong keys per address.
type KeyRules struct{ Key, Wrong ratelimit.Rule }

// RequireKey stops a call without a valid API key of the scope: 401, or 403 for another scope. Sessions count for nothing here, and
// nowhere else do keys.
func RequireKey(a KeyAuthenticator, l Limiter, rules KeyRules, scope connect.Scope) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx := c.Request.Context()
		k, err := a.Authenticate(ctx, bearer(c.GetHeader("Authorization")))
		if err != nil {
			if errs.KindOf(err) == errs.KindUnauthenticated {
				c.Header("WWW-Authenticate", "Bearer")
				if limited := l.Hit(ctx, rules.Wrong, ratelimit.Address(c.ClientIP())); limited != nil {
					err = limited
				}
			}
			refuse(c, err)
			return
		}
		if err := l.Hit(ctx, rules.Key, k.ID); err != nil {
			refuse(c, err)
			return
		}
		if !k.Allows(scope) {
			refuse(c, errs.Forbidden())
			return
		}
		c.Set(apiKeyKey, k)
	}
}

const apiKeyKey = "api_key"

// APIKey returns the key of a call behind RequireKey; zero elsewhere.
func APIKey(c *gin.Context) connect.Key {
	k, _ := c.Value(apiKeyKey).(connect.Key)
	return k
}

// bearer returns the token of the header, empty for any other scheme. Schemes are of no case (RFC 9110, section 11.1).
func bearer(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimLeft(token, " ")
}
