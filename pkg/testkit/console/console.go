// Package console provides the fixtures for tests of the staff tools: signed-in staff, customers and an SMS provider.
package console

import (
	"context"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// People are a test's staff, each signed in: one support member and one admin.
type People struct {
	DB      *testkit.Database
	Service *staff.Service
	Sunita  staff.Principal
	Ravi    staff.Principal
}

// Hire creates a test's staff in the database.
func Hire(t *testing.T, db *testkit.Database, clk clock.Clock) People {
	t.Helper()
	p := People{DB: db, Service: staff.NewService(staff.Options{
		DB: db.API, Guard: testkit.NewGuard(t, db.API, clk), Passwords: password.Cheap(1), Clock: clk,
		Keys: testkit.NewKeyring(t), Limits: guard.Default(), Subjects: support.Subjects{}, Logger: testkit.NewLogger(t),
	})}
	p.Sunita, p.Ravi = p.hire(t, clk, "Sunita", staff.RoleSupport), p.hire(t, clk, "Ravi", staff.RoleAdmin)
	return p
}

func (p People) hire(t *testing.T, clk clock.Clock, name string, role staff.Role) staff.Principal {
	t.Helper()
	require.NoError(t, staff.Ensure(t.Context(), p.DB.Owner, password.Cheap(1), testkit.NewKeyring(t), clk, staff.Account{
		Email: name + "@example.in", Name: name, Password: "Mango#2026#Tree", Role: role, TOTPKey: []byte("12345678901234567890"),
	}))
	who := staff.Principal{SessionID: id.New(), Name: name, Role: role}
	proof := sha256.Sum256([]byte(who.SessionID))
	who.Proof = proof[:]
	require.NoError(t, p.DB.Owner.Get(&who.StaffID, `SELECT id FROM staff WHERE name = $1`, name))
	_, err := p.DB.Owner.Exec(`INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, seen_at, expires_at) VALUES ($1, $2, $5, $3, $3, $4)`,
		who.SessionID, who.StaffID, clk.Now(), clk.Now().Add(staff.SessionLife), who.Proof)
	require.NoError(t, err)
	return who
}

// Prover stands in for staff.Accounts: it takes each Proof, except that it returns Refused if that is set.
type Prover struct{ Refused error }

// Prove checks only the reason.
func (p Prover) Prove(_ context.Context, _ staff.Principal, _ staff.Proof, reason string) (string, error) {
	reason, err := staff.CleanReason(reason)
	if err == nil {
		err = p.Refused
	}
	return reason, err
}

// Actions returns the actions in the audit trail, in order, without the creation of the test's own staff accounts.
func (p People) Actions(t *testing.T) []string {
	t.Helper()
	var all []string
	require.NoError(t, p.DB.Owner.Select(&all, `SELECT action FROM staff_actions WHERE action <> 'staff_created' ORDER BY sequence`))
	return all
}

// Customer inserts a franchiser that has only signed up.
func Customer(t *testing.T, db *testkit.Database, clk clock.Clock, mobile, first, last string) string {
	t.Helper()
	franchiserID := id.New()
	_, err := db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, first_name, last_name, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, $2, lower($3::text) || $2::text || '@example.in', $3, $4, 'x', '1', $5, $5)`, franchiserID, mobile, first, last, clk.Now())
	require.NoError(t, err)
	return franchiserID
}

// ClaimDomain gives the franchiser a store and an unproven domain.
func ClaimDomain(t *testing.T, db *testkit.Database, clk clock.Clock, franchiserID string) {
	t.Helper()
	tenantID := id.New()
	_, err := db.Owner.Exec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug, created_at, updated_at)
		VALUES ($1, $2, 'Royal Sweets', 1, $1::uuid::text, 'x', 'royal-sweets', $3, $3)`, tenantID, franchiserID, clk.Now())
	require.NoError(t, err)
	_, err = db.Owner.Exec(`INSERT INTO custom_domains (id, franchiser_id, tenant_id, domain, display, token, state, claimed_at, state_since)
		VALUES ($1, $2, $3, 'shop.example.in', 'shop.example.in', repeat('a', 32), 'pending', $4, $4)`, id.New(), franchiserID, tenantID, clk.Now())
	require.NoError(t, err)
}

// Count returns the number that the query yields for the owner of the tables.
func Count(t *testing.T, db *testkit.Database, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, db.Owner.Get(&n, query, args...))
	return n
}

// Texts is an SMS provider that keeps the messages it is given.
type Texts struct {
	Sent    []message.Message
	Failure error
}

// Send implements message.SMS.
func (s *Texts) Send(_ context.Context, m message.Message) error {
	if s.Failure == nil {
		s.Sent = append(s.Sent, m)
	}
	return s.Failure
}

// Note inserts a one-time code as the account domain does; an empty franchiserID means before the account existed.
func Note(t *testing.T, db *testkit.Database, clk clock.Clock, mobile, franchiserID string) string {
	t.Helper()
	codeID := id.New()
	_, err := db.Owner.Exec(`INSERT INTO one_time_codes (id, mobile, purpose, message, franchiser_ref, created_at, expires_at, sent_at)
		VALUES ($1, $2, 'sign_up', 'code', nullif($3, '')::uuid, $4, $4, $4)`, codeID, mobile, franchiserID, clk.Now())
	require.NoError(t, err)
	return codeID
}
