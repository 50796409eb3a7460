package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// console writes whole lines from many processes to one terminal.
type console struct {
	mu      sync.Mutex
	out     io.Writer
	colours bool
}

func newConsole(out *os.File) *console {
	info, err := out.Stat()
	return &console{out: out, colours: err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""}
}

func (c *console) say(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintln(c.out, line) // a closed terminal is no reason to end
}

// step reports one piece of the start: a line when it is done, with the time it took, and one before when it is slow.
func (c *console) step(name string, work func() error) error {
	const slow = 2 * time.Second
	begun := time.Now()
	notice := time.AfterFunc(slow, func() { c.say("  … " + name) })
	err := work()
	notice.Stop()
	if err != nil {
		c.say("  ✗ " + name)
		return err
	}
	c.say(fmt.Sprintf("  ✓ %s (%.1f s)", name, time.Since(begun).Seconds()))
	return nil
}

// prefixed is a writer that puts a process's name before each of its lines.
func (c *console) prefixed(name string) io.Writer {
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
	console *console
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
		l.console.say(l.prefix + string(bytes.TrimRight(l.rest[:end], "\r")))
		l.rest = l.rest[end+1:]
	}
}
