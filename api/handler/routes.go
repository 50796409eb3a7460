package handler

import "github.com/gin-gonic/gin"

// Prefix is the path prefix of the product's calls.
const Prefix = "/api/franchise"

const (
	callbackPath = "/payments/callback"
	// returnPath is the full path to which a gateway sends a browser back.
	returnPath = Prefix + callbackPath
)

// SupportPrefix is the path prefix of staff calls.
const SupportPrefix = "/api/support"

// Area is a part of the product that registers its own routes.
type Area interface {
	Register(r Routes)
}

// Routes holds the groups on which an area registers its routes, all under /api/franchise.
type Routes struct {
	// Public needs no session, but loads one if present.
	Public gin.IRouter
	// Private responds 401 without a valid session.
	Private gin.IRouter
}

// Func handles one call; an error becomes the failure envelope.
type Func func(c *gin.Context) error

// Handle adapts a Func to gin. Like middleware, it leaves the error in the context for the router to answer.
func Handle(f Func) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := f(c); err != nil {
			_ = c.Error(err)
			c.Abort()
		}
	}
}
