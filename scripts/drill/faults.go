package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// fault is one kind of failure and how often it happens in a run.
type fault struct {
	name  string
	times int
	// strike causes the failure and returns once it is over; n counts from 0.
	strike func(ctx context.Context, f *form, n int) error
	// ends means that clients may be refused during the fault: the part has one instance, and everything needs it.
	ends bool
	// justified are the correct refusals during the fault, by status, for resources that have really run out; or noCode.
	justified []string
	// clock means that the fault moves clocks, which takes a separate production form.
	clock bool
	// resends means that a worker may send a text again for each strike: it dies or loses the database before it stores the provider's
	// answer.
	resends bool
	// calm is how long the buyers continue after a strike; mend, which may be nil, then brings back what the strike took.
	calm time.Duration
	mend func(ctx context.Context, f *form) error
	// within is the longest recovery that is good; 0 for any.
	within time.Duration
	// reads is the longest time without reads that is good; 0 for any.
	reads time.Duration
	// prepare runs before the first buyer, and check after the count; each may be nil. check returns the faults it found.
	prepare func(ctx context.Context, f *form) error
	check   func(ctx context.Context, f *form) ([]string, error)
}

// noCode is that the code of a sign-up does not come: it had run out before it could be sent.
const noCode = "no code"

func faults() []fault {
	list := []fault{
		{name: "none", times: 1, strike: func(ctx context.Context, _ *form, _ int) error { return pause(ctx, 15*time.Second) }},
		{name: "kill -9 api", times: 4, strike: ending("api", 2, syscall.SIGKILL)},
		{name: "SIGTERM api", times: 4, strike: ending("api", 2, syscall.SIGTERM)},
		{name: "SIGSTOP api 20 s", times: 2, strike: freezing("api", 2, 20*time.Second)},
		{name: "kill -9 worker", times: 2, resends: true, strike: ending("worker", 2, syscall.SIGKILL)},
		{name: "SIGTERM worker", times: 2, strike: ending("worker", 2, syscall.SIGTERM)},
		{name: "SIGSTOP worker 20 s", times: 2, strike: freezing("worker", 2, 20*time.Second)},
		{name: "worker frozen 20 s while it holds the invoice counter", times: 2, strike: freezeCounter},
		{name: "leader worker frozen 20 s, other worker becomes leader", times: 1, strike: freezeLeader},
		{name: "all workers stopped 20 s", times: 1, strike: freezeWorkers},
		{name: "rolling upgrade and downgrade", times: 2, strike: roll},
		{name: "kill -9 Postgres, all processes", times: 2, ends: true, strike: killPostgres},
		{name: "Postgres restarted (fast)", times: 2, ends: true, strike: ending("postgres", 0, syscall.SIGINT)},
		{name: "SIGSTOP Postgres, all processes, 15 s", times: 1, ends: true, strike: freezePostgres},
		{name: "kill -9 Redis", times: 2, strike: ending("redis", 0, syscall.SIGKILL)},
		{name: "SIGTERM Redis", times: 1, strike: ending("redis", 0, syscall.SIGTERM)},
		{name: "SIGSTOP Redis 10 s", times: 1, strike: freezing("redis", 0, 10*time.Second)},
		{name: "Redis flushed", times: 3, strike: flushRedis},
		{name: "kill -9 object store", times: 2, strike: ending("objects", 0, syscall.SIGKILL)},
		{name: "SIGTERM object store", times: 1, strike: ending("objects", 0, syscall.SIGTERM)},
		{name: "SIGSTOP object store 10 s", times: 1, strike: freezing("objects", 0, 10*time.Second)},
		{name: "kill -9 proxy", times: 2, ends: true, strike: ending("proxy", 0, syscall.SIGKILL)},
		{name: "SIGTERM proxy", times: 2, ends: true, strike: ending("proxy", 0, syscall.SIGTERM)},
		{name: "SIGSTOP proxy 5 s", times: 1, ends: true, strike: freezing("proxy", 0, 5*time.Second)},
	}
	for _, p := range []struct {
		name, part string
		slow       int
		ends       bool
	}{
		{"Postgres", "postgres", 150, true}, {"Redis", "redis", 300, false}, {"object store", "objects", 1000, false}, {"gateway", "payu_tls", 4000, false},
	} {
		list = append(list,
			fault{name: "connection to " + p.name + " cut 8 s", times: 1, ends: p.ends, strike: cutting(p.part, 8*time.Second)},
			fault{name: fmt.Sprintf("connection to %s slower by %d ms", p.name, p.slow), times: 1, strike: poisoning(p.part, 10*time.Second, slow(p.slow))},
			fault{name: "connection to " + p.name + " drops all packets 12 s", times: 1, ends: p.ends, strike: poisoning(p.part, 12*time.Second, blackhole())},
			fault{name: "connection to " + p.name + " resets 1 in 4", times: 1, ends: p.ends, strike: poisoning(p.part, 10*time.Second, resets())},
		)
	}
	list = append(list,
		fault{name: "disk of Postgres full 10 s", times: 1, ends: true, strike: func(ctx context.Context, f *form, _ int) error {
			return fillDisk(ctx, f, "postgres", 10*time.Second)
		}},
		fault{name: "primary killed, synchronous standby promoted", times: 1, ends: true, strike: failOver},
	)
	return append(list, clockFaults()...)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// replica returns the name of the nth replica, round robin over of; with of 0 there is a single instance.
func replica(name string, of, n int) string {
	if of == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, 1+n%of)
}

func ending(name string, of int, signal syscall.Signal) func(context.Context, *form, int) error {
	return func(ctx context.Context, f *form, n int) error {
		part := replica(name, of, n)
		if part == "redis" && f.read().Processes["redis"] == 0 {
			return errors.New("there is no Redis")
		}
		return f.endPart(ctx, part, signal)
	}
}

func freezing(name string, of int, d time.Duration) func(context.Context, *form, int) error {
	return func(ctx context.Context, f *form, n int) error {
		part := replica(name, of, n)
		if err := f.signal(part, syscall.SIGSTOP); err != nil {
			return err
		}
		return errors.Join(pause(ctx, d), f.signal(part, syscall.SIGCONT))
	}
}

func cutting(part string, d time.Duration) func(context.Context, *form, int) error {
	return func(ctx context.Context, f *form, _ int) error {
		if err := f.cut(ctx, part); err != nil {
			return err
		}
		return errors.Join(pause(ctx, d), f.heal(ctx))
	}
}

func poisoning(part string, d time.Duration, list []toxic) func(context.Context, *form, int) error {
	return func(ctx context.Context, f *form, _ int) error {
		if err := f.poison(ctx, part, list...); err != nil {
			return err
		}
		return errors.Join(pause(ctx, d), f.heal(ctx))
	}
}

func freezeWorkers(ctx context.Context, f *form, _ int) error {
	err := errors.Join(f.signal("worker-1", syscall.SIGSTOP), f.signal("worker-2", syscall.SIGSTOP))
	return errors.Join(err, pause(ctx, 20*time.Second), f.signal("worker-1", syscall.SIGCONT), f.signal("worker-2", syscall.SIGCONT))
}

// freezeLeader freezes the worker that leads the schedules until another takes over; once thawed, it briefly believes that it
// still leads.
func freezeLeader(ctx context.Context, f *form, _ int) error {
	leader := func() (id string) {
		_ = f.db.GetContext(ctx, &id, `SELECT coalesce((SELECT leader_id FROM river_leader WHERE expires_at > now()), '')`)
		return id
	}
	if err := f.until(ctx, "somebody leads", func() bool { return leader() != "" }); err != nil {
		return err
	}
	// The leader is the process whose freezing lets the lease expire; try one, then the other.
	for _, name := range []string{"worker-1", "worker-2"} {
		before := leader()
		if err := f.signal(name, syscall.SIGSTOP); err != nil {
			return err
		}
		err := pause(ctx, 20*time.Second)
		now := leader()
		if err := errors.Join(err, f.signal(name, syscall.SIGCONT)); err != nil {
			return err
		}
		if now != before {
			f.note("%s led; %s leads now", name, now)
			return nil
		}
	}
	return errors.New("the lead did not pass to the other worker")
}

func postgresSignal(f *form, signal syscall.Signal) error {
	pid := f.read().Processes["postgres"]
	if pid <= 1 {
		return errors.New("the database does not run")
	}
	f.note("%s to all processes of postgres (%d)", signal, pid)
	for _, one := range family(pid) {
		if err := syscall.Kill(one, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("%s to Postgres: %w", signal, err)
		}
	}
	return nil
}

func (f *form) postgresAnswers(ctx context.Context) error {
	return f.until(ctx, "Postgres answers", func() bool {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		return f.db.PingContext(ctx) == nil
	})
}

func killPostgres(ctx context.Context, f *form, _ int) error {
	before := f.read().Processes["postgres"]
	if err := postgresSignal(f, syscall.SIGKILL); err != nil {
		return err
	}
	err := f.until(ctx, "Postgres is started again", func() bool { return f.read().Processes["postgres"] != before })
	return errors.Join(err, f.postgresAnswers(ctx))
}

func freezePostgres(ctx context.Context, f *form, _ int) error {
	if err := postgresSignal(f, syscall.SIGSTOP); err != nil {
		return err
	}
	return errors.Join(pause(ctx, 15*time.Second), postgresSignal(f, syscall.SIGCONT))
}
