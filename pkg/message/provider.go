package message

import (
	"context"
	"fmt"
	"time"
)

// EmailProvider is the name of the provider of e-mails.
const EmailProvider = "smtp"

// Provider passes messages to the operators. Implementations set their own timeouts.
type Provider interface {
	// Name returns a short word of lower-case letters and digits.
	Name() string
	// Send sends one message within its lifetime and returns the provider's id for it, which can be empty. Every failure is a *SendError.
	Send(ctx context.Context, m Message, life time.Duration) (ref string, err error)
}

// Class is the kind of a failure, and so what can be done about it.
type Class string

// The classes of failure.
const (
	// ClassRefused concerns the recipient's number or the message itself: neither a retry nor another provider helps.
	ClassRefused Class = "refused"
	// ClassAccount is a problem with our account at the provider: staff must act; another provider may work.
	ClassAccount Class = "account_fault"
	// ClassLimited is the provider's rate limit; RetryAfter is the requested pause.
	ClassLimited Class = "limited"
	// ClassUnavailable means that the provider definitely did not accept the message, for any other reason.
	ClassUnavailable Class = "unavailable"
	// ClassUnconfirmed means that there was no response: the message may have been sent.
	ClassUnconfirmed Class = "unconfirmed"
)

// SendError is why a provider did not accept a message. It includes neither the provider's text nor the message,
// because they repeat mobiles and codes.
type SendError struct {
	Provider string
	Class    Class
	// Code is the provider's own error code, otherwise the HTTP status; empty without a response.
	Code       string
	RetryAfter time.Duration
	// Message means that the message itself is refused, not the address.
	Message bool
	Cause   error
}

// Error returns provider, class and code, for logs and for support.
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
