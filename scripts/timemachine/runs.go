package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/timemachine"
)

const (
	// longest limits a run, and mostWaiting is the number of runs that wait for the running one.
	longest     = time.Minute
	mostWaiting = 3
	// patience is how long one call waits for its run; the api's own requests have 7 s.
	patience = 4 * time.Second
	// kept is how long an unfetched answer is kept.
	kept = time.Minute
)

// live runs a question; told hears of each day.
type live func(ctx context.Context, q timemachine.Question, told func(day, days int)) (timemachine.Answer, error)

// run is one question under way, or answered and not yet fetched.
type run struct {
	done   chan struct{}
	answer timemachine.Answer // guarded by runs.mu until done
	err    error
}

// runs lives one question at a time.
type runs struct {
	live   live
	limit  time.Duration
	kept   time.Duration
	logger *slog.Logger

	turn chan struct{}
	mu   sync.Mutex
	all  map[timemachine.Question]*run
}

func newRuns(l live, logger *slog.Logger) *runs {
	return &runs{live: l, limit: longest, kept: kept, logger: logger, turn: make(chan struct{}, 1), all: map[timemachine.Question]*run{}}
}

// ask starts the question unless it is running, and waits a while. It returns a finished answer once: asked again, the question starts
// again. The program's ctx, not the call's, ends the run.
func (r *runs) ask(program, call context.Context, q timemachine.Question, wait time.Duration) (timemachine.Answer, error) {
	one, err := r.find(program, q)
	if err != nil {
		return timemachine.Answer{}, err
	}
	select {
	case <-one.done:
		r.forget(q, one)
		return one.answer, one.err
	case <-time.After(wait):
	case <-call.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return one.answer, nil
}

func (r *runs) find(program context.Context, q timemachine.Question) (*run, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one, ok := r.all[q]; ok {
		return one, nil
	}
	open := 0
	for _, one := range r.all {
		select {
		case <-one.done:
		default:
			open++
		}
	}
	if open > mostWaiting {
		return nil, timemachine.ErrBusy
	}
	one := &run{done: make(chan struct{}), answer: timemachine.Answer{State: timemachine.StateWaiting, Entries: []timemachine.Entry{}}}
	r.all[q] = one
	go r.begin(program, q, one)
	return one, nil
}

// begin waits for its turn and lives.
func (r *runs) begin(ctx context.Context, q timemachine.Question, one *run) {
	defer time.AfterFunc(r.kept+r.limit, func() { r.forget(q, one) }) // at the latest
	defer close(one.done)
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		one.err = ctx.Err()
		return
	}
	r.note(one, 0, 0)
	ctx, cancel := context.WithTimeoutCause(ctx, r.limit, errTooLong)
	defer cancel()
	answer, err := r.live(ctx, q, func(day, days int) { r.note(one, day, days) })
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		r.logger.WarnContext(ctx, "a run failed", slog.String("error", err.Error()))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	one.answer, one.err = answer, err
}

var errTooLong = errors.New("the run took longer than it may")

func (r *runs) note(one *run, day, days int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one.answer.State, one.answer.Days, one.answer.AllDays = timemachine.StateRunning, day, days
}

func (r *runs) forget(q timemachine.Question, one *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all[q] == one {
		delete(r.all, q)
	}
}
