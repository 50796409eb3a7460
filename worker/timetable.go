package main

import (
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/worker/job"
)

// timetable records when scheduled jobs run next. River asks a schedule for its next run only in the leading process,
// when it becomes the leader and at each run, and then waits for exactly that time; so the answers are kept here until
// the pulse has reported them.
type timetable struct {
	mu   sync.Mutex
	next map[string]time.Time // by kind
	// changed receives a value once there is something to report.
	changed chan struct{}
}

func newTimetable() *timetable {
	return &timetable{next: map[string]time.Time{}, changed: make(chan struct{}, 1)}
}

// of returns the entry's schedule, which records its answers.
func (t *timetable) of(e job.Periodic) river.PeriodicSchedule {
	return noted{table: t, kind: e.Args.Kind(), schedule: river.PeriodicInterval(e.Every)}
}

// take returns the unreported next runs and forgets them.
func (t *timetable) take() map[string]time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.next
	t.next = map[string]time.Time{}
	return taken
}

// giveBack restores what could not be reported, unless something newer is known.
func (t *timetable) giveBack(taken map[string]time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for kind, at := range taken {
		if _, newer := t.next[kind]; !newer {
			t.next[kind] = at
		}
	}
}

func (t *timetable) note(kind string, at time.Time) {
	t.mu.Lock()
	t.next[kind] = at
	t.mu.Unlock()
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

type noted struct {
	table    *timetable
	kind     string
	schedule river.PeriodicSchedule
}

// Next returns the run after the given time, and records it.
func (n noted) Next(after time.Time) time.Time {
	at := n.schedule.Next(after)
	n.table.note(n.kind, at)
	return at
}
