package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
)

// SignInSystems manages the systems that customers are signed in to; connect.SignIns implements it.
type SignInSystems interface {
	Issuer() string
	Systems(ctx context.Context) ([]connect.System, error)
	AddSystem(ctx context.Context, p staff.Principal, in connect.SystemInput, proof staff.Proof, reason string) (connect.System, string, error)
	ChangeSystem(ctx context.Context, p staff.Principal, systemID string, in connect.SystemInput, proof staff.Proof, reason string) (connect.System, error)
	RotateSystem(ctx context.Context, p staff.Principal, systemID string, proof staff.Proof, reason string) (connect.System, string, error)
	SetSystemState(ctx context.Context, p staff.Principal, systemID string, state connect.SystemState, proof staff.Proof, reason string) error
}

// SupportSignIn handles staff calls on the systems that customers are signed in to.
type SupportSignIn struct {
	systems SignInSystems
	cookies middleware.Cookies
}

// NewSupportSignIn returns the handlers backed by the service.
func NewSupportSignIn(systems SignInSystems, cookies middleware.Cookies) *SupportSignIn {
	return &SupportSignIn{systems: systems, cookies: cookies}
}

// RegisterSupportSignIn adds the routes to the engine, all behind before and require.
func RegisterSupportSignIn(e *gin.Engine, h *SupportSignIn, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/sign-in-systems", Handle(h.list))
	private.POST("/sign-in-systems", Handle(h.add))
	private.PUT("/sign-in-systems/:system", Handle(h.change))
	private.POST("/sign-in-systems/:system/rotate", Handle(h.rotate))
	private.POST("/sign-in-systems/:system/state", Handle(h.setState))
}

// signInSystemBody is a system as an admin enters it.
type signInSystemBody struct {
	provedReasonBody
	Label        string   `json:"label"`
	LoginURL     string   `json:"login_url"`
	RedirectURIs []string `json:"redirect_uris"`
	Dashboard    *bool    `json:"dashboard"`
}

// bindSystem reads a system, with the proof and the reason.
func bindSystem(c *gin.Context) (system connect.SystemInput, proved provedReasonBody, err error) {
	var in signInSystemBody
	if err := Bind(c, &in); err != nil {
		return system, proved, err
	}
	var v errs.Validation
	v.Check(in.Dashboard != nil, "dashboard", "Choose whether the dashboard leads to the system.")
	if err := v.Err(); err != nil {
		return system, proved, err
	}
	system = connect.SystemInput{Label: in.Label, LoginURL: in.LoginURL, RedirectURIs: in.RedirectURIs, Dashboard: *in.Dashboard}
	return system, in.provedReasonBody, nil
}

type signInStateBody struct {
	provedReasonBody
	State connect.SystemState `json:"state"`
}

type signInSystemView struct {
	ID             string              `json:"id"`
	Label          string              `json:"label"`
	LoginURL       string              `json:"login_url"`
	RedirectURIs   []string            `json:"redirect_uris"`
	Dashboard      bool                `json:"dashboard"`
	State          connect.SystemState `json:"state"`
	OldSecretUntil *time.Time          `json:"old_secret_until"`
	CreatedAt      time.Time           `json:"created_at"`
}

func viewOfSystem(s connect.System) signInSystemView {
	return signInSystemView{
		ID: s.ID, Label: s.Label, LoginURL: s.LoginURL, RedirectURIs: s.RedirectURIs, Dashboard: s.Dashboard, State: s.State,
		OldSecretUntil: utc(s.OldSecretUntil), CreatedAt: s.CreatedAt.UTC(),
	}
}

func (h *SupportSignIn) list(c *gin.Context) error {
	list, err := h.systems.Systems(c.Request.Context())
	if err != nil {
		return err
	}
	views := make([]signInSystemView, 0, len(list))
	for _, s := range list {
		views = append(views, viewOfSystem(s))
	}
	return OK(c, "", gin.H{"systems": views, "issuer": h.systems.Issuer()})
}

func (h *SupportSignIn) add(c *gin.Context) error {
	in, proved, err := bindSystem(c)
	if err != nil {
		return err
	}
	s, secret, err := h.systems.AddSystem(c.Request.Context(), middleware.Staff(c), in, proved.proof(c, h.cookies), proved.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The system is added. Copy its secret now: it is not shown again.", gin.H{"system": viewOfSystem(s), "secret": secret})
}

func (h *SupportSignIn) change(c *gin.Context) error {
	in, proved, err := bindSystem(c)
	if err != nil {
		return err
	}
	s, err := h.systems.ChangeSystem(c.Request.Context(), middleware.Staff(c), c.Param("system"), in, proved.proof(c, h.cookies), proved.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The system is changed.", viewOfSystem(s))
}

func (h *SupportSignIn) rotate(c *gin.Context) error {
	var in provedReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	s, secret, err := h.systems.RotateSystem(c.Request.Context(), middleware.Staff(c), c.Param("system"), in.proof(c, h.cookies), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "Copy the new secret now: it is not shown again. The old one also works for a day.",
		gin.H{"system": viewOfSystem(s), "secret": secret})
}

func (h *SupportSignIn) setState(c *gin.Context) error {
	var in signInStateBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	proof := in.proof(c, h.cookies)
	if err := h.systems.SetSystemState(c.Request.Context(), middleware.Staff(c), c.Param("system"), in.State, proof, in.Reason); err != nil {
		return err
	}
	return OK(c, map[connect.SystemState]string{
		connect.SystemEnabled: "The system is enabled.", connect.SystemDisabled: "The system is disabled.", connect.SystemRemoved: "The system is removed.",
	}[in.State], nil)
}
