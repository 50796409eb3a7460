package sms

import (
	"context"
	"errors"
	"net/url"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// Twilio sends through Twilio's Messages resource, version 2010-04-01. For India, the DLT entity and the templates are
// registered with Twilio, which finds the template by the text.
type Twilio struct {
	client *resty.Client
	path   string
	sender [2]string
}

// NewTwilio returns a sender for the account; the sender is a messaging service where one is set, else a number.
func NewTwilio(c config.SMS) (*Twilio, error) {
	if c.TwilioSID == "" || c.TwilioToken == "" || c.TwilioFrom == "" && c.TwilioService == "" {
		return nil, errors.New("set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, and TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID")
	}
	t := &Twilio{
		client: newClient(c.TwilioURL).SetBasicAuth(c.TwilioSID, c.TwilioToken),
		path:   "/2010-04-01/Accounts/" + url.PathEscape(c.TwilioSID) + "/Messages.json",
		sender: [2]string{"From", c.TwilioFrom},
	}
	if c.TwilioService != "" {
		t.sender = [2]string{"MessagingServiceSid", c.TwilioService}
	}
	return t, nil
}

// Send creates one message.
func (t *Twilio) Send(ctx context.Context, m account.TextMessage) error {
	resp, err := t.client.R().SetContext(ctx).SetFormData(map[string]string{
		"To": "+91" + m.Mobile, "Body": m.Text, t.sender[0]: t.sender[1],
	}).Post(t.path)
	return judge("twilio", resp, err)
}
