package handler

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// LeaveNewsletter is the route to which mailboxes post from elsewhere (RFC 8058).
const LeaveNewsletter = Prefix + "/newsletter/unsubscribe/:token"

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
	r.Public.POST("/newsletter/confirm", Handle(h.confirm))
	r.Public.POST("/newsletter/unsubscribe", Handle(h.unsubscribe))
	r.Public.GET("/newsletter/unsubscribe/:token", Handle(h.leavePage))
	r.Public.POST("/newsletter/unsubscribe/:token", Handle(h.leave))
	r.Public.POST("/contact", Handle(h.contact))
}

// limited counts the submission for the signed-in customer, otherwise for the address, which an office or a mobile operator's customers
// share, and stores it. A submission that fails validation, or fails through our fault, does not count.
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
	var done bool
	err := h.limited(c, "newsletter", h.limits.Newsletter, h.withinLetters("newsletter_letters", func(ctx context.Context) (err error) {
		done, err = h.inbox.Subscribe(ctx, middleware.Principal(c).Person(), in.Email, in.Consent, in.ConsentVersion, languageOf(c))
		return err
	}))
	if err != nil {
		return err
	}
	if done {
		return OK(c, i18n.Mark("Thank you. You will hear from us."), nil)
	}
	return OK(c, "Thank you. We send an e-mail to this address. The newsletter starts once its link is opened and confirmed.", nil)
}

// withinLetters counts what may send an e-mail, whether it does or not, so that the limit reveals nothing.
func (h *Site) withinLetters(name string, do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		rule := ratelimit.Rule{Name: name, Limit: h.limits.Letters, Window: 24 * time.Hour}
		if err := h.limiter.Hit(ctx, rule, "all"); err != nil {
			return err
		}
		err := do(ctx)
		if err != nil {
			return errors.Join(err, h.limiter.Refund(context.WithoutCancel(ctx), rule, "all"))
		}
		return nil
	}
}

type confirmRequest struct {
	Token string `json:"token"`
}

func (h *Site) confirm(c *gin.Context) error {
	var in confirmRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.inbox.Confirm(c.Request.Context(), in.Token); err != nil {
		return err
	}
	return OK(c, "Thank you. You get the newsletter.", nil)
}

type leaveRequest struct {
	Email string `json:"email"`
}

func (h *Site) unsubscribe(c *gin.Context) error {
	var in leaveRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	var done bool
	err := h.limited(c, "newsletter_withdrawal", h.limits.Withdrawals, h.withinLetters("newsletter_leave_letters", func(ctx context.Context) (err error) {
		done, err = h.inbox.Unsubscribe(ctx, middleware.Principal(c).Person(), in.Email, languageOf(c))
		return err
	}))
	if err != nil {
		return err
	}
	if done {
		return OK(c, i18n.Mark(msgLeft), nil)
	}
	return OK(c, "If this address gets the newsletter, we send it an e-mail with a link to leave.", nil)
}

const msgLeft = "You will not hear from us again."

// leavePage leads mail programs that open the address of List-Unsubscribe to the page with the button. Opening changes nothing.
func (h *Site) leavePage(c *gin.Context) error {
	page, ok := h.inbox.LeavePage(c.Param("token"))
	if !ok {
		return contact.ErrNewsletterLink
	}
	c.Header("Location", page)
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusSeeOther)
	return nil
}

// leave handles the mailbox's one-click form with one field, and our page's form. The token alone authorises it.
func (h *Site) leave(c *gin.Context) error {
	if err := h.inbox.Leave(c.Request.Context(), c.Param("token")); err != nil {
		return err
	}
	return OK(c, i18n.Mark(msgLeft), nil)
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
		reference, err = h.inbox.Submit(ctx, middleware.Principal(c).Person(), contact.Input{
			Name: in.Name, Email: in.Email, Mobile: string(in.Mobile), Topic: in.Topic, Message: in.Message,
			Consent: in.Consent, ConsentVersion: in.ConsentVersion,
		})
		return err
	})
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Thank you. We answer within one working day."), gin.H{"reference": reference})
}
