package sms

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

// Twilio sends through Twilio's Messages resource, version 2010-04-01. For India, the DLT entity and the templates are
// registered with Twilio, which finds the template by the text.
type Twilio struct {
	client   *resty.Client
	path     string
	sender   [2]string
	receipts string
}

// NewTwilio returns a sender for the account; the sender is a messaging service (MG…) or a number. Receipts
// are requested if the site is served over https, which Twilio requires.
func NewTwilio(c config.SMS, public *url.URL) (*Twilio, error) {
	if c.TwilioSID == "" || c.TwilioToken == "" || c.TwilioFrom == "" {
		return nil, errors.New("SMS_URL: Twilio needs an account and a sender")
	}
	t := &Twilio{
		client: newClient(c.TwilioURL).SetBasicAuth(c.TwilioSID, c.TwilioToken),
		path:   "/2010-04-01/Accounts/" + url.PathEscape(c.TwilioSID) + "/Messages.json",
		sender: [2]string{"From", c.TwilioFrom},
	}
	if strings.HasPrefix(c.TwilioFrom, "MG") {
		t.sender[0] = "MessagingServiceSid"
	}
	if public != nil && public.Scheme == "https" {
		t.receipts = strings.TrimRight(public.String(), "/") + receiptPath + "twilio?message="
	}
	return t, nil
}

// Name returns twilio.
func (*Twilio) Name() string { return "twilio" }

type twilioAnswer struct {
	SID  string `json:"sid"`
	Code number `json:"code"`
}

// Twilio accepts a time to live of 1 to 36000 seconds, and recommends more than 5.
const (
	minValidity = 6 * time.Second
	maxValidity = 36000 * time.Second
)

// Send creates one message, which Twilio drops if it cannot be delivered within life.
func (t *Twilio) Send(ctx context.Context, m message.Message, life time.Duration) (string, error) {
	form := map[string]string{
		"To": "+91" + m.Mobile, "Body": m.Text, t.sender[0]: t.sender[1],
		"ValidityPeriod": strconv.Itoa(int(min(max(life, minValidity), maxValidity) / time.Second)),
	}
	if t.receipts != "" {
		form["StatusCallback"] = t.receipts + url.QueryEscape(m.ID)
	}
	resp, err := t.client.R().SetContext(ctx).SetFormData(form).Post(t.path)
	f := judge(t.Name(), resp, err)
	var answer twilioAnswer
	if resp != nil {
		decode(resp.Body(), &answer)
	}
	if f == nil {
		return reference(answer.SID), nil
	}
	if answer.Code != "" {
		f.Code = string(answer.Code)
		if f.Class == message.ClassAccount && refuses(f.Code) {
			f.Class = message.ClassRefused
		}
	}
	return "", f
}

// refuses reports whether a code is about the recipient's number or the text; any other Twilio error may pass once staff have fixed the
// account (https://www.twilio.com/docs/api/errors).
func refuses(code string) bool {
	switch code {
	case "21211", // the number is not valid
		"21265", // a short code
		"21266", // sender and recipient are the same
		"21610", // the recipient has opted out
		"21614", // not a mobile number
		"21635", // a landline
		"21617": // the text is longer than 1600 characters
		return true
	}
	return false
}

// Measured enables timing of the calls.
func (t *Twilio) Measured(m *metrics.Metrics) {
	t.client.SetTransport(m.Transport("twilio", t.client.GetClient().Transport))
}
