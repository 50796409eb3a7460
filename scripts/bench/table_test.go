package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/report"
)

func TestTableWrite_ReplacesTheTextBetweenItsMarks(t *testing.T) {
	t.Parallel()
	run := &table{begun: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}
	run.add("login", result{Ours: "38/s", Limit: "40/s", Ratio: "0.95", Wanted: "≥ 0.90", Met: true, Note: "(p95 27 ms)"}, nil)
	run.add("sweep", result{Ratio: "0.5", Wanted: "≥ 0.6"}, nil)
	run.add("search", result{}, errors.New("no | database\nhere"))
	file := filepath.Join(t.TempDir(), "results.gen.md")
	require.Error(t, run.write(file), "there is none")
	require.NoError(t, os.WriteFile(file, []byte("nothing"), 0o600))
	require.ErrorContains(t, run.write(file), "no place for the table")

	require.NoError(t, os.WriteFile(file, []byte("before\n"+beginMark+"an older run\n"+report.End+"after\n"), 0o600))
	for range 2 { // a second run replaces the first
		require.NoError(t, run.write(file))
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), "before\n"+beginMark+"\n26 November 2026, "), string(text))
		require.True(t, strings.HasSuffix(string(text), header+
			"| login | 38/s | 40/s | 0.95 | ≥ 0.90 | met (p95 27 ms) |\n"+
			"| sweep |  |  | 0.5 | ≥ 0.6 | NOT MET |\n"+
			"| search |  |  |  |  | failed: no / database here |\n\n"+report.End+"after\n"), string(text))
	}
}

func TestResults_EachMeasure_HasARow(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("results.gen.md")
	require.NoError(t, err)
	require.Contains(t, string(text), beginMark)
	require.Contains(t, string(text), report.End)
	for _, m := range measures() {
		require.Contains(t, string(text), "| "+m.name+" |", "scripts/bench/results.gen.md")
	}
}
