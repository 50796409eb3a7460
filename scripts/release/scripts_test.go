package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// script runs one of the shell scripts with stand-ins for tools that use the network.
func script(t *testing.T, name string, environment ...string) (said string, status int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", filepath.Join("..", name))
	command.Env = append(os.Environ(), environment...)
	out, _ := command.CombinedOutput() // the exit status tells
	return string(out), command.ProcessState.ExitCode()
}

func tool(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tool")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700))
	return path
}

func TestScan_Offline_IsReported(t *testing.T) {
	t.Parallel()
	clean, found := tool(t, "exit 0"), tool(t, "echo 'Vulnerability #1: GO-2027-0001'; exit 3")
	offline := tool(t, "echo 'govulncheck: fetching vulnerabilities: dial tcp: lookup vuln.go.dev: no such host'; exit 1")
	refused := tool(t, "echo 'npm error audit endpoint returned an error'; exit 1")
	for name, c := range map[string]struct {
		govulncheck, npm, says string
		status                 int
	}{
		"nothing known":   {clean, clean, "npm, web: nothing known", 0},
		"found":           {found, clean, "There are known vulnerabilities", 1},
		"found and quiet": {found, refused, "There are known vulnerabilities", 1},
		"no network":      {offline, refused, "Go, scripts/proxy: NOT SCANNED, vuln.go.dev cannot be read from here", 2},
		"npm refuses":     {clean, refused, "npm, web: NOT SCANNED", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said, status := script(t, "scan.sh", "GOVULNCHECK="+c.govulncheck, "NPM="+c.npm)
			require.Equal(t, c.status, status, said)
			require.Contains(t, said, c.says)
		})
	}
}

func TestPinImages_WritesDigests(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var files []string
	for _, path := range []string{"scripts/Dockerfile", "docker-compose.yml", "docker-compose.cluster.yml"} {
		text, err := os.ReadFile(filepath.Join("../..", path))
		require.NoError(t, err)
		files = append(files, filepath.Join(folder, filepath.Base(path)))
		require.NoError(t, os.WriteFile(files[len(files)-1], text, 0o600))
	}
	read := func() string {
		var all strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			all.Write(text)
		}
		return all.String()
	}
	before := read()
	said, status := script(t, "digests.sh", "FILES="+strings.Join(files, " "), "CRANE="+tool(t, "exit 1"))
	require.Equal(t, 2, status, said)
	require.Equal(t, before, read(), "nothing is changed")

	for _, digit := range []string{"a", "b"} { // the second run replaces the first
		digest := "sha256:" + strings.Repeat(digit, 64)
		said, status = script(t, "digests.sh", "FILES="+strings.Join(files, " "), "CRANE="+tool(t, "echo "+digest))
		require.Equal(t, 0, status, said)
		after := read()
		for _, want := range []string{
			"FROM node:24-bookworm-slim@" + digest + " AS web\n", "FROM gcr.io/distroless/static-debian12:nonroot@" + digest + " AS product\n",
			"    image: postgres:18.4@" + digest + "\n", "    image: redis:8.2-alpine@" + digest + "\n",
		} {
			require.Contains(t, after, want)
		}
		require.Equal(t, 13, strings.Count(after, "@"+digest), after)
		require.Equal(t, 13, strings.Count(after, "@sha256:"))
		require.Contains(t, after, "image: franchise360-proxy\n")
	}
}
