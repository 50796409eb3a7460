package main

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
)

const (
	// silence is a replica's time for a request before the proxy checks whether the replica lives.
	silence = 1500 * time.Millisecond
	// look is how long a replica that lives may take to say so, however busy it is.
	look = time.Second
	// whole is how long a request may wait for its answer to begin once it goes to a second replica: a look at a frozen one, and
	// then what an api may take.
	whole = 9800 * time.Millisecond
	// livesPath answers without asking anything of anybody.
	livesPath = "/healthz"

	// varRepeatable is set by the Caddyfile for requests that may be done twice; varBegan, here, when the first replica is asked.
	varRepeatable = "repeatable"
	varBegan      = "began"
)

// watched is Caddy's HTTP transport, which also gives a frozen replica up. A request that may be done twice then goes to another
// replica long before its time-out. It is done twice only if the first replica answers nobody: one that is slow is waited for,
// as is whoever is asked second, within the whole time that a request has.
type watched struct {
	reverseproxy.HTTPTransport
}

// CaddyModule describes the module.
func (*watched) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.reverse_proxy.transport.watched", New: func() caddy.Module { return new(watched) }}
}

var errFrozen = errors.New("the replica answers nobody")

// The states of a request: the first of response and check that ends the wait decides.
const (
	waiting int32 = iota
	answered
	givenUp
)

// RoundTrip sends the request and returns the response once its header is there. A fault of the client's is a response, too:
// Caddy counts every error against the replica.
func (w *watched) RoundTrip(r *http.Request) (*http.Response, error) {
	began, again := caddyhttp.GetVar(r.Context(), varBegan).(time.Time)
	r, body := observed(r)
	response, err := w.send(r, began, again)
	if err == nil {
		return response, nil
	}
	fault := body.clientFault(again, func() bool { return w.lives(r.Context(), r) })
	if gone := r.Context().Err(); gone != nil && fault != slowBody {
		return nil, gone // By this error alone Caddy knows a client that went away.
	}
	if fault != nil {
		return fault.response(r), nil
	}
	return nil, err
}

// send sends the request to a replica, whose first one, if any, was asked when it began.
func (w *watched) send(r *http.Request, began time.Time, again bool) (*http.Response, error) {
	if again {
		late := func(context.Context) bool { return true }
		return w.unless(r, whole-time.Since(began), late, context.DeadlineExceeded)
	}
	caddyhttp.SetVar(r.Context(), varBegan, time.Now())
	if caddyhttp.GetVar(r.Context(), varRepeatable) == nil {
		return w.HTTPTransport.RoundTrip(r)
	}
	frozen := func(ctx context.Context) bool { return !w.lives(ctx, r) }
	return w.unless(r, silence, frozen, errFrozen)
}

// unless sends the request, and after some time without an answer returns why if the replica is to be given up.
func (w *watched) unless(r *http.Request, after time.Duration, hopeless func(context.Context) bool, why error) (*http.Response, error) {
	ctx, giveUp := context.WithCancel(r.Context())
	var state atomic.Int32
	timer := time.AfterFunc(after, func() {
		if state.Load() == waiting && hopeless(ctx) && state.CompareAndSwap(waiting, givenUp) {
			giveUp()
		}
	})
	response, err := w.HTTPTransport.RoundTrip(r.WithContext(ctx))
	timer.Stop()
	if !state.CompareAndSwap(waiting, answered) {
		if err == nil {
			_ = response.Body.Close()
		}
		return nil, why // not the context's error, which Caddy takes for a client that went away
	}
	if err != nil {
		giveUp()
	}
	return response, err // the context ends with the client's, after the body was read
}

// lives reports whether the replica answers at all; if the caller has gone, it returns true.
func (w *watched) lives(ctx context.Context, r *http.Request) bool {
	within, cancel := context.WithTimeout(ctx, look)
	defer cancel()
	question := r.Clone(within)
	question.Method, question.Body, question.ContentLength, question.Header = http.MethodGet, nil, 0, http.Header{}
	question.URL.Path, question.URL.RawPath, question.URL.RawQuery = livesPath, "", ""
	response, err := w.HTTPTransport.RoundTrip(question)
	if err != nil {
		return ctx.Err() != nil
	}
	_ = response.Body.Close()
	return true
}

var (
	_ caddy.Provisioner     = (*watched)(nil)
	_ caddy.CleanerUpper    = (*watched)(nil)
	_ caddyfile.Unmarshaler = (*watched)(nil)
	_ http.RoundTripper     = (*watched)(nil)
)
