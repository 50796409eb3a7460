package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq" // the driver

	"github.com/franchise360/franchise360/scripts/embedded"
)

const (
	startLimit = 30 * time.Minute // with separate clocks, all of Go is compiled
	backLimit  = 60 * time.Second
)

// addresses is the production form's report about itself.
type addresses struct {
	Site        string         `json:"site"`
	Proxies     []string       `json:"proxies"`
	Databases   []string       `json:"databases"` // Patroni's addresses, of the cluster
	Authorities string         `json:"authorities"`
	SMSInbox    string         `json:"sms_inbox"`
	Gateway     string         `json:"gateway"`
	API         []string       `json:"api"`
	OwnerURL    string         `json:"database_owner_url"`
	DataDir     string         `json:"data_dir"`
	BinDir      string         `json:"bin_dir"`
	Redis       string         `json:"redis_url"`
	Toxiproxy   string         `json:"toxiproxy"`
	Clocks      string         `json:"clocks"`
	Prometheus  string         `json:"prometheus"`
	Processes   map[string]int `json:"processes"`
}

// form is the running production form.
type form struct {
	program, repository string
	dataDir, jsonFile   string
	trust               *tls.Config
	siteHost            string
	db                  *sqlx.DB // as the owner, over the route that can be redirected
	log                 io.Writer
	command             *exec.Cmd
	exited              chan struct{}
	standby             *embedded.Postgres // nil until first needed
	options             []string           // further ones of the production form
	frozen              string             // a database of the cluster
	divided             bool               // the firewall cuts off a machine of the cluster
	load                *load              // the buyers of the present row
	leapt               time.Time          // when all clocks had last leapt, by Postgres's
	renewed             time.Time          // when the workers were last ended
	due                 *due               // what falls due at the midnight of its row; nil before
}

// launch starts the production form, with further options, in the folder and returns once it answers.
func launch(ctx context.Context, repository, folder string, log io.Writer, options ...string) (*form, error) {
	f := &form{
		repository: repository, program: filepath.Join(repository, ".data", "bin", "production"),
		dataDir: filepath.Join(folder, "data"), jsonFile: filepath.Join(folder, "production.json"), log: log, exited: make(chan struct{}),
		options: options,
	}
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-tags=nomsgpack", "-o", f.program, "./scripts/production")
	build.Dir = repository
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the production form: %w\n%s", err, out)
	}
	f.command = exec.Command(f.program, append(f.arguments(), "-port", "0", "-json", f.jsonFile)...) //nolint:noctx // end stops it
	f.command.Dir, f.command.Stdout, f.command.Stderr = repository, log, log
	// Ctrl-C reaches only this program, which stops the form once the buyers are done.
	f.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := f.command.Start(); err != nil {
		return nil, fmt.Errorf("start the production form: %w", err)
	}
	go func() {
		_ = f.command.Wait() // its log tells how it ended
		close(f.exited)
	}()
	if err := f.await(ctx); err != nil {
		f.end()
		return nil, err
	}
	return f, nil
}

func (f *form) arguments() []string {
	return append([]string{"-data", f.dataDir, "-bin", filepath.Join(f.dataDir, "bin")}, f.options...)
}

func (f *form) await(ctx context.Context) error {
	for begun := time.Now(); ; {
		if _, err := os.Stat(f.jsonFile); err == nil {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.exited:
			return errors.New("the production form ended before it answered")
		case <-time.After(200 * time.Millisecond):
		}
		if time.Since(begun) > startLimit {
			return errors.New("the production form did not answer in time")
		}
	}
	a := f.read()
	text, err := os.ReadFile(a.Authorities)
	if err != nil {
		return fmt.Errorf("read the authorities: %w", err)
	}
	f.trust = &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	f.trust.RootCAs.AppendCertsFromPEM(text)
	site, err := url.Parse(a.Site)
	if err != nil {
		return fmt.Errorf("read the site's address: %w", err)
	}
	f.siteHost = site.Host
	owner, err := url.Parse(a.OwnerURL)
	if err != nil {
		return fmt.Errorf("read the database's address: %w", err)
	}
	if a.Toxiproxy != "" {
		way, err := f.wayTo(ctx, "postgres")
		if err != nil {
			return err
		}
		owner.Host = way.Listen
	}
	f.db, err = sqlx.Open("postgres", owner.String())
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	f.db.SetMaxOpenConns(3)
	return nil
}

// end stops everything gracefully.
func (f *form) end() {
	if f.db != nil {
		_ = f.db.Close()
	}
	_ = f.command.Process.Signal(syscall.SIGTERM)
	<-f.exited
}

// read returns the current addresses; a restarted process has a new id.
func (f *form) read() addresses {
	var a addresses
	text, err := os.ReadFile(f.jsonFile)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		f.note("read the addresses: %v", err)
	}
	return a
}

// note writes a line to the log.
func (f *form) note(format string, values ...any) {
	_, _ = fmt.Fprintf(f.log, time.Now().Format("15:04:05.000 ")+"drill: "+format+"\n", values...)
}

func (f *form) signal(name string, signal syscall.Signal) error {
	pid := f.read().Processes[name]
	if pid <= 0 {
		return fmt.Errorf("%s does not run", name)
	}
	f.note("%s to %s (%d)", signal, name, pid)
	if err := syscall.Kill(pid, signal); err != nil {
		return fmt.Errorf("%s to %s: %w", signal, name, err)
	}
	return nil
}

// endPart ends a process and returns once its replacement answers.
func (f *form) endPart(ctx context.Context, name string, signal syscall.Signal) error {
	before := f.read().Processes[name]
	if err := f.signal(name, signal); err != nil {
		return err
	}
	return f.until(ctx, name+" is started again", func() bool {
		now := f.read().Processes[name]
		return now != 0 && now != before && f.ready(ctx, name)
	})
}

// ready reports whether an api answers; the form itself watches the start of other parts.
func (f *form) ready(ctx context.Context, name string) bool {
	number, isAPI := strings.CutPrefix(name, "api-")
	if !isAPI {
		return true
	}
	i, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	return f.get(ctx, "http://"+f.read().API[i-1]+"/readyz", nil) == nil
}

func (f *form) until(ctx context.Context, what string, done func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, backLimit)
	defer cancel()
	for !done() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited in vain until %s: %w", what, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// get reads JSON from a helper service; into may be nil.
func (f *form) get(ctx context.Context, address string, into any) error {
	return f.exchange(ctx, http.MethodGet, address, nil, into)
}

func (f *form) exchange(ctx context.Context, method, address string, body io.Reader, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return fmt.Errorf("ask %s: %w", address, err)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: f.trust, DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("ask %s: %w", address, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("ask %s: it answers %s", address, response.Status)
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		return fmt.Errorf("ask %s: %w", address, err)
	}
	return nil
}

// admin runs one of the product's programs, as an operator would.
func (f *form) admin(ctx context.Context, program ...string) (string, error) {
	command := exec.CommandContext(ctx, f.program, append(append(f.arguments(), "admin"), program...)...)
	command.Dir = f.repository
	out, err := command.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// family returns a process and its children, from Linux's /proc.
func family(pid int) []int {
	all := []int{pid}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The state and the parent follow the name, which may contain anything but ends with the last bracket.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if fields[1] != strconv.Itoa(pid) {
			continue
		}
		if child, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			all = append(all, child)
		}
	}
	return all
}
