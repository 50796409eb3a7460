package process_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

func TestMain_FirstLogLine_HasTheVersion(t *testing.T) {
	t.Parallel()
	const child = "PROCESS_TEST_CHILD"
	if os.Getenv(child) != "" {
		process.Main("probe", func(context.Context, *slog.Logger, func(string) string) error { return nil })
		return
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), child+"=1")
	output, err := command.Output()
	require.NoError(t, err)
	first, err := bufio.NewReader(bytes.NewReader(output)).ReadBytes('\n')
	require.NoError(t, err)
	var line map[string]any
	require.NoError(t, json.Unmarshal(first, &line), string(first))
	require.Equal(t, "probe", line["process"])
	require.Equal(t, version.String(), line["version"])
}

func TestPrivatePort_Health_HasTheVersion(t *testing.T) {
	t.Parallel()
	private := process.Private(metrics.New(), slog.New(slog.DiscardHandler))
	recorder := httptest.NewRecorder()
	private.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil))
	body, err := io.ReadAll(recorder.Body)
	require.NoError(t, err)
	require.Equal(t, "ok "+version.String()+"\n", string(body))
}

// A process starts while the replica that its settings name is away.
func TestOpenReplica_ReplicaAway_DoesNotPreventTheStart(t *testing.T) {
	t.Parallel()
	const away = "postgres://127.0.0.1:1/x?sslmode=disable"
	db, err := sqlx.Open("postgres", away)
	require.NoError(t, err)
	c := &process.Connections{DB: db, Metrics: metrics.New()}
	logger := slog.New(slog.DiscardHandler)
	require.NoError(t, c.OpenReplica(config.Config{}, logger))
	require.Nil(t, c.Replica)
	c.WatchReplica(t.Context()) // returns at once

	cfg := config.Config{DatabasePool: 2, DatabaseReadLag: time.Second, DatabaseReadURL: "sqlite://x"}
	require.ErrorContains(t, c.OpenReplica(cfg, logger), "DATABASE_READ_URL: ")
	c.Metrics = metrics.New()
	cfg.DatabaseReadURL = away
	require.NoError(t, c.OpenReplica(cfg, logger))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	c.WatchReplica(ctx)
	require.Error(t, c.Replica.Ready(t.Context()))
	require.NoError(t, c.Replica.Close())
}
