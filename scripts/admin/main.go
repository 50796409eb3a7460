// Command admin is what an operator runs beside the product. `admin help` lists its commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/version"
	"github.com/franchise360/franchise360/scripts/admin/backup"
	"github.com/franchise360/franchise360/scripts/admin/command"
	"github.com/franchise360/franchise360/scripts/admin/documents"
	"github.com/franchise360/franchise360/scripts/admin/logkeeper"
	"github.com/franchise360/franchise360/scripts/admin/migrate"
	"github.com/franchise360/franchise360/scripts/admin/numbers"
	"github.com/franchise360/franchise360/scripts/admin/rekey"
	"github.com/franchise360/franchise360/scripts/admin/seed"
	"github.com/franchise360/franchise360/scripts/admin/verifybooks"
)

func commands() []command.Command {
	return []command.Command{
		migrate.Command(), seed.Command(), backup.Command(), numbers.Command(), documents.Command(), rekey.Command(),
		verifybooks.Command(), logkeeper.Command(),
	}
}

func main() {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, command.Call{
		Getenv: config.Getenv(logger), In: os.Stdin, Out: os.Stdout, Log: logger, Clock: clock.System{},
	}, os.Args[1:]...)
	if err != nil {
		logger.Error("admin", slog.String("error", err.Error()))
		stop()
		os.Exit(1) //nolint:gocritic // stop was called
	}
}

func run(ctx context.Context, call command.Call, words ...string) error {
	if len(words) == 0 || words[0] == "help" {
		_, err := fmt.Fprint(call.Out, command.Usage(commands()))
		return err
	}
	known := commands()
	i := slices.IndexFunc(known, func(c command.Command) bool { return c.Name == words[0] })
	if i < 0 {
		return errors.New("no command is called " + words[0] + ": `admin help` lists them")
	}
	if err := known[i].Run(ctx, call, words[1:]...); err != nil {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	return nil
}
