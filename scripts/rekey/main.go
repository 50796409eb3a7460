// Command rekey re-encrypts everything the database stores encrypted under SECRET_KEY, reading it with SECRET_KEYS_OLD, and
// prints how much still needs an old key. It may run at any time, alongside a running product, and more than once; it fails
// while anything remains. It needs DATABASE_OWNER_URL.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/version"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/webhook"
)

func main() {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), config.Getenv(logger), logger); err != nil {
		logger.Error("rekey", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context, getenv func(string) string, logger *slog.Logger) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	keys, err := config.Keyring(getenv)
	if err != nil {
		return err
	}
	if getenv("DATABASE_OWNER_URL") == "" {
		return errors.New("DATABASE_OWNER_URL is not set")
	}
	db, err := postgres.Open(ctx, getenv("DATABASE_OWNER_URL"), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return reseal(ctx, db, keys, logger)
}

func reseal(ctx context.Context, db *sqlx.DB, keys secret.Keyring, logger *slog.Logger) error {
	needed := 0
	for _, part := range []struct {
		what   string
		reseal func(context.Context, *sqlx.DB, secret.Keyring) (done, left int, err error)
	}{
		{"kept keys", secret.ResealKept},
		{"authenticators of customers", account.ResealTOTP},
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
		return fmt.Errorf("%d values need a key that neither SECRET_KEY nor SECRET_KEYS_OLD names", needed)
	}
	return nil
}
