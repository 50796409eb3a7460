package middleware

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// Limiter counts hits of a subject; ratelimit.Limiter is the one that does.
type Limiter interface {
	Hit(ctx context.Context, r ratelimit.Rule, subject string) error
}

// LimitWrites refuses writes past the rule with 429 and Retry-After: those of a franchiser together, wherever they come
// from, those of everybody else by address.
func LimitWrites(l Limiter, perFranchiser, perAddress ratelimit.Rule) gin.HandlerFunc {
	return func(c *gin.Context) {
		if isSafe(c.Request.Method) {
			return
		}
		rule, subject := perAddress, ratelimit.Address(c.ClientIP())
		if p := Principal(c); p != (account.Principal{}) {
			rule, subject = perFranchiser, p.FranchiserID
		}
		if err := l.Hit(c.Request.Context(), rule, subject); err != nil {
			refuse(c, err)
		}
	}
}
