package main

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

// clientBody records how far the transport read the client's body, and the error that reading it met.
type clientBody struct {
	io.ReadCloser

	begun, complete atomic.Bool
	failure         atomic.Pointer[error]
}

// Read reads from the client.
func (b *clientBody) Read(p []byte) (int, error) {
	b.begun.Store(true)
	n, err := b.ReadCloser.Read(p)
	switch {
	case errors.Is(err, io.EOF):
		b.complete.Store(true)
	case err != nil:
		b.failure.Store(&err)
	}
	return n, err
}

// observed returns the request with a body that records its reading, nil for a request without one. It drops the trailers: the
// api reads none, and net/http fails a request whose trailers it would not send.
func observed(r *http.Request) (*http.Request, *clientBody) {
	r = r.WithContext(r.Context()) // a shallow copy
	r.Trailer = nil
	if r.Body == nil || r.Body == http.NoBody {
		return r, nil
	}
	body := &clientBody{ReadCloser: r.Body}
	r.Body = body
	if r.Context().Err() != nil { // The transport would not read the body, whose error says whether the client was slow or went away.
		_, _ = io.Copy(io.Discard, body)
	}
	return r, body
}

// The answers to requests that fail because of their body.
type refusal struct {
	status        int
	code, message string
}

var (
	malformedBody = &refusal{http.StatusBadRequest, "malformed_body", "The request's body is not as HTTP wants it."}
	slowBody      = &refusal{http.StatusRequestTimeout, "slow_body", "The request's body took too long. Please try again."}
	largeBody     = &refusal{http.StatusRequestEntityTooLarge, "body_too_large", "This is too much data."}
	brokenOffBody = &refusal{http.StatusServiceUnavailable, "unavailable", "This is not available just now. Please try again in a moment."}
)

// clientFault returns the answer to a request that failed because of its body, or nil if the replica failed. An error would count
// against the replica, and take it out of service for everybody.
func (b *clientBody) clientFault(again bool, lives func() bool) *refusal {
	if b == nil || !b.begun.Load() {
		return nil
	}
	failure := b.failure.Load()
	switch {
	case failure == nil && b.complete.Load():
		return nil
	case again: // The first replica had part of the body already, so that it cannot be sent again.
		return brokenOffBody
	case failure == nil && lives(): // The replica closed the connection without reading the rest.
		return largeBody
	case failure == nil:
		return nil
	}
	if timeout, ok := errors.AsType[net.Error](*failure); ok && timeout.Timeout() {
		return slowBody
	}
	if _, ok := errors.AsType[*http.MaxBytesError](*failure); ok {
		return largeBody
	}
	return malformedBody
}

// response is the refusal in the form of the product's failures. The access log records it, because the api cannot.
func (f *refusal) response(r *http.Request) *http.Response {
	caddyhttp.SetVar(r.Context(), caddyhttp.AccessLoggerNameVarKey, []any{"", "kept"}) // the Caddyfile's names of loggers
	var requestID string
	if replacer, ok := r.Context().Value(caddy.ReplacerCtxKey).(*caddy.Replacer); ok {
		requestID, _ = replacer.GetString("http.request.uuid")
	}
	text, _ := json.Marshal(struct { // strings alone: never fails
		Status    bool   `json:"status"`
		Message   string `json:"message"`
		Code      string `json:"code"`
		RequestID string `json:"request_id"`
	}{Message: f.message, Code: f.code, RequestID: requestID})
	header := http.Header{
		"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(text))},
		"Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"},
	}
	if f.status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "10")
	}
	return &http.Response{
		StatusCode: f.status, Status: strconv.Itoa(f.status) + " " + http.StatusText(f.status),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: header, ContentLength: int64(len(text)), Body: io.NopCloser(strings.NewReader(string(text))),
	}
}
