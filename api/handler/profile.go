package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

type profileAnswer struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Mobile    string `json:"mobile"`
	Email     string `json:"email"`
	// EmailState is the state of the address, "off" if the product sends no e-mail.
	EmailState account.EmailState `json:"email_state"`
	// Language is null until one is chosen.
	Language *i18n.Language `json:"language"`
	// DocumentLanguage is the second language of new documents, null for English only.
	DocumentLanguage *i18n.Language `json:"document_language"`
}

func (h *Security) profileOf(f account.Franchiser) profileAnswer {
	out := profileAnswer{FirstName: f.FirstName, LastName: f.LastName, Mobile: f.Mobile, Email: f.Email, EmailState: h.accounts.EmailState(f)}
	if f.Language != "" {
		out.Language = &f.Language
	}
	if f.DocumentLanguage != "" {
		out.DocumentLanguage = &f.DocumentLanguage
	}
	return out
}

func (h *Security) profile(c *gin.Context) error {
	f, err := h.accounts.Profile(c.Request.Context(), middleware.Principal(c))
	if err != nil {
		return err
	}
	return OK(c, "Your profile.", h.profileOf(f))
}

type renameRequest struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
}

func (h *Security) rename(c *gin.Context) error {
	var in renameRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.accounts.Rename(c.Request.Context(), middleware.Principal(c), in.FirstName, in.LastName)
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Profile updated."), h.profileOf(f))
}

type languageRequest struct {
	Language i18n.Language `json:"language"`
}

func (h *Security) setLanguage(c *gin.Context) error {
	var in languageRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.accounts.SetLanguage(c.Request.Context(), middleware.Principal(c), in.Language); err != nil {
		return err
	}
	return OK(c, "Language chosen.", nil)
}

func (h *Security) setDocumentLanguage(c *gin.Context) error {
	var in languageRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.accounts.SetDocumentLanguage(c.Request.Context(), middleware.Principal(c), in.Language)
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Your choice applies to new documents."), h.profileOf(f))
}

type emailChangeRequest struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Code     string `json:"code"`
}

func (h *Security) startEmailChange(c *gin.Context) error {
	var in emailChangeRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	proof := account.Proof{Password: in.Password, Code: in.Code}
	err := h.accounts.StartEmailChange(c.Request.Context(), middleware.Principal(c), in.Email, proof, originOf(c, h.cookies))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark(messageCodeSent), codeSent())
}

type emailConfirmRequest struct {
	Email string    `json:"email"`
	OTP   typedCode `json:"otp"`
}

func (h *Security) confirmEmailChange(c *gin.Context) error {
	var in emailConfirmRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.accounts.ConfirmEmailChange(c.Request.Context(), middleware.Principal(c), in.Email, string(in.OTP), originOf(c, h.cookies))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("E-mail changed."), h.profileOf(f))
}

func (h *Security) sendEmailProof(c *gin.Context) error {
	if err := h.accounts.SendEmailProof(c.Request.Context(), middleware.Principal(c)); err != nil {
		return err
	}
	return OK(c, i18n.Mark("We have sent a link to your e-mail address."), gin.H{"resend_after": int(account.CodePause / time.Second)})
}

type emailProofRequest struct {
	Token string `json:"token"`
}

func (h *Security) proveEmail(c *gin.Context) error {
	var in emailProofRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.accounts.ProveEmail(c.Request.Context(), middleware.Principal(c), in.Token)
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Your e-mail address is confirmed."), h.profileOf(f))
}

type mobileChangeRequest struct {
	Mobile   typedMobile `json:"mobile"`
	Password string      `json:"password"`
	Code     string      `json:"code"`
}

func (h *Security) startMobileChange(c *gin.Context) error {
	var in mobileChangeRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.accounts.StartMobileChange(c.Request.Context(), middleware.Principal(c), string(in.Mobile), account.Proof{Password: in.Password, Code: in.Code}, originOf(c, h.cookies))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("We have sent a code to the new number."), codeSent())
}

func (h *Security) confirmMobileChange(c *gin.Context) error {
	var in otpRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.accounts.ConfirmMobileChange(c.Request.Context(), middleware.Principal(c), string(in.Mobile), string(in.OTP), originOf(c, h.cookies))
	if err != nil {
		return err
	}
	h.cookies.Remember(c, guard.KindFranchiser, f.Mobile, h.clock.Now())
	return OK(c, i18n.Mark("Mobile number changed."), h.profileOf(f))
}
