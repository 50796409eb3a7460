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

// NewConsole writes to the file, in colour if it is a terminal and NO_COLOR is not set.
func NewConsole(out *os.File) *Console {
	info, err := out.Stat()
	return &Console{out: out, colours: err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""}
}

// Say writes one line.
func (c *Console) Say(line string) { c.write([]byte(line + "\n")) }

func (c *Console) write(text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.out.Write(text) // keep running if the terminal is closed
}

// Step reports one step of the start: a line with its duration when it is done, and one beforehand if it is slow.
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

// Prefixed returns a writer that prefixes each line with a process's name.
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

// Write passes on complete lines, in one piece, and keeps the remainder for the next call.
func (l *lines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, text...)
	var whole []byte
	for {
		line, rest, found := bytes.Cut(l.rest, []byte("\n"))
		if !found {
			break
		}
		whole = append(whole, l.prefix...)
		whole = append(whole, bytes.TrimRight(line, "\r")...)
		whole = append(whole, '\n')
		l.rest = rest
	}
	if len(whole) > 0 {
		l.console.write(whole)
	}
	return len(text), nil
}
