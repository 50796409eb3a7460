package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/scripts/embedded"
	"github.com/franchise360/franchise360/scripts/stack"
)

// devStack is the stack and the settings decided for it.
type devStack struct {
	*stack.Stack
	opts     options
	settings map[string]string  // environment of the product's processes
	postgres *embedded.Postgres // nil with an external Postgres
}

func newDevStack(opts options, screen *stack.Console) (*devStack, error) {
	binDir := filepath.Join(opts.dataDir, "bin")
	if opts.throwaway { // shared, so that throw-away stacks compile only once
		binDir = filepath.Join(opts.repository, ".data", "bin")
	}
	base, err := stack.New(opts.dataDir, binDir, screen)
	if err != nil {
		return nil, err
	}
	s := &devStack{Stack: base, opts: opts, settings: map[string]string{}}
	s.Changed = s.writeJSON
	return s, nil
}

// programs lists what the stack runs, built together to share compilation work.
func programs() []string {
	return []string{
		"./api", "./worker", "./scripts/admin",
		"./scripts/payusandbox", "./scripts/razorpaysandbox", "./scripts/irpsandbox", "./scripts/smsinbox",
		"./scripts/dnsserver", "./scripts/objectstore", "./scripts/redisserver", "./scripts/traceviewer",
		"./scripts/timemachine",
	}
}

// start brings everything up in dependency order. Steps that are slow on a first run go in parallel.
func (s *devStack) start(ctx context.Context) error {
	if err := s.EndLeftovers(ctx); err != nil {
		return err
	}
	if err := s.choosePort(ctx); err != nil {
		return err
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	s.Screen.Say("Starting Franchise 360 in " + s.opts.dataDir)
	group, together := errgroup.WithContext(ctx)
	group.Go(func() error {
		return s.Screen.Step("Go programs", func() error { return s.Build(together, s.opts.repository, programs()...) })
	})
	group.Go(func() error {
		return s.Screen.Step("web client", func() error { return stack.BuildWeb(together, s.opts.repository) })
	})
	if s.embedsPostgres() {
		group.Go(func() error {
			return s.Screen.Step("Postgres", func() error { return s.startDatabase(together) })
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := s.Screen.Step("database schema", func() error { return s.prepareDatabase(ctx) }); err != nil {
		return err
	}
	s.Kept.Release()
	if err := s.Screen.Step("services", func() error { return s.Launch(ctx, s.services()...) }); err != nil {
		return err
	}
	if err := s.Screen.Step("api and worker", func() error { return s.Launch(ctx, s.product()...) }); err != nil {
		return err
	}
	if s.embedsSMS() && s.embedsFirstGateway() {
		// The product runs without demo accounts, so a failure to create one is only reported.
		if err := s.Screen.Step("demo accounts", func() error { return s.Command(ctx, s.environment(""), "admin", "seed", "demo") }); err != nil {
			s.Screen.Say("!!! " + err.Error())
		}
	}
	return ctx.Err()
}

// prepareDatabase runs the migrations, which also let the embedded Postgres's roles log in, creates the development clock and
// loads the catalogue.
func (s *devStack) prepareDatabase(ctx context.Context) error {
	if s.embedsPostgres() {
		if err := s.refuseEdited(migrations.Files()); err != nil {
			return err
		}
	}
	if err := s.Command(ctx, s.environment(""), "admin", "migrate"); err != nil {
		return err
	}
	if s.embedsPostgres() {
		if err := s.keepApplied(migrations.Files()); err != nil {
			return err
		}
	}
	if s.postgres != nil {
		go s.WatchPostgres(ctx)
	}
	if err := s.makeDevClock(ctx); err != nil {
		return err
	}
	return s.Command(ctx, s.environment(""), "admin", "seed", "catalogue")
}

// addresses is what tests and people need to know about a running stack.
type addresses struct {
	Site        string         `json:"site"`
	Docs        string         `json:"docs"`
	Traces      string         `json:"traces"` // where to view request traces; empty with an external collector
	SMSInbox    string         `json:"sms_inbox"`
	Gateway     string         `json:"gateway"` // PayU's pages
	Razorpay    string         `json:"razorpay"`
	DNSServer   string         `json:"dns_server"` // takes records over HTTP; empty with external name servers
	OwnerURL    string         `json:"database_owner_url"`
	DatabaseURL string         `json:"database_url"`
	WorkerURL   string         `json:"worker_database_url"`
	RedisURL    string         `json:"redis_url"`
	S3Endpoint  string         `json:"s3_endpoint"`
	APIMetrics  string         `json:"api_metrics"`
	WorkMetrics string         `json:"worker_metrics"`
	DataDir     string         `json:"data_dir"`
	Processes   map[string]int `json:"processes"` // process ids by name
}

func (s *devStack) addresses() addresses {
	a := addresses{
		Site: s.settings["PUBLIC_URL"], Docs: s.settings["PUBLIC_URL"] + "/docs",
		SMSInbox: s.settings["SMS_URL"], Gateway: s.settings["PAYU_URL"],
		Razorpay: s.settings["RAZORPAY_URL"],
		OwnerURL: s.settings["DATABASE_OWNER_URL"], DatabaseURL: s.settings["DATABASE_URL"],
		WorkerURL: s.settings["WORKER_DATABASE_URL"], RedisURL: s.settings["REDIS_URL"],
		S3Endpoint: s.settings["S3_ENDPOINT"], DataDir: s.opts.dataDir, Processes: s.Processes("devstack"),
		APIMetrics:  "http://" + stack.Local(s.Kept.Ports["api_metrics"]) + "/metrics",
		WorkMetrics: "http://" + stack.Local(s.Kept.Ports["worker_metrics"]) + "/metrics",
	}
	if s.embedsTraces() {
		a.Traces = s.settings["OTEL_EXPORTER_OTLP_ENDPOINT"]
	}
	if s.embedsDNS() {
		a.DNSServer = "http://" + s.settings["DNS_SERVER"]
	}
	return a
}

// writeJSON writes the addresses to the requested file, and again after each restart, as process ids change.
func (s *devStack) writeJSON() error {
	if s.opts.jsonFile == "" {
		return nil
	}
	text, err := json.MarshalIndent(s.addresses(), "", "  ")
	if err != nil {
		return fmt.Errorf("write the addresses: %w", err)
	}
	return stack.WriteWhole(s.opts.jsonFile, text)
}

// announce prints the start-up table.
func (s *devStack) announce(took time.Duration) error {
	var a addresses
	err := s.Exclusively(func() error {
		a = s.addresses()
		return s.writeJSON()
	})
	if err != nil {
		return err
	}
	rows := [][2]string{
		{"Site", a.Site},
		{"API documentation", a.Docs},
		{"SMS inbox", a.SMSInbox},
	}
	if s.embedsPayU() {
		rows = append(rows, [2]string{"PayU sandbox", a.Gateway})
	}
	if s.embedsRazorpay() {
		rows = append(rows, [2]string{"Razorpay sandbox", a.Razorpay})
	}
	if a.Traces != "" {
		rows = append(rows, [2]string{"Traces", a.Traces})
	}
	if a.DNSServer != "" {
		rows = append(rows, [2]string{"DNS records", a.DNSServer + "/records"})
	}
	demo, err := s.demoSignIns()
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nFranchise 360 is running (%.1f s). Ctrl-C ends it.\n\n", took.Seconds())
	for _, row := range append(rows, demo...) {
		fmt.Fprintf(&text, "  %-20s %s\n", row[0], row[1])
	}
	s.Screen.Say(text.String())
	return nil
}

// demoSignIns reads the seed command's notes on the demo accounts: a title and how to sign in.
func (s *devStack) demoSignIns() ([][2]string, error) {
	text, err := os.ReadFile(filepath.Join(s.opts.dataDir, "demo.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the demo sign-ins: %w", err)
	}
	var rows [][2]string
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("read the demo sign-ins: %w", err)
	}
	return rows, nil
}
