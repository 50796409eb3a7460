// Package logkeeper keeps the logs of api, worker and proxy for 180 days: `run` compresses, seals and deletes their daily files,
// `verify` finds files that were changed or removed, `health` checks a running one, and `clock` compares this machine's clock
// with time servers.
package logkeeper

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

const (
	// keepEvery is how often files are looked for that can be sealed.
	keepEvery = 10 * time.Minute
	// healthyFor is how old the last look may be.
	healthyFor = 30 * time.Minute
)

// Command returns the command logkeeper.
func Command() command.Command {
	return command.Command{Name: "logkeeper", Uses: []command.Use{
		{Words: "run", Does: "compresses, seals and after 180 days deletes the logs of LOG_ROOT", Run: withKeeper(func(ctx context.Context, k *keeper, call command.Call) error {
			return k.run(ctx, log.New(call.Out, "logkeeper", slog.LevelInfo))
		})},
		{Words: "verify [SEAL…]", Does: "finds logs that were changed, removed or not sealed, and given seals that are gone", Run: withKeeper(verify)},
		{Words: "health", Does: "asks whether `logkeeper run` still works", Run: withKeeper(health)},
		{Words: "clock SERVER…", Does: "compares this machine's clock with time servers", Run: func(ctx context.Context, call command.Call) error {
			return compareClocks(ctx, call.Out, call.Arguments)
		}},
	}}
}

func withKeeper(do func(context.Context, *keeper, command.Call) error) func(context.Context, command.Call) error {
	return func(ctx context.Context, call command.Call) error {
		root := call.Getenv("LOG_ROOT")
		if !filepath.IsAbs(root) {
			return errors.New("LOG_ROOT must be the absolute path of the folder of logs")
		}
		return do(ctx, &keeper{root: root, now: call.Clock.Now}, call)
	}
}

func verify(_ context.Context, k *keeper, call command.Call) error {
	last, err := k.verify(call.Arguments...)
	if err != nil {
		return err
	}
	result := fmt.Sprintf("%d sealed files; the last seal is %s", last.Number, last.Hash)
	if last.Number == 0 {
		result = "no file is sealed yet: a day's files are sealed after midnight (UTC)"
	}
	_, err = fmt.Fprintln(call.Out, result)
	return err
}

func health(_ context.Context, k *keeper, call command.Call) error {
	info, err := os.Stat(k.seals())
	if err == nil && call.Clock.Now().Sub(info.ModTime()) > healthyFor {
		err = errors.New("the last look is too old")
	}
	return err
}

// run keeps the logs until the context ends.
func (k *keeper) run(ctx context.Context, logger *slog.Logger) error {
	ticker := time.NewTicker(keepEvery)
	defer ticker.Stop()
	for {
		switch sealed, err := k.keep(); {
		case err != nil:
			logger.ErrorContext(ctx, "keep logs", log.Error(err))
		case len(sealed) > 0:
			// Whoever keeps this line elsewhere can show that no earlier seal was rewritten.
			last := sealed[len(sealed)-1]
			logger.InfoContext(ctx, "logs are sealed", slog.Int("files", len(sealed)), slog.Int("number", last.Number), slog.String("seal", last.Hash))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
