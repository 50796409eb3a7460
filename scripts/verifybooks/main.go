// Command verifybooks verifies the complete books, prints the trial balance and every inconsistency, and fails on any finding.
// It reads WORKER_DATABASE_URL, or uses the running development stack in DATA_DIR.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/version"
	"github.com/franchise360/franchise360/scripts/books"
)

func main() {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), os.Stdout, config.Getenv(logger)); err != nil {
		logger.Error("verify-books", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, getenv func(string) string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	dsn := getenv("WORKER_DATABASE_URL")
	if dsn == "" {
		var err error
		if dsn, err = stackURL(getenv("DATA_DIR")); err != nil {
			return err
		}
	}
	return books.Check(ctx, out, dsn)
}

// stackURL returns the worker's database URL of the development stack that keeps its secrets and ports in the folder.
func stackURL(dataDir string) (string, error) {
	if dataDir == "" {
		dataDir = ".data"
	}
	text, err := os.ReadFile(filepath.Join(dataDir, "stack.json"))
	if err != nil {
		return "", fmt.Errorf("neither WORKER_DATABASE_URL nor a development stack: %w", err)
	}
	var kept struct {
		Secrets map[string]string `json:"secrets"`
		Ports   map[string]int    `json:"ports"`
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		return "", fmt.Errorf("read the development stack: %w", err)
	}
	const role = "franchise360_worker"
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/franchise360?sslmode=disable", role, kept.Secrets[role], kept.Ports["postgres"]), nil
}
