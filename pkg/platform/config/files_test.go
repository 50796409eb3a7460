package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

func TestWithFiles_SettingInAFile_IsRead(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte("0123 456\n"), 0o600))
	env := map[string]string{
		"A": "given", "B_FILE": file, "BOTH": "given", "BOTH_FILE": file, "GONE_FILE": filepath.Join(t.TempDir(), "gone"),
	}
	failed := map[string]error{}
	getenv := config.WithFiles(func(name string) string { return env[name] }, func(name string, err error) { failed[name] = err })
	require.Equal(t, "given", getenv("A"))
	require.Equal(t, "0123 456", getenv("B"), "without the newline that editors add")
	require.Empty(t, getenv("C"))
	require.Empty(t, failed)
	require.Empty(t, getenv("BOTH"))
	require.ErrorContains(t, failed["BOTH_FILE"], "not both")
	require.Empty(t, getenv("GONE"))
	require.Error(t, failed["GONE_FILE"])
}

func TestLoad_SecretsInFiles_AreRead(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "url")
	require.NoError(t, os.WriteFile(file, []byte("redis://:from-a-file@redis:6379/0\n"), 0o600))
	env := map[string]string{"APP_ENV": "development", "REDIS_URL_FILE": file, "DATABASE_URL_FILE": file + "-gone"}
	c, err := load(func(name string) string { return env[name] })
	require.Equal(t, "redis://:from-a-file@redis:6379/0", c.RedisURL)
	require.ErrorContains(t, err, "DATABASE_URL_FILE: ")
	require.NotContains(t, err.Error(), "DATABASE_URL: is not set", "one problem is said once")
	require.NotContains(t, err.Error(), "REDIS_URL")
}

func TestKeyring_CurrentAndOldKeys_AreRead(t *testing.T) {
	t.Parallel()
	one, two, three := strings.Repeat("ab", 32), strings.Repeat("cd", 32), strings.Repeat("ef", 32)
	read := func(current, old string) (secret.Keyring, error) {
		return config.Keyring(func(name string) string {
			return map[string]string{"SECRET_KEY": strings.TrimSuffix(current+","+old, ",")}[name]
		})
	}
	want, err := secret.ParseKeyring(one, two, three)
	require.NoError(t, err)
	for _, old := range []string{two + "," + three, two + ", " + three, " " + two + " ," + three} {
		got, err := read(one, old)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, bad := range [][2]string{{"", ""}, {"xyz", ""}, {one, "xyz"}} {
		_, err := read(bad[0], bad[1])
		require.ErrorContains(t, err, "SECRET_KEY: ")
	}
}
