package seed

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
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/scripts/admin/command"
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
func ensureStaff(ctx context.Context, call command.Call) (rows [][2]string, err error) {
	for _, a := range demoStaffAccounts() {
		key, err := base32.StdEncoding.DecodeString(a.key)
		if err != nil {
			return nil, fmt.Errorf("authenticator key: %w", err)
		}
		account := staff.Account{Email: a.email, Name: a.name, Password: demoPassword, Role: a.role, TOTPKey: key}
		if err := saveStaff(ctx, call, staff.Ensure, account); err != nil {
			return nil, err
		}
		rows = append(rows, [2]string{a.title, a.email + "  " + demoPassword + "  authenticator key " + a.key + "  at /support/login"})
	}
	return rows, nil
}

// addStaff returns what creates a staff account with a new authenticator key, or resets an existing one's role, password and key.
// The password comes from STAFF_PASSWORD, which keeps it out of process listings.
func addStaff(save saveFunc) func(context.Context, command.Call) error {
	return func(ctx context.Context, call command.Call) error {
		key, role := totp.NewSecret(), staff.RoleAdmin
		if len(call.Arguments) > 2 {
			role = staff.Role(call.Arguments[2])
		}
		account := staff.Account{
			Email: call.Arguments[0], Name: call.Arguments[1], Password: call.Getenv("STAFF_PASSWORD"), Role: role, TOTPKey: key,
		}
		if err := saveStaff(ctx, call, save, account); err != nil {
			return err
		}
		return told(fmt.Fprintln(call.Out, "Authenticator key, shown once:", totp.Encode(key)))
	}
}

// switchStaff returns what disables or enables an account; the reason is kept in the audit trail.
func switchStaff(change func(context.Context, *sqlx.DB, clock.Clock, string, string) error) func(context.Context, command.Call) error {
	return func(ctx context.Context, call command.Call) error {
		return call.AsOwner(ctx, func(db *sqlx.DB) error {
			email := call.Arguments[0]
			err := change(ctx, db, call.Clock, email, call.Arguments[1])
			if errs.KindOf(err) == errs.KindNotFound {
				return errors.New("no staff account has the e-mail address " + email)
			}
			return err
		})
	}
}

func listStaff(ctx context.Context, call command.Call) error {
	return call.AsOwner(ctx, func(db *sqlx.DB) error {
		list, err := staff.List(ctx, db)
		for _, m := range list {
			err = errors.Join(err, told(fmt.Fprintln(call.Out, staffLine(m))))
		}
		return err
	})
}

func told(_ int, err error) error {
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
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

// saveFunc is staff.Ensure, or staff.CreateFirst, which works only once.
type saveFunc func(context.Context, *sqlx.DB, *password.Hasher, secret.Keyring, clock.Clock, staff.Account) error

func saveStaff(ctx context.Context, call command.Call, save saveFunc, a staff.Account) error {
	keys, err := config.Keyring(call.Getenv)
	if err != nil {
		return err
	}
	return call.AsOwner(ctx, func(db *sqlx.DB) error {
		if err := save(ctx, db, password.NewHasher(runtime.GOMAXPROCS(0)), keys, call.Clock, a); err != nil {
			return fmt.Errorf("save account of staff: %w", err)
		}
		return nil
	})
}
