// Command redisserver is the Redis of the development stack. It keeps everything in memory, so a restart loses all data, which
// the product must survive anyway.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// tick is how often the clock for key expiry advances; miniredis has none of its own.
const tick = 100 * time.Millisecond

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("redis", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves on HTTP_ADDR, with the password REDIS_PASSWORD, until SIGINT or SIGTERM.
func run(ctx context.Context, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := miniredis.NewMiniRedis()
	if password := os.Getenv("REDIS_PASSWORD"); password != "" {
		server.RequireAuth(password)
	}
	if err := server.StartAddr(os.Getenv("HTTP_ADDR")); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer server.Close()
	logger.Info("redis", slog.String("address", server.Addr()))
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-ticker.C:
			server.FastForward(now.Sub(last))
			last = now
		}
	}
}
