package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/support"
)

// Site answers for the two forms of the public pages: newsletter and contact.
type Site struct {
	inbox   *support.Inbox
	limiter middleware.Limiter
}

// NewSite returns the area over the inbox; the limiter bounds what one address may send.
func NewSite(inbox *support.Inbox, limiter middleware.Limiter) *Site {
	return &Site{inbox: inbox, limiter: limiter}
}

// Register adds the calls.
func (h *Site) Register(r Routes) {
	r.Public.POST("/newsletter", Handle(h.subscribe))
	r.Public.POST("/newsletter/unsubscribe", Handle(h.unsubscribe))
	r.Public.POST("/contact", Handle(h.contact))
}

// The limits of an address: nobody has more to say, and a script has.
func newsletterRule() ratelimit.Rule {
	return ratelimit.Rule{Name: "newsletter", Limit: 10, Window: time.Hour}
}

func contactRule() ratelimit.Rule {
	return ratelimit.Rule{Name: "contact", Limit: 5, Window: time.Hour}
}

func (h *Site) limit(c *gin.Context, rule ratelimit.Rule) error {
	return h.limiter.Hit(c.Request.Context(), rule, ratelimit.Address(c.ClientIP()))
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
	if err := h.limit(c, newsletterRule()); err != nil {
		return err
	}
	if err := h.inbox.Subscribe(c.Request.Context(), middleware.Principal(c).FranchiserID, in.Email, in.Consent, in.ConsentVersion); err != nil {
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
	if err := h.limit(c, newsletterRule()); err != nil {
		return err
	}
	if err := h.inbox.Unsubscribe(c.Request.Context(), middleware.Principal(c).FranchiserID, in.Email); err != nil {
		return err
	}
	return OK(c, "You will not hear from us again.", nil)
}

type contactRequest struct {
	Name           string `json:"name"`
	Email          string `json:"email"`
	Mobile         string `json:"mobile"`
	Topic          string `json:"topic"`
	Message        string `json:"message"`
	Consent        bool   `json:"consent"`
	ConsentVersion string `json:"consent_version"`
}

func (h *Site) contact(c *gin.Context) error {
	var in contactRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.limit(c, contactRule()); err != nil {
		return err
	}
	reference, err := h.inbox.Contact(c.Request.Context(), support.ContactInput{
		Name: in.Name, Email: in.Email, Mobile: in.Mobile, Topic: in.Topic, Message: in.Message,
		Consent: in.Consent, ConsentVersion: in.ConsentVersion,
	})
	if err != nil {
		return err
	}
	return OK(c, "Thank you. We answer within one working day.", gin.H{"reference": reference})
}
