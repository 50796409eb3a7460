package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/franchise360/franchise360/scripts/movedclock"
)

// The clocks that -clocks lets a drill move: one for each process of the product, for the programs that are run by hand, and for the
// parts that compare their own time with the product's. The proxy, Redis and etcd keep the machine's: they only count how long something
// lasts.

func (p *production) clocksDir() string { return filepath.Join(p.DataDir, "clocks") }

func (p *production) clockFile(process string) string { return filepath.Join(p.clocksDir(), process) }

// isMoved reports whether a service of docker-compose.yml is a Go program with a movable clock.
func (p *production) isMoved(service string) bool {
	return slices.Contains([]string{"admin", "api", "catalogue", "migrate", "objects", "worker"}, service)
}

// clockOf returns what names the clock of a process in its environment.
func (p *production) clockOf(process string) []string {
	if !p.opts.clocks {
		return nil
	}
	return []string{movedclock.Variable + "=" + p.clockFile(process)}
}

// makeClocks prepares the build of programs with a movable clock.
func (p *production) makeClocks(ctx context.Context) (err error) {
	if p.opts.clocks {
		p.Overlay, err = movedclock.Overlay(ctx, filepath.Join(p.BinDir, "moved")) // stays with the programs, so that they compile only once
	}
	return err
}

// setClocks sets every clock to the machine's.
func (p *production) setClocks() error {
	if !p.opts.clocks {
		return nil
	}
	processes := []string{"payusandbox", "postgres"}
	for i := range machines {
		processes = append(processes, nameOf("database", i))
	}
	for name, s := range p.services {
		for i := range max(s.Replicas, 1) {
			if p.isMoved(name) {
				processes = append(processes, titleOf(name, s, i))
			}
		}
	}
	var problems []error
	for _, process := range processes {
		problems = append(problems, movedclock.Set(p.clockFile(process), 0))
	}
	return errors.Join(problems...)
}

// clockOfC returns the environment that gives a process in C or Python, and those it starts, a movable clock.
func (p *production) clockOfC(ctx context.Context, process string) ([]string, error) {
	if !p.opts.clocks {
		return nil, nil
	}
	library, err := movedclock.Preload(ctx, filepath.Join(p.DataDir, "moved"))
	if err != nil {
		return nil, err
	}
	return append(p.clockOf(process), "LD_PRELOAD="+library), nil
}
