package middleware

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Permission responds 403 if no policy allows the call in the session's role. Resources are always looked up among those of
// the account in which the session acts, so another's are simply not found.
func Permission(e *authz.Enforcer) gin.HandlerFunc {
	return func(c *gin.Context) {
		p := Principal(c)
		own, role := p.FranchiserID, authz.RoleFranchiser
		switch {
		case Viewing(c):
			role = authz.RoleViewer
		case !p.Owns():
			role = authz.Role("role:" + string(p.Role))
		}
		ok, err := e.Allowed(authz.Request{
			Role: role, Tenant: own, Owner: own, Route: c.FullPath(), Method: c.Request.Method,
		})
		if err != nil {
			refuse(c, err)
			return
		}
		switch {
		case ok:
		case p.Owns():
			refuse(c, errs.Forbidden())
		default:
			refuse(c, errs.New(errs.KindForbidden, "role_forbidden", "Your role in this account does not include this."))
		}
	}
}
