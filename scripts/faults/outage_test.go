package faults

import (
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/scripts/customer"
)

// crash kills one of Postgres's own processes, upon which it drops every connection and recovers, as after an immediate
// shutdown. Open transactions are rolled back. Commits of connections older than commitForGood are flushed first. It returns
// once Postgres has dropped its connections and answers again: it still answers for a moment after the kill, and a test that
// continued then would run into the recovery.
func (s stack) crash(t *testing.T) {
	t.Helper()
	db := s.owner(t)
	witness, err := db.Connx(t.Context())
	require.NoError(t, err)
	defer func() { _ = witness.Close() }()
	victim, err := db.Connx(t.Context())
	require.NoError(t, err)
	defer func() { _ = victim.Close() }()
	var pid int
	require.NoError(t, victim.GetContext(t.Context(), &pid, `SELECT pg_backend_pid()`))
	for _, sql := range []string{"SET synchronous_commit = on", "CREATE TABLE crash_mark ()", "DROP TABLE crash_mark"} {
		_, err := victim.ExecContext(t.Context(), sql)
		require.NoError(t, err)
	}
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	require.Eventually(t, func() bool { return witness.PingContext(t.Context()) != nil }, patience, 10*time.Millisecond,
		"the others were not dropped")
	require.Eventually(t, func() bool { return db.PingContext(t.Context()) == nil }, patience, 100*time.Millisecond)
	require.Eventually(t, func() bool { return s.answers(t, "/readyz") }, patience, 100*time.Millisecond)
}

// mood makes the gateway's API misbehave for some calls.
func (s stack) mood(t *testing.T, c *customer.Customer, body string) {
	t.Helper()
	var answer any
	require.NoError(t, c.Exchange(t.Context(), http.MethodPost, s.read(t).Gateway+"/sandbox/mode", body, &answer))
}

// paid waits for the payment despite failing answers.
func paid(t *testing.T, c *customer.Customer, session customer.Session) {
	t.Helper()
	require.Eventually(t, func() bool { return c.WaitPaid(t.Context(), session) == nil }, 2*patience, time.Second)
}

func outages(t *testing.T, s stack) {
	t.Helper()

	t.Run("Postgres drops everybody while payments are confirmed", func(t *testing.T) {
		mobiles := []string{"9200000011", "9200000012", "9200000013"}
		people, sessions := make([]*customer.Customer, len(mobiles)), make([]customer.Session, len(mobiles))
		var all errgroup.Group
		for i, mobile := range mobiles {
			people[i], sessions[i] = s.buyer(t, mobile)
			back, err := people[i].Decide(t.Context(), sessions[i], `{"outcome":"success","webhook":"twice","return":"post"}`)
			require.NoError(t, err)
			all.Go(func() error {
				for begun := time.Now(); ; time.Sleep(250 * time.Millisecond) { // after a failure the product tells the user to try again
					if err := people[i].Return(t.Context(), back); err == nil || time.Since(begun) > patience {
						return err
					}
				}
			})
		}
		s.crash(t)
		require.NoError(t, all.Wait())
		for i, mobile := range mobiles {
			paid(t, people[i], sessions[i])
			s.once(t, mobile)
		}
	})

	for mode, mobile := range map[string]string{"error": "9200000014", "html": "9200000017"} {
		t.Run("the gateway's API answers "+mode+" when it is asked", func(t *testing.T) {
			c, session := s.buyer(t, mobile)
			back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"lost","return":"post"}`)
			require.NoError(t, err)
			s.mood(t, c, `{"mode":"`+mode+`","calls":2}`)
			require.NoError(t, c.Return(t.Context(), back))
			paid(t, c, session)
			s.once(t, mobile)
		})
	}

	t.Run("the gateway's API trickles, or hangs", func(t *testing.T) { slowGateway(t, s) })

	t.Run("the worker is asked to stop while it works, and nothing is given up", func(t *testing.T) {
		c, session := s.buyer(t, "9200000015")
		back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"twice","return":"post"}`)
		require.NoError(t, err)
		require.NoError(t, c.Return(t.Context(), back))
		require.NoError(t, syscall.Kill(s.read(t).Processes["worker"], syscall.SIGTERM))
		paid(t, c, session)
		s.once(t, "9200000015")
		s.holds(t, "9200000015", map[string]int{`SELECT count(*) FROM river_job WHERE metadata ->> 'franchiser_id' = $1
			AND state IN ('discarded', 'cancelled')`: 0})
	})

	t.Run("Redis is gone while somebody buys", func(t *testing.T) {
		c, session := s.buyer(t, "9200000016")
		s.kill(t, "redisserver")
		require.NoError(t, c.Pay(t.Context(), session), "nobody is signed out, and nothing waits for it")
		s.once(t, "9200000016")
	})

	t.Run("Postgres is frozen while a payment is confirmed", func(t *testing.T) { frozenPostgres(t, s) })

	t.Run("the SMS provider is down for a while", func(t *testing.T) { smsDown(t, s) })
}

// smsDown makes two people wait for their code: one until the provider works again, one until the code has expired.
func smsDown(t *testing.T, s stack) {
	t.Helper()
	const soon, late = "9200000020", "9200000021"
	c, db := s.stranger(t), s.owner(t)
	provider := func(mode string) {
		var answer any
		require.NoError(t, c.Exchange(t.Context(), http.MethodPost, s.read(t).Site+"/dev/sms", `{"mode":"`+mode+`"}`, &answer))
	}
	failed := func(mobile string) {
		register(t, s.stranger(t), mobile)
		require.Eventually(t, func() bool {
			var n int
			require.NoError(t, db.GetContext(t.Context(), &n,
				`SELECT count(*) FROM one_time_codes WHERE mobile = $1 AND send_error IS NOT NULL`, mobile))
			return n == 1
		}, patience, 50*time.Millisecond)
	}
	provider("fail")
	failed(soon)
	provider("ok")
	require.NotEmpty(t, s.code(t, c, soon, 1))

	provider("fail")
	failed(late)
	s.advance(t, c, 11*time.Minute)
	provider("ok")
	require.Eventually(t, func() bool {
		var waiting int
		require.NoError(t, db.GetContext(t.Context(), &waiting,
			`SELECT count(*) FROM river_job WHERE kind = 'send_otp' AND finalized_at IS NULL`))
		return waiting == 0
	}, patience, 50*time.Millisecond)
	require.Empty(t, s.texts(t, c, late), "a code that is over is not sent")
}
