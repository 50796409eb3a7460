// Package sms sends text messages through MSG91 or Twilio, or into the inbox of the development stack, and reads the
// providers' receipts.
package sms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

const (
	// timeout limits one attempt, dialTimeout connecting: a message that got no further certainly was not accepted.
	timeout     = 10 * time.Second
	dialTimeout = 3 * time.Second
	// maxAnswer is far above any provider's response size, in bytes.
	maxAnswer = 64 << 10
	// defaultPause applies if a provider requires a pause without giving its length.
	defaultPause = 5 * time.Second
	maxPause     = time.Hour
	// receiptPath is the path, on the site, to which providers report delivery.
	receiptPath = "/api/franchise/sms/receipts/"
)

// New returns the providers named by c.Provider, in its order; public is the site's address, to which Twilio sends its
// receipts. It fails if one of them is not fully configured.
func New(c config.SMS, public *url.URL) ([]message.Provider, error) {
	if err := checkNames(c.DLTTemplates); err != nil {
		return nil, err
	}
	var list []message.Provider
	var names []string
	for name := range strings.SplitSeq(c.Provider, ",") {
		name = strings.TrimSpace(name)
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("SMS_URL names %s twice", name)
		}
		names = append(names, name)
		p, err := newProvider(name, c, public)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func newProvider(name string, c config.SMS, public *url.URL) (message.Provider, error) {
	switch name {
	case "inbox":
		return NewInbox(c.InboxURL)
	case "msg91":
		return NewMSG91(c)
	case "twilio":
		return NewTwilio(c, public)
	default:
		return nil, errors.New("SMS_URL: want inbox, msg91 or twilio, or several of them separated by commas")
	}
}

// Readers returns the receipt readers of the providers configured for receipts.
func Readers(c config.SMS, public *url.URL) map[string]message.ReceiptReader {
	readers := map[string]message.ReceiptReader{}
	if c.TwilioToken != "" {
		readers["twilio"] = TwilioReceipts{token: c.TwilioToken, public: public}
	}
	if c.MSG91ReceiptKey != "" {
		readers["msg91"] = MSG91Receipts{key: c.MSG91ReceiptKey}
	}
	return readers
}

func newClient(baseURL string) *resty.Client {
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}
	return resty.New().SetBaseURL(baseURL).SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).
		SetTransport(&http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTimeout,
			IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 20, ForceAttemptHTTP2: true,
		}).
		SetRedirectPolicy(resty.NoRedirectPolicy()).SetLogger(silent{}).
		SetHeader("User-Agent", "franchise360").SetHeader("Accept", "application/json")
}

// silent keeps resty from logging requests, which contain mobiles and codes, to standard error.
type silent struct{}

// Errorf logs nothing.
func (silent) Errorf(string, ...any) {}

// Warnf logs nothing.
func (silent) Warnf(string, ...any) {}

// Debugf logs nothing.
func (silent) Debugf(string, ...any) {}

// judge returns the failure that an answer's status means, nil for a success. Only an error while connecting, or a status by which the
// server says that it did not handle the request (RFC 9110), proves that the message was not accepted. No answer, or an error on the way,
// proves nothing: Twilio may have sent a message that it answered by 500 (https://www.twilio.com/docs/api/errors/20500).
func judge(provider string, resp *resty.Response, err error) *message.SendError {
	if err != nil && (resp == nil || resp.RawResponse == nil || resp.StatusCode() < 300) {
		class := message.ClassUnconfirmed
		if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
			class = message.ClassUnavailable
		}
		return &message.SendError{Provider: provider, Class: class, Cause: cause(err)}
	}
	status := resp.StatusCode()
	f := &message.SendError{Provider: provider, Code: strconv.Itoa(status), Class: message.ClassUnavailable}
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusTooManyRequests:
		f.Class, f.RetryAfter = message.ClassLimited, pause(resp.Header().Get("Retry-After"))
	case status >= 400 && status < 500:
		f.Class = message.ClassAccount
	case status >= 500 && status != http.StatusNotImplemented && status != http.StatusServiceUnavailable:
		f.Class = message.ClassUnconfirmed
	}
	return f
}

// cause keeps only what callers distinguish, a timeout from the rest, and drops the URL, which may contain sensitive data.
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
	if err != nil || seconds <= 0 {
		return defaultPause
	}
	return time.Duration(min(seconds, int(maxPause/time.Second))) * time.Second // limited before it is multiplied, which could overflow
}

// number is a code that a provider writes as a number or as a string of digits; anything else is empty.
type number string

// UnmarshalJSON accepts 21211 and "21211".
func (n *number) UnmarshalJSON(raw []byte) error {
	*n = number(digits(strings.Trim(string(raw), `"`)))
	return nil
}

// digits returns a code of up to ten digits, and nothing for any other text, which may contain more than a code.
func digits(text string) string {
	if len(text) > 10 || strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		return ""
	}
	return text
}

// decode reads the known fields of an answer; if it is not JSON, the target stays empty.
func decode(body []byte, into any) bool { return json.Unmarshal(body, into) == nil }

// reference returns a provider's id, empty if it exceeds the 100 characters of our table.
func reference(id string) string {
	if len(id) > 100 {
		return ""
	}
	return id
}
