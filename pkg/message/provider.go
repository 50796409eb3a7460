package message

import (
	"context"
	"fmt"
	"time"
)

// Provider hands messages to the operators. Implementations bound their own time.
type Provider interface {
	// Name is a short word of lower-case letters and digits.
	Name() string
	// Send asks for one message to be sent within its life and returns the provider's id of it, empty where it gives none.
	// Every failure is a *SendError.
	Send(ctx context.Context, m Message, life time.Duration) (ref string, err error)
}

// Class is what a failure is about, and so what helps.
type Class string

// The classes of failure.
const (
	// ClassRefused is the recipient's number or the message itself: no later try and no other provider helps.
	ClassRefused Class = "refused"
	// ClassAccount is a fault of our account with the provider: staff must act; another provider may send.
	ClassAccount Class = "account_fault"
	// ClassLimited is the provider's rate limit; RetryAfter is the pause it asks for.
	ClassLimited Class = "limited"
	// ClassUnavailable is a provider that certainly did not take the message, for any other reason.
	ClassUnavailable Class = "unavailable"
	// ClassUnconfirmed is no answer: the message may be on its way.
	ClassUnconfirmed Class = "unconfirmed"
)

// SendError is why a provider did not take a message. Neither the provider's texts nor the message are part of it, because
// they repeat mobiles and codes.
type SendError struct {
	Provider string
	Class    Class
	// Code is the provider's own error code, else the HTTP status; empty without an answer.
	Code       string
	RetryAfter time.Duration
	Cause      error
}

// Error gives provider, class and code, for logs and for support.
func (f *SendError) Error() string {
	text := f.Provider + ": " + f.explain()
	if f.Code != "" {
		text += " (" + f.Code + ")"
	}
	if f.Cause != nil {
		text += fmt.Sprintf(": %v", f.Cause)
	}
	return text
}

// Unwrap returns the cause.
func (f *SendError) Unwrap() error { return f.Cause }

func (f *SendError) explain() string {
	switch f.Class {
	case ClassRefused:
		return "refuses this number or message"
	case ClassAccount:
		return "refuses our account"
	case ClassLimited:
		return "its rate limit is reached"
	case ClassUnconfirmed:
		return "no answer; the message may be on its way"
	default:
		return "did not take the message"
	}
}
