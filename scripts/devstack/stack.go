package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// stack is everything that runs, in the order in which it was started.
type stack struct {
	opts           options
	screen         *console
	kept           *kept
	binDir, runDir string
	webDir         string
	settings       map[string]string // environment of the product's processes
	postgresConfig embedded.PostgresConfig
	postgres       *embedded.Postgres // nil with a Postgres of one's own
	parts          []*part

	stopLock sync.Mutex
	stopping chan struct{}
	failed   chan error
}

func newStack(opts options, screen *console) (*stack, error) {
	k, err := openKept(opts.dataDir)
	if err != nil {
		return nil, err
	}
	s := &stack{
		opts: opts, screen: screen, kept: k,
		binDir:   filepath.Join(opts.dataDir, "bin"),
		runDir:   filepath.Join(opts.dataDir, "run"),
		webDir:   filepath.Join(opts.repository, "web", "dist"),
		settings: map[string]string{},
		stopping: make(chan struct{}), failed: make(chan error, 1),
	}
	if opts.throwaway { // compiled once for all throw-away stacks
		s.binDir = filepath.Join(opts.repository, ".data", "bin")
	}
	if err := os.MkdirAll(s.runDir, 0o755); err != nil {
		return nil, fmt.Errorf("make the run folder: %w", err)
	}
	return s, nil
}

// start brings everything up, in the order of what needs what. What is slow on a first run is done side by side.
func (s *stack) start(ctx context.Context) error {
	if err := s.endLeftovers(ctx); err != nil {
		return err
	}
	if err := s.choosePort(ctx); err != nil {
		return err
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	s.screen.say("Starting Franchise 360 in " + s.opts.dataDir)
	group, together := errgroup.WithContext(ctx)
	group.Go(func() error {
		return s.screen.step("Go programs", func() error { return s.buildCommands(together) })
	})
	group.Go(func() error {
		return s.screen.step("web client", func() error { return s.buildWeb(together) })
	})
	if s.embedsPostgres() {
		group.Go(func() error {
			return s.screen.step("Postgres", func() error { return s.startPostgres(together) })
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := s.kept.save(); err != nil {
		return err
	}
	if err := s.screen.step("database schema", func() error { return s.prepareDatabase(ctx) }); err != nil {
		return err
	}
	s.kept.release()
	if err := s.screen.step("services", func() error { return s.launchAll(ctx, s.services()) }); err != nil {
		return err
	}
	if err := s.screen.step("api and worker", func() error { return s.launchAll(ctx, s.product()) }); err != nil {
		return err
	}
	if s.embedsSMS() && s.embedsFirstGateway() {
		// The product runs without them, so a demo account that cannot be made is told and is no reason to end.
		if err := s.screen.step("demo accounts", func() error { return s.command(ctx, "seed", "demo") }); err != nil {
			s.screen.say("!!! " + err.Error())
		}
	}
	return ctx.Err()
}

// prepareDatabase migrates, which lets the roles of the embedded Postgres in, too, makes the development clock and
// loads the catalogue.
func (s *stack) prepareDatabase(ctx context.Context) error {
	if err := s.command(ctx, "migrate"); err != nil {
		return err
	}
	if s.postgres != nil {
		go s.watchPostgres(ctx)
	}
	if err := s.makeDevClock(ctx); err != nil {
		return err
	}
	return s.command(ctx, "seed", "catalogue")
}

// command runs one of the built programs to its end, with the product's environment.
func (s *stack) command(ctx context.Context, name string, arguments ...string) error {
	command := commandContext(ctx, filepath.Join(s.binDir, name), arguments...)
	command.Env = s.environment("")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, output)
	}
	return nil
}

// launchAll starts parts side by side and returns once all of them answer.
func (s *stack) launchAll(ctx context.Context, parts []*part) error {
	var group errgroup.Group
	for _, p := range parts {
		s.stopLock.Lock()
		err := p.launch(s)
		s.parts = append(s.parts, p)
		s.stopLock.Unlock()
		if err != nil {
			return err
		}
		group.Go(func() error { return p.waitReady(ctx) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, p := range parts {
		go s.watch(p)
	}
	return nil
}

func (s *stack) isStopping() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

// fail ends the stack with an error; only the first one counts.
func (s *stack) fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}

// stop ends everything in the reverse order: first the product, so that it can finish its work, then what it uses,
// and Postgres last. A further Ctrl-C kills what is still running.
func (s *stack) stop() {
	close(s.stopping)
	s.stopLock.Lock() // waits for a restart that is under way
	defer s.stopLock.Unlock()
	kill, done := killSwitch()
	defer done()
	product := 0
	for i, p := range s.parts {
		if p.name == "api" {
			product = i
		}
	}
	for _, group := range [][]*part{s.parts[product:], s.parts[:product]} {
		var ending sync.WaitGroup
		for _, p := range group {
			ending.Go(func() { p.end(s.screen, kill) })
		}
		ending.Wait()
	}
	if s.postgres != nil {
		if err := s.postgres.Stop(); err != nil {
			s.screen.say("!!! " + err.Error())
		}
	}
	notes, err := filepath.Glob(filepath.Join(s.runDir, "*.pid"))
	if err != nil {
		return
	}
	for _, note := range notes {
		_ = os.Remove(note) // a stale note is recognised as such by the next start
	}
}

// addresses is what tests and people need to know of a running stack.
type addresses struct {
	Site        string         `json:"site"`
	Docs        string         `json:"docs"`
	SMSInbox    string         `json:"sms_inbox"`
	Gateway     string         `json:"gateway"` // PayU's pages
	Razorpay    string         `json:"razorpay"`
	DNSServer   string         `json:"dns_server"` // takes records over HTTP; empty with name servers of one's own
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

func (s *stack) addresses() addresses {
	a := addresses{
		Site: s.settings["PUBLIC_URL"], Docs: s.settings["PUBLIC_URL"] + "/docs",
		SMSInbox: s.settings["SMS_INBOX_URL"], Gateway: s.settings["PAYU_URL"],
		Razorpay: s.settings["RAZORPAY_URL"],
		OwnerURL: s.settings["DATABASE_OWNER_URL"], DatabaseURL: s.settings["DATABASE_URL"],
		WorkerURL: s.settings["WORKER_DATABASE_URL"], RedisURL: s.settings["REDIS_URL"],
		S3Endpoint: s.settings["S3_ENDPOINT"], DataDir: s.opts.dataDir, Processes: map[string]int{},
		APIMetrics:  "http://" + local(s.kept.Ports["api_metrics"]) + "/metrics",
		WorkMetrics: "http://" + local(s.kept.Ports["worker_metrics"]) + "/metrics",
	}
	if s.embedsDNS() {
		a.DNSServer = "http://" + s.settings["DNS_SERVER"]
	}
	for _, p := range s.parts {
		a.Processes[p.name] = p.pid()
	}
	a.Processes["devstack"] = os.Getpid()
	if s.postgres != nil {
		a.Processes["postgres"] = s.postgres.Pid()
	}
	return a
}

// writeJSON writes the addresses to the file that was asked for; again after each restart, as process ids change.
func (s *stack) writeJSON() error {
	if s.opts.jsonFile == "" {
		return nil
	}
	text, err := json.MarshalIndent(s.addresses(), "", "  ")
	if err != nil {
		return fmt.Errorf("write the addresses: %w", err)
	}
	return writeWhole(s.opts.jsonFile, text)
}

// announce prints the one table of the start.
func (s *stack) announce(took time.Duration) error {
	s.stopLock.Lock()
	defer s.stopLock.Unlock()
	a := s.addresses()
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
	s.screen.say(text.String())
	return s.writeJSON()
}

// demoSignIns reads what the seed command noted of the demo accounts: a title and how to sign in.
func (s *stack) demoSignIns() ([][2]string, error) {
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
