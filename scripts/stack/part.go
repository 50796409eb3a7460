package stack

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
	// readyTimeout only ends what will never be ready: a machine that does other work besides takes a minute.
	readyTimeout = 5 * time.Minute
	// grace is slightly longer than processes take to finish work in progress.
	grace = 30 * time.Second
	// A part that exits is restarted for ever, as Docker does: the pause doubles up to longestPause, and starts anew after a part has
	// run for steadyAfter. From loudAfter restarts on the console says that the part keeps ending.
	firstPause   = time.Second
	longestPause = time.Minute
	steadyAfter  = time.Minute
	loudAfter    = 3
)

// Part is one process of the stack.
type Part struct {
	Name      string // unique within a stack
	Path      string // of the program
	Arguments []string
	Env       []string
	Health    string // an address that answers 2xx once the part is ready; empty if nobody waits for it
	// Credential is the user that the process runs as; nil for the current one.
	Credential *syscall.Credential

	mu      sync.Mutex
	command *exec.Cmd
	exited  chan struct{}
}

// launch starts the process in its own process group, so that Ctrl-C reaches only the stack, and notes its id and program in
// the run folder, for the next stack to find if this one is killed.
func (p *Part) launch(s *Stack) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	command := exec.Command(p.Path, p.Arguments...) //nolint:noctx // it outlives the call
	command.Dir = s.DataDir
	command.Env = p.Env
	output := s.Screen.Prefixed(p.Name)
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: p.Credential}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.Name, err)
	}
	p.command, p.exited = command, make(chan struct{})
	note := filepath.Join(s.runDir, p.Name+".pid")
	if err := os.WriteFile(note, []byte(fmt.Sprintf("%d %s", command.Process.Pid, p.Path)), 0o600); err != nil {
		return fmt.Errorf("note the id of %s: %w", p.Name, err)
	}
	go func(exited chan struct{}) {
		_ = command.Wait() // how it ended is in ProcessState
		close(exited)
	}(p.exited)
	return nil
}

func (p *Part) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.command.Process.Pid
}

func (p *Part) running() (*exec.Cmd, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.command, p.exited
}

// waitReady returns once the part answers, or with an error if it exits or does not answer within a minute.
func (p *Part) waitReady(ctx context.Context) error {
	if p.Health == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	command, exited := p.running()
	for {
		if answers(ctx, p.Health) {
			return nil
		}
		select {
		case <-exited:
			return fmt.Errorf("%s ended while it started: %s", p.Name, command.ProcessState)
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer at %s: %w", p.Name, p.Health, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// answers reports whether an http address answers 2xx, or a tcp one accepts a connection.
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

// watch restarts a part that exits, and reports it. The other parts continue.
func (s *Stack) watch(p *Part) {
	tries, pause := 0, s.pauses
	for {
		started := time.Now()
		command, exited := p.running()
		select {
		case <-s.stopping:
			return
		case <-exited:
		}
		if s.isStopping() {
			return
		}
		if time.Since(started) >= steadyAfter {
			tries, pause = 0, s.pauses
		}
		tries++
		s.Screen.Say(fmt.Sprintf("!!! %s ended by itself: %s", p.Name, command.ProcessState))
		if tries >= loudAfter {
			s.Screen.Say(fmt.Sprintf("!!! %s KEEPS ENDING, %d times in a row; the rest runs on; the next start in %s", p.Name, tries, pause))
		}
		select {
		case <-s.stopping:
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
		if !s.awaitOn(p.Name) {
			return
		}
		s.Screen.Say(fmt.Sprintf("!!! starting %s again", p.Name))
		if err := s.relaunch(p); err != nil {
			s.fail(err)
			return
		}
	}
}

// OffFile returns the path of the file in a stack's data folder while which exists a part that ended stays down, as if its machine
// were off.
func OffFile(dataDir, part string) string { return filepath.Join(dataDir, "run", part+".off") }

// awaitOn waits until the part may run; it returns false if the stack stops before.
func (s *Stack) awaitOn(part string) bool {
	for {
		if _, err := os.Stat(OffFile(s.DataDir, part)); err != nil {
			return true
		}
		select {
		case <-s.stopping:
			return false
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// relaunch holds the stop lock, so that no part is started while the others are being stopped.
func (s *Stack) relaunch(p *Part) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.isStopping() {
		return nil
	}
	if err := p.launch(s); err != nil {
		return err
	}
	return s.changed()
}

// end asks the part to terminate and, if it hangs, kills it and everything it started.
func (p *Part) end(screen *Console, kill <-chan struct{}) {
	command, exited := p.running()
	if command == nil {
		return
	}
	group := -command.Process.Pid
	_ = syscall.Kill(group, syscall.SIGTERM) // ESRCH: already gone
	select {
	case <-exited:
	case <-kill:
	case <-time.After(grace):
		screen.Say("!!! " + p.Name + " does not end; killing it")
	}
	_ = syscall.Kill(group, syscall.SIGKILL)
	<-exited
}

// EndLeftovers ends the processes of a killed stack on this data folder.
func (s *Stack) EndLeftovers(ctx context.Context) error {
	notes, err := filepath.Glob(filepath.Join(s.runDir, "*.pid"))
	if err != nil {
		return fmt.Errorf("look for an earlier run: %w", err)
	}
	for _, note := range notes {
		text, err := os.ReadFile(note)
		if err != nil {
			return fmt.Errorf("look for an earlier run: %w", err)
		}
		number, path, _ := strings.Cut(string(text), " ")
		if pid, err := strconv.Atoi(number); err == nil && pid > 1 && path != "" {
			if err := embedded.EndProcess(ctx, pid, path, syscall.SIGTERM); err != nil {
				return err
			}
		}
		if err := os.Remove(note); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("clear an earlier run: %w", err)
		}
	}
	return nil
}
