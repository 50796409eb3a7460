package handler

import (
	"context"
	"errors"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// Site handles the two forms of the public pages: newsletter and contact.
type Site struct {
	inbox   *contact.Service
	limiter *ratelimit.Limiter
	limits  guard.Forms
}

// NewSite returns the handlers backed by the inbox; the limiter bounds submissions per person who is signed in, and per address.
func NewSite(inbox *contact.Service, limiter *ratelimit.Limiter, limits guard.Forms) *Site {
	return &Site{inbox: inbox, limiter: limiter, limits: limits}
}

// Register adds the routes.
func (h *Site) Register(r Routes) {
	r.Public.POST("/newsletter", Handle(h.subscribe))
	r.Public.POST("/newsletter/unsubscribe", Handle(h.unsubscribe))
	r.Public.POST("/contact", Handle(h.contact))
}

// limited counts the submission for whoever is signed in, otherwise for its address, which an office or a mobile operator's customers
// share, and stores it; one that fails validation, or fails because of a fault on our side, does not count.
func (h *Site) limited(c *gin.Context, name string, limit int64, keep func(context.Context) error) error {
	ctx, subject := c.Request.Context(), ratelimit.Address(c.ClientIP())
	if person := middleware.Principal(c).Person(); person != "" {
		subject = person
	}
	rule := ratelimit.Rule{Name: name, Limit: limit, Window: time.Hour}
	if err := h.limiter.Hit(ctx, rule, subject); err != nil {
		return err
	}
	err := keep(ctx)
	if err != nil && (errs.KindOf(err) == errs.KindInvalid || errs.IsFault(err)) {
		return errors.Join(err, h.limiter.Refund(context.WithoutCancel(ctx), rule, subject))
	}
	return err
}

type newsletterRequest struct {
	Email          string `json:"email"`
	Consent        bool   `json:"consent"`
	ConsentVersion string `json:"consent_version"`
}

func (h *Site) subscribe(c *gin.Context) error {
	var in newsletterRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.limited(c, "newsletter", h.limits.Newsletter, func(ctx context.Context) error {
		return h.inbox.Subscribe(ctx, middleware.Principal(c).Person(), in.Email, in.Consent, in.ConsentVersion)
	})
	if err != nil {
		return err
	}
	return OK(c, "Thank you. You will hear from us.", nil)
}

type leaveRequest struct {
	Email string `json:"email"`
}

func (h *Site) unsubscribe(c *gin.Context) error {
	var in leaveRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.limited(c, "newsletter_withdrawal", h.limits.Withdrawals, func(ctx context.Context) error {
		return h.inbox.Unsubscribe(ctx, middleware.Principal(c).Person(), in.Email)
	})
	if err != nil {
		return err
	}
	return OK(c, "You will not hear from us again.", nil)
}

type contactRequest struct {
	Name           string      `json:"name"`
	Email          string      `json:"email"`
	Mobile         typedMobile `json:"mobile" empty:"refused"`
	Topic          string      `json:"topic" empty:"refused"`
	Message        string      `json:"message"`
	Consent        bool        `json:"consent"`
	ConsentVersion string      `json:"consent_version"`
}

func (h *Site) contact(c *gin.Context) error {
	var in contactRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	var reference string
	err := h.limited(c, "contact", h.limits.Contact, func(ctx context.Context) (err error) {
		reference, err = h.inbox.Submit(ctx, contact.Input{
			Name: in.Name, Email: in.Email, Mobile: string(in.Mobile), Topic: in.Topic, Message: in.Message,
			Consent: in.Consent, ConsentVersion: in.ConsentVersion,
		})
		return err
	})
	if err != nil {
		return err
	}
	return OK(c, "Thank you. We answer within one working day.", gin.H{"reference": reference})
}
