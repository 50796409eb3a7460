package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Profiles handles users' changes to their own profile: names, languages, e-mail, mobile.
type Profiles struct {
	profiles *profile.Service
	cookies  middleware.Cookies
	clock    clock.Clock
}

// NewProfiles returns the handlers backed by the service.
func NewProfiles(profiles *profile.Service, cookies middleware.Cookies, clk clock.Clock) *Profiles {
	return &Profiles{profiles: profiles, cookies: cookies, clock: clk}
}

// Register adds the routes.
func (h *Profiles) Register(r Routes) {
	r.Private.GET("/profile/details/profile", Handle(h.profile))
	r.Private.POST("/profile/update/profile", Handle(h.rename))
	r.Private.PUT("/profile/language", Handle(h.setLanguage))
	r.Private.PUT("/profile/document-language", Handle(h.setDocumentLanguage))
	r.Private.POST("/profile/email/otp", Handle(h.startEmailChange))
	r.Private.POST("/profile/email", Handle(h.confirmEmailChange))
	r.Private.POST("/profile/email/proof", Handle(h.sendEmailProof))
	r.Private.POST("/profile/email/prove", Handle(h.proveEmail))
	r.Private.POST("/profile/mobile/otp", Handle(h.startMobileChange))
	r.Private.POST("/profile/mobile", Handle(h.confirmMobileChange))
}

type profileAnswer struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Mobile    string `json:"mobile"`
	Email     string `json:"email"`
	// EmailState is the state of the address, "off" if the product sends no e-mail.
	EmailState profile.EmailState `json:"email_state"`
	// Language is null until one is chosen.
	Language *i18n.Language `json:"language"`
	// DocumentLanguage is the second language of new documents, null for English only.
	DocumentLanguage *i18n.Language `json:"document_language"`
}

func (h *Profiles) profileOf(f account.Franchiser) profileAnswer {
	out := profileAnswer{FirstName: f.FirstName, LastName: f.LastName, Mobile: f.Mobile, Email: f.Email, EmailState: h.profiles.EmailState(f)}
	if f.Language != "" {
		out.Language = &f.Language
	}
	if f.DocumentLanguage != "" {
		out.DocumentLanguage = &f.DocumentLanguage
	}
	return out
}

func (h *Profiles) profile(c *gin.Context) error {
	f, err := h.profiles.Profile(c.Request.Context(), middleware.Principal(c))
	if err != nil {
		return err
	}
	return OK(c, "Your profile.", h.profileOf(f))
}

type renameRequest struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
}

func (h *Profiles) rename(c *gin.Context) error {
	var in renameRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.profiles.Rename(c.Request.Context(), middleware.Principal(c), in.FirstName, in.LastName)
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Profile updated."), h.profileOf(f))
}

type languageRequest struct {
	Language i18n.Language `json:"language"`
}

func (h *Profiles) setLanguage(c *gin.Context) error {
	var in languageRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.profiles.SetLanguage(c.Request.Context(), middleware.Principal(c), in.Language); err != nil {
		return err
	}
	return OK(c, "Language chosen.", nil)
}

func (h *Profiles) setDocumentLanguage(c *gin.Context) error {
	var in languageRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.profiles.SetDocumentLanguage(c.Request.Context(), middleware.Principal(c), in.Language)
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

func (h *Profiles) startEmailChange(c *gin.Context) error {
	var in emailChangeRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	proof := credential.Proof{Password: in.Password, Code: in.Code}
	err := h.profiles.StartEmailChange(c.Request.Context(), middleware.Principal(c), in.Email, proof, originOf(c, h.cookies))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark(messageCodeSent), codeSent())
}

type emailConfirmRequest struct {
	Email string    `json:"email"`
	OTP   typedCode `json:"otp"`
}

func (h *Profiles) confirmEmailChange(c *gin.Context) error {
	var in emailConfirmRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.profiles.ConfirmEmailChange(c.Request.Context(), middleware.Principal(c), in.Email, string(in.OTP), originOf(c, h.cookies))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("E-mail changed."), h.profileOf(f))
}

func (h *Profiles) sendEmailProof(c *gin.Context) error {
	if err := h.profiles.SendEmailProof(c.Request.Context(), middleware.Principal(c)); err != nil {
		return err
	}
	return OK(c, i18n.Mark("We have sent a link to your e-mail address."), gin.H{"resend_after": int(account.CodePause / time.Second)})
}

type emailProofRequest struct {
	Token string `json:"token"`
}

func (h *Profiles) proveEmail(c *gin.Context) error {
	var in emailProofRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.profiles.ProveEmail(c.Request.Context(), middleware.Principal(c), in.Token)
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

func (h *Profiles) startMobileChange(c *gin.Context) error {
	var in mobileChangeRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.profiles.StartMobileChange(c.Request.Context(), middleware.Principal(c), string(in.Mobile), credential.Proof{Password: in.Password, Code: in.Code}, originOf(c, h.cookies))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("We have sent a code to the new number."), codeSent())
}

func (h *Profiles) confirmMobileChange(c *gin.Context) error {
	var in otpRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	f, err := h.profiles.ConfirmMobileChange(c.Request.Context(), middleware.Principal(c), string(in.Mobile), string(in.OTP), originOf(c, h.cookies))
	if err != nil {
		return err
	}
	h.cookies.Remember(c, guard.KindFranchiser, f.Mobile, h.clock.Now())
	return OK(c, i18n.Mark("Mobile number changed."), h.profileOf(f))
}
