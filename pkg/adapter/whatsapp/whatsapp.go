// Package whatsapp sends messages through the WhatsApp Business Platform, Meta's Cloud API, and reads what Meta posts of them.
package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

const (
	// name is that of the provider.
	name = message.WhatsAppProvider
	// timeout limits one attempt, dialTimeout connecting: a message that got no further certainly was not accepted.
	timeout     = 10 * time.Second
	dialTimeout = 3 * time.Second
	// maxAnswer is far above any answer, in bytes.
	maxAnswer = 64 << 10
	maxPause  = time.Hour
	// maxRef is how much our table keeps of Meta's id.
	maxRef = 100
)

// Client sends from one number (POST /{version}/{phone-number-id}/messages,
// https://developers.facebook.com/documentation/business-messaging/whatsapp/reference/whatsapp-business-phone-number/message-api).
type Client struct {
	client *resty.Client
	path   string
}

// New returns a client for the number, nil if the product sends nothing by WhatsApp.
func New(c config.WhatsApp) *Client {
	if !c.On() {
		return nil
	}
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}
	client := resty.New().SetBaseURL(c.URL).SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).
		SetTransport(&http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTimeout,
			IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 20, ForceAttemptHTTP2: true,
		}).
		SetRedirectPolicy(resty.NoRedirectPolicy()).SetLogger(silent{}).SetAuthToken(c.Token).
		SetHeader("User-Agent", "franchise360").SetHeader("Accept", "application/json")
	return &Client{client: client, path: "/" + c.PhoneNumberID + "/messages"}
}

// silent keeps resty from logging requests, which contain mobiles, to standard error.
type silent struct{}

// Errorf logs nothing.
func (silent) Errorf(string, ...any) {}

// Warnf logs nothing.
func (silent) Warnf(string, ...any) {}

// Debugf logs nothing.
func (silent) Debugf(string, ...any) {}

// Name returns whatsapp.
func (*Client) Name() string { return name }

// Measured enables timing of the calls.
func (c *Client) Measured(m *metrics.Metrics) {
	c.client.SetTransport(m.Transport(name, c.client.GetClient().Transport))
}

type (
	request struct {
		Product   string    `json:"messaging_product"`
		Recipient string    `json:"recipient_type"`
		To        string    `json:"to"`
		Type      string    `json:"type"`
		Template  *template `json:"template,omitempty"`
		Text      *freeText `json:"text,omitempty"`
		// OurID comes back in every notice about the message.
		OurID string `json:"biz_opaque_callback_data"`
	}
	freeText struct {
		Body string `json:"body"`
	}
	template struct {
		Name       string      `json:"name"`
		Language   language    `json:"language"`
		Components []component `json:"components,omitempty"`
	}
	language struct {
		Code string `json:"code"`
	}
	component struct {
		Type       string      `json:"type"`
		SubType    string      `json:"sub_type,omitempty"`
		Index      string      `json:"index,omitempty"`
		Parameters []parameter `json:"parameters"`
	}
	parameter struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	answer struct {
		Messages []struct {
			ID string `json:"id"`
		} `json:"messages"`
	}
)

func parameters(values ...string) []parameter {
	list := make([]parameter, 0, len(values))
	for _, value := range values {
		list = append(list, parameter{Type: "text", Text: value})
	}
	return list
}

func requestOf(m message.Message) request {
	if m.Personal {
		return request{
			Product: "whatsapp", Recipient: "individual", To: "91" + m.Mobile, Type: "text", OurID: m.ID, Text: &freeText{Body: m.Text},
		}
	}
	call := m.OnWhatsApp
	r := request{
		Product: "whatsapp", Recipient: "individual", To: "91" + m.Mobile, Type: "template", OurID: m.ID,
		Template: &template{Name: call.Name, Language: language{Code: string(call.Language)}},
	}
	if len(call.Body) > 0 {
		r.Template.Components = append(r.Template.Components, component{Type: "body", Parameters: parameters(call.Body...)})
	}
	if call.Button != "" {
		r.Template.Components = append(r.Template.Components, component{
			Type: "button", SubType: "url", Index: "0", Parameters: parameters(call.Button),
		})
	}
	return r
}

// Send sends one template message, or what a person wrote. A template's validity is in the registered template, not in the call.
func (c *Client) Send(ctx context.Context, m message.Message, _ time.Duration) (string, error) {
	resp, err := c.client.R().SetContext(ctx).SetBody(requestOf(m)).Post(c.path)
	if f := judge(resp, err); f != nil {
		return "", f
	}
	var a answer
	if json.Unmarshal(resp.Body(), &a) != nil || len(a.Messages) != 1 || a.Messages[0].ID == "" {
		return "", &message.SendError{Provider: name, Class: message.ClassUnconfirmed, Code: strconv.Itoa(resp.StatusCode())}
	}
	return reference(a.Messages[0].ID), nil
}

// judge returns the failure that an answer means, nil for a success. The code says more than the status, as Meta recommends. Only an
// error while connecting proves without a code that the message was not accepted, or a status by which the server says that it
// did not handle the request (RFC 9110).
func judge(resp *resty.Response, err error) *message.SendError {
	if err != nil && (resp == nil || resp.RawResponse == nil || resp.StatusCode() < 300) {
		class := message.ClassUnconfirmed
		if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
			class = message.ClassUnavailable
		}
		return &message.SendError{Provider: name, Class: class, Cause: cause(err)}
	}
	status := resp.StatusCode()
	if status >= 200 && status < 300 {
		return nil
	}
	f := &message.SendError{Provider: name, Code: strconv.Itoa(status), Class: ofStatus(status)}
	var failed struct {
		Error struct {
			Code    int `json:"code"`
			SubCode int `json:"error_subcode"`
		} `json:"error"`
	}
	if json.Unmarshal(resp.Body(), &failed) == nil && failed.Error.Code > 0 {
		f.Code = strconv.Itoa(failed.Error.Code)
		verdict := ofCode(failed.Error.Code, failed.Error.SubCode)
		if verdict.class != "" {
			f.Class, f.Message, f.RetryAfter = verdict.class, verdict.message, verdict.pause
		}
	}
	if f.Class == message.ClassLimited {
		f.RetryAfter = pause(resp.Header().Get("Retry-After"), f.RetryAfter)
	}
	return f
}

func ofStatus(status int) message.Class {
	switch {
	case status == http.StatusTooManyRequests:
		return message.ClassLimited
	case status >= 400 && status < 500:
		return message.ClassAccount
	case status >= 500 && status != http.StatusNotImplemented && status != http.StatusServiceUnavailable:
		return message.ClassUnconfirmed
	default:
		return message.ClassUnavailable
	}
}

// cause keeps only what callers distinguish, a timeout from the rest, and drops the address.
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

func pause(retryAfter string, otherwise time.Duration) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(retryAfter))
	if err == nil && seconds > 0 {
		return min(time.Duration(min(seconds, int(maxPause/time.Second)))*time.Second, maxPause)
	}
	return max(otherwise, defaultPause)
}

// reference returns Meta's id, empty if it is longer than our table keeps: ours comes back too.
func reference(id string) string {
	if len(id) > maxRef {
		return ""
	}
	return id
}
