// Package stack runs the processes of a stack on one machine: it builds them, starts them in order, restarts any that exit, and
// stops all of them. The programs that use it define what a stack consists of.
package stack

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// Stack holds everything that runs, in start order.
type Stack struct {
	Screen  *Console
	Kept    *Kept
	DataDir string
	BinDir  string
	// Overlay is a file for `go build -overlay`; empty for none.
	Overlay string
	// Changed, if set, is called when a process has been restarted under another id.
	Changed func() error

	runDir         string
	groups         [][]*Part // those started together
	postgres       *embedded.Postgres
	postgresConfig embedded.PostgresConfig

	pauses   time.Duration // before the first restart of a part that ended
	lock     sync.Mutex    // held during a restart and while stopping
	stopping chan struct{}
	failed   chan error
}

// New opens the data folder of a stack whose programs are in binDir.
func New(dataDir, binDir string, screen *Console) (*Stack, error) {
	kept, err := OpenKept(dataDir)
	if err != nil {
		return nil, err
	}
	s := &Stack{
		Screen: screen, Kept: kept, DataDir: dataDir, BinDir: binDir, runDir: filepath.Join(dataDir, "run"),
		stopping: make(chan struct{}), failed: make(chan error, 1), pauses: firstPause,
	}
	if err := os.MkdirAll(s.runDir, 0o755); err != nil {
		return nil, fmt.Errorf("make the run folder: %w", err)
	}
	return s, nil
}

// Program returns the path of a program that Build built.
func (s *Stack) Program(name string) string { return filepath.Join(s.BinDir, name) }

// Command runs one of the built programs to completion; on failure its output is part of the error.
func (s *Stack) Command(ctx context.Context, env []string, name string, arguments ...string) error {
	const patience = 5 * time.Second
	command := exec.CommandContext(ctx, s.Program(name), arguments...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = patience
	command.Env = env
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, output)
	}
	return nil
}

// Launch starts parts in parallel and returns once all of them answer; from then on each is restarted if it exits.
func (s *Stack) Launch(ctx context.Context, parts ...*Part) error {
	s.lock.Lock()
	s.groups = append(s.groups, nil)
	s.lock.Unlock()
	var group errgroup.Group
	for _, p := range parts {
		s.lock.Lock()
		err := p.launch(s)
		s.groups[len(s.groups)-1] = append(s.groups[len(s.groups)-1], p)
		s.lock.Unlock()
		if err != nil {
			return err
		}
		group.Go(func() error { return p.waitReady(ctx) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, p := range parts {
		go s.watch(p)
	}
	return nil
}

// StartPostgres runs the embedded Postgres; WatchPostgres restarts it if it exits.
func (s *Stack) StartPostgres(ctx context.Context, config embedded.PostgresConfig) (*embedded.Postgres, error) {
	server, err := embedded.StartPostgres(ctx, config)
	if err != nil {
		return nil, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.postgres, s.postgresConfig = server, config
	return server, nil
}

// WatchPostgres restarts the embedded Postgres if it exits, and reports it.
func (s *Stack) WatchPostgres(ctx context.Context) {
	for {
		s.lock.Lock()
		server := s.postgres
		s.lock.Unlock()
		select {
		case <-s.stopping:
			return
		case <-server.Exited():
		}
		if s.isStopping() {
			return
		}
		s.Screen.Say("!!! postgres ended by itself; starting it again")
		if err := s.restartPostgres(ctx); err != nil {
			s.fail(err)
			return
		}
	}
}

func (s *Stack) restartPostgres(ctx context.Context) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.isStopping() {
		return nil
	}
	server, err := embedded.StartPostgres(ctx, s.postgresConfig)
	if err != nil {
		return err
	}
	s.postgres = server
	return s.changed()
}

// changed reports a new process id; the caller holds the lock.
func (s *Stack) changed() error {
	if s.Changed == nil {
		return nil
	}
	return s.Changed()
}

// Exclusively does the work while no part is being restarted.
func (s *Stack) Exclusively(work func() error) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return work()
}

// Processes returns the process ids by part name, with this process's own under self. Call it from Changed or Exclusively.
func (s *Stack) Processes(self string) map[string]int {
	ids := map[string]int{self: os.Getpid()}
	for _, group := range s.groups {
		for _, p := range group {
			ids[p.Name] = p.pid()
		}
	}
	if s.postgres != nil {
		ids["postgres"] = s.postgres.Pid()
	}
	return ids
}

// Failed returns a channel that receives the reason why the stack cannot continue.
func (s *Stack) Failed() <-chan error { return s.failed }

func (s *Stack) isStopping() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

// fail ends the stack with an error; only the first one counts.
func (s *Stack) fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}

// Stop stops everything in reverse order: parts launched last stop first, so that they can finish work that needs the others,
// and Postgres stops last. Another Ctrl-C kills what is still running.
func (s *Stack) Stop() {
	close(s.stopping)
	s.lock.Lock() // waits for a restart in progress
	defer s.lock.Unlock()
	kill, done := killSwitch()
	defer done()
	for _, group := range slices.Backward(s.groups) {
		var ending sync.WaitGroup
		for _, p := range group {
			ending.Go(func() { p.end(s.Screen, kill) })
		}
		ending.Wait()
	}
	if s.postgres != nil {
		if err := s.postgres.Stop(); err != nil {
			s.Screen.Say("!!! " + err.Error())
		}
	}
	notes, err := filepath.Glob(filepath.Join(s.runDir, "*.pid"))
	if err != nil {
		return
	}
	for _, note := range notes {
		_ = os.Remove(note) // a stale note is recognised as such by the next start
	}
}
