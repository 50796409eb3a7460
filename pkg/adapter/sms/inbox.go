package sms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

// Inbox posts every message to the SMS inbox of the development stack.
type Inbox struct{ client *resty.Client }

// NewInbox returns a sender for the inbox at the URL.
func NewInbox(url string) (*Inbox, error) {
	if url == "" {
		return nil, errors.New("SMS_URL is not set")
	}
	return &Inbox{client: newClient(url)}, nil
}

// Name returns inbox.
func (*Inbox) Name() string { return "inbox" }

// Send posts {"to", "body"} to /messages; the inbox returns neither ids nor receipts.
func (i *Inbox) Send(ctx context.Context, m message.Message, _ time.Duration) (string, error) {
	resp, err := i.client.R().SetContext(ctx).
		SetBody(map[string]string{"to": "+91" + m.Mobile, "body": m.Text}).Post("/messages")
	if f := judge(i.Name(), resp, err); f != nil {
		return "", f
	}
	return "", nil
}

// List returns the messages sent to a mobile, or to all if it is empty, newest first, as JSON rows {to, body, sent_at}.
func (i *Inbox) List(ctx context.Context, mobile string) (json.RawMessage, error) {
	resp, err := i.client.R().SetContext(ctx).SetQueryParam("mobile", mobile).Get("/messages")
	if err != nil {
		return nil, fmt.Errorf("ask the inbox: %w", err)
	}
	if resp.StatusCode() != http.StatusOK || !json.Valid(resp.Body()) {
		return nil, fmt.Errorf("ask the inbox: status %d", resp.StatusCode())
	}
	return resp.Body(), nil
}

// SetMode makes the inbox accept messages (ok), refuse them (fail) or never answer (timeout).
func (i *Inbox) SetMode(ctx context.Context, mode string) error {
	resp, err := i.client.R().SetContext(ctx).SetBody(map[string]string{"mode": mode}).Post("/mode")
	if err != nil {
		return fmt.Errorf("set the inbox's mode: %w", err)
	}
	if resp.StatusCode() != http.StatusOK {
		return fmt.Errorf("set the inbox's mode: status %d", resp.StatusCode())
	}
	return nil
}

// Measured enables timing of the calls.
func (i *Inbox) Measured(m *metrics.Metrics) {
	i.client.SetTransport(m.Transport("inbox", i.client.GetClient().Transport))
}
