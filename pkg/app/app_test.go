package app

import (
	"net/url"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// settings returns the configuration of a development stack of which nothing is running.
func settings() config.Config {
	return config.Config{
		Development: true, PublicURL: &url.URL{Scheme: "http", Host: "localhost:8080"}, RedisURL: "redis://127.0.0.1:1",
		S3:       config.S3{Endpoint: "http://127.0.0.1:1"},
		Gateways: config.Gateways{Names: []string{payu.Name, razorpay.Name}, Accounts: accounts()},
		SMS:      config.SMS{Provider: "inbox", InboxURL: "http://127.0.0.1:1"},
		Places:   config.Places{Provider: "gazetteer"},
	}
}

// connections returns connections to a database that is never queried.
func connections(t *testing.T) *process.Connections {
	t.Helper()
	return &process.Connections{DB: &sqlx.DB{}, Jobs: &queue.Inserter{}, Clock: testkit.NewClock(), Keys: testkit.NewKeyring(t), Passwords: password.Cheap(1)}
}

// Both processes are built without any outside response: their dependencies may come up later.
func TestProcesses_NothingResponds_AreBuilt(t *testing.T) {
	t.Parallel()
	c, logger := connections(t), testkit.NewLogger(t)
	api, err := NewAPI(t.Context(), settings(), c, logger)
	require.NoError(t, err)
	require.Equal(t, 300*int64(1000), api.Limits.Writes.Address, "one machine plays every customer in development")
	worker, err := NewWorker(t.Context(), settings(), c, logger)
	require.NoError(t, err)
	require.Len(t, worker.Records, 12)
}

// Every message counter exists with the value 0 at the start of a process: Prometheus sees no increase in a counter whose first value is
// positive, and the first reminders are sent and answered within one scrape interval.
func TestMessageCounters_AtStart_AreZero(t *testing.T) {
	t.Parallel()
	c := connections(t)
	_, err := New(settings(), c, testkit.NewLogger(t))
	require.NoError(t, err)
	families, err := c.Meter().Registry().Gather()
	require.NoError(t, err)
	counted := map[string]float64{}
	for _, f := range families {
		if f.GetName() == "franchise360_messages_total" {
			for _, m := range f.GetMetric() {
				counted[m.GetLabel()[0].GetValue()+" "+m.GetLabel()[1].GetValue()] = m.GetCounter().GetValue()
			}
		}
	}
	for _, name := range []string{"otp", "payment_received", "payment_received_whatsapp", "renewal_reminder_whatsapp", "expired_link_whatsapp"} {
		for _, outcome := range []string{"accepted", "failed", "delivered", "undelivered"} {
			require.Contains(t, counted, name+" "+outcome)
			require.Zero(t, counted[name+" "+outcome])
		}
	}
}

func TestSettings_Invalid_ErrorNamesTheSetting(t *testing.T) {
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
		"redis: the URL cannot be parsed": {api, func(c *config.Config) { c.RedisURL = "http://:secret@nowhere" }},
		"objectstore: want http(s)://":    {worker, func(c *config.Config) { c.S3.Endpoint = "s3" }},
		"places: want gazetteer":          {api, func(c *config.Config) { c.Places.Provider = "globe" }},
		"PLACES_URL has no key":           {api, func(c *config.Config) { c.Places.Provider = "google" }},
		"SMS provider: SMS_URL: want":     {worker, func(c *config.Config) { c.SMS.Provider = "pigeon" }},
		"signing certificate":             {worker, func(c *config.Config) { c.Supplier.Signing.CertFile = "/nowhere/signer.p12" }},
	} {
		cfg := settings()
		bad.spoil(&cfg)
		err := bad.start(cfg)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "secret@")
	}
}

// The API has no signing certificate and the worker no list of places, so that neither fails because of the other's
// settings.
func TestProcess_InvalidSettingsOfTheOtherProcess_Starts(t *testing.T) {
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

// The worker's clean-up deletes the old data of visitors and staff with the rest.
func TestCleanUp_ReachesEveryDomain(t *testing.T) {
	t.Parallel()
	db, c := testkit.NewDatabase(t), connections(t)
	c.DB = db.Worker
	worker, err := NewWorker(t.Context(), settings(), c, testkit.NewLogger(t))
	require.NoError(t, err)
	old := c.Clock.Now().AddDate(-4, 0, 0)
	for _, statement := range []string{
		`INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at) VALUES (uuidv7(), 'sunita@example.in', 'Sunita',
			'support', '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$ZGlnZXN0', 'x', $1)`,
		`INSERT INTO contact_requests (id, name, email, topic, consent_version, consented_at, created_at, updated_at, wrote_at)
			VALUES (uuidv7(), 'Asha', 'asha@example.in', 'sales', '2026-11', $1, $1, $1, $1)`,
		`WITH v AS (INSERT INTO support_views (id, franchiser_ref, staff_id, reason, requested_at, code_expires_at)
			SELECT uuidv7(), uuidv7(), id, 'Her invoice', $1, $1 FROM staff RETURNING id, franchiser_ref)
			INSERT INTO support_messages (id, franchiser_ref, kind, view_id, created_at, expires_at) SELECT uuidv7(), franchiser_ref, 'view_consent', id, $1, $1 FROM v`,
	} {
		_, err := db.Owner.Exec(statement, old)
		require.NoError(t, err)
	}
	require.NoError(t, worker.Cleanup.Purge(t.Context()))
	for _, table := range []string{"contact_requests", "support_messages", "support_views"} {
		var left int
		require.NoError(t, db.Owner.Get(&left, `SELECT count(*) FROM `+table))
		require.Zero(t, left, table)
	}
}
