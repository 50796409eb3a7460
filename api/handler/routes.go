package handler

import "github.com/gin-gonic/gin"

// Prefix is where the product's calls live.
const Prefix = "/api/franchise"

const (
	callbackPath = "/payments/callback"
	// returnPath is the whole address to which a gateway sends a browser back.
	returnPath = Prefix + callbackPath
)

// SupportPrefix is where the calls of staff live.
const SupportPrefix = "/api/support"

// Area is one part of the product that has calls of its own.
type Area interface {
	Register(r Routes)
}

// Routes are the groups on which an area registers its calls, all under /api/franchise.
type Routes struct {
	// Public needs no session, but sees one where there is one.
	Public gin.IRouter
	// Private answers 401 without a live session.
	Private gin.IRouter
}

// Func handles one call; an error becomes the failure envelope.
type Func func(c *gin.Context) error

// Handle adapts a Func to gin. The error is left in the context, as middleware leaves its own, for the router to answer.
func Handle(f Func) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := f(c); err != nil {
			_ = c.Error(err)
			c.Abort()
		}
	}
}
