package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/customer"
	"github.com/franchise360/franchise360/scripts/embedded"
)

// The calls at which the gateways hold a worker: the request of a notice, that of a debit, and the question, right before it, whether the
// transaction is known.
const (
	payuNotice, razorpayNotice = "pre_debit_SI", "POST /v1/orders"
	payuDebit, razorpayDebit   = "si_transaction", "POST /v1/payments/create/recurring"
	payuKnown, razorpayKnown   = "verify_payment", "GET /v1/orders/{id}/payments"
	payuState                  = "check_mandate_status"
)

// renewer is a customer whose monthly renewals are debited. mandate is the gateway's id of the mandate.
type renewer struct {
	*customer.Customer

	mobile, gateway, method, mandate string
}

// debits kills, freezes and replaces the worker, and kills the api, while the renewals of several customers are noticed and debited at both
// gateways. It runs last, because it moves the clock by months.
func debits(t *testing.T, s stack) {
	t.Helper()
	s.ready(t)
	all := s.renewers(t)
	guide := all[0].Customer

	s.announced(t, guide, len(all))
	s.dueAt(t, guide, `SELECT max(next_at) FROM mandate_debits WHERE state = 'planned'`, func() {
		s.hold(t, guide, all[0], payuNotice, "before", all[0].mandate)
		s.hold(t, guide, all[1], payuNotice, "after", all[1].mandate)
		s.hold(t, guide, all[4], razorpayNotice, "before", all[4].mandate)
		s.hold(t, guide, all[5], razorpayNotice, "after", all[5].mandate)
	}, func() {
		s.held(t, guide, 2, 2)
		s.kill(t, "worker")
	})
	s.after(t, guide, 6*time.Minute, 1) // the lease of a step that was taken
	s.release(t, guide)
	s.after(t, guide, time.Hour, 1)
	require.Equal(t, len(all), s.number(t, `SELECT count(*) FROM mandate_debits WHERE state = 'noticed'`))

	s.dueAt(t, guide, `SELECT max(debit_at) FROM mandate_debits WHERE state = 'noticed'`, func() {
		s.hold(t, guide, all[0], payuDebit, "before", all[0].mandate)
		s.hold(t, guide, all[1], payuDebit, "after", all[1].mandate)
		s.hold(t, guide, all[4], razorpayDebit, "before", all[4].mandate)
		s.hold(t, guide, all[5], razorpayDebit, "after", all[5].mandate)
	}, func() {
		s.held(t, guide, 2, 2)
		s.kill(t, "worker")
	})
	s.after(t, guide, 11*time.Minute, 1) // the first look at a debit
	s.release(t, guide)                  // the first requests act now, after those that replaced them
	s.after(t, guide, 11*time.Minute, 2)
	s.debitedOnce(t, all, 1)

	stopper, rest := all[3], append(append([]renewer{}, all[:3]...), all[4:]...)
	s.announced(t, guide, len(all))
	s.dueAt(t, guide, `SELECT max(next_at) FROM mandate_debits WHERE state = 'planned'`, nil)
	require.Equal(t, len(all), s.number(t, `SELECT count(*) FROM mandate_debits WHERE state = 'noticed'`))
	frozen, second := s.read(t).Processes["worker"], 0
	s.dueAt(t, guide, `SELECT max(debit_at) FROM mandate_debits WHERE state = 'noticed'`, func() {
		for range 2 { // either may come first: the gateway does not know the debit yet, and its response arrives after the thaw
			s.hold(t, guide, all[0], payuKnown, "after", "")
			s.hold(t, guide, all[4], razorpayKnown, "after", "")
		}
		s.hold(t, guide, stopper, payuState, "after", stopper.mandate)
	}, func() {
		s.held(t, guide, 3, 2)
		require.NoError(t, syscall.Kill(frozen, syscall.SIGSTOP))
		t.Cleanup(func() { _ = syscall.Kill(frozen, syscall.SIGCONT) })
		second = s.also(t, "worker", nil)
		_, err := s.owner(t).ExecContext(t.Context(), `DELETE FROM river_leader`) // the other one leads at once, not once the lead has run out
		require.NoError(t, err)
		s.stop(t, stopper)
		s.after(t, guide, 11*time.Minute, 2) // the other worker makes the debits
		s.release(t, guide)
		require.NoError(t, syscall.Kill(frozen, syscall.SIGCONT))
	})
	require.NoError(t, syscall.Kill(second, syscall.SIGTERM)) // it gives the lead up
	s.after(t, guide, 11*time.Minute, 2)
	s.debitedOnce(t, rest, 2)
	s.debitedOnce(t, []renewer{stopper}, 1)

	s.announced(t, guide, len(rest))
	s.dueAt(t, guide, `SELECT max(next_at) FROM mandate_debits WHERE state = 'planned'`, nil)
	s.dueAt(t, guide, `SELECT max(debit_at) FROM mandate_debits WHERE state = 'noticed'`, nil, func() {
		require.Eventually(t, func() bool { return s.charged(t, rest) > 2*len(rest) }, patience, 10*time.Millisecond)
		s.kill(t, "api")
	})
	s.after(t, guide, 11*time.Minute, 2)
	s.debitedOnce(t, rest, 3)
	require.Equal(t, 1, s.charged(t, []renewer{stopper}), "nothing after the stop")
}

// renewers returns eight customers with a mandate that pays from the third month on: four at each gateway, by card and by UPI. Those at
// Razorpay buy at an api of the same stack that has Razorpay first.
func (s stack) renewers(t *testing.T) []renewer {
	t.Helper()
	port := freePort(t)
	site := fmt.Sprintf("http://localhost:%d", port)
	s.also(t, "api", []string{"GATEWAY=razorpay,payu", "PUBLIC_URL=" + site, fmt.Sprintf("HTTP_ADDR=127.0.0.1:%d", port)})
	all := make([]renewer, 8)
	var buying errgroup.Group
	for i := range all {
		all[i] = renewer{mobile: fmt.Sprintf("92000001%02d", i), gateway: "payu", method: "card"}
		from := s.read(t).Site
		if i >= 4 {
			all[i].gateway, from = "razorpay", site
		}
		if i%4 == 2 {
			all[i].method = "upi"
		}
		c, err := customer.New(customer.Stack{Site: from, Inbox: s.read(t).Inbox})
		require.NoError(t, err)
		all[i].Customer = c
		buying.Go(func() error { return all[i].buy(t.Context()) })
	}
	require.NoError(t, buying.Wait())
	s.after(t, all[0].Customer, 25*24*time.Hour, 1) // monthly renewals open a week before the end
	var agreeing errgroup.Group
	for i := range all {
		agreeing.Go(func() error { return all[i].agree(t.Context()) })
	}
	require.NoError(t, agreeing.Wait())
	s.after(t, all[0].Customer, 3*time.Minute, 1)
	for i, r := range all {
		require.NoError(t, s.owner(t).GetContext(t.Context(), &all[i].mandate, `SELECT m.provider_mandate_id FROM mandates m
			JOIN franchisers f ON f.id = m.franchiser_id WHERE f.mobile = $1 AND m.state = 'active' AND m.gateway = $2 AND m.method = $3`,
			r.mobile, r.gateway, r.method), "%s by %s", r.gateway, r.method)
	}
	return all
}

func (r renewer) buy(ctx context.Context) error {
	if _, err := r.SignUp(ctx, customer.Details{Mobile: r.mobile, Email: "fault@franchise360.example", Password: password, FirstName: "Fault"}); err != nil {
		return err
	}
	if err := r.SaveAddress(ctx); err != nil {
		return err
	}
	services, err := r.FirstServices(ctx)
	if err != nil {
		return err
	}
	var session customer.Session
	if err := r.Call(ctx, http.MethodPost, planRequest, purchase(services[0], map[string]any{"plan_type": "monthly"}), &session, "Idempotency-Key", r.mobile+"-plan"); err != nil {
		return err
	}
	return r.Pay(ctx, session)
}

// agree sets automatic renewal up with the payment of the open renewal.
func (r renewer) agree(ctx context.Context) error {
	if _, err := r.LogIn(ctx, r.mobile, password); err != nil {
		return err
	}
	return r.RenewByMandate(ctx, r.method)
}

// stop ends the customer's mandate.
func (s stack) stop(t *testing.T, r renewer) {
	t.Helper()
	_, err := r.LogIn(t.Context(), r.mobile, password)
	require.NoError(t, err)
	var now struct {
		Mandate struct {
			ID string `json:"id"`
		} `json:"mandate"`
	}
	require.NoError(t, r.Call(t.Context(), http.MethodGet, "/subscription/automatic-renewal", nil, &now))
	require.NoError(t, r.Call(t.Context(), http.MethodPost, "/subscription/automatic-renewal/"+now.Mandate.ID+"/stop", nil, nil))
}

// also starts another process of the stack's program, with the stack's settings but those given, and returns its id.
func (s stack) also(t *testing.T, name string, settings []string) int {
	t.Helper()
	like := s.read(t).Processes[name]
	program, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", like))
	require.NoError(t, err)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", like))
	require.NoError(t, err)
	metrics := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program)
	cmd.Dir = filepath.Dir(s.file)
	cmd.Env = append(append(strings.Split(strings.TrimRight(string(text), "\x00"), "\x00"), "METRICS_ADDR="+metrics), settings...)
	log, err := os.OpenFile(s.log, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer func() { _ = log.Close() }()
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	var once sync.Once
	end := func() {
		once.Do(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	t.Cleanup(end)
	require.Eventually(t, func() bool {
		return answersAt(t, "http://"+metrics+"/healthz")
	}, patience, 50*time.Millisecond, "another %s does not answer", name)
	return cmd.Process.Pid
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := embedded.ReservePort(t.Context())
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	return embedded.PortOf(l)
}

// number counts rows of the whole stack.
func (s stack) number(t *testing.T, query string) (n int) {
	t.Helper()
	db, err := postgres.Open(t.Context(), s.read(t).OwnerURL, 1)
	require.NoError(t, err)
	defer func() { _ = db.Close() }() // immediately: callers that wait for a number query hundreds of times
	require.NoError(t, db.GetContext(t.Context(), &n, query))
	return n
}

// ready waits until nothing of the tests before is under way at a gateway.
func (s stack) ready(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		return s.number(t, `SELECT count(*) FROM river_job WHERE queue = 'payments' AND state IN ('available', 'running')`) == 0
	}, patience, 100*time.Millisecond)
}

// announced moves the clock until this number of customers have planned debits.
func (s stack) announced(t *testing.T, c *customer.Customer, debits int) {
	t.Helper()
	for range 5 {
		if s.number(t, `SELECT count(*) FROM mandate_debits WHERE state = 'planned'`) == debits {
			return
		}
		s.dueAt(t, c, `SELECT max(plan_at) FROM mandates WHERE state = 'active'`, nil)
	}
	require.Equal(t, debits, s.number(t, `SELECT count(*) FROM mandate_debits WHERE state = 'planned'`))
}

// dueAt moves the clock to the time that the query returns, after prepare. meanwhile runs while the due jobs run; then the response of the
// clock's own call does not matter, because its process may be the killed one.
func (s stack) dueAt(t *testing.T, c *customer.Customer, query string, prepare func(), meanwhile ...func()) {
	t.Helper()
	var at time.Time
	require.NoError(t, s.owner(t).GetContext(t.Context(), &at, query))
	var clock struct {
		Data struct {
			Now time.Time `json:"now"`
		} `json:"data"`
	}
	require.NoError(t, c.Exchange(t.Context(), http.MethodGet, s.read(t).Site+"/dev/clock", "", &clock))
	wait := max(at.Sub(clock.Data.Now), 0) + time.Minute
	if prepare != nil {
		if wait > 3*time.Minute { // a daily query ran before
			s.advance(t, c, wait-3*time.Minute)
			wait = 3 * time.Minute
		}
		prepare()
	}
	if len(meanwhile) == 0 {
		s.advance(t, c, wait)
		return
	}
	moved, clockAt := make(chan struct{}), s.read(t).Site+"/dev/clock"
	go func() {
		defer close(moved)
		var answer any
		_ = c.Exchange(t.Context(), http.MethodPost, clockAt, fmt.Sprintf(`{"advance_seconds":%d}`, int64(wait.Seconds())), &answer)
	}()
	for _, do := range meanwhile {
		do()
	}
	<-moved
}

// after moves the clock some times by a duration.
func (s stack) after(t *testing.T, c *customer.Customer, d time.Duration, times int) {
	t.Helper()
	for range times {
		s.advance(t, c, d)
	}
}

func (s stack) sandbox(t *testing.T, gateway string) string {
	t.Helper()
	if gateway == "razorpay" {
		return s.read(t).Razorpay
	}
	return s.read(t).Gateway
}

// hold has the customer's gateway hold the next call that is about the text.
func (s stack) hold(t *testing.T, c *customer.Customer, r renewer, call, when, about string) {
	t.Helper()
	rule, err := json.Marshal(map[string]any{"call": call, "when": when, "about": about})
	require.NoError(t, err)
	var answer any
	require.NoError(t, c.Exchange(t.Context(), http.MethodPost, s.sandbox(t, r.gateway)+"/sandbox/hold", string(rule), &answer))
}

// held waits until both gateways hold this number of calls, and the worker has no transaction open.
func (s stack) held(t *testing.T, c *customer.Customer, payu, razorpay int) {
	t.Helper()
	for gateway, want := range map[string]int{"payu": payu, "razorpay": razorpay} {
		require.Eventually(t, func() bool {
			var now struct {
				Held int `json:"held"`
			}
			require.NoError(t, c.Exchange(t.Context(), http.MethodGet, s.sandbox(t, gateway)+"/sandbox/hold", "", &now))
			return now.Held == want
		}, patience, 20*time.Millisecond, "%s does not hold %d calls", gateway, want)
	}
	require.Eventually(t, func() bool {
		return s.number(t, `SELECT count(*) FROM pg_stat_activity WHERE usename = 'franchise360_worker' AND xact_start IS NOT NULL`) == 0
	}, patience, 5*time.Millisecond)
}

// release lets both gateways' calls go.
func (s stack) release(t *testing.T, c *customer.Customer) {
	t.Helper()
	for _, gateway := range []string{"payu", "razorpay"} {
		var answer any
		require.NoError(t, c.Exchange(t.Context(), http.MethodDelete, s.sandbox(t, gateway)+"/sandbox/hold", "", &answer))
	}
}

// debit is a debit as its gateway has it.
type debit struct {
	mandate       string
	noticed, made time.Time
}

// debits returns the gateways' debits, including pending ones.
func (s stack) debits(t *testing.T) []debit {
	t.Helper()
	c := s.stranger(t)
	type invoice struct {
		Number string    `json:"number"`
		SentAt time.Time `json:"sent_at"`
	}
	var payments []struct {
		ID          string    `json:"mihpayid"`
		Status      string    `json:"status"`
		DebitOf     string    `json:"debit_of"`
		DebitNumber string    `json:"debit_number"`
		Added       time.Time `json:"added"`
		Mandate     struct {
			Invoices []invoice `json:"invoices"`
		} `json:"mandate"`
	}
	require.NoError(t, c.Exchange(t.Context(), http.MethodGet, s.read(t).Gateway+"/sandbox/payments", "", &payments))
	notices := map[string]time.Time{}
	for _, p := range payments {
		for _, n := range p.Mandate.Invoices {
			notices[p.ID+n.Number] = n.SentAt
		}
	}
	var made []debit
	for _, p := range payments {
		if p.DebitOf != "" && p.Status != "failure" {
			made = append(made, debit{p.DebitOf, notices[p.DebitOf+p.DebitNumber], p.Added})
		}
	}
	var orders []struct {
		Notification struct {
			DeliveredAt time.Time `json:"delivered_at"`
		} `json:"notification"`
		Payments []struct {
			Token     string    `json:"token_id"`
			Recurring bool      `json:"recurring"`
			Status    string    `json:"status"`
			CreatedAt time.Time `json:"created_at"`
		} `json:"payments"`
	}
	require.NoError(t, c.Exchange(t.Context(), http.MethodGet, s.read(t).Razorpay+"/sandbox/payments", "", &orders))
	for _, o := range orders {
		for _, p := range o.Payments {
			if p.Recurring && p.Status != "failed" {
				made = append(made, debit{p.Token, o.Notification.DeliveredAt, p.CreatedAt})
			}
		}
	}
	return made
}

// charged is how many debits of the customers the gateways have.
func (s stack) charged(t *testing.T, all []renewer) (n int) {
	t.Helper()
	for _, d := range s.debits(t) {
		for _, r := range all {
			if d.mandate == r.mandate {
				n++
			}
		}
	}
	return n
}

// debitedOnce checks that the gateway has debited each customer once for each renewal, at least a day after the notice, and that each of
// these debits is one payment, one invoice and one term.
func (s stack) debitedOnce(t *testing.T, all []renewer, renewals int) {
	t.Helper()
	for _, r := range all {
		db := s.owner(t)
		require.Eventually(t, func() bool {
			return count(t, db, `SELECT count(*) FROM invoices WHERE franchiser_id = $1 AND kind = 'invoice'`, r.mobile) == 2+renewals
		}, patience, 100*time.Millisecond, "%s by %s at %s", r.mobile, r.method, r.gateway)
	}
	made := s.debits(t)
	for _, r := range all {
		debited := 0
		for _, d := range made {
			if d.mandate == r.mandate {
				debited++
				require.GreaterOrEqual(t, d.made.Sub(d.noticed), 24*time.Hour)
				require.False(t, d.noticed.IsZero(), "without a notice")
			}
		}
		require.Equal(t, renewals, debited, "%s by %s at %s", r.mobile, r.method, r.gateway)
		s.holds(t, r.mobile, map[string]int{
			`SELECT count(*) FROM mandate_debits WHERE franchiser_id = $1 AND state = 'paid'`:               renewals,
			`SELECT count(*) FROM mandate_debits WHERE franchiser_id = $1 AND state IN ('asked', 'failed')`: 0,
			`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'paid'`:                     2 + renewals,
			`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state IN ('refunded', 'held')`:      0,
			`SELECT count(*) FROM invoices WHERE franchiser_id = $1`:                                        2 + renewals,
			`SELECT count(*) FROM terms WHERE franchiser_id = $1`:                                           2 + renewals,
			`SELECT count(*) FROM refunds WHERE franchiser_id = $1`:                                         0,
			`SELECT count(*) FROM subscriptions WHERE franchiser_id = $1 AND state IN ('active', 'grace')`:  1,
		})
	}
	s.verifyBooks(t)
}
