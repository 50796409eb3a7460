package alert

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// line is a channel that records its deliveries, unless it is broken.
type line struct {
	name   string
	broken bool
	told   []Notice
}

func (l *line) Name() string { return l.name }

func (l *line) Deliver(_ context.Context, n Notice) error {
	if l.broken {
		return errors.New("no answer")
	}
	l.told = append(l.told, n)
	return nil
}

// shared are claims as Redis keeps them; away makes every call fail.
type shared struct {
	mu   sync.Mutex
	kept map[string]string
	away bool
}

func (s *shared) with(do func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away {
		return errors.New("redis: away")
	}
	do()
	return nil
}

func (s *shared) SetIfAbsent(_ context.Context, key, value string, _ time.Duration) error {
	return s.with(func() {
		if _, there := s.kept[key]; !there {
			s.kept[key] = value
		}
	})
}

func (s *shared) Set(_ context.Context, key, value string, _ time.Duration) error {
	return s.with(func() { s.kept[key] = value })
}

func (s *shared) Get(_ context.Context, key string) (value string, found bool, err error) {
	err = s.with(func() { value, found = s.kept[key] })
	return value, found, err
}

func (s *shared) Delete(_ context.Context, keys ...string) error {
	return s.with(func() {
		for _, key := range keys {
			delete(s.kept, key)
		}
	})
}

func newTestOutage(t *testing.T, clk clock.Clock, claims Claims, channels ...Channel) *outage {
	t.Helper()
	o := newOutage(channels, clk, testkit.NewLogger(t))
	o.claims = claims
	return o
}

func TestOutage_DatabaseAway_EachChannelGetsOneAlertAndOneRecovery(t *testing.T) {
	t.Parallel()
	refusal := func(code string) error {
		return postgres.Error(&pq.Error{Code: pqerror.Code(code), Message: "role franchise360_api at 10.0.0.7"})
	}
	for name, c := range map[string]struct {
		failure error
		want    string
	}{
		"frozen":               {fmt.Errorf("lock alerts: %w", context.DeadlineExceeded), "it does not answer"},
		"refused":              {postgres.Error(errAway), "it cannot be reached"},
		"read-only":            {refusal("25006"), "it accepts no writes"},
		"out of disk":          {refusal("53100"), "its disk is full"},
		"connections used up":  {refusal("53300"), "all its connections are used"},
		"wrong password":       {refusal("28P01"), "it refuses our password or role"},
		"starting or stopping": {refusal("57P03"), "it ended our statement, starts, or stops"},
		"out of memory":        {refusal("53200"), "SQLSTATE 53200"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clk := testkit.NewClock()
			mail, slack, hook := &line{name: "email"}, &line{name: "slack"}, &line{name: "webhook"}
			o := newTestOutage(t, clk, nil, mail, slack, hook)
			began := clk.Now()
			for range looksUntilAway - 1 {
				require.Nil(t, o.looked(t.Context(), c.failure))
				clk.Advance(watchEvery)
			}
			require.Empty(t, mail.told)
			for range 20 {
				require.Nil(t, o.looked(t.Context(), c.failure))
				clk.Advance(watchEvery)
			}
			for _, l := range []*line{mail, slack, hook} {
				require.Len(t, l.told, 1, l.name)
				n := l.told[0]
				require.Equal(t, []any{eventFired, ruleDatabaseAway, Critical, began, l.name}, []any{n.What, n.Rule, n.Severity, n.OpenedAt, n.Channel})
				require.Contains(t, n.Message, c.want)
				require.NotContains(t, n.Message, "10.0.0.7")
				require.NotContains(t, n.Message, "franchise360_api")
			}
			require.Nil(t, o.looked(t.Context(), nil), "one look that succeeds is no end")
			over := o.looked(t.Context(), nil)
			require.NotNil(t, over)
			require.NotNil(t, over.ResolvedAt)
			for _, l := range []*line{mail, slack, hook} {
				require.Len(t, l.told, 2, l.name)
				require.Equal(t, eventResolved, l.told[1].What)
				require.Equal(t, l.told[0].AlertID, l.told[1].AlertID)
				require.NotEqual(t, l.told[0].ID, l.told[1].ID)
			}
			require.Nil(t, o.looked(t.Context(), nil))
			require.Len(t, mail.told, 2)
		})
	}
}

func TestOutage_TooShort_SendsNothing(t *testing.T) {
	t.Parallel()
	mail := &line{name: "email"}
	o := newTestOutage(t, testkit.NewClock(), nil, mail)
	for range 5 {
		for range looksUntilAway - 1 {
			require.Nil(t, o.looked(t.Context(), errAway))
		}
		for range looksUntilBack {
			require.Nil(t, o.looked(t.Context(), nil))
		}
	}
	require.Empty(t, mail.told)
}

// A database that answers every second look has not been away four times in a row, but neither is it back.
func TestOutage_FlickeringDatabase_IsReportedOnce(t *testing.T) {
	t.Parallel()
	mail := &line{name: "email"}
	o := newTestOutage(t, testkit.NewClock(), nil, mail)
	for range 20 {
		o.looked(t.Context(), errAway)
		o.looked(t.Context(), nil)
	}
	require.Len(t, mail.told, 1)
}

func TestOutage_SeveralProcesses_SendOneMessageWhileRedisAnswers(t *testing.T) {
	t.Parallel()
	mail, claims := &line{name: "email"}, &shared{kept: map[string]string{}}
	first, second := newTestOutage(t, testkit.NewClock(), claims, mail), newTestOutage(t, testkit.NewClock(), claims, mail)
	for range 10 {
		first.looked(t.Context(), errAway)
		second.looked(t.Context(), errAway)
	}
	require.Len(t, mail.told, 1)

	// The process that told ends with its claim; another one goes on.
	require.NoError(t, claims.Delete(t.Context(), claimOutageKey))
	second.looked(t.Context(), errAway)
	require.Len(t, mail.told, 2)
	for range looksUntilBack {
		require.Nil(t, newTestOutage(t, testkit.NewClock(), claims, mail).looked(t.Context(), nil))
		second.looked(t.Context(), nil)
	}
	require.Len(t, mail.told, 3)
	require.Empty(t, claims.kept)

	claims.away = true
	third := newTestOutage(t, testkit.NewClock(), claims, mail)
	for range 10 {
		third.looked(t.Context(), errAway)
	}
	require.Len(t, mail.told, 4, "without Redis each process tells for itself, once")
}

func TestOutage_ChannelFails_IsRetriedAtTheNextLook(t *testing.T) {
	t.Parallel()
	mail, slack := &line{name: "email", broken: true}, &line{name: "slack"}
	o := newTestOutage(t, testkit.NewClock(), nil, mail, slack)
	for range looksUntilAway + 2 {
		o.looked(t.Context(), errAway)
	}
	require.Empty(t, mail.told)
	require.Len(t, slack.told, 1)
	mail.broken = false
	o.looked(t.Context(), errAway)
	require.Len(t, mail.told, 1)
	require.Equal(t, slack.told[0].ID, mail.told[0].ID)
	slack.broken = true
	o.looked(t.Context(), nil)
	o.looked(t.Context(), nil)
	require.Len(t, mail.told, 2)
	slack.broken = false
	o.looked(t.Context(), nil)
	require.Len(t, slack.told, 2)
	require.Len(t, mail.told, 2)
}

func TestOutage_LooksThatSucceedWhileTheServerRefusesWork_CountAsFailed(t *testing.T) {
	t.Parallel()
	mail := &line{name: "email"}
	w := &Watch{outage: newTestOutage(t, testkit.NewClock(), nil, mail), refusals: &postgres.Refusals{}}
	for range looksUntilAway {
		w.refusals.Note(&pq.Error{Code: "53100"})
		w.refusals.Note(&pq.Error{Code: "22P02"})
		w.Looked(t.Context(), nil)
	}
	require.Len(t, mail.told, 1)
	require.Contains(t, mail.told[0].Message, "its disk is full")
}

func TestRedisAway_OneLostCall_IsNoAlert(t *testing.T) {
	t.Parallel()
	var err error
	observe := RedisAway(func(context.Context) error { return err })
	look := func() bool {
		s := Sight{Workers: 1}
		observe(t.Context(), &s)
		return strings.Contains(strings.Join(told(s), " "), "redis_away")
	}
	require.False(t, look())
	err = errAway
	require.False(t, look())
	require.False(t, look())
	require.True(t, look())
	err = nil
	require.False(t, look())
}

func TestAwait_NoDatabaseAtStart_ReportsTheOutageAndItsEnd(t *testing.T) {
	t.Parallel()
	mail, ticks := &line{name: "email"}, make(chan time.Time)
	o := newTestOutage(t, testkit.NewClock(), nil, mail)
	reached := o.await(t.Context(), ticks)
	for range looksUntilAway + 3 {
		ticks <- time.Time{}
	}
	reached()
	require.Len(t, mail.told, 2)
	require.Contains(t, mail.told[0].Message, "it cannot be reached")
	require.Equal(t, eventResolved, mail.told[1].What)

	quick := newTestOutage(t, testkit.NewClock(), nil, mail)
	quick.await(t.Context(), ticks)()
	require.Len(t, mail.told, 2)
}

func TestReason_ReadTimesOut_SaysTheServerDoesNotAnswer(t *testing.T) {
	t.Parallel()
	require.Equal(t, "it does not answer", postgres.Reason(postgres.Error(fmt.Errorf("begin: %w", &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}))))
	require.Equal(t, "it cannot be reached", postgres.Reason(postgres.Error(&net.OpError{Op: "dial", Err: errors.New("connection refused")})))
	require.Equal(t, "it refuses our statements (SQLSTATE 42501)", postgres.Reason(&pq.Error{Code: "42501"}))
}
