package config

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Getenv returns a getenv that reads settings from the environment or from the files it names, and logs unreadable files.
func Getenv(logger *slog.Logger) func(string) string {
	return WithFiles(os.Getenv, func(name string, err error) {
		logger.Error("read a setting", slog.String("name", name), slog.String("error", err.Error()))
	})
}

// Keyring reads the keys of SECRET_KEY, the current one first, for programs that need no other settings.
func Keyring(getenv func(string) string) (secret.Keyring, error) {
	current, old, _ := strings.Cut(getenv("SECRET_KEY"), ",")
	keys, err := secret.ParseKeyring(strings.TrimSpace(current), split(old)...)
	if err != nil {
		return secret.Keyring{}, fmt.Errorf("SECRET_KEY: %w", err)
	}
	return keys, nil
}

// WithFiles returns a getenv that also reads settings from files: NAME_FILE names the file that holds NAME, so that secrets
// can come from a vault or from Docker rather than the environment. An unreadable file is passed to failed and reads as
// empty.
func WithFiles(getenv func(string) string, failed func(name string, err error)) func(string) string {
	return func(name string) string {
		value, file := getenv(name), getenv(name+"_FILE")
		if file == "" {
			return value
		}
		if value != "" {
			failed(name+"_FILE", errors.New("set it or "+name+", not both"))
			return ""
		}
		text, err := os.ReadFile(file)
		if err != nil {
			failed(name+"_FILE", err)
			return ""
		}
		return strings.TrimRight(string(text), "\r\n")
	}
}
