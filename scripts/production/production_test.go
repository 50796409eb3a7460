package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq" // the driver
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/scripts/customer"
	"github.com/franchise360/franchise360/scripts/embedded"
)

const (
	password  = "Mangoes#2027"
	startTime = 30 * time.Minute
	patience  = 5 * time.Minute
)

// running is the running production form; its addresses are read at each use, as a restarted process has a new id.
type running struct {
	file      string
	program   string
	transport *http.Transport
	db        *sqlx.DB
}

func (r *running) read(t *testing.T) addresses {
	t.Helper()
	text, err := os.ReadFile(r.file)
	require.NoError(t, err)
	var a addresses
	require.NoError(t, json.Unmarshal(text, &a))
	return a
}

func start(t *testing.T) *running {
	t.Helper()
	r := &running{file: filepath.Join(t.TempDir(), "production.json")}
	r.program = filepath.Join(t.TempDir(), "production")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", r.program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	command := exec.CommandContext(t.Context(), r.program, "-throwaway", "-json", r.file)
	command.Stdout, command.Stderr = t.Output(), t.Output()
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = time.Minute
	require.NoError(t, command.Start())
	ended := make(chan struct{})
	go func() {
		_ = command.Wait() // its output tells how it ended
		close(ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		<-ended
	})
	for deadline := time.Now().Add(startTime); ; time.Sleep(200 * time.Millisecond) {
		if _, err := os.Stat(r.file); err == nil {
			break
		}
		select {
		case <-ended:
			require.FailNow(t, "it ended before it answered")
		default:
		}
		require.True(t, time.Now().Before(deadline), "it did not answer in time")
	}
	a := r.read(t)
	config, err := trusting(a.Authorities)
	require.NoError(t, err)
	r.transport = &http.Transport{
		TLSClientConfig: config,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.Contains(address, a.Domain) {
				address = a.Proxy
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}
	r.db, err = sqlx.Open("postgres", a.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.db.Close()) })
	return r
}

// customer returns a signed-up customer, with the code sent through MSG91's stand-in, and a saved address.
func (r *running) customer(t *testing.T, mobile string) *customer.Customer {
	t.Helper()
	a := r.read(t)
	c, err := customer.New(customer.Stack{Site: a.Site, Inbox: a.SMSInbox, Transport: r.transport})
	require.NoError(t, err)
	_, err = c.SignUp(t.Context(), customer.Details{
		Mobile: mobile, Email: mobile + "@franchise360.example", Password: password, FirstName: "Asha",
	})
	require.NoError(t, err)
	require.NoError(t, c.SaveAddress(t.Context()))
	return c
}

func (r *running) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, r.db.GetContext(t.Context(), &n, query, args...))
	return n
}

// All subtests share one start.
func TestProduction_WholeForm(t *testing.T) {
	t.Parallel()
	r := start(t)
	t.Run("a plan is bought and its invoice downloaded", func(t *testing.T) { buys(t, r) })                //nolint:paralleltest // one stack
	t.Run("nobody notices that an api is started again", func(t *testing.T) { restarts(t, r) })            //nolint:paralleltest // one stack
	t.Run("the proxy sends nothing twice that changes something", func(t *testing.T) { neverTwice(t, r) }) //nolint:paralleltest // one stack
	t.Run("all of it is saved and restored elsewhere", func(t *testing.T) { savesAndRestores(t, r) })      //nolint:paralleltest // one stack
}

func buys(t *testing.T, r *running) {
	t.Helper()
	c := r.customer(t, "9300000001")
	services, err := c.FirstServices(t.Context())
	require.NoError(t, err)
	session, err := c.Request(t.Context(), services[0])
	require.NoError(t, err)
	require.Contains(t, session.Gateway["payment_url"], r.read(t).Gateway)
	require.NoError(t, c.Pay(t.Context(), session))

	var payment string
	require.NoError(t, r.db.GetContext(t.Context(), &payment, `SELECT id FROM payments WHERE transaction_id = $1`, session.TransactionID))
	require.Equal(t, 1, r.count(t, `SELECT count(*) FROM subscriptions s JOIN payments p USING (franchiser_id) WHERE s.state = 'active' AND p.id = $1`, payment))
	var link struct {
		Invoice *string `json:"invoice"`
	}
	require.Eventually(t, func() bool {
		require.NoError(t, c.Call(t.Context(), http.MethodGet, "/subscription/invoice/"+payment, nil, &link))
		return link.Invoice != nil
	}, patience, 200*time.Millisecond, "the invoice is not rendered")
	a := r.read(t)
	require.Contains(t, *link.Invoice, "https://objects."+a.Domain, "documents come through the proxy")
	status, body := r.get(t, *link.Invoice)
	require.Equal(t, http.StatusOK, status)
	require.True(t, strings.HasPrefix(body, "%PDF-"))
	require.Contains(t, body, "%%EOF")
	plain, _, _ := strings.Cut(*link.Invoice, "?")
	status, _ = r.get(t, plain)
	require.Equal(t, http.StatusNotFound, status, "without its signature it leads nowhere")
	status, _ = r.get(t, a.Site+"/dev/sms?mobile=9300000001")
	require.Equal(t, http.StatusNotFound, status, "this is production")

	// The gateway's own notification came through the proxy too.
	require.Eventually(t, func() bool {
		return r.count(t, `SELECT count(*) FROM payment_events WHERE payment_id = $1 AND source = 'webhook'`, payment) > 0
	}, patience, 200*time.Millisecond)
	require.Eventually(t, func() bool {
		return r.count(t, `SELECT count(*) FROM sms_deliveries WHERE provider = 'msg91' AND state = 'delivered'`) > 0
	}, patience, 200*time.Millisecond, "and so did MSG91's report")
	var encrypted, all int
	require.NoError(t, r.db.QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE s.ssl), count(*) FROM pg_stat_ssl s
		JOIN pg_stat_activity a USING (pid) WHERE a.usename LIKE 'franchise360%'`).Scan(&encrypted, &all))
	require.Equal(t, all, encrypted)
	require.Positive(t, all)
	clear, err := sqlx.Open("postgres", regexp.MustCompile(`\?.*`).ReplaceAllString(a.OwnerURL, "?sslmode=disable"))
	require.NoError(t, err)
	require.ErrorContains(t, clear.PingContext(t.Context()), "no encryption", "Postgres speaks to nobody in clear")
	require.NoError(t, clear.Close())
}

// savesAndRestores backs up the running system, restores it into a second one, and fails to restore into one in use.
func savesAndRestores(t *testing.T, r *running) {
	t.Helper()
	a := r.read(t)
	saved := filepath.Join(t.TempDir(), "backup.tar.gz")
	file, err := os.Create(saved)
	require.NoError(t, err)
	run := func(arguments ...string) (string, error) {
		var said bytes.Buffer
		command := exec.CommandContext(t.Context(), r.program, append([]string{"-bin", filepath.Join("..", "..", ".data", "bin"), "-port", "0"}, arguments...)...)
		command.Stdin, command.Stdout, command.Stderr = file, &said, &said
		if arguments[len(arguments)-1] == "backup" {
			command.Stdout = file
		}
		err := command.Run()
		return said.String(), err
	}
	said, err := run("-data", a.DataDir, "admin", "backup")
	require.NoError(t, err, said)
	_, err = file.Seek(0, io.SeekStart)
	require.NoError(t, err)
	said, err = run("-data", a.DataDir, "admin", "backup", "restore")
	require.Error(t, err)
	require.Contains(t, said, "end them first")

	folder, err := embedded.TemporaryFolder("franchise360-restored-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	said, err = run("-data", folder, "restore", saved)
	require.NoError(t, err, said)
	require.Contains(t, said, "The books are in order.")
	require.Contains(t, said, `msg=restored`)
	require.Contains(t, said, "objects=1")

	said, err = run("-data", folder, "alone", "numbers")
	require.NoError(t, err, said)
	require.Regexp(t, `No document is numbered, since .*: restored from the backup of .*\nFP/\d\d-\d\d/000001\n`, said)
	number := regexp.MustCompile(`FP/\d\d-\d\d/`).FindString(said)
	said, err = run("-data", folder, "alone", "numbers", "resume", number+"000003")
	require.NoError(t, err, said)
	require.Contains(t, said, number+"000003, lost in restores {[2,4)}")
	said, err = run("-data", folder, "alone", "verifybooks")
	require.NoError(t, err, said)
	require.Contains(t, said, "The books are in order.")
	require.NoError(t, file.Close())
}

func (r *running) get(t *testing.T, address string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := (&http.Client{Transport: r.transport, Timeout: patience}).Do(request)
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(text)
}

// example returns a compose file's services as far as the lists in places.go cover them.
func example(t *testing.T) (*production, map[string]service) {
	t.Helper()
	p := &production{Stack: newTestStack(t), opts: options{repository: "/repository", port: 8443}, domain: "site.example"}
	services := map[string]service{}
	for _, name := range p.known() {
		services[name] = service{Command: []string{name}, Environment: map[string]string{"DOMAIN": "site.example"}, Replicas: 1, Enabled: true}
	}
	return p, services
}

func TestComplete_UnreplacedAddress_IsReported(t *testing.T) {
	t.Parallel()
	const caddyfile = "{$DOMAIN} {\n\t# not objects:9000\n\treverse_proxy {$OBJECTS:objects:9000}\n}\n"
	p, services := example(t)
	services["migrate"].Environment["DATABASE_OWNER_URL"] = "postgres://postgres:4711@postgres:5432/x?sslmode=disable" // user and host
	require.NoError(t, p.complete(services, caddyfile))

	for name, c := range map[string]struct{ setting, value, problem string }{
		"another store":    {"CACHE_URL", "http://objects:9001", "CACHE_URL of api"},
		"another address":  {"AMQP_ADDR", ":5672", "AMQP_ADDR of api"},
		"a folder":         {"SIGNING_CERT_FILE", "/run/signing/signer.p12", "SIGNING_CERT_FILE of api"},
		"one of a cluster": {"REDIS_URLS", "redis://:x@redis:6380/0,redis://:x@redis:6381/0", "REDIS_URLS of api"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, services := example(t)
			services["api"].Environment[c.setting] = c.value
			require.ErrorContains(t, p.complete(services, caddyfile), c.problem)
		})
	}
	services["mail"] = service{}
	require.ErrorContains(t, p.complete(services, caddyfile), "mail is started by nobody")
	delete(services, "mail")
	delete(services, "redis")
	require.ErrorContains(t, p.complete(services, caddyfile), "redis is not in docker-compose.yml")
	_, services = example(t)
	require.ErrorContains(t, p.complete(services, caddyfile+"reverse_proxy objects:9001\n"), "objects:9001")
	require.ErrorContains(t, p.complete(services, caddyfile+"{$NEW_SETTING}\n"), "NEW_SETTING")
	workers := services["worker"]
	workers.Replicas = mostReplicas + 1
	services["worker"] = workers
	require.ErrorContains(t, p.complete(services, caddyfile), "worker has more than 4 replicas")
}

func TestTakePorts_AnotherStacksReplicaListens_ChoosesAnotherPort(t *testing.T) {
	t.Parallel()
	p := &production{Stack: newTestStack(t)}
	address := p.at(replicaAddress("worker", 1), "metrics")
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	require.NoError(t, p.takePorts(t.Context()))
	t.Cleanup(func() { p.Kept.Release() })
	require.NotEqual(t, address, p.at(replicaAddress("worker", 1), "metrics"))
}

func TestFillIn_UsesTheExampleFile(t *testing.T) {
	t.Parallel()
	text, err := fillIn("# A=1\nA=\nB=2\nC=${B}\n", quoted(map[string]string{"A": "$x", "B": "3"}))
	require.NoError(t, err)
	require.Equal(t, "# A=1\nA='$x'\nB='3'\nC=${B}\n", text)
	_, err = fillIn("A=\n", map[string]string{"GONE": "x"})
	require.ErrorContains(t, err, "no line for GONE")
}

// Given operator settings, then the processes get them unchanged instead of the rehearsal's, and file names in them are not treated as a
// container's. A setting that no process reads is reported.
func TestOwnSettings_ReachTheProcessesUnchanged(t *testing.T) {
	t.Parallel()
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	folder := t.TempDir()
	file := filepath.Join(folder, "own.env")
	require.NoError(t, os.WriteFile(file, []byte("# mine\n\nSUPPLIER_NAME=\"Mango Lane's Private Limited\"\n"+
		"SUPPLIER_EMAIL=help@${DOMAIN}\nDOMAIN=mango.example\nPG_CHARGE_BPS=200\nSIGNING_CERT_FILE=/home/mango/signer.p12\n"), 0o600))
	p := &production{Stack: newTestStack(t), opts: options{repository: repository, port: 8443, settings: file}}
	require.NoError(t, p.BuildModule(t.Context(), repository, "scripts/checkcompose", "."))
	require.NoError(t, p.writeEnv())
	services, err := p.readCompose(t.Context())
	require.NoError(t, err)
	p.domain = services["proxy"].Environment["DOMAIN"]
	require.Equal(t, "mango.example", p.domain)
	environment := p.environment("worker", services["worker"], 0)
	for _, want := range []string{
		"SUPPLIER_NAME=Mango Lane's Private Limited", "SUPPLIER_EMAIL=help@mango.example", "PG_CHARGE_BPS=200",
		"SIGNING_CERT_FILE=/home/mango/signer.p12", "SUPPLIER_GSTIN=27AAPFU0939F1ZV",
	} {
		require.Contains(t, environment, want)
	}
	caddyfile, err := os.ReadFile(filepath.Join(repository, "scripts", "Caddyfile"))
	require.NoError(t, err)
	require.NoError(t, p.complete(services, string(caddyfile)))

	for written, problem := range map[string]string{"SUPPLIER_NAEM=x": "no line for SUPPLIER_NAEM", "SUPPLIER_NAME": "line 1: want NAME=value"} {
		require.NoError(t, os.WriteFile(file, []byte(written+"\n"), 0o600))
		require.ErrorContains(t, p.writeEnv(), problem)
	}
	p.opts.settings = filepath.Join(folder, "gone.env")
	require.ErrorContains(t, p.writeEnv(), "read your settings")
}

func TestRetention_EveryTable_HasARow(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("retention.md")
	require.NoError(t, err)
	var told, all []string
	for _, row := range regexp.MustCompile(`(?m)^\|[^|]+\|[^|]+\| ([a-z0-9_, ]+) \|$`).FindAllStringSubmatch(string(text), -1) {
		if row[1] != "tables" {
			told = append(told, strings.Split(row[1], ", ")...)
		}
	}
	for _, tables := range migrations.Owners() {
		all = append(all, tables...)
	}
	require.ElementsMatch(t, all, told)
}

func TestReplicaAddress_IsUniqueLoopback(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, kind := range []string{"api", "worker"} {
		for i := range 3 {
			address := replicaAddress(kind, i)
			require.True(t, strings.HasPrefix(address, "127."), address)
			require.False(t, seen[address], "%s %d", kind, i)
			seen[address] = true
		}
	}
}
