package log_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/log"
)

func TestBuffer_DelaysLinesExceptFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var written bytes.Buffer
		buffer := log.NewBuffer(&written)
		logger := log.New(buffer, "api", slog.LevelInfo)
		logger.Info("one")
		time.Sleep(99 * time.Millisecond)
		synctest.Wait()
		require.Empty(t, written.String())
		logger.Info("two")
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.Equal(t, 2, bytes.Count(written.Bytes(), []byte("\n")), "both, a tenth of a second after the first")

		logger.Info("three")
		logger.Error("broken")
		require.Equal(t, 4, bytes.Count(written.Bytes(), []byte("\n")), "with all that came before it, at once")
		logger.Info("five")
		logger.Warn("strange")
		require.Equal(t, 6, bytes.Count(written.Bytes(), []byte("\n")))
		logger.Info("last")
		require.NoError(t, buffer.Flush())
		require.Equal(t, 7, bytes.Count(written.Bytes(), []byte("\n")), "at the end")

		for range 1000 {
			logger.Info("a flood", slog.String("of", "lines that fill the buffer long before the time has come"))
		}
		require.Greater(t, bytes.Count(written.Bytes(), []byte("\n")), 500, "no more than so much is kept")
	})
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestBuffer_WriteFails_BlocksNothing(t *testing.T) {
	t.Parallel()
	buffer := log.NewBuffer(failing{})
	logger := log.New(buffer, "api", slog.LevelInfo)
	for range 10_000 {
		logger.Info("lost")
	}
	logger.Error("lost too")
	require.NoError(t, buffer.Flush(), "and keeps nothing")
}

func TestLogger_Line_NamesProcessAndTimeAndMasksCauses(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	logger := log.New(&written, "worker", slog.LevelInfo)
	boom := slog.String("error", "dial: password=hunter2 refused")
	logger.Info("plain", slog.String("route", "/x"))
	logger.Info("direct", boom, slog.Any("err", errors.New("token=abcdef")))
	logger.Info("grouped", slog.Group("job", slog.Group("inner", boom)))
	logger.With(boom).Info("kept")
	logger.WithGroup("g").Info("under", slog.Any("panic_val", "secret=s3cr3t"))
	require.NotContains(t, written.String(), "hunter2")
	require.NotContains(t, written.String(), "abcdef")
	require.NotContains(t, written.String(), "s3cr3t")
	lines := bytes.Split(bytes.TrimSpace(written.Bytes()), []byte("\n"))
	require.Len(t, lines, 5)
	for _, text := range lines {
		var line map[string]any
		require.NoError(t, json.Unmarshal(text, &line), string(text))
		require.Equal(t, "worker", line["process"])
		at, err := time.Parse(time.RFC3339Nano, line["time"].(string))
		require.NoError(t, err)
		_, offset := at.Zone()
		require.Zero(t, offset)
	}
}

// Each request logs one line; slog stores five attributes inline and allocates once for more.
func BenchmarkAccessLine(b *testing.B) {
	logger := log.New(log.NewBuffer(io.Discard), "api", slog.LevelInfo)
	b.ReportAllocs()
	for b.Loop() {
		logger.LogAttrs(b.Context(), slog.LevelInfo, "request", slog.String("request_id", "0193a0c0-9f00-7a11-8f00-4b1d2c3e4f50"),
			slog.String("method", "GET"), slog.String("route", "/api/franchise/subscription-plan/list"), slog.Int("status", 200),
			slog.Int64("took_ms", 3), slog.Int("bytes", 20480), slog.String("actor", "franchiser"))
	}
}
