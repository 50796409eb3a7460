package app

import (
	"net/url"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// settings are those of a development stack of which nothing runs.
func settings() config.Config {
	return config.Config{
		Development: true, PublicURL: &url.URL{Scheme: "http", Host: "localhost:8080"}, RedisURL: "redis://127.0.0.1:1",
		S3:       config.S3{Endpoint: "http://127.0.0.1:1"},
		Gateways: config.Gateways{Names: []string{config.GatewayPayU, config.GatewayRazorpay}},
		SMS:      config.SMS{Provider: "inbox", InboxURL: "http://127.0.0.1:1"},
		Places:   config.Places{Provider: "gazetteer"},
	}
}

// connections are to a database that nobody asks.
func connections(t *testing.T) *process.Connections {
	t.Helper()
	return &process.Connections{DB: &sqlx.DB{}, Jobs: &queue.Inserter{}, Clock: testkit.NewClock(), Keys: testkit.NewKeyring(t), Passwords: password.Cheap(1)}
}

// Given settings, when nothing outside answers, then both processes are built: what they stand on may come up later.
func TestBothProcessesAreBuiltBeforeAnythingAnswers(t *testing.T) {
	t.Parallel()
	c, logger := connections(t), testkit.NewLogger(t)
	api, err := NewAPI(t.Context(), settings(), c, logger)
	require.NoError(t, err)
	require.Equal(t, 300*int64(1000), api.Limits.Writes.Address, "one machine plays every customer in development")
	worker, err := NewWorker(t.Context(), settings(), c, logger)
	require.NoError(t, err)
	require.Len(t, worker.Records, 5)
}

func TestABadSettingIsAnErrorThatNamesIt(t *testing.T) {
	t.Parallel()
	c, logger := connections(t), testkit.NewLogger(t)
	api := func(cfg config.Config) error {
		_, err := NewAPI(t.Context(), cfg, c, logger)
		return err
	}
	worker := func(cfg config.Config) error {
		_, err := NewWorker(t.Context(), cfg, c, logger)
		return err
	}
	for want, bad := range map[string]struct {
		start func(config.Config) error
		spoil func(*config.Config)
	}{
		"redis: the URL cannot be parsed":  {api, func(c *config.Config) { c.RedisURL = "http://:secret@nowhere" }},
		"objectstore: want http(s)://":     {worker, func(c *config.Config) { c.S3.Endpoint = "s3" }},
		"PLACES_PROVIDER: want gazetteer":  {api, func(c *config.Config) { c.Places.Provider = "globe" }},
		"GOOGLE_PLACES_KEY is not set":     {api, func(c *config.Config) { c.Places.Provider = "google" }},
		"SMS provider: SMS_PROVIDER: want": {worker, func(c *config.Config) { c.SMS.Provider = "pigeon" }},
		"signing certificate":              {worker, func(c *config.Config) { c.Supplier.Signing.CertFile = "/nowhere/signer.p12" }},
	} {
		cfg := settings()
		bad.spoil(&cfg)
		err := bad.start(cfg)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "secret@")
	}
}

// The api has no signing certificate and the worker no list of places, so that neither fails by what is the other's.
func TestAProcessIsNotStoppedByWhatOnlyTheOtherNeeds(t *testing.T) {
	t.Parallel()
	cfg := settings()
	cfg.Supplier.Signing.CertFile, cfg.SMS.Provider = "/nowhere/signer.p12", "pigeon"
	_, err := NewAPI(t.Context(), cfg, connections(t), testkit.NewLogger(t))
	require.NoError(t, err)
	cfg = settings()
	cfg.Places.Provider = "globe"
	_, err = NewWorker(t.Context(), cfg, connections(t), testkit.NewLogger(t))
	require.NoError(t, err)
}
