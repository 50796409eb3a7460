// Package verifybooks verifies the complete books, prints the trial balance and every inconsistency, and fails on any finding.
// It reads WORKER_DATABASE_URL, or uses the running development stack in DATA_DIR.
package verifybooks

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/franchise360/franchise360/scripts/admin/command"
)

// Command returns the command verifybooks.
func Command() command.Command {
	return command.Command{Name: "verifybooks", Uses: []command.Use{
		{Does: "verifies the books and prints the trial balance", Run: run},
	}}
}

func run(ctx context.Context, call command.Call) error {
	dsn := call.Getenv("WORKER_DATABASE_URL")
	if dsn == "" {
		var err error
		if dsn, err = stackURL(call.Getenv("DATA_DIR")); err != nil {
			return err
		}
	}
	return Check(ctx, call.Out, dsn)
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
