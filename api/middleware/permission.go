package middleware

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Permission refuses with 403 what no policy allows the franchiser of the session. What a franchiser asks for is always
// looked for among its own: another's is not there at all.
func Permission(e *authz.Enforcer) gin.HandlerFunc {
	return func(c *gin.Context) {
		own, role := Principal(c).FranchiserID, authz.RoleFranchiser
		if Viewing(c) {
			role = authz.RoleViewer
		}
		ok, err := e.Allowed(authz.Request{
			Role: role, Tenant: own, Owner: own, Route: c.FullPath(), Method: c.Request.Method,
		})
		if err != nil {
			refuse(c, err)
			return
		}
		if !ok {
			refuse(c, errs.Forbidden())
		}
	}
}
