package middleware

import (
	"context"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// Limiter counts hits of a subject; ratelimit.Limiter is the one that does.
type Limiter interface {
	Hit(ctx context.Context, r ratelimit.Rule, subject string) error
}

// WriteRules are how often writes may come: those of one franchiser, those of one address, and those of one address to the
// routes to which a gateway posts for all its customers.
type WriteRules struct{ Franchiser, Address, Gateway ratelimit.Rule }

// LimitWrites refuses writes past their rule with 429 and Retry-After: those of a franchiser together, wherever they come
// from, those of everybody else by address. The gateway's routes are given as they were registered.
func LimitWrites(l Limiter, rules WriteRules, gateway ...string) gin.HandlerFunc {
	return func(c *gin.Context) {
		if isSafe(c.Request.Method) {
			return
		}
		rule, subject := rules.Address, ratelimit.Address(c.ClientIP())
		switch p := Principal(c); {
		case slices.Contains(gateway, c.FullPath()):
			rule = rules.Gateway
		case p != (account.Principal{}):
			rule, subject = rules.Franchiser, p.FranchiserID
		}
		if err := l.Hit(c.Request.Context(), rule, subject); err != nil {
			refuse(c, err)
		}
	}
}
