package smtp

import (
	"context"
	"errors"
	"net/textproto"
)

// codeOf returns the reply code of the server in an error, or 0.
func codeOf(err error) int {
	if reply, ok := errors.AsType[*textproto.Error](err); ok {
		return reply.Code
	}
	return 0
}

// cause keeps only the distinction that callers need, a timeout or not, and drops the server's text, which repeats addresses.
func cause(err error) error {
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	var timed interface{ Timeout() bool }
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timed) && timed.Timeout() {
		return context.DeadlineExceeded
	}
	return errors.New("not taken")
}
