package sms

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

// MSG91 sends through MSG91's Send SMS call (POST /api/v2/sendsms), which takes the literal text and the id under
// which its template is registered with the operators (DLT_TE_ID).
type MSG91 struct {
	client      *resty.Client
	sender      string
	templateIDs map[string]string
}

// NewMSG91 returns a sender; every template that the product can send must have a DLT id in English, and the error names each that lacks
// one. Ids of other languages may be missing: such a template is sent in English.
func NewMSG91(c config.SMS) (*MSG91, error) {
	if c.MSG91AuthKey == "" || c.MSG91Sender == "" {
		return nil, errors.New("SMS_URL: MSG91 needs a key and a sender")
	}
	var missing []string
	for _, t := range message.Templates() {
		if c.DLTTemplates[t.Name] == "" {
			missing = append(missing, t.Name)
		}
	}
	if len(missing) > 0 {
		return nil, errors.New("DLT_TEMPLATES names no id for " + strings.Join(missing, ", "))
	}
	return &MSG91{
		client: newClient(c.MSG91URL).SetHeader("authkey", c.MSG91AuthKey),
		sender: c.MSG91Sender, templateIDs: c.DLTTemplates,
	}, nil
}

// Name returns msg91.
func (*MSG91) Name() string { return "msg91" }

type msg91Request struct {
	Sender   string     `json:"sender"`
	Route    string     `json:"route"` // 4 is transactional
	Country  string     `json:"country"`
	Unicode  string     `json:"unicode,omitempty"` // 1 for a text with other letters than ASCII's
	Messages []msg91SMS `json:"sms"`
	Template string     `json:"DLT_TE_ID"`
}

type msg91SMS struct {
	Text string   `json:"message"`
	To   []string `json:"to"`
}

type msg91Answer struct {
	Type string `json:"type"` // success or error
	// Message is the request id on success, and a text on an error, which may contain the mobile.
	Message string `json:"message"`
	Code    number `json:"code"`
}

// notWhitelisted is MSG91's code for a request from an IP address that the account does not allow (its help, "API security").
const notWhitelisted = "418"

// Send sends the text under its template. MSG91 answers errors with status 200 too. It publishes no list of error codes,
// so an unknown one is retried as often as the caller retries, and fails over to the other provider if there
// is one. The call has no time to live.
func (p *MSG91) Send(ctx context.Context, m message.Message, _ time.Duration) (string, error) {
	wide := ""
	if strings.ContainsFunc(m.Text, func(r rune) bool { return r > unicode.MaxASCII }) {
		wide = "1"
	}
	resp, err := p.client.R().SetContext(ctx).SetHeader("Content-Type", "application/json").SetBody(msg91Request{
		Sender: p.sender, Route: "4", Country: "91", Template: p.templateIDs[nameIn(m.Template, m.Language)], Unicode: wide,
		Messages: []msg91SMS{{Text: m.Text, To: []string{m.Mobile}}},
	}).Post("/api/v2/sendsms")
	f := judge(p.Name(), resp, err)
	var answer msg91Answer
	readable := resp != nil && decode(resp.Body(), &answer)
	switch {
	case f != nil:
		if answer.Code != "" {
			f.Code = string(answer.Code)
		}
		return "", f
	case !readable:
		return "", &message.SendError{Provider: p.Name(), Class: message.ClassUnconfirmed, Cause: errors.New("the answer cannot be read")}
	case answer.Type == "success":
		return reference(answer.Message), nil
	}
	f = &message.SendError{Provider: p.Name(), Class: message.ClassUnavailable, Code: string(answer.Code)}
	if answer.Code == notWhitelisted {
		f.Class = message.ClassAccount
	}
	return "", f
}

// Measured enables timing of the calls.
func (p *MSG91) Measured(m *metrics.Metrics) {
	p.client.SetTransport(m.Transport("msg91", p.client.GetClient().Transport))
}
