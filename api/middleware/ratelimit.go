package middleware

import (
	"context"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// Limiter counts hits of a subject; ratelimit.Limiter implements it.
type Limiter interface {
	Hit(ctx context.Context, r ratelimit.Rule, subject string) error
}

// WriteRules limits writes per franchiser, per device that has signed in before, per address, per address to the doors, and
// on the routes to which a gateway posts for all its customers.
type WriteRules struct{ Franchiser, Device, Address, Doors, Gateway ratelimit.Rule }

// WriteRoutes lists the routes, as registered, that are counted separately: those of gateways, and the doors, which precede
// a session.
type WriteRoutes struct{ Gateway, Doors []string }

const keyPressed = "pressed"

// Pressed reports whether a call to a sign-in route came from an address that sends far more than people do. The route should then require
// proof of work, because a refusal would block everyone at that address.
func Pressed(c *gin.Context) bool { return c.GetBool(keyPressed) }

// LimitWrites refuses writes past their limit with 429 and Retry-After: per franchiser from anywhere, per device that has
// signed in before, and otherwise per address. Doors are never refused. What a member takes out of an account counts too, because
// it leaves a row.
func LimitWrites(l Limiter, k Cookies, rules WriteRules, routes WriteRoutes) gin.HandlerFunc {
	return func(c *gin.Context) {
		if isSafe(c.Request.Method) && (Principal(c).Owns() || !isAct(c.Request.Method, c.FullPath())) {
			return
		}
		ctx, route := c.Request.Context(), c.FullPath()
		rule, subject, door := rules.Address, ratelimit.Address(c.ClientIP()), slices.Contains(routes.Doors, route)
		switch p := Principal(c); {
		case slices.Contains(routes.Gateway, route):
			rule = rules.Gateway
		case p != (account.Principal{}):
			rule, subject, door = rules.Franchiser, p.Person(), false
		default:
			if device := k.Device(c).ID(); device != "" {
				if err := l.Hit(ctx, rules.Device, device); errs.KindOf(err) != errs.KindRateLimited {
					refuseUnless(c, err)
					return
				}
			}
			if door {
				rule = rules.Doors
			}
		}
		err := l.Hit(ctx, rule, subject)
		if door && err != nil && errs.KindOf(err) == errs.KindRateLimited {
			c.Set(keyPressed, true)
			return
		}
		refuseUnless(c, err)
	}
}

// LimitStaffReads refuses a staff member's reads past the limit with 429, Retry-After and a reason; the free routes, each
// with its reason, are not counted.
func LimitStaffReads(l Limiter, rule ratelimit.Rule, free map[string]string) gin.HandlerFunc {
	return func(c *gin.Context) {
		if _, isFree := free[c.FullPath()]; isFree || !isSafe(c.Request.Method) {
			return
		}
		err := l.Hit(c.Request.Context(), rule, Staff(c).StaffID)
		if err != nil && errs.KindOf(err) == errs.KindRateLimited {
			limited := errs.New(errs.KindRateLimited, "too_many_requests",
				"You have opened too many customers in a short time. Please continue in a few minutes.")
			limited.RetryAfter = errs.As(err).RetryAfter
			err = limited
		}
		refuseUnless(c, err)
	}
}

func refuseUnless(c *gin.Context, err error) {
	if err != nil {
		refuse(c, err)
	}
}
