package support_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// people are the staff of a test: two of support, each signed in.
type people struct {
	db           *testkit.Database
	service      *staff.Service
	sunita, ravi staff.Principal
}

func hire(t *testing.T, db *testkit.Database, clk clock.Clock) people {
	t.Helper()
	p := people{db: db, service: staff.NewService(staff.Deps{
		DB: db.API, Clock: clk, Keys: testkit.NewKeyring(t), Guard: testkit.NewGuard(t, db.API, clk), Passwords: password.Cheap(1),
		Limits: guard.Default(), Logger: testkit.NewLogger(t),
	})}
	p.sunita, p.ravi = p.hire(t, clk, "Sunita", staff.RoleSupport), p.hire(t, clk, "Ravi", staff.RoleAdmin)
	return p
}

func (p people) hire(t *testing.T, clk clock.Clock, name string, role staff.Role) staff.Principal {
	t.Helper()
	require.NoError(t, staff.Ensure(t.Context(), p.db.Owner, password.Cheap(1), testkit.NewKeyring(t), clk, staff.Account{
		Email: name + "@example.in", Name: name, Password: "Mango#2026#Tree", Role: role, TOTPKey: []byte("12345678901234567890"),
	}))
	who := staff.Principal{SessionID: id.New(), Name: name, Role: role}
	proof := sha256.Sum256([]byte(who.SessionID))
	who.Proof = proof[:]
	require.NoError(t, p.db.Owner.Get(&who.StaffID, `SELECT id FROM staff WHERE name = $1`, name))
	_, err := p.db.Owner.Exec(`INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, seen_at, expires_at) VALUES ($1, $2, $5, $3, $3, $4)`,
		who.SessionID, who.StaffID, clk.Now(), clk.Now().Add(staff.SessionLife), who.Proof)
	require.NoError(t, err)
	return who
}

// actions are what the trail holds, in order, but for the accounts of staff that the test began with.
func (p people) actions(t *testing.T) []string {
	t.Helper()
	var all []string
	require.NoError(t, p.db.Owner.Select(&all, `SELECT action FROM staff_actions WHERE action <> 'staff_created' ORDER BY sequence`))
	return all
}

// customer writes a franchiser with nothing but its sign-up.
func customer(t *testing.T, db *testkit.Database, clk clock.Clock, mobile, first, last string) string {
	t.Helper()
	franchiserID := id.New()
	_, err := db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, first_name, last_name, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, $2, lower($3::text) || $2::text || '@example.in', $3, $4, 'x', '1', $5, $5)`, franchiserID, mobile, first, last, clk.Now())
	require.NoError(t, err)
	return franchiserID
}

// accounts stands for the account domain and counts what it was asked.
type accounts struct {
	asked   []string
	failure error
}

func (a *accounts) note(format string, args ...any) error {
	a.asked = append(a.asked, fmt.Sprintf(format, args...))
	return a.failure
}

func (a *accounts) StaffUnlock(_ context.Context, franchiserID string) error {
	return a.note("unlock %s", franchiserID)
}

func (a *accounts) StaffUnlockMobile(_ context.Context, mobile string) error {
	return a.note("unlock %s", mobile)
}

func (a *accounts) StaffEndSessions(_ context.Context, franchiserID string) (int, error) {
	return 2, a.note("end %s", franchiserID)
}

// bundle is what most tests stand on.
type bundle struct {
	people

	clock    *clock.Fake
	accounts *accounts
	help     *support.CustomerActions
	views    *support.AccountViews
	desk     *support.Customers
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{clock: testkit.NewClock(), accounts: &accounts{}}
	b.people = hire(t, testkit.NewDatabase(t), b.clock)
	jobs, keys := testkit.NewInserter(t, b.db.API), testkit.NewKeyring(t)
	b.help = support.NewCustomerActions(support.CustomerActionsDeps{
		DB: b.db.API, Jobs: jobs, Clock: b.clock, Keys: keys, Recorder: b.service, Accounts: b.accounts,
	})
	b.views = support.NewAccountViews(support.AccountViewsDeps{DB: b.db.API, Jobs: jobs, Clock: b.clock, Keys: keys, Recorder: b.service})
	b.desk = support.NewCustomers(b.db.API, jobs, b.clock, b.service, support.NewContactRequests(b.db.API, b.clock))
	return b
}

func (b bundle) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, b.db.Owner.Get(&n, query, args...))
	return n
}
