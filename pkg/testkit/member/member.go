// Package member signs staff in for tests of domains on which the world depends.
package member

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

const (
	staffSQL = `
		INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at) VALUES ($1, $2, $3, $4, 'x', 'x', $5)`
	sessionSQL = `
		INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)`
)

// Add adds a signed-in member of staff, whose Sign returns the contexts to use.
func Add(ctx context.Context, owner *sqlx.DB, name string, role staff.Role, now time.Time) (staff.Principal, error) {
	p := staff.Principal{
		SessionID: id.New(), StaffID: id.New(), Name: name, Email: strings.ToLower(name) + "@franchise360.example", Role: role,
	}
	proof := sha256.Sum256([]byte(p.SessionID))
	p.Proof = proof[:]
	if _, err := owner.ExecContext(ctx, staffSQL, p.StaffID, p.Email, p.Name, p.Role, now); err != nil {
		return p, fmt.Errorf("add staff: %w", err)
	}
	if _, err := owner.ExecContext(ctx, sessionSQL, p.SessionID, p.StaffID, p.Proof, now, now.Add(staff.SessionLife)); err != nil {
		return p, fmt.Errorf("sign staff in: %w", err)
	}
	return p, nil
}
