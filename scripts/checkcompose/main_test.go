package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestComposeFilesAreChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ compose, problem string }{
		"whole":            {"services: {a: {image: \"x:${TAG:?}\"}}", ""},
		"misspelt key":     {"services: {a: {image: x, port: []}}", "port"},
		"unknown service":  {"services: {a: {image: x, depends_on: [b]}}", "b"},
		"unknown volume":   {"services: {a: {image: x, volumes: [\"data:/data\"]}}", "data"},
		"unknown variable": {"services: {a: {image: \"x:${OTHER}\"}}", "OTHER"},
		"not YAML":         {"services: [", "yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			example, file := filepath.Join(dir, ".env.example"), filepath.Join(dir, "compose.yml")
			require.NoError(t, os.WriteFile(example, []byte("# a comment\nTAG=\n"), 0o600))
			require.NoError(t, os.WriteFile(file, []byte("name: test\n"+c.compose+"\n"), 0o600))
			err := run(t.Context(), example, []string{file})
			if c.problem == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.problem)
		})
	}
}

// A setting that the processes read and nobody describes cannot be found by an operator.
func TestEverySettingIsDescribed(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join("../..", path))
		require.NoError(t, err)
		return string(text)
	}
	settings := regexp.MustCompile(`(?:getenv|r\.[a-z]+)\("([A-Z][A-Z0-9_]+)"`).
		FindAllStringSubmatch(read("pkg/platform/config/config.go")+read("pkg/platform/config/gateways.go"), -1)
	require.Greater(t, len(settings), 30)
	example, compose := read(".env.example"), read("docker-compose.yml")
	elsewhere := []string{"SMS_INBOX_URL", "WEB_DIR", "MSG91_URL", "TWILIO_URL", "GOOGLE_PLACES_URL", "LIMITS"}
	for _, setting := range settings {
		named := regexp.MustCompile(`\b` + setting[1] + `\b`)
		require.Regexp(t, named, example, "in .env.example")
		if !slices.Contains(elsewhere, setting[1]) {
			require.Regexp(t, named, compose, "in docker-compose.yml")
		}
	}
}
