package staff

import (
	"context"
	"crypto/subtle"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// ListedMember is a member of staff as the operator's list shows it.
type ListedMember struct {
	Email      string     `db:"email"`
	Name       string     `db:"name"`
	Role       Role       `db:"role"`
	CreatedAt  time.Time  `db:"created_at"`
	DisabledAt *time.Time `db:"disabled_at"`
	LastSeenAt *time.Time `db:"last_sign_in"`
}

// List returns every account of staff, by e-mail.
func List(ctx context.Context, owner *sqlx.DB) ([]ListedMember, error) { return listed(ctx, owner) }

// Ensure creates the account, or updates the one with its e-mail to match; an update ends its sessions, removes its passkeys and is
// recorded in the trail, and what others had opened counts no more. If nothing differs, nothing happens. It needs the owner's connection; the console invites people instead (Accounts).
// A disabled account stays disabled: KindConflict.
func Ensure(ctx context.Context, owner *sqlx.DB, hasher *password.Hasher, keys secret.Keyring, clk clock.Clock, a Account) error {
	return ensure(ctx, owner, hasher, keys, clk, a, func(*sqlx.Tx) error { return nil })
}

// CreateFirst creates the first account of staff, an admin's; it fails if there is any account.
func CreateFirst(ctx context.Context, owner *sqlx.DB, hasher *password.Hasher, keys secret.Keyring, clk clock.Clock, a Account) error {
	a.Role = RoleAdmin
	return ensure(ctx, owner, hasher, keys, clk, a, func(tx *sqlx.Tx) error { return nobodyYet(ctx, tx) })
}

func ensure(ctx context.Context, owner *sqlx.DB, hasher *password.Hasher, keys secret.Keyring, clk clock.Clock, a Account, allowed func(*sqlx.Tx) error) error {
	var v errs.Validation
	a.Email = strings.ToLower(strings.TrimSpace(a.Email))
	checkEmail(&v, a.Email)
	v.Check(strings.TrimSpace(a.Name) != "", "name", "Please enter a name.")
	a.Role.check(&v)
	checkNewPassword(&v, a.Password, a.Email, a.Name)
	v.Check(len(a.TOTPKey) >= 16, "totp_key", "The authenticator key is too short.")
	if err := v.Err(); err != nil {
		return err
	}
	hash, err := hasher.Hash(ctx, a.Password)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, owner, func(tx *sqlx.Tx) error {
		if err := allowed(tx); err != nil {
			return err
		}
		m, found, err := memberTx(ctx, tx, a.Email)
		if err != nil {
			return err
		}
		action := "staff_created"
		if found {
			action = "staff_changed"
			if m.DisabledAt != nil {
				return errs.New(errs.KindConflict, "staff_disabled", "This account is disabled. Enable it first.")
			}
			same, err := isSame(ctx, m, a, hasher, keys)
			if err != nil || same {
				return err
			}
		} else {
			m.ID = id.New()
		}
		sealed, err := keys.Seal(secret.PurposeTOTP, binding(m.ID), a.TOTPKey)
		if err != nil {
			return err
		}
		now := clk.Now()
		if err := upsertMember(ctx, tx, m.ID, a, hash, sealed, now); err != nil {
			return err
		}
		if err := endSessionsOf(ctx, tx, m.ID, now); err != nil {
			return err
		}
		if err := removePasskeysOf(ctx, tx, m.ID); err != nil {
			return err
		}
		if err := forgetOpeningsOf(ctx, tx, m.ID, now); err != nil {
			return err
		}
		return recordOperator(ctx, tx, m.ID, action, "The operator saved the account", string(m.Role), string(a.Role), now)
	})
}

// isSame reports whether the account already matches the description.
func isSame(ctx context.Context, m member, a Account, hasher *password.Hasher, keys secret.Keyring) (bool, error) {
	key, err := keys.Open(secret.PurposeTOTP, binding(m.ID), m.TOTPSecret)
	if err != nil || m.Name != a.Name || m.Role != a.Role || subtle.ConstantTimeCompare(key, a.TOTPKey) != 1 {
		return false, nil //nolint:nilerr // a key that can't be read is to be replaced
	}
	return hasher.Verify(ctx, m.PasswordHash, a.Password)
}

// Disable disables the account, ends its sessions, removes its passkeys and records the reason; for a disabled account nothing changes.
func Disable(ctx context.Context, owner *sqlx.DB, clk clock.Clock, email, reason string) error {
	now := clk.Now()
	return changeMember(ctx, owner, email, "staff_disabled", reason, now, func(m member) (*time.Time, bool) { return &now, m.DisabledAt == nil })
}

// Enable enables the account and records the reason; for an enabled account nothing changes. Its old sessions stay ended.
func Enable(ctx context.Context, owner *sqlx.DB, clk clock.Clock, email, reason string) error {
	return changeMember(ctx, owner, email, "staff_enabled", reason, clk.Now(), func(m member) (*time.Time, bool) { return nil, m.DisabledAt != nil })
}

func changeMember(ctx context.Context, owner *sqlx.DB, email, action, reason string, now time.Time, next func(member) (*time.Time, bool)) error {
	reason, err := CleanReason(reason)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, owner, func(tx *sqlx.Tx) error {
		m, found, err := memberTx(ctx, tx, strings.ToLower(strings.TrimSpace(email)))
		if err != nil {
			return err
		}
		if !found {
			return errs.NotFound()
		}
		disabledAt, differs := next(m)
		if !differs {
			return nil
		}
		if err := setDisabled(ctx, tx, m.ID, disabledAt); err != nil {
			return err
		}
		if err := endSessionsOf(ctx, tx, m.ID, now); err != nil {
			return err
		}
		return recordOperator(ctx, tx, m.ID, action, reason, "", "", now)
	})
}

// recordOperator records a change that the owner's connection made to an account. It uses the account's own name, because the operator
// at the command line has no account.
func recordOperator(ctx context.Context, tx *sqlx.Tx, staffID, action, reason, before, after string, now time.Time) error {
	return insertAction(ctx, tx, Action{
		ID: id.New(), StaffID: staffID, Action: action, Target: "staff:" + staffID, Reason: reason, Before: before, After: after, At: now,
	})
}
