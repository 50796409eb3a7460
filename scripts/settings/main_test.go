package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

const repository = "../.."

func TestReference_SettingsChanged_IsFresh(t *testing.T) {
	t.Parallel()
	want, err := reference(repository)
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(repository, target))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run `make generate`")
}

func TestWithGateways_SettingsChanged_IsFresh(t *testing.T) {
	t.Parallel()
	files, err := withGateways(repository)
	require.NoError(t, err)
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(repository, name))
		require.NoError(t, err)
		require.Equal(t, want, string(got), "run `make generate`")
	}
}

func TestReference_EverySettingOfTheConfigPackage_HasARow(t *testing.T) {
	t.Parallel()
	calls, err := callsOf(filepath.Join(repository, "pkg/platform/config"))
	require.NoError(t, err)
	require.Greater(t, len(calls), 50)
	page, err := reference(repository)
	require.NoError(t, err)
	names := slices.Collect(maps.Keys(calls))
	secrets, err := gatewaySettings(repository)
	require.NoError(t, err)
	require.NotEmpty(t, secrets)
	names = append(names, slices.Collect(maps.Keys(secrets))...)
	for _, name := range names {
		require.True(t, regexp.MustCompile("(?m)^\\|(\\*\\*)?`"+name+"`").Match(page), name)
	}
}

func TestDefaultsOf_ConfigPackage_ReturnsDefaultsAsSettings(t *testing.T) {
	t.Parallel()
	defaults, err := defaultsOf(filepath.Join(repository, "pkg/platform/config"))
	require.NoError(t, err)
	for name, want := range map[string]string{
		"S3_REGION": "ap-south-1", "DATABASE_POOL": "20", "REFUND_APPROVAL_ABOVE": "50000", "OTEL_TRACES_SAMPLER_ARG": "1",
		"SMS_PER_DAY": "100000", "PAYU_KEY": "",
	} {
		require.Equal(t, want, defaults[name], name)
	}
}

func TestReadersOf_ComposeFile_ReturnsServicesAndRequiredSettings(t *testing.T) {
	t.Parallel()
	readers, required, err := readersOf([]byte("x-a: &a { URL: \"${SITE:?}\" }\nservices:\n" +
		"  api: { environment: { <<: *a, POOL: \"${POOL:-}\" } }\n  worker: { build: { args: { V: \"${V}\" } }, environment: *a }\n"))
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"SITE": {"api", "worker"}, "POOL": {"api"}}, readers)
	require.True(t, required["SITE"])
	require.False(t, required["POOL"])
}

func TestParse_SettingWithoutComment_IsRefused(t *testing.T) {
	t.Parallel()
	_, err := parse("# A comment.\nA=\nB=\n")
	require.ErrorContains(t, err, "B has no comment")
	sections, err := parse("# --- First ---\n# One.\n# Two.\nA=1\n\n#   LISTED   what it is\n")
	require.NoError(t, err)
	require.Equal(t, section{"First", []entry{{"A", "1", "One. Two."}, {"LISTED", "", "what it is"}}}, sections[1])
}
