package alert

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// text is a notice in lines; site is the address of the console.
func (n Notice) text(site string) (subject string, lines []string) {
	state := "ALERT"
	switch n.What {
	case eventResolved:
		state = "Resolved"
	case eventGrown:
		state = "ALERT, worse"
	}
	subject = fmt.Sprintf("[%s] %s", state, strings.ReplaceAll(n.Rule, "_", " "))
	if n.Subject != "" {
		subject += ": " + n.Subject
	}
	lines = []string{n.Message, "Since " + day(n.OpenedAt) + "."}
	if n.ResolvedAt != nil {
		lines = append(lines, "Resolved "+day(*n.ResolvedAt)+".")
	}
	if file := n.runbook(); file != "" {
		lines = append(lines, "Console: "+site+PageOf(n.Rule, n.Subject), "Runbook: "+file)
	}
	return subject, lines
}

// runbook is the file that says what to do; empty for a rule that this release does not know.
func (n Notice) runbook() string {
	name := RunbookOf(n.Rule, n.Subject)
	if name == "" {
		return ""
	}
	return "scripts/monitoring/runbooks/" + name + ".md"
}

// Mail delivers notices as e-mails.
type Mail struct {
	server message.Provider
	to     []string
	site   message.Site
}

// NewMail returns the channel to these addresses.
func NewMail(server message.Provider, to []string, site message.Site) *Mail {
	return wiring.Complete(&Mail{server: server, to: to, site: site})
}

// Name implements Channel.
func (*Mail) Name() string { return "email" }

// Deliver implements Channel. A mailbox drops a message that comes twice by its id.
func (m *Mail) Deliver(ctx context.Context, n Notice) error {
	subject, _ := n.text(m.site.URL)
	resolved, runbook, link := "not yet", "none", m.site.URL+"/support/alerts"
	if n.ResolvedAt != nil {
		resolved = day(*n.ResolvedAt)
	}
	if file := n.runbook(); file != "" {
		runbook, link = file, m.site.URL+PageOf(n.Rule, n.Subject)
	}
	for i, to := range m.to {
		_, err := m.server.Send(ctx, m.site.Compose(message.Message{
			ID: fmt.Sprintf("%s-%d", n.ID, i), Email: to, Template: message.TemplateStaffAlert,
			Values: []string{subject, n.Message, day(n.OpenedAt), resolved, runbook}, Link: link,
		}), time.Hour)
		if err != nil {
			return err
		}
	}
	return nil
}

func day(at time.Time) string { return at.In(clock.IST).Format("2 Jan 2006 15:04") + " IST" }

// Slack posts notices to an incoming webhook of Slack, or of what understands its form.
type Slack struct {
	receiver webhook.Receiver
	url      string
	site     string
}

// NewSlack returns the channel to that address, which is a secret.
func NewSlack(receiver webhook.Receiver, url, site string) *Slack {
	return wiring.Complete(&Slack{receiver: receiver, url: url, site: site})
}

// Name implements Channel.
func (*Slack) Name() string { return "slack" }

// Deliver implements Channel.
func (s *Slack) Deliver(ctx context.Context, n Notice) error {
	subject, lines := n.text(s.site)
	// Slack reads these three as markup.
	safe := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(subject + "\n" + strings.Join(lines, "\n"))
	body, err := json.Marshal(map[string]string{"text": safe})
	if err != nil {
		return err
	}
	return post(ctx, s.receiver, webhook.Message{URL: s.url, Body: body})
}

// Webhook posts notices in the form and with the signature of Standard Webhooks.
type Webhook struct {
	receiver webhook.Receiver
	url      string
	key      []byte
	site     string
	clock    clock.Clock
}

// NewWebhook returns the channel to that address, signed with the key.
func NewWebhook(receiver webhook.Receiver, url string, key []byte, site string, clk clock.Clock) *Webhook {
	return wiring.Complete(&Webhook{receiver: receiver, url: url, key: key, site: site, clock: clk})
}

// Name implements Channel.
func (*Webhook) Name() string { return "webhook" }

// Deliver implements Channel.
func (w *Webhook) Deliver(ctx context.Context, n Notice) error {
	data := map[string]any{
		"alert_id": n.AlertID, "rule": n.Rule, "subject": n.Subject, "severity": n.Severity, "message": n.Message, "opened_at": n.OpenedAt.UTC(),
	}
	if n.ResolvedAt != nil {
		data["resolved_at"] = n.ResolvedAt.UTC()
	}
	if name := RunbookOf(n.Rule, n.Subject); name != "" {
		data["console"], data["runbook"] = w.site+PageOf(n.Rule, n.Subject), name
	}
	now := w.clock.Now()
	body, err := json.Marshal(map[string]any{"type": "alert." + n.What, "timestamp": now.UTC(), "data": data})
	if err != nil {
		return err
	}
	return post(ctx, w.receiver, webhook.Message{URL: w.url, Body: body, Header: webhook.Signed(w.key, n.ID, now, body)})
}

func post(ctx context.Context, r webhook.Receiver, m webhook.Message) error {
	answer, err := r.Post(ctx, m)
	if err == nil && !answer.Ok() {
		err = fmt.Errorf("answered %d", answer.Status)
	}
	return err
}
