package log

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDaily_DayEnds_NextFileBegins(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Date(2026, 11, 28, 23, 59, 59, 0, time.UTC)
	for range 2 { // a restart appends
		d, err := NewDaily(dir, "api-a", func() time.Time { return now })
		require.NoError(t, err)
		_, err = d.Write([]byte("first\n"))
		require.NoError(t, err)
		now = now.Add(time.Second)
		_, err = d.Write([]byte("second\n"))
		require.NoError(t, err)
		now = now.Add(-time.Second)
	}
	for day, want := range map[string]string{"28": "first\nfirst\n", "29": "second\nsecond\n"} {
		path := filepath.Join(dir, "api-a-2026-11-"+day+".jsonl")
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

// The clock goes back over midnight after logkeeper compressed the day.
func TestDaily_FileIsGone_NextLineMakesItAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d, err := NewDaily(dir, "api-a", func() time.Time { return time.Date(2026, time.November, 28, 6, 0, 0, 0, time.UTC) })
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(dir, "api-a-2026-11-28.jsonl")))
	_, err = d.Write([]byte("late\n"))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "api-a-2026-11-28.jsonl"))
	require.NoError(t, err)
	require.Equal(t, "late\n", string(text))
}

func TestDaily_FolderIsMissing_ReturnsError(t *testing.T) {
	t.Parallel()
	_, err := NewDaily(filepath.Join(t.TempDir(), "missing"), "api-a", func() time.Time { return time.Date(2026, time.November, 28, 6, 0, 0, 0, time.UTC) })
	require.ErrorIs(t, err, os.ErrNotExist)
}

type breakable struct {
	bytes.Buffer

	broken error
}

func (b *breakable) Write(p []byte) (int, error) {
	if b.broken != nil {
		return 0, b.broken
	}
	return b.Buffer.Write(p)
}

func TestAlso_SecondFails_FirstGetsEveryLine(t *testing.T) {
	t.Parallel()
	first, second := &bytes.Buffer{}, &breakable{}
	w := Also(first, second)
	for _, broken := range []error{nil, errors.New("no space left on device"), errors.New("no space left on device"), nil} {
		second.broken = broken
		n, err := w.Write([]byte("line\n"))
		require.NoError(t, err)
		require.Equal(t, 5, n)
	}
	require.Equal(t, 4, strings.Count(first.String(), "line\n"))
	require.Equal(t, 1, strings.Count(first.String(), "no space left on device"))
	require.Equal(t, "line\nline\n", second.String())
}
