package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/franchise360/franchise360/scripts/movedclock"
)

// jump is how long a clock stays wrong.
const jump = 20 * time.Second

// clockFaults move clocks. The last one moves time on permanently.
func clockFaults() []fault {
	return []fault{
		{name: "clock of one worker jumps ahead 2 h for 20 s", times: 2, clock: true, strike: jumping("worker", 2*time.Hour)},
		{name: "clock of one api jumps ahead 2 h for 20 s", times: 2, clock: true, strike: jumping("api", 2*time.Hour)},
		{name: "clock of one api jumps back 10 min for 20 s", times: 2, clock: true, strike: jumping("api", -10*time.Minute)},
		{name: "clock of one worker jumps back 10 min for 20 s", times: 2, clock: true, strike: jumping("worker", -10*time.Minute)},
		// An hour is longer than a session's token lives (401), and a code that is just being sent or typed (400).
		{name: "all clocks jump ahead 1 h and back", times: 1, clock: true, strike: jumpAll, justified: []string{"400", "401", noCode}},
		{name: "all workers down over midnight", times: 1, clock: true, prepare: prepareMidnight, strike: crossMidnight, check: checkMidnight},
	}
}

// clockOptions returns the options of a production form with clocks that can be moved, in which renewals can be debited.
func clockOptions(folder string) ([]string, error) {
	settings := filepath.Join(folder, "settings.env")
	if err := os.WriteFile(settings, []byte("AUTOMATIC_RENEWAL=upi,card,enach\n"), 0o600); err != nil {
		return nil, fmt.Errorf("write the settings: %w", err)
	}
	return []string{"-clocks", "-settings", settings}, nil
}

// setClock moves the clock of one process to an offset from the machine's.
func (f *form) setClock(process string, offset time.Duration) error {
	f.note("the clock of %s is moved by %s", process, offset)
	return movedclock.Set(filepath.Join(f.read().Clocks, process), offset)
}

// setAll moves the clocks of all processes, Postgres's among them.
func (f *form) setAll(offset time.Duration) error {
	f.note("all clocks are moved by %s", offset)
	files, err := os.ReadDir(f.read().Clocks)
	if err != nil {
		return fmt.Errorf("list the clocks: %w", err)
	}
	for _, file := range files {
		err = errors.Join(err, movedclock.Set(filepath.Join(f.read().Clocks, file.Name()), offset))
	}
	return err
}

// offset returns how far the moved clocks, of which Postgres's is one, are ahead of the machine's.
func (f *form) offset() (time.Duration, error) {
	return movedclock.Offset(filepath.Join(f.read().Clocks, "postgres"))
}

// jumping moves the clock of one of two replicas, and back.
func jumping(name string, by time.Duration) func(context.Context, *form, int) error {
	return func(ctx context.Context, f *form, n int) error {
		usual, err := f.offset()
		if err != nil {
			return err
		}
		process := replica(name, 2, n)
		if err := f.setClock(process, usual+by); err != nil {
			return err
		}
		return errors.Join(pause(ctx, jump), f.setClock(process, usual))
	}
}

func jumpAll(ctx context.Context, f *form, _ int) error {
	usual, err := f.offset()
	if err != nil {
		return err
	}
	if err := f.setAll(usual + time.Hour); err != nil {
		return err
	}
	return errors.Join(pause(ctx, jump), f.setAll(usual))
}
