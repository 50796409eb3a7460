package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Alerts are what needs attention; alert.Service implements it.
type Alerts interface {
	Open(ctx context.Context) ([]alert.Alert, error)
	History(ctx context.Context) ([]alert.Past, error)
	Rules() []alert.RuleLimit
	Channels() []string
	Acknowledge(ctx context.Context, p staff.Principal, alertID, reason string) error
	Silence(ctx context.Context, p staff.Principal, alertID, reason string, span time.Duration) error
	Unsilence(ctx context.Context, p staff.Principal, alertID, reason string) error
}

// SupportAlerts handles staff calls on alerts.
type SupportAlerts struct{ alerts Alerts }

// NewSupportAlerts returns the handlers backed by the alerts.
func NewSupportAlerts(alerts Alerts) *SupportAlerts { return &SupportAlerts{alerts: alerts} }

// RegisterSupportAlerts adds the routes to the engine, all behind before and require.
func RegisterSupportAlerts(e *gin.Engine, h *SupportAlerts, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/alerts", Handle(h.open))
	private.GET("/alerts/history", Handle(h.history))
	private.GET("/alerts/rules", Handle(h.rules))
	private.POST("/alerts/:id/acknowledge", Handle(h.act(Alerts.Acknowledge, "The alert is yours.")))
	private.POST("/alerts/:id/silence", Handle(h.silence))
	private.POST("/alerts/:id/unsilence", Handle(h.act(Alerts.Unsilence, "The alert is delivered again.")))
}

type alertView struct {
	ID             string         `json:"id"`
	Rule           string         `json:"rule"`
	Subject        string         `json:"subject"`
	Severity       alert.Severity `json:"severity"`
	Message        string         `json:"message"`
	Console        string         `json:"console"`
	Runbook        string         `json:"runbook"`
	OpenedAt       time.Time      `json:"opened_at"`
	SeenAt         time.Time      `json:"seen_at"`
	ResolvedAt     *time.Time     `json:"resolved_at"`
	AcknowledgedAt *time.Time     `json:"acknowledged_at"`
	AcknowledgedBy string         `json:"acknowledged_by"`
	SilencedUntil  *time.Time     `json:"silenced_until"`
	SilencedBy     string         `json:"silenced_by"`
	SilenceReason  string         `json:"silence_reason"`
	AdminsAlone    bool           `json:"admins_alone"`
}

func viewOfAlert(a alert.Alert) alertView {
	return alertView{
		ID: a.ID, Rule: a.Rule, Subject: a.Subject, Severity: a.Severity, Message: a.Message, Console: alert.PageOf(a.Rule, a.Subject),
		OpenedAt: a.OpenedAt, SeenAt: a.SeenAt, ResolvedAt: a.ResolvedAt, AcknowledgedAt: a.AcknowledgedAt, AcknowledgedBy: a.AcknowledgedBy,
		SilencedUntil: a.SilencedUntil, SilencedBy: a.SilencedBy, SilenceReason: a.SilenceReason, AdminsAlone: a.AdminsAlone(),
		Runbook: alert.RunbookOf(a.Rule, a.Subject),
	}
}

func (h *SupportAlerts) open(c *gin.Context) error {
	list, err := h.alerts.Open(c.Request.Context())
	if err != nil {
		return err
	}
	views := make([]alertView, 0, len(list))
	for _, a := range list {
		views = append(views, viewOfAlert(a))
	}
	return OK(c, "", gin.H{"alerts": views})
}

type alertEventView struct {
	Kind   string    `json:"kind"`
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Detail string    `json:"detail"`
}

type pastAlertView struct {
	alertView

	Events []alertEventView `json:"events"`
}

func (h *SupportAlerts) history(c *gin.Context) error {
	list, err := h.alerts.History(c.Request.Context())
	if err != nil {
		return err
	}
	views := make([]pastAlertView, 0, len(list))
	for _, p := range list {
		v := pastAlertView{viewOfAlert(p.Alert), make([]alertEventView, 0, len(p.Events))}
		for _, e := range p.Events {
			v.Events = append(v.Events, alertEventView{e.Kind, e.At, e.By, e.Detail})
		}
		views = append(views, v)
	}
	return OK(c, "", gin.H{"alerts": views})
}

type alertRuleView struct {
	Name      string `json:"name"`
	Measures  string `json:"measures"`
	Threshold string `json:"threshold"`
	Setting   string `json:"setting"`
	Runbook   string `json:"runbook"`
	Console   string `json:"console"`
}

func (h *SupportAlerts) rules(c *gin.Context) error {
	views := []alertRuleView{}
	for _, r := range h.alerts.Rules() {
		views = append(views, alertRuleView{r.Name, r.Measures, r.Threshold, r.Setting, r.Runbook, r.Console})
	}
	return OK(c, "", gin.H{"rules": views, "channels": h.alerts.Channels()})
}

func (h *SupportAlerts) act(do func(Alerts, context.Context, staff.Principal, string, string) error, message string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		alertID, err := ParamID(c, "id")
		if err != nil {
			return err
		}
		var in reasonBody
		if err := Bind(c, &in); err != nil {
			return err
		}
		if err := do(h.alerts, c.Request.Context(), middleware.Staff(c), alertID, in.Reason); err != nil {
			return err
		}
		return OK(c, message, nil)
	}
}

type silenceBody struct {
	Minutes int    `json:"minutes"`
	Reason  string `json:"reason"`
}

// tooLong is more minutes than any silence; larger numbers would not fit into a duration.
const tooLong = 1 << 20

func (h *SupportAlerts) silence(c *gin.Context) error {
	alertID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in silenceBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	span := time.Duration(max(0, min(in.Minutes, tooLong))) * time.Minute
	if err := h.alerts.Silence(c.Request.Context(), middleware.Staff(c), alertID, in.Reason, span); err != nil {
		return err
	}
	return OK(c, "The alert is silenced.", nil)
}
