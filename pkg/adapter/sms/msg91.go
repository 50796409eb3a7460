package sms

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// MSG91 sends through MSG91's Send SMS call (POST /api/v2/sendsms), which takes the text as it is and the id under
// which its template is registered with the operators (DLT_TE_ID).
type MSG91 struct {
	client      *resty.Client
	sender      string
	templateIDs map[string]string
}

// NewMSG91 returns a sender; every template that the product sends must have its DLT id.
func NewMSG91(c config.SMS) (*MSG91, error) {
	if c.MSG91AuthKey == "" || c.MSG91Sender == "" {
		return nil, errors.New("set MSG91_AUTH_KEY and MSG91_SENDER")
	}
	for _, name := range []string{account.TemplateCode, account.TemplateAccountExists, account.TemplateMobileChanged} {
		if c.DLTTemplates[name] == "" {
			return nil, fmt.Errorf("DLT_TEMPLATES names no id for %s", name)
		}
	}
	return &MSG91{
		client: newClient(c.MSG91URL).SetHeader("authkey", c.MSG91AuthKey),
		sender: c.MSG91Sender, templateIDs: c.DLTTemplates,
	}, nil
}

type msg91Request struct {
	Sender   string     `json:"sender"`
	Route    string     `json:"route"` // 4 is the transactional one
	Country  string     `json:"country"`
	Messages []msg91SMS `json:"sms"`
	Template string     `json:"DLT_TE_ID"`
}

type msg91SMS struct {
	Text string   `json:"message"`
	To   []string `json:"to"`
}

type msg91Answer struct {
	Type string `json:"type"` // success or error
}

// Send sends the text under its template. MSG91 answers errors with status 200 too: these are tried again, for they are
// about the account more often than about the message.
func (p *MSG91) Send(ctx context.Context, m account.TextMessage) error {
	template, ok := p.templateIDs[m.Template]
	if !ok {
		return refused(fmt.Errorf("msg91: DLT_TEMPLATES names no id for %s", m.Template))
	}
	var answer msg91Answer
	resp, err := p.client.R().SetContext(ctx).SetResult(&answer).ForceContentType("application/json").
		SetBody(msg91Request{
			Sender: p.sender, Route: "4", Country: "91", Template: template,
			Messages: []msg91SMS{{Text: m.Text, To: []string{m.Mobile}}},
		}).Post("/api/v2/sendsms")
	if err := judge("msg91", resp, err); err != nil {
		return err
	}
	if answer.Type != "success" {
		return errs.Unavailable(errors.New("msg91: the answer is no success"))
	}
	return nil
}
