// Package rekey re-encrypts everything the database stores encrypted under the first key of SECRET_KEY, reading it with the others, and
// prints how much still needs an old key. It may run at any time, alongside a running product, and more than once; it fails
// while anything remains. It needs DATABASE_OWNER_URL.
package rekey

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/webhook"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// Command returns the command rekey.
func Command() command.Command {
	return command.Command{Name: "rekey", Uses: []command.Use{
		{Does: "encrypts all stored secrets under the first key of SECRET_KEY", Run: run},
	}}
}

func run(ctx context.Context, call command.Call) error {
	keys, err := config.Keyring(call.Getenv)
	if err != nil {
		return err
	}
	return call.AsOwner(ctx, func(db *sqlx.DB) error { return reseal(ctx, db, keys, call.Log) })
}

func reseal(ctx context.Context, db *sqlx.DB, keys secret.Keyring, logger *slog.Logger) error {
	needed := 0
	for _, part := range []struct {
		what   string
		reseal func(context.Context, *sqlx.DB, secret.Keyring) (done, left int, err error)
	}{
		{"kept keys", secret.ResealKept},
		{"authenticators of customers", credential.ResealTOTP},
		{"authenticators of staff", staff.ResealTOTP},
		{"passkeys of staff", staff.ResealPasskeys},
		{"secrets of webhooks", webhook.ResealSecrets},
		{"old secrets of webhooks", webhook.ResealOldSecrets},
		{"keys of sign-ins", connect.ResealSignInKeys},
	} {
		done, left, err := part.reseal(ctx, db, keys)
		if err != nil {
			return fmt.Errorf("%s: %w", part.what, err)
		}
		logger.Info("sealed under SECRET_KEY", slog.String("what", part.what), slog.Int("sealed_now", done), slog.Int("left", left))
		needed += left
	}
	if needed > 0 {
		return fmt.Errorf("%d values need a key that SECRET_KEY does not name", needed)
	}
	return nil
}
