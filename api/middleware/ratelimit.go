package middleware

import (
	"context"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// Limiter counts hits of a subject; ratelimit.Limiter is the one that does.
type Limiter interface {
	Hit(ctx context.Context, r ratelimit.Rule, subject string) error
}

// WriteRules are how often writes may come: those of one franchiser, of one device that signed in before, of one address, of
// one address to the doors, and to the routes to which a gateway posts for all its customers.
type WriteRules struct{ Franchiser, Device, Address, Doors, Gateway ratelimit.Rule }

// WriteRoutes are the routes, as they were registered, that are counted by themselves: those of gateways, and the doors, which
// come before a session.
type WriteRoutes struct{ Gateway, Doors []string }

const keyPressed = "pressed"

// Pressed says that the call came to a door from an address that sends far more than people do. It is for the door to ask for
// work then, because a refusal would stop everybody behind that address.
func Pressed(c *gin.Context) bool { return c.GetBool(keyPressed) }

// LimitWrites refuses writes past their rule with 429 and Retry-After: those of a franchiser together, wherever they come
// from, those of a device that signed in before, and those of everybody else by address. Doors are never refused.
func LimitWrites(l Limiter, k Cookies, rules WriteRules, routes WriteRoutes) gin.HandlerFunc {
	return func(c *gin.Context) {
		if isSafe(c.Request.Method) {
			return
		}
		ctx, route := c.Request.Context(), c.FullPath()
		rule, subject, door := rules.Address, ratelimit.Address(c.ClientIP()), slices.Contains(routes.Doors, route)
		switch p := Principal(c); {
		case slices.Contains(routes.Gateway, route):
			rule = rules.Gateway
		case p != (account.Principal{}):
			rule, subject, door = rules.Franchiser, p.FranchiserID, false
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

// LimitStaffReads refuses what a member of staff reads past the rule with 429 and Retry-After, and says why; the free routes,
// each with its reason, are not counted.
func LimitStaffReads(l Limiter, rule ratelimit.Rule, free map[string]string) gin.HandlerFunc {
	return func(c *gin.Context) {
		if _, isFree := free[c.FullPath()]; isFree || !isSafe(c.Request.Method) {
			return
		}
		err := l.Hit(c.Request.Context(), rule, Staff(c).StaffID)
		if err != nil && errs.KindOf(err) == errs.KindRateLimited {
			limited := errs.New(errs.KindRateLimited, "too_many_requests",
				"You have looked at more customers than one person reads. Please go on in a few minutes.")
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
