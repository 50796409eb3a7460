package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/embedded"
)

const (
	readyTimeout = 60 * time.Second
	// grace is a little more than the processes give to the work in hand.
	grace = 30 * time.Second
	// A part that ends by itself is started again, so many times within the window; then the stack ends.
	maxRestarts   = 5
	restartWindow = time.Minute
	restartAfter  = time.Second
)

// part is one process of the stack.
type part struct {
	name   string
	path   string
	env    []string
	health string // an address that answers 2xx once the part works

	mu      sync.Mutex
	command *exec.Cmd
	exited  chan struct{}
}

// launch starts the process in a process group of its own, so that Ctrl-C reaches only the stack, and notes its id
// in the run folder, where the next stack finds it should this one be killed.
func (p *part) launch(s *stack) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	command := exec.Command(p.path) //nolint:noctx // it outlives the call
	command.Dir = s.opts.dataDir
	command.Env = p.env
	output := s.screen.prefixed(p.name)
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	p.command, p.exited = command, make(chan struct{})
	note := filepath.Join(s.runDir, p.name+".pid")
	if err := os.WriteFile(note, []byte(strconv.Itoa(command.Process.Pid)), 0o600); err != nil {
		return fmt.Errorf("note the id of %s: %w", p.name, err)
	}
	go func(exited chan struct{}) {
		_ = command.Wait() // how it ended is in ProcessState
		close(exited)
	}(p.exited)
	return nil
}

func (p *part) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.command.Process.Pid
}

func (p *part) running() (*exec.Cmd, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.command, p.exited
}

// waitReady returns when the part answers, or an error when it ended or does not answer within a minute.
func (p *part) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	command, exited := p.running()
	for {
		if answers(ctx, p.health) {
			return nil
		}
		select {
		case <-exited:
			return fmt.Errorf("%s ended while it started: %s", p.name, command.ProcessState)
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer at %s: %w", p.name, p.health, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// answers tells whether an http address answers 2xx, or a tcp one takes a connection.
func answers(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if host, ok := strings.CutPrefix(address, "tcp://"); ok {
		return listens(ctx, host)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode/100 == 2
}

// watch starts a part again that ended by itself, and says so. One that keeps ending ends the stack.
func (s *stack) watch(p *part) {
	var restarts []time.Time
	for {
		command, exited := p.running()
		select {
		case <-s.stopping:
			return
		case <-exited:
		}
		if s.isStopping() {
			return
		}
		s.screen.say(fmt.Sprintf("!!! %s ended by itself: %s", p.name, command.ProcessState))
		now := time.Now()
		restarts = append(restarts, now)
		if len(restarts) > maxRestarts && now.Sub(restarts[len(restarts)-1-maxRestarts]) < restartWindow {
			s.fail(fmt.Errorf("%s ended %d times within %s", p.name, maxRestarts+1, restartWindow))
			return
		}
		select {
		case <-s.stopping:
			return
		case <-time.After(restartAfter):
		}
		s.screen.say(fmt.Sprintf("!!! starting %s again", p.name))
		if err := s.relaunch(p); err != nil {
			s.fail(err)
			return
		}
	}
}

// relaunch holds the stop lock, so that no part is started while the others are being ended.
func (s *stack) relaunch(p *part) error {
	s.stopLock.Lock()
	defer s.stopLock.Unlock()
	if s.isStopping() {
		return nil
	}
	if err := p.launch(s); err != nil {
		return err
	}
	return s.writeJSON()
}

// end asks the part to end and, when it hangs, kills it with everything it started.
func (p *part) end(screen *console, kill <-chan struct{}) {
	command, exited := p.running()
	if command == nil {
		return
	}
	group := -command.Process.Pid
	_ = syscall.Kill(group, syscall.SIGTERM) // ESRCH: it has ended already
	select {
	case <-exited:
	case <-kill:
	case <-time.After(grace):
		screen.say("!!! " + p.name + " does not end; killing it")
	}
	_ = syscall.Kill(group, syscall.SIGKILL)
	<-exited
}

// endLeftovers ends what a killed stack left running on this data folder.
func (s *stack) endLeftovers(ctx context.Context) error {
	notes, err := filepath.Glob(filepath.Join(s.runDir, "*.pid"))
	if err != nil {
		return fmt.Errorf("look for an earlier run: %w", err)
	}
	for _, note := range notes {
		text, err := os.ReadFile(note)
		if err != nil {
			return fmt.Errorf("look for an earlier run: %w", err)
		}
		name := strings.TrimSuffix(filepath.Base(note), ".pid")
		if pid, err := strconv.Atoi(string(text)); err == nil && pid > 1 {
			if err := embedded.EndProcess(ctx, pid, filepath.Join(s.binDir, name), syscall.SIGTERM); err != nil {
				return err
			}
		}
		if err := os.Remove(note); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("clear an earlier run: %w", err)
		}
	}
	return nil
}
