package log

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// flushAfter is the longest a line may wait to be written.
	flushAfter = 100 * time.Millisecond
	// flushAt is the maximum number of bytes buffered.
	flushAt = 32 << 10
)

// Buffer batches lines and writes them at most flushAfter late: in a busy process a write per line costs more than the
// line. A logger made by New flushes it with every warning and error, so a crash can only lose informational lines.
type Buffer struct {
	w       io.Writer
	mu      sync.Mutex
	lines   []byte
	pending bool
	timer   *time.Timer
}

// NewBuffer returns a buffer that writes to w; call Flush at the end.
func NewBuffer(w io.Writer) *Buffer {
	b := &Buffer{w: w, lines: make([]byte, 0, flushAt+4<<10)}
	b.timer = time.AfterFunc(time.Hour, func() { _ = b.Flush() }) // nowhere left to report a failure
	b.timer.Stop()
	return b
}

// Write buffers the line.
func (b *Buffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line...)
	if len(b.lines) >= flushAt {
		return len(line), b.flush()
	}
	if !b.pending {
		b.pending = true
		b.timer.Reset(flushAfter)
	}
	return len(line), nil
}

// Flush writes out the buffered lines.
func (b *Buffer) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.flush()
}

func (b *Buffer) flush() error {
	b.pending = false
	if len(b.lines) == 0 {
		return nil
	}
	_, err := b.w.Write(b.lines)
	b.lines = b.lines[:0]
	if err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	return nil
}
