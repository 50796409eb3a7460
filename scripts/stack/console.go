package stack

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// Console writes whole lines from many processes to one terminal.
type Console struct {
	mu      sync.Mutex
	out     io.Writer
	colours bool
}

// NewConsole writes to the file, in colours where it is a terminal and NO_COLOR is not set.
func NewConsole(out *os.File) *Console {
	info, err := out.Stat()
	return &Console{out: out, colours: err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""}
}

// Say writes one line.
func (c *Console) Say(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintln(c.out, line) // a closed terminal is no reason to end
}

// Step reports one piece of the start: a line when it is done, with the time it took, and one before when it is slow.
func (c *Console) Step(name string, work func() error) error {
	const slow = 2 * time.Second
	begun := time.Now()
	notice := time.AfterFunc(slow, func() { c.Say("  … " + name) })
	err := work()
	notice.Stop()
	if err != nil {
		c.Say("  ✗ " + name)
		return err
	}
	c.Say(fmt.Sprintf("  ✓ %s (%.1f s)", name, time.Since(begun).Seconds()))
	return nil
}

// Prefixed is a writer that puts a process's name before each of its lines.
func (c *Console) Prefixed(name string) io.Writer {
	const width = 11
	prefix := name + strings.Repeat(" ", max(0, width-len(name))) + "│ "
	if c.colours {
		sum := 0
		for _, letter := range name {
			sum += int(letter)
		}
		prefix = fmt.Sprintf("\x1b[%dm%s\x1b[0m", 31+sum%6, prefix)
	}
	return &lines{console: c, prefix: prefix}
}

type lines struct {
	console *Console
	prefix  string
	mu      sync.Mutex
	rest    []byte
}

// Write passes on the complete lines and keeps the rest for the next call.
func (l *lines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, text...)
	for {
		end := bytes.IndexByte(l.rest, '\n')
		if end < 0 {
			return len(text), nil
		}
		l.console.Say(l.prefix + string(bytes.TrimRight(l.rest[:end], "\r")))
		l.rest = l.rest[end+1:]
	}
}
