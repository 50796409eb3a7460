// Package authz decides which role may call which route of whose tenant, by the policies in policy.csv (Casbin, RBAC
// with domains). Roles are shared by all callers, so that the number of tenants costs nothing.
package authz

import (
	_ "embed"
	"fmt"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
	stringadapter "github.com/casbin/casbin/v2/persist/string-adapter"
)

//go:embed model.conf
var modelText string

//go:embed policy.csv
var policyText string

// Role is what a caller is to the platform.
type Role string

// The roles of the house. Anonymous callers have none and are refused before anybody asks for their rights.
const (
	RoleFranchiser Role = "role:franchiser"
	// RoleViewer is staff that look at a franchiser's account with its consent.
	RoleViewer  Role = "role:viewer"
	RoleSupport Role = "role:support"
	RoleAdmin   Role = "role:admin"
)

// Request is one call that is to be allowed or not.
type Request struct {
	Role Role
	// Tenant is the franchiser that the caller belongs to, empty for staff; Owner is whose data is asked for.
	Tenant, Owner string
	// Route is the path as it was registered, such as /api/franchise/profile/sessions/:id.
	Route  string
	Method string
}

// Enforcer answers requests by the policies; it is safe for concurrent use and keeps no answer, so that a role that was
// taken away is refused on the next call.
type Enforcer struct{ casbin *casbin.SyncedEnforcer }

// New returns an enforcer over the embedded policies.
func New() (*Enforcer, error) {
	m, err := model.NewModelFromString(modelText)
	if err != nil {
		return nil, fmt.Errorf("read access model: %w", err)
	}
	e, err := casbin.NewSyncedEnforcer(m, stringadapter.NewAdapter(policyText))
	if err != nil {
		return nil, fmt.Errorf("read access policies: %w", err)
	}
	return &Enforcer{casbin: e}, nil
}

// Allowed says whether a policy allows the request.
func (e *Enforcer) Allowed(r Request) (bool, error) {
	ok, err := e.casbin.Enforce(string(r.Role), r.Tenant, r.Owner, r.Route, r.Method)
	if err != nil {
		return false, fmt.Errorf("decide access: %w", err)
	}
	return ok, nil
}
