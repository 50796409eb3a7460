// Command simulate runs years of random histories for many customers on a throw-away Postgres, from one seed and with the same
// steps as the property test of pkg/payment, and checks the rules, the books and the number series every month. It prints what
// it did and fails on any finding.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if err := run(context.Background(), os.Stdout, os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(2)
		}
		slog.New(slog.NewTextHandler(os.Stderr, nil)).Error("simulate", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// settings are the command-line flags.
type settings struct {
	tenants, years, parallel int
	seed                     uint64
}

func run(ctx context.Context, out io.Writer, args []string) (ended error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := settings{}
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	flags.IntVar(&s.tenants, "tenants", 1000, "how many customers")
	flags.IntVar(&s.years, "years", 10, "how many years")
	flags.IntVar(&s.parallel, "parallel", 6, "how many customers act at the same moment")
	flags.Uint64Var(&s.seed, "seed", 0, "the seed of all choices; 0 takes one from the clock")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.tenants < 1 || s.years < 1 || s.parallel < 1 {
		return errors.New("tenants, years and parallel are 1 or more")
	}
	if s.seed == 0 {
		s.seed = uint64(time.Now().UnixNano())
	}
	db, stopDB, err := openDatabase(ctx)
	if err != nil {
		return err
	}
	defer func() { ended = errors.Join(ended, stopDB()) }()
	fmt.Fprintf(out, "%d customers, %d years, seed %d\n", s.tenants, s.years, s.seed)
	life, err := begin(ctx, s, db, out)
	if err != nil {
		return err
	}
	if err := life.live(ctx); err != nil {
		return fmt.Errorf("seed %d: %w", s.seed, err)
	}
	return nil
}
