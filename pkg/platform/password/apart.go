package password

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/crypto/argon2"
)

// A hash takes all of a processor for 25 ms. In processes of lower priority, a flood of sign-ins slows other requests little.
const (
	niceness = 10
	// answerTime is how long a process may take for a hash before it is replaced: as long as the longest request.
	answerTime = 30 * time.Second
)

// job is what a hash is computed from.
type job struct {
	Password string
	Salt     []byte
	Passes   uint32
	KiB      uint32
	Lanes    uint8
	Length   uint32
}

func (j job) key() ([]byte, error) {
	return argon2.IDKey([]byte(j.Password), j.Salt, j.Passes, j.KiB, j.Lanes, j.Length), nil
}

// NewApart is NewHasher, but each hash is computed by a process that the command starts; it calls Serve. There are at most parallel ones.
func NewApart(parallel int, command func() *exec.Cmd) *Hasher {
	h := NewHasher(parallel)
	idle := make(chan *helper, h.line.slots)
	for range h.line.slots {
		idle <- &helper{command: command}
	}
	h.key = func(j job) ([]byte, error) {
		one := <-idle // there are as many as slots
		defer func() { idle <- one }()
		return one.key(j)
	}
	return h
}

// Serve hashes what the parent process sends, until the input ends.
func Serve(in io.Reader, out io.Writer) error {
	if err := yield(); err != nil {
		return err
	}
	runtime.GOMAXPROCS(1)
	jobs, keys := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		var j job
		if err := jobs.Decode(&j); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a password to hash: %w", err)
		}
		key, _ := j.key()
		if err := keys.Encode(key); err != nil {
			return fmt.Errorf("return a hash: %w", err)
		}
	}
}

// yield lowers the priority of this process: on Linux of each of its threads, from which later ones inherit it. The process stays in the
// session of its parent: where the kernel shares the processors among sessions (sched(7), autogroups), both have one share beside other
// programs, however busy these are.
func yield() error {
	threads := []int{0}
	if tasks, err := os.ReadDir("/proc/self/task"); err == nil {
		threads = nil
		for _, task := range tasks {
			if thread, err := strconv.Atoi(task.Name()); err == nil {
				threads = append(threads, thread)
			}
		}
	}
	for _, thread := range threads {
		if at, err := syscall.Getpriority(syscall.PRIO_PROCESS, thread); err == nil && 20-at >= niceness { // the call returns 20 less the niceness
			continue
		}
		if err := syscall.Setpriority(syscall.PRIO_PROCESS, thread, niceness); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("lower the priority: %w", err)
		}
	}
	return nil
}

// helper is a process that hashes for one caller at a time. It is started when needed, and again if it fails.
type helper struct {
	command func() *exec.Cmd
	process *exec.Cmd // nil while it does not run
	in, out *os.File
	jobs    *gob.Encoder
	keys    *gob.Decoder
}

func (p *helper) key(j job) (key []byte, err error) {
	for range 2 { // the process may have been killed since the last hash
		if key, err = p.ask(j); err == nil {
			return key, nil
		}
		p.stop()
	}
	return nil, fmt.Errorf("hash in another process: %w", err)
}

func (p *helper) ask(j job) (key []byte, err error) {
	if p.process == nil {
		if err := p.start(); err != nil {
			return nil, err
		}
	}
	if err := p.in.SetDeadline(time.Now().Add(answerTime)); err != nil { //nolint:forbidigo // a time-out, not business time
		return nil, fmt.Errorf("limit the time: %w", err)
	}
	if err := p.out.SetDeadline(time.Now().Add(answerTime)); err != nil { //nolint:forbidigo // as above
		return nil, fmt.Errorf("limit the time: %w", err)
	}
	if err := p.jobs.Encode(j); err != nil {
		return nil, fmt.Errorf("send it: %w", err)
	}
	if err := p.keys.Decode(&key); err != nil {
		return nil, fmt.Errorf("wait for it: %w", err)
	}
	return key, nil
}

func (p *helper) start() error {
	stdin, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("open a pipe: %w", err)
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		return errors.Join(fmt.Errorf("open a pipe: %w", err), stdin.Close(), in.Close())
	}
	process := p.command()
	process.Stdin, process.Stdout, process.Stderr = stdin, stdout, os.Stderr
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals of a terminal do not end it
	err = process.Start()
	_, _ = stdin.Close(), stdout.Close() // the process has its own
	if err != nil {
		return errors.Join(fmt.Errorf("start it: %w", err), in.Close(), out.Close())
	}
	p.process, p.in, p.out = process, in, out
	p.jobs, p.keys = gob.NewEncoder(in), gob.NewDecoder(out)
	return nil
}

func (p *helper) stop() {
	if p.process == nil {
		return
	}
	_ = p.process.Process.Kill() // it may have ended
	_, _ = p.in.Close(), p.out.Close()
	_ = p.process.Wait()
	p.process = nil
}
