package main

import (
	"context"
	"encoding/base32"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
)

// demoStaff is a development sign-in for the console at /support/login; its key works with any authenticator app. There are two
// admins, because a large refund needs two.
type demoStaff struct {
	title, email, name, key string
	role                    staff.Role
}

func demoStaffAccounts() []demoStaff {
	return []demoStaff{
		{"Support staff", "support@franchise360.example", "Sunita Support", "KNKVAUCPKJKEGT2OKNKVAUCPKJKEGT2O", staff.RoleSupport},
		{"Admin staff", "admin@franchise360.example", "Arun Admin", "IFCE2SKOIZJECTSDIFCE2SKOIZJECTSD", staff.RoleAdmin},
		{"Second admin", "admin2@franchise360.example", "Kavita Admin", "NNUVEQKENVUW4ZLTNNUVEQKENVUW4ZLT", staff.RoleAdmin},
	}
}

// ensureStaff creates the demo staff accounts and returns how to sign in to each.
func ensureStaff(ctx context.Context, getenv func(string) string) (rows [][2]string, err error) {
	for _, a := range demoStaffAccounts() {
		key, err := base32.StdEncoding.DecodeString(a.key)
		if err != nil {
			return nil, fmt.Errorf("authenticator key: %w", err)
		}
		account := staff.Account{Email: a.email, Name: a.name, Password: demoPassword, Role: a.role, TOTPKey: key}
		if err := saveStaff(ctx, getenv, staff.Ensure, account); err != nil {
			return nil, err
		}
		rows = append(rows, [2]string{a.title, a.email + "  " + demoPassword + "  authenticator key " + a.key + "  at /support/login"})
	}
	return rows, nil
}

// addStaff creates a staff account with a new authenticator key, or resets an existing one's role, password and key. The
// password comes from STAFF_PASSWORD, which keeps it out of process listings.
func addStaff(ctx context.Context, getenv func(string) string, save saveFunc, email, name, role string) error {
	key := totp.NewSecret()
	account := staff.Account{Email: email, Name: name, Password: getenv("STAFF_PASSWORD"), Role: staff.Role(role), TOTPKey: key}
	if err := saveStaff(ctx, getenv, save, account); err != nil {
		return err
	}
	fmt.Println("Authenticator key, shown once:", totp.Encode(key)) //nolint:forbidigo // for the person at the terminal
	return nil
}

// switchStaff disables or enables an account; the reason is kept in the audit trail.
func switchStaff(ctx context.Context, getenv func(string) string, what, email, reason string) error {
	return asOwner(ctx, getenv, func(db *sqlx.DB) error {
		if what == "disable" {
			return staff.Disable(ctx, db, clock.System{}, email, reason)
		}
		return staff.Enable(ctx, db, clock.System{}, email, reason)
	})
}

func listStaff(ctx context.Context, getenv func(string) string) error {
	return asOwner(ctx, getenv, func(db *sqlx.DB) error {
		list, err := staff.List(ctx, db)
		for _, m := range list {
			fmt.Println(staffLine(m)) //nolint:forbidigo // for the person at the terminal
		}
		return err
	})
}

// staffLine describes one account.
func staffLine(m staff.ListedMember) string {
	state, seen := "enabled", "never"
	if m.DisabledAt != nil {
		state = "disabled"
	}
	if m.LastSeenAt != nil {
		seen = m.LastSeenAt.In(clock.IST).Format(time.DateTime) + " IST"
	}
	return fmt.Sprintf("%s %s %s last sign-in %s %s", m.Email, m.Role, state, seen, m.Name)
}

func asOwner(ctx context.Context, getenv func(string) string, do func(db *sqlx.DB) error) (err error) {
	if getenv("DATABASE_OWNER_URL") == "" {
		return errors.New("DATABASE_OWNER_URL is not set")
	}
	db, err := postgres.Open(ctx, getenv("DATABASE_OWNER_URL"), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}

// saveFunc is staff.Ensure, or staff.CreateFirst, which works only once.
type saveFunc func(context.Context, *sqlx.DB, *password.Hasher, secret.Keyring, clock.Clock, staff.Account) error

func saveStaff(ctx context.Context, getenv func(string) string, save saveFunc, a staff.Account) error {
	keys, err := config.Keyring(getenv)
	if err != nil {
		return err
	}
	return asOwner(ctx, getenv, func(db *sqlx.DB) error {
		if err := save(ctx, db, password.NewHasher(runtime.GOMAXPROCS(0)), keys, clock.System{}, a); err != nil {
			return fmt.Errorf("save account of staff: %w", err)
		}
		return nil
	})
}
