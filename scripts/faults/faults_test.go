// Package faults kills and attacks the real processes in the middle of the main flow and checks the result: nothing lost,
// nothing duplicated, nothing forged. It runs its own throw-away stack, which restarts killed processes.
package faults

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/customer"
)

const (
	password  = "Mangoes#2027"
	startTime = 30 * time.Minute
	patience  = 5 * time.Minute
)

// stack is a running stack; its addresses are read at each use, because a restarted process has a new id. log is its processes'
// log file.
type stack struct{ file, log string }

type addresses struct {
	Site      string         `json:"site"`
	Inbox     string         `json:"sms_inbox"`
	Gateway   string         `json:"gateway"`
	Razorpay  string         `json:"razorpay"`
	OwnerURL  string         `json:"database_owner_url"`
	WorkerURL string         `json:"worker_database_url"`
	Processes map[string]int `json:"processes"`
}

func (s stack) read(t *testing.T) addresses {
	t.Helper()
	text, err := os.ReadFile(s.file)
	require.NoError(t, err)
	var a addresses
	require.NoError(t, json.Unmarshal(text, &a))
	return a
}

func start(t *testing.T) stack {
	t.Helper()
	folder := t.TempDir()
	s := stack{file: filepath.Join(folder, "stack.json"), log: filepath.Join(folder, "log")}
	log, err := os.Create(s.log)
	require.NoError(t, err)
	t.Cleanup(func() { _ = log.Close() })
	cmd := exec.CommandContext(t.Context(), "go", "run", "../devstack", "-throwaway", "-json", s.file)
	cmd.Stdout = io.MultiWriter(t.Output(), log)
	cmd.Stderr = cmd.Stdout
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its output tells how it ended
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
	})
	for deadline := time.Now().Add(startTime); ; time.Sleep(200 * time.Millisecond) {
		if _, err := os.Stat(s.file); err == nil {
			s.commitForGood(t)
			return s
		}
		select {
		case <-ended:
			require.FailNow(t, "the stack ended before it answered")
		default:
		}
		require.True(t, time.Now().Before(deadline), "the stack did not answer in time")
	}
}

// commitForGood makes all further connections of the processes commit synchronously, as in production, unlike in a throw-away
// database: a crash could otherwise undo what a process believes to be committed.
func (s stack) commitForGood(t *testing.T) {
	t.Helper()
	for _, role := range []string{"franchise360_api", "franchise360_worker"} {
		_, err := s.owner(t).ExecContext(t.Context(), `ALTER ROLE `+role+` SET synchronous_commit = on`)
		require.NoError(t, err)
	}
}

// kill ends a process of the stack like a power cut, and returns once its replacement answers.
func (s stack) kill(t *testing.T, name string) {
	t.Helper()
	pid := s.read(t).Processes[name]
	require.Positive(t, pid, name)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	require.Eventually(t, func() bool {
		now := s.read(t).Processes[name]
		return now != 0 && now != pid
	}, patience, 100*time.Millisecond, "%s was not started again", name)
	require.Eventually(t, func() bool { return s.answers(t, "/readyz") }, patience, 100*time.Millisecond)
}

func (s stack) answers(t *testing.T, path string) bool {
	t.Helper()
	return answersAt(t, s.read(t).Site+path)
}

func answersAt(t *testing.T, address string) bool {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// advance moves the business clock, and with it the scheduled jobs.
func (s stack) advance(t *testing.T, c *customer.Customer, d time.Duration) {
	t.Helper()
	var answer any
	body := fmt.Sprintf(`{"advance_seconds":%d}`, int64(d.Seconds()))
	require.NoError(t, c.Exchange(t.Context(), http.MethodPost, s.read(t).Site+"/dev/clock", body, &answer))
}

// stranger returns a browser on its first visit.
func (s stack) stranger(t *testing.T) *customer.Customer {
	t.Helper()
	a := s.read(t)
	c, err := customer.New(customer.Stack{Site: a.Site, Inbox: a.Inbox})
	require.NoError(t, err)
	return c
}

// resident returns a customer with an address and no purchase.
func (s stack) resident(t *testing.T, mobile, email string) *customer.Customer {
	t.Helper()
	c := s.stranger(t)
	_, err := c.SignUp(t.Context(), customer.Details{Mobile: mobile, Email: email, Password: password, FirstName: "Fault"})
	require.NoError(t, err)
	require.NoError(t, c.SaveAddress(t.Context()))
	return c
}

// buyer returns a customer who has requested the charge for a plan.
func (s stack) buyer(t *testing.T, mobile string) (*customer.Customer, customer.Session) {
	t.Helper()
	c := s.resident(t, mobile, "fault@franchise360.example")
	services, err := c.FirstServices(t.Context())
	require.NoError(t, err)
	session, err := c.Request(t.Context(), services[0])
	require.NoError(t, err)
	return c, session
}

// owner opens the database as its owner, without row-level security.
func (s stack) owner(t *testing.T) *sqlx.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), s.read(t).OwnerURL, 2)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// holds checks counts in the database for the customer, whose id is $1.
func (s stack) holds(t *testing.T, mobile string, counts map[string]int) {
	t.Helper()
	db := s.owner(t)
	for query, want := range counts {
		require.Equal(t, want, count(t, db, query, mobile), query)
	}
}

// once checks that a paid charge took effect exactly once and that the books are in order.
func (s stack) once(t *testing.T, mobile string) {
	t.Helper()
	s.holds(t, mobile, map[string]int{
		`SELECT count(*) FROM subscriptions WHERE franchiser_id = $1 AND state = 'active'`: 1,
		`SELECT count(*) FROM orders WHERE franchiser_id = $1 AND state = 'paid'`:          1,
		`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'paid'`:        1,
		`SELECT count(*) FROM invoices WHERE franchiser_id = $1 AND kind = 'invoice'`:      1,
		`SELECT count(*) FROM refunds WHERE franchiser_id = $1`:                            0,
		`SELECT count(*) FROM ledger_journals WHERE franchiser_id = $1`:                    2,
	})
	db := s.owner(t)
	require.Eventually(t, func() bool {
		return count(t, db, `SELECT count(*) FROM invoice_documents WHERE franchiser_id = $1`, mobile) == 1
	}, patience, 200*time.Millisecond, "the invoice was not rendered")
	s.verifyBooks(t)
}

func count(t *testing.T, db *sqlx.DB, query, mobile string) int {
	t.Helper()
	var id string
	require.NoError(t, db.GetContext(t.Context(), &id, `SELECT id FROM franchisers WHERE mobile = $1`, mobile))
	var n int
	require.NoError(t, db.GetContext(t.Context(), &n, query, id))
	return n
}

func (s stack) verifyBooks(t *testing.T) {
	t.Helper()
	worker, err := postgres.Open(t.Context(), s.read(t).WorkerURL, 2)
	require.NoError(t, err)
	defer func() { _ = worker.Close() }()
	report, err := ledger.NewService(worker, clock.System{}).Verify(t.Context())
	require.NoError(t, err)
	require.Empty(t, report.Findings)
}

func TestProcesses_KillsOutagesAndAttacks(t *testing.T) {
	t.Parallel()
	s := start(t)
	t.Run("they lose nothing and do nothing twice when killed", func(t *testing.T) { kills(t, s) })    //nolint:paralleltest // one stack
	t.Run("they outlive what they stand on", func(t *testing.T) { outages(t, s) })                     //nolint:paralleltest // one stack
	t.Run("they take nobody for another", func(t *testing.T) { accountAttacks(t, s) })                 //nolint:paralleltest // one stack
	t.Run("they let nobody pay less, twice or for another", func(t *testing.T) { moneyAttacks(t, s) }) //nolint:paralleltest // one stack
	t.Run("they debit each renewal once when killed", func(t *testing.T) { debits(t, s) })             //nolint:paralleltest // one stack
}

func kills(t *testing.T, s stack) {
	t.Helper()

	t.Run("the worker dies before the gateway's notices are worked", func(t *testing.T) {
		c, session := s.buyer(t, "9200000001")
		back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"twice","return":"post"}`)
		require.NoError(t, err)
		require.NoError(t, c.Return(t.Context(), back))
		s.kill(t, "worker")
		require.NoError(t, c.Return(t.Context(), back), "the browser's page is loaded again")
		require.NoError(t, c.WaitPaid(t.Context(), session))
		s.once(t, "9200000001")
	})

	t.Run("the api dies, browser and webhook are lost, and the schedule finds the payment", func(t *testing.T) {
		c, session := s.buyer(t, "9200000002")
		_, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"lost","return":"lost"}`)
		require.NoError(t, err)
		s.kill(t, "api")
		s.advance(t, c, 2*time.Minute)
		require.NoError(t, c.WaitPaid(t.Context(), session))
		s.once(t, "9200000002")
	})

	t.Run("both die between the charge and its confirmation", func(t *testing.T) {
		c, session := s.buyer(t, "9200000003")
		back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"lost","return":"post"}`)
		require.NoError(t, err)
		s.kill(t, "worker")
		s.kill(t, "api")
		for range 5 {
			require.NoError(t, c.Return(t.Context(), back))
		}
		require.NoError(t, c.WaitPaid(t.Context(), session))
		s.once(t, "9200000003")
	})

	t.Run("the worker that leads dies, and the schedules go on", func(t *testing.T) { leaderDies(t, s) })

	t.Run("the object store is down while the purchase is made", func(t *testing.T) {
		c, session := s.buyer(t, "9200000004")
		s.kill(t, "objectstore")
		require.NoError(t, c.Pay(t.Context(), session))
		s.once(t, "9200000004")
	})
}

// leaderDies kills the leading worker: no scheduled time is missed, because another takes over and plans again.
func leaderDies(t *testing.T, s stack) {
	t.Helper()
	db := s.owner(t)
	leader := func() (id string) {
		require.NoError(t, db.GetContext(t.Context(), &id,
			`SELECT coalesce((SELECT leader_id FROM river_leader WHERE expires_at > now()), '')`))
		return id
	}
	require.Eventually(t, func() bool { return leader() != "" }, patience, 100*time.Millisecond)
	before := leader()
	_, err := db.ExecContext(t.Context(), `UPDATE job_schedules SET next_run_at = NULL`)
	require.NoError(t, err)
	s.kill(t, "worker")
	require.Eventually(t, func() bool { now := leader(); return now != "" && now != before }, 2*patience, 100*time.Millisecond)
	require.Eventually(t, func() bool {
		var planned, all int
		require.NoError(t, db.QueryRowxContext(t.Context(),
			`SELECT count(*) FILTER (WHERE next_run_at > now()), count(*) FROM job_schedules`).Scan(&planned, &all))
		return planned == all && all > 0
	}, patience, 100*time.Millisecond)
}
