// Package errs gives every failure one shape: a kind for machines, a message that is safe to show to a person,
// and the cause, which is only ever logged.
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
	// KindMalformed is input that can't be read at all: broken JSON, unknown fields, wrong types.
	KindMalformed Kind = "malformed"
	// KindInvalid is well-formed input that breaks a rule.
	KindInvalid Kind = "invalid"
	// KindUnauthenticated is a call without a live session.
	KindUnauthenticated Kind = "unauthenticated"
	// KindForbidden is a call that the caller's role does not allow.
	KindForbidden Kind = "forbidden"
	// KindNotFound is a thing that does not exist, or belongs to somebody else.
	KindNotFound Kind = "not_found"
	// KindConflict is a call that the present state does not allow.
	KindConflict Kind = "conflict"
	// KindLimit is a limit of the plan that was reached.
	KindLimit Kind = "limit"
	// KindTooLarge is a body larger than the call takes.
	KindTooLarge Kind = "too_large"
	// KindRateLimited is a call made too often; RetryAfter says when to try again.
	KindRateLimited Kind = "rate_limited"
	// KindUnavailable is a dependency that is down; the same call may work later.
	KindUnavailable Kind = "unavailable"
	// KindInternal is a fault of ours.
	KindInternal Kind = "internal"
)

// Error is a failure with a message that is safe to show and a cause that is not.
type Error struct {
	Kind Kind
	// Code is a stable snake_case word for programs, such as price_changed.
	Code string
	// Message is shown to the person as it is: no secret, no personal data, no internals.
	Message string
	// Fields holds the messages of each field at fault, by the field's name in the request.
	Fields map[string][]string
	// RetryAfter is how long to wait before the same call can work.
	RetryAfter time.Duration
	// Data goes into the answer beside the message: redirect_to, expected_total, current and limit.
	Data  map[string]any
	cause error
}

// New returns an error of the kind, with a code for programs and a message for the person.
func New(kind Kind, code, message string) *Error {
	return &Error{Kind: kind, Code: code, Message: message}
}

// Error gives code, message and cause, for logs only.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
	}
	return e.Code + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is match any error of the same kind and code, whatever its cause or data.
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

// With returns a copy of the error that carries one more value for the answer.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Data = make(map[string]any, len(e.Data)+1)
	maps.Copy(c.Data, e.Data)
	c.Data[key] = value
	return &c
}

// Field returns a copy of the error with one more message on the field.
func (e *Error) Field(name, message string) *Error {
	c := *e
	c.Fields = make(map[string][]string, len(e.Fields)+1)
	for k, v := range e.Fields {
		c.Fields[k] = append([]string(nil), v...)
	}
	c.Fields[name] = append(c.Fields[name], message)
	return &c
}

// Malformed returns a failure to read the input.
func Malformed(message string) *Error { return New(KindMalformed, "bad_request", message) }

// CardData returns the one answer to whoever sends a card's data, which is taken nowhere.
func CardData() *Error {
	return New(KindMalformed, "card_data", "Please leave card numbers out: we take none, the payment page does.")
}

// Invalid returns an input failure to which field messages are added by Field.
func Invalid(message string) *Error { return New(KindInvalid, "validation_failed", message) }

// NotFound returns the one answer for what is missing and for what belongs to somebody else.
func NotFound() *Error { return New(KindNotFound, "not_found", "Resource not found!") }

// Unauthenticated returns the one answer for a call without a live session.
func Unauthenticated() *Error {
	return New(KindUnauthenticated, "unauthorized", "Unauthorized! Please login again.")
}

// Forbidden returns the one answer for a call that the role does not allow.
func Forbidden() *Error {
	return New(KindForbidden, "forbidden", "Access forbidden! Contact your administrator.")
}

// RateLimited returns a refusal with the time after which the call can work again.
func RateLimited(after time.Duration) *Error {
	e := New(KindRateLimited, "too_many_requests", "Too many requests. Please try again later.")
	e.RetryAfter = after
	return e
}

// Unavailable returns a failure of a dependency, wrapping its cause.
func Unavailable(cause error) *Error {
	return New(KindUnavailable, "unavailable", "This is not available just now. Please try again in a moment.").Because(cause)
}

// Internal returns a fault of ours, wrapping its cause.
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

// KindOf returns the kind of the first Error in the chain, KindInternal where there is none.
func KindOf(err error) Kind { return As(err).Kind }

// IsFault says whether err is a failure of ours, or of what we depend on, rather than an answer to what was asked.
func IsFault(err error) bool {
	k := KindOf(err)
	return err != nil && (k == KindInternal || k == KindUnavailable)
}

// Validation collects the field messages of one input.
type Validation struct{ err *Error }

// Add puts a message on the field.
func (v *Validation) Add(field, message string) {
	if v.err == nil {
		v.err = Invalid(message)
	}
	v.err = v.err.Field(field, message)
}

// Check puts a message on the field unless ok, and returns ok.
func (v *Validation) Check(ok bool, field, message string) bool {
	if !ok {
		v.Add(field, message)
	}
	return ok
}

// Err returns nil where no message was added; its own message is the first one that was.
func (v *Validation) Err() error {
	if v.err == nil {
		return nil
	}
	return v.err
}
