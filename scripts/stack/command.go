package stack

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"
)

// UntilEnd starts a stack, announces how long that took, and waits until ctx ends or a part fails for good.
func UntilEnd(ctx context.Context, start func(context.Context) error, announce func(time.Duration) error, failed <-chan error) error {
	begun := time.Now()
	if err := start(ctx); err != nil {
		if ctx.Err() != nil {
			return nil //nolint:nilerr // an interrupted start fails too
		}
		return err
	}
	if err := announce(time.Since(begun)); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return err
	}
}

// Defaults returns PORT and DATA_DIR, or the given port and .data if they are empty.
func Defaults(port int) (int, string, error) {
	if text := os.Getenv("PORT"); text != "" {
		var err error
		if port, err = strconv.Atoi(text); err != nil {
			return 0, "", fmt.Errorf("read PORT: %w", err)
		}
	}
	dataDir := os.Getenv("DATA_DIR")
	if dataDir == "" {
		dataDir = ".data"
	}
	return port, dataDir, nil
}
