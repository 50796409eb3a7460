// Package authz decides which role may call which route for which tenant, using the policies in policy.csv (Casbin, RBAC
// with domains). All callers share the same few roles, so the number of tenants does not affect the cost.
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

// Role is a caller's role on the platform.
type Role string

// The platform's roles. Anonymous callers have no role and are refused before authorisation.
const (
	// RoleFranchiser owns the account; RoleAccountant and RoleManager are roles of its members.
	RoleFranchiser Role = "role:franchiser"
	RoleAccountant Role = "role:accountant"
	RoleManager    Role = "role:manager"
	// RoleViewer lets staff view a franchiser's account with its consent.
	RoleViewer  Role = "role:viewer"
	RoleSupport Role = "role:support"
	RoleFinance Role = "role:finance"
	RoleAuditor Role = "role:auditor"
	RoleAdmin   Role = "role:admin"
)

// Request is a call to be authorised.
type Request struct {
	Role Role
	// Tenant is the account in which the caller holds the role, empty for staff; Owner is the franchiser whose data is requested.
	Tenant, Owner string
	// Route is the registered path pattern, such as /api/franchise/profile/sessions/:id.
	Route  string
	Method string
}

// Enforcer checks requests against the policies. It is safe for concurrent use and caches no decisions, so a revoked role
// is refused on the next call.
type Enforcer struct{ casbin *casbin.SyncedEnforcer }

// New returns an enforcer with the embedded policies.
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

// Allowed reports whether a policy allows the request.
func (e *Enforcer) Allowed(r Request) (bool, error) {
	ok, err := e.casbin.Enforce(string(r.Role), r.Tenant, r.Owner, r.Route, r.Method)
	if err != nil {
		return false, fmt.Errorf("decide access: %w", err)
	}
	return ok, nil
}
