package postgres

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/lib/pq"
)

// lostConnectionError marks a failure to reach the database, so that Failed tells it from one to reach a provider.
type lostConnectionError struct{ error }

func (e lostConnectionError) Unwrap() error { return e.error }

// Failed reports whether the database, and not the statement, caused the error: it cannot be reached, refuses work, was too slow, or
// another transaction holds a lock.
func Failed(err error) bool {
	if _, lost := errors.AsType[lostConnectionError](err); lost {
		return true
	}
	refused, ok := errors.AsType[*pq.Error](err)
	if !ok {
		return false
	}
	return refused.Code.Class() == "08" || refused.Code.Class() == "57" || refused.Code == LockNotAvailable || refused.Code == idledTooLong || needsOperator(refused)
}

// needsOperator reports a refusal that an operator has to end: SQLSTATE class 53 (disk full, out of memory, too many connections), 28 (wrong
// password), 58 (the server's own files), and a server that accepts no writes.
func needsOperator(err *pq.Error) bool {
	switch err.Code.Class() {
	case "53", "28", "58":
		return true
	}
	return err.Code == readOnly
}

// Refusals remembers the last refusal of the server that an operator has to end. It reveals a full disk to a process whose other statements
// succeed, because they need neither space nor a new connection. The zero value has seen no refusal.
type Refusals struct {
	mu   sync.Mutex
	at   time.Time
	last error
}

// Note remembers the error if it is such a refusal.
func (r *Refusals) Note(err error) {
	refused, ok := errors.AsType[*pq.Error](err)
	if !ok || !needsOperator(refused) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at, r.last = time.Now(), err //nolint:forbidigo // elapsed time, not business time
}

// Within returns the last refusal, nil if it is older than that.
func (r *Refusals) Within(age time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil || time.Since(r.at) > age {
		return nil
	}
	return r.last
}

// Reason returns why the database failed, in words without an address, a role or a value.
func Reason(err error) string {
	if refused, ok := errors.AsType[*pq.Error](err); ok {
		switch {
		case refused.Code == "53100":
			return "its disk is full"
		case refused.Code == "53300":
			return "all its connections are used"
		case refused.Code.Class() == "28":
			return "it refuses our password or role"
		case refused.Code == readOnly:
			return "it accepts no writes"
		case refused.Code.Class() == "57":
			return "it ended our statement, starts, or stops"
		}
		return "it refuses our statements (SQLSTATE " + string(refused.Code) + ")"
	}
	if slow, ok := errors.AsType[net.Error](err); errors.Is(err, context.DeadlineExceeded) || ok && slow.Timeout() {
		return "it does not answer"
	}
	return "it cannot be reached"
}
