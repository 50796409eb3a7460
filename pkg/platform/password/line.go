package password

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// As many callers of one kind may queue for each slot as can be served within patience, judging by recent hash times, but
// never more than placesPerSlot or fewer than leastPlaces; further callers are refused at once. While both kinds queue, the
// wait is twice as long.
const (
	patience      = 800 * time.Millisecond
	placesPerSlot = 32 // of 25 ms each
	leastPlaces   = 2
)

// tryAgain is how soon a full queue has room again.
const tryAgain = 2 * time.Second

// ErrBusy is returned to callers when the queue is full.
var ErrBusy = busy()

func busy() *errs.Error {
	e := errs.New(errs.KindBusy, "busy", "Many people are signing in at this moment. Please try again in a few seconds.")
	e.RetryAfter = tryAgain
	return e
}

// kind is the queue in which a caller waits: known or unknown.
type kind int

const (
	unknown kind = iota
	known
	kinds
)

// line hands out slots. Known and unknown callers wait in separate queues of limited length, and take turns while both
// wait: a flood of unknown callers takes no places and at most half of the slots from known ones.
type line struct {
	mu    sync.Mutex
	slots int
	free  int
	// took is the time of one hash, smoothed over roughly the last eight.
	took    time.Duration
	waiting [kinds]list.List // of chan struct{}, closed when the slot is given
	served  kind             // the kind that last received a slot after waiting
}

func newLine(slots int) *line { return &line{slots: slots, free: slots} }

// places returns how many callers of each kind may wait.
func (l *line) places() int {
	each := placesPerSlot
	if l.took > 0 {
		each = min(placesPerSlot, max(leastPlaces, int(patience/l.took)))
	}
	return each * l.slots
}

// full reports whether the queue of that kind is full.
func (l *line) full(k kind) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting[k].Len() >= l.places()
}

// enter waits for a slot, to be returned with leave; it fails with ErrBusy at once if the queue is full.
func (l *line) enter(ctx context.Context, k kind) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("wait to hash: %w", err)
	}
	l.mu.Lock()
	if l.free > 0 { // the line is empty
		l.free--
		l.mu.Unlock()
		return nil
	}
	if l.waiting[k].Len() >= l.places() {
		l.mu.Unlock()
		return ErrBusy
	}
	turn := make(chan struct{})
	place := l.waiting[k].PushBack(turn)
	l.mu.Unlock()

	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	select {
	case <-turn: // received a slot at the same moment
		l.pass()
		l.mu.Unlock()
	default:
		l.waiting[k].Remove(place)
		l.mu.Unlock()
	}
	return fmt.Errorf("wait to hash: %w", ctx.Err())
}

// leave returns the slot and records how long it was held.
func (l *line) leave(held time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.took == 0 {
		l.took = held
	}
	l.took += (held - l.took) / 8
	l.pass()
}

// pass hands the slot to the longest-waiting caller of the kind whose turn it is.
func (l *line) pass() {
	for _, k := range [kinds]kind{1 - l.served, l.served} {
		if first := l.waiting[k].Front(); first != nil {
			l.served = k
			close(l.waiting[k].Remove(first).(chan struct{})) //nolint:forcetypeassert // the list holds nothing else
			return
		}
	}
	l.free++
}
