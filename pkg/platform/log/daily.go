package log

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Daily writes to one file a day (UTC), named name-2026-11-28.jsonl, which only its owner can read. scripts/admin/logkeeper compresses,
// seals and after 180 days deletes them.
type Daily struct {
	dir, name string
	now       func() time.Time

	mu   sync.Mutex
	day  string
	file *os.File
}

// NewDaily returns a writer to the folder, or an error if it cannot write there. The name has to be the process's own.
func NewDaily(dir, name string, now func() time.Time) (*Daily, error) {
	d := &Daily{dir: dir, name: name, now: now}
	_, err := d.Write(nil)
	return d, err
}

// Write appends to the day's file. It makes the file again if it is gone: the clock went back after logkeeper compressed it.
func (d *Daily) Write(lines []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if day := d.now().UTC().Format(time.DateOnly); d.file == nil || day != d.day || d.gone() {
		file, err := os.OpenFile(d.path(day), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return 0, fmt.Errorf("open the day's log: %w", err)
		}
		if d.file != nil {
			_ = d.file.Close() // each write went straight to the file
		}
		d.day, d.file = day, file
	}
	n, err := d.file.Write(lines)
	if err != nil {
		return n, fmt.Errorf("write the day's log: %w", err)
	}
	return n, nil
}

func (d *Daily) path(day string) string { return filepath.Join(d.dir, d.name+"-"+day+".jsonl") }

func (d *Daily) gone() bool {
	_, err := os.Lstat(d.path(d.day))
	return errors.Is(err, fs.ErrNotExist)
}

// Also returns a writer to both. A failure of second, such as a full disk, never keeps a line from first, which gets one line about
// it when it begins.
func Also(first, second io.Writer) io.Writer { return &both{first: first, second: second} }

type both struct {
	first, second io.Writer
	failing       bool // a Buffer writes one piece after the other
}

func (b *both) Write(lines []byte) (int, error) {
	n, err := b.first.Write(lines)
	_, failure := b.second.Write(lines)
	if failure != nil && !b.failing {
		_, _ = fmt.Fprintf(b.first, `{"level":"ERROR","msg":"lines are missing in the kept log","error":%q}`+"\n", failure.Error())
	}
	b.failing = failure != nil
	return n, err //nolint:wrapcheck // as if there were no second writer
}
