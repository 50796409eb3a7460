package middleware

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
)

// ActNoter notes what members of an account do; team.Service implements it.
type ActNoter interface {
	BeginAct(ctx context.Context, p account.Principal, operation string) (actID string, err error)
	EndAct(ctx context.Context, p account.Principal, actID string, done bool) error
}

// NoteActs records each write of a member in another person's account, and each document and list that a member downloads from it. If the
// record fails, the call does not run. The owner's own calls are not recorded.
func NoteActs(n ActNoter) gin.HandlerFunc {
	return func(c *gin.Context) {
		p := Principal(c)
		if p.Owns() || !isAct(c.Request.Method, c.FullPath()) {
			return
		}
		actID, err := n.BeginAct(c.Request.Context(), p, c.Request.Method+" "+c.FullPath())
		if err != nil {
			refuse(c, err)
			return
		}
		c.Next()
		if err := n.EndAct(context.WithoutCancel(c.Request.Context()), p, actID, len(c.Errors) == 0); err != nil && len(c.Errors) == 0 {
			_ = c.Error(err)
		}
	}
}

// isAct reports whether the call changes the account or takes something out of it. Calls about the person's own session do neither.
func isAct(method, route string) bool {
	path := strings.TrimPrefix(route, apiPath)
	switch {
	case path == "/logout" || strings.HasPrefix(path, "/accounts") || strings.HasPrefix(path, "/team/invitations"):
		return false
	case isSafe(method):
		return strings.HasSuffix(path, "/export") || strings.HasPrefix(path, "/subscription/invoice/")
	}
	return true
}
