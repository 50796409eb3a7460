package config_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
)

func TestLogLevel_IsOneOfFourWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]slog.Level{
		"": slog.LevelInfo, "info": slog.LevelInfo, "debug": slog.LevelDebug, "warn": slog.LevelWarn, "error": slog.LevelError,
	} {
		got, err := config.LogLevel(word)
		require.NoError(t, err, word)
		require.Equal(t, want, got, word)
	}
	for _, word := range []string{"INFO", "warning", " info", "0", "trace"} {
		got, err := config.LogLevel(word)
		require.Error(t, err, word)
		require.Equal(t, slog.LevelInfo, got, "a process that starts in spite of it logs what matters")
	}
}

func TestWhatsApp_WithoutANumber_IsOff(t *testing.T) {
	t.Parallel()
	require.False(t, config.WhatsApp{URL: "https://graph.facebook.com/v24.0"}.On(), "what has defaults sends nothing")
	require.True(t, config.WhatsApp{PhoneNumberID: "106540352242922"}.On())
}
