// Package sms sends text messages through MSG91 or Twilio, or into the inbox of the development stack.
package sms

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const (
	// timeout ends one try. A message that the provider took but did not confirm in time goes out twice, which is
	// better than not at all.
	timeout = 10 * time.Second
	// maxAnswer is far above what any provider answers.
	maxAnswer = 64 << 10
	// defaultPause is taken where a provider asks for a pause without saying how long.
	defaultPause = 5 * time.Second
)

// New returns the provider that the configuration names.
func New(c config.SMS) (account.SMS, error) {
	switch c.Provider {
	case "inbox":
		return NewInbox(c.InboxURL)
	case "msg91":
		return NewMSG91(c)
	case "twilio":
		return NewTwilio(c)
	default:
		return nil, errors.New("SMS_PROVIDER: want inbox, msg91 or twilio")
	}
}

func newClient(baseURL string) *resty.Client {
	return resty.New().SetBaseURL(baseURL).SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).
		SetRedirectPolicy(resty.NoRedirectPolicy()).SetLogger(silent{}).
		SetHeader("User-Agent", "franchise360").SetHeader("Accept", "application/json")
}

// silent keeps resty from writing requests, which hold mobiles and codes, to the standard error output.
type silent struct{}

// Errorf writes nothing.
func (silent) Errorf(string, ...any) {}

// Warnf writes nothing.
func (silent) Warnf(string, ...any) {}

// Debugf writes nothing.
func (silent) Debugf(string, ...any) {}

// judge turns an answer into the failures of account.SMS: what is wrong with the message itself won't get better;
// 429 names its pause; a wrong key, a fault of the provider or silence may pass. Neither bodies nor the texts of
// providers go into the error, for they repeat mobiles.
func judge(provider string, resp *resty.Response, err error) error {
	if err != nil {
		return errs.Unavailable(fmt.Errorf("%s: %w", provider, cause(err)))
	}
	status := resp.StatusCode()
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusTooManyRequests:
		return errs.RateLimited(pause(resp.Header().Get("Retry-After"))).Because(fmt.Errorf("%s: status 429", provider))
	case status == http.StatusBadRequest || status == http.StatusNotFound || status == http.StatusUnprocessableEntity:
		return refused(fmt.Errorf("%s: status %d", provider, status))
	default:
		return errs.Unavailable(fmt.Errorf("%s: status %d", provider, status))
	}
}

// refused is a message that no later try would deliver.
func refused(cause error) error {
	return errs.New(errs.KindInvalid, "sms_refused", "The SMS provider refuses this message.").Because(cause)
}

// cause keeps what is told apart, a time-out from the rest, and drops the address, which may hold more than it should.
func cause(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	var timed interface{ Timeout() bool }
	if errors.As(err, &timed) && timed.Timeout() {
		return context.DeadlineExceeded
	}
	return errors.New("no answer")
}

func pause(retryAfter string) time.Duration {
	seconds, err := strconv.Atoi(retryAfter)
	if err != nil || seconds <= 0 || seconds > 3600 {
		return defaultPause
	}
	return time.Duration(seconds) * time.Second
}
