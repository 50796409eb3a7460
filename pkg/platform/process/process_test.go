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

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

func TestTheFirstLineOfTheLogSaysTheVersion(t *testing.T) {
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

func TestThePrivatePortSaysTheVersion(t *testing.T) {
	t.Parallel()
	private := process.Private(metrics.New(), slog.New(slog.DiscardHandler))
	recorder := httptest.NewRecorder()
	private.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil))
	body, err := io.ReadAll(recorder.Body)
	require.NoError(t, err)
	require.Equal(t, "ok "+version.String()+"\n", string(body))
}
