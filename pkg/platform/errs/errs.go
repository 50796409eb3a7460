// Package errs gives every failure one shape: a kind for machines, a message that is safe to show to users, and the cause,
// which is only ever logged.
package errs

import (
	"errors"
	"fmt"
	"maps"
	"time"
)

// Kind is the class of a failure; the HTTP layer maps each kind to one status.
type Kind string

// The kinds of failure, named by what the caller can do about them.
const (
	// KindMalformed is input that can't be parsed: broken JSON, unknown fields, wrong types.
	KindMalformed Kind = "malformed"
	// KindInvalid is well-formed input that breaks a rule.
	KindInvalid Kind = "invalid"
	// KindUnauthenticated is a call without a valid session.
	KindUnauthenticated Kind = "unauthenticated"
	// KindForbidden is a call that the caller's role does not allow.
	KindForbidden Kind = "forbidden"
	// KindNotFound is a resource that does not exist or belongs to someone else.
	KindNotFound Kind = "not_found"
	// KindConflict is a call that the current state does not allow.
	KindConflict Kind = "conflict"
	// KindLimit means that a limit of the plan has been reached.
	KindLimit Kind = "limit"
	// KindTooLarge is a request body over the size limit.
	KindTooLarge Kind = "too_large"
	// KindRateLimited is a call made too often; RetryAfter says when to retry.
	KindRateLimited Kind = "rate_limited"
	// KindUnavailable means that a dependency is down; a retry may succeed.
	KindUnavailable Kind = "unavailable"
	// KindBusy means that the server is at capacity; RetryAfter says when to retry.
	KindBusy Kind = "busy"
	// KindInternal is a bug or failure on our side.
	KindInternal Kind = "internal"
)

// Error is a failure with a message that is safe to show and a cause that is not.
type Error struct {
	Kind Kind
	// Code is a stable snake_case identifier for programs, such as price_changed.
	Code string
	// Message is shown to the user verbatim: no secrets, personal data or internals.
	Message string
	// Fields holds the messages for each invalid field, by the field's name in the request.
	Fields map[string][]string
	// RetryAfter is how long to wait before a retry can succeed.
	RetryAfter time.Duration
	// Data is added to the response next to the message: redirect_to, expected_total, current and limit.
	Data  map[string]any
	cause error
}

// New returns an error of the kind, with a code for programs and a message for the user.
func New(kind Kind, code, message string) *Error {
	return &Error{Kind: kind, Code: code, Message: message}
}

// Error returns code, message and cause, for logs only.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
	}
	return e.Code + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is match any error of the same kind and code, regardless of cause and data.
func (e *Error) Is(target error) bool {
	var t *Error
	return errors.As(target, &t) && t.Kind == e.Kind && t.Code == e.Code
}

// Because returns a copy of the error that wraps the cause.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// With returns a copy of the error with one more value for the response.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Data = make(map[string]any, len(e.Data)+1)
	maps.Copy(c.Data, e.Data)
	c.Data[key] = value
	return &c
}

// Field returns a copy of the error with one more message for the field.
func (e *Error) Field(name, message string) *Error {
	c := *e
	c.Fields = make(map[string][]string, len(e.Fields)+1)
	for k, v := range e.Fields {
		c.Fields[k] = append([]string(nil), v...)
	}
	c.Fields[name] = append(c.Fields[name], message)
	return &c
}

// Malformed returns an error for input that can't be parsed.
func Malformed(message string) *Error { return New(KindMalformed, "bad_request", message) }

// CardData returns the error for requests that contain card data, which no endpoint accepts.
func CardData() *Error {
	return New(KindMalformed, "card_data", "Please leave out card numbers: enter them on the payment page only.")
}

// Invalid returns a validation error to which Field adds messages.
func Invalid(message string) *Error { return New(KindInvalid, "validation_failed", message) }

// NotFound returns the one error for resources that are missing or belong to someone else.
func NotFound() *Error { return New(KindNotFound, "not_found", "Resource not found!") }

// Unauthenticated returns the error for a call without a valid session.
func Unauthenticated() *Error {
	return New(KindUnauthenticated, "unauthorized", "Unauthorized! Please log in again.")
}

// Forbidden returns the error for a call that the caller's role does not allow.
func Forbidden() *Error {
	return New(KindForbidden, "forbidden", "Access forbidden! Contact your administrator.")
}

// RateLimited returns an error with the time after which the caller may retry.
func RateLimited(after time.Duration) *Error {
	e := New(KindRateLimited, "too_many_requests", "Too many requests. Please try again later.")
	e.RetryAfter = after
	return e
}

// WaitSince is RateLimited until the pause after the moment is over; nil if it is over, or if there was no such moment.
func WaitSince(at *time.Time, pause time.Duration, now time.Time) error {
	if at == nil || now.Sub(*at) >= pause {
		return nil
	}
	return RateLimited(pause - now.Sub(*at))
}

// Unavailable returns an error for a failed dependency, wrapping its cause.
func Unavailable(cause error) *Error {
	return New(KindUnavailable, "unavailable", "This is not available just now. Please try again in a moment.").Because(cause)
}

// Internal returns an internal error, wrapping its cause.
func Internal(cause error) *Error {
	return New(KindInternal, "internal", "Server error! Please try again later.").Because(cause)
}

// As returns the first Error in the chain, or an internal one that wraps err.
func As(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Internal(err)
}

// KindOf returns the kind of the first Error in the chain, or KindInternal.
func KindOf(err error) Kind { return As(err).Kind }

// IsFault reports whether err is a failure on our side or of a dependency, rather than a valid refusal of the request.
func IsFault(err error) bool {
	k := KindOf(err)
	return err != nil && (k == KindInternal || k == KindUnavailable || k == KindBusy)
}

// Validation collects the field messages for one input.
type Validation struct{ err *Error }

// Add adds a message to the field.
func (v *Validation) Add(field, message string) {
	if v.err == nil {
		v.err = Invalid(message)
	}
	v.err = v.err.Field(field, message)
}

// Check adds a message to the field unless ok, and returns ok.
func (v *Validation) Check(ok bool, field, message string) bool {
	if !ok {
		v.Add(field, message)
	}
	return ok
}

// Err returns nil if no message was added; its own message is the first one added.
func (v *Validation) Err() error {
	if v.err == nil {
		return nil
	}
	return v.err
}
