package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/account/signup"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Auth handles sign-up, sign-in, token refresh and password reset.
type Auth struct {
	signUps  *signup.Service
	signIns  *signin.Service
	sessions *session.Service
	cookies  middleware.Cookies
	clock    clock.Clock
}

// NewAuth returns the handlers backed by the services.
func NewAuth(signUps *signup.Service, signIns *signin.Service, sessions *session.Service, cookies middleware.Cookies, clk clock.Clock) *Auth {
	return &Auth{signUps: signUps, signIns: signIns, sessions: sessions, cookies: cookies, clock: clk}
}

// Doors returns the registered paths of the calls that precede a session and have their own guard.
func Doors() []string {
	doors := []string{SupportPrefix + "/login", SupportPrefix + "/login/passkey"}
	for _, path := range []string{
		"/register", "/mobile/otp", "/mobile/validate-otp", "/otp/resend-otp", "/login", "/login/totp", "/refresh",
		"/password/reset-otp", "/password/validate-otp", "/password/reset",
	} {
		doors = append(doors, Prefix+path)
	}
	return doors
}

// Register adds the routes.
func (h *Auth) Register(r Routes) {
	r.Public.POST("/register", middleware.Idempotency, Handle(h.register))
	r.Public.POST("/mobile/otp", Handle(h.resendSignUpCode))
	r.Public.POST("/mobile/validate-otp", Handle(h.verifySignUp))
	r.Public.POST("/otp/resend-otp", Handle(h.resendWithPassword))
	r.Public.POST("/login", Handle(h.login))
	r.Public.POST("/login/totp", Handle(h.loginTOTP))
	r.Public.POST("/refresh", Handle(h.refresh))
	r.Public.POST("/password/reset-otp", Handle(h.startReset))
	r.Public.POST("/password/validate-otp", Handle(h.verifyReset))
	r.Public.POST("/password/reset", Handle(h.reset))
	r.Private.POST("/logout", Handle(h.logout))
	r.Private.GET("/session", Handle(h.session))
}

// origin returns the browser's data for the account service.
func (h *Auth) origin(c *gin.Context) account.Origin {
	return originOf(c, h.cookies)
}

// codeSent is the same response for every mobile.
func codeSent() gin.H {
	return gin.H{
		"resend_after": int(account.CodePause / time.Second),
		"expires_in":   int(account.CodeLife / time.Second),
	}
}

const messageCodeSent = "We have sent a code to your mobile."

type registerRequest struct {
	Mobile         typedMobile `json:"mobile"`
	Email          string      `json:"email"`
	Password       string      `json:"password"`
	FirstName      string      `json:"first_name"`
	FreeTrial      int         `json:"free_trial"`
	TermsVersion   string      `json:"terms_version"`
	VerificationID string      `json:"verification_id"`
}

// register handles both steps: with a verification it completes the sign-up, without one it starts it.
func (h *Auth) register(c *gin.Context) error {
	var in registerRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if in.VerificationID != "" {
		return h.completeSignUp(c, in)
	}
	if in.FreeTrial != 0 && in.FreeTrial != 1 {
		return errs.Invalid("To ask for a free trial, send the value 1.").Field("free_trial", "To ask for a free trial, send the value 1.")
	}
	browser, err := h.signUps.StartSignUp(c.Request.Context(), signup.Input{
		Mobile: string(in.Mobile), Email: in.Email, Password: in.Password, FirstName: in.FirstName,
		FreeTrial: in.FreeTrial == 1, TermsVersion: in.TermsVersion, Key: middleware.IdempotencyKey(c),
	}, h.origin(c))
	if err != nil {
		return err
	}
	h.cookies.SetBrowser(c, browser)
	return OK(c, i18n.Mark(messageCodeSent), codeSent())
}

func (h *Auth) completeSignUp(c *gin.Context, in registerRequest) error {
	rest := in
	rest.Mobile, rest.VerificationID = "", ""
	if rest != (registerRequest{}) {
		return errs.Malformed("Send the mobile and the verification only: the rest is known already.")
	}
	out, err := h.signUps.CompleteSignUp(c.Request.Context(), string(in.Mobile), in.VerificationID, h.origin(c))
	if err != nil {
		return err
	}
	return h.welcome(c, i18n.Mark("Welcome to Franchise 360."), out)
}

// welcome gives the browser its session and ends any previous one.
func (h *Auth) welcome(c *gin.Context, message string, in session.SignedIn) error {
	if old := middleware.Principal(c); old != (account.Principal{}) {
		if err := h.sessions.Logout(c.Request.Context(), old); err != nil {
			return err
		}
	}
	h.cookies.SetSession(c, in.Tokens, h.clock.Now())
	h.cookies.Remember(c, guard.KindFranchiser, in.User.Mobile, h.clock.Now())
	logSignIn(c, "signed in", "franchiser:"+in.User.ID)
	return OK(c, message, signedIn(in.User))
}

type mobileRequest struct {
	Mobile typedMobile `json:"mobile"`
}

func (h *Auth) resendSignUpCode(c *gin.Context) error {
	var in mobileRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.signUps.ResendSignUpCode(c.Request.Context(), string(in.Mobile), h.origin(c)); err != nil {
		return err
	}
	return OK(c, i18n.Mark(messageCodeSent), codeSent())
}

type resendRequest struct {
	Mobile   typedMobile `json:"mobile"`
	Password string      `json:"password"`
}

func (h *Auth) resendWithPassword(c *gin.Context) error {
	var in resendRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.signUps.ResendSignUpCodeWithPassword(c.Request.Context(), string(in.Mobile), in.Password, h.origin(c)); err != nil {
		return err
	}
	return OK(c, i18n.Mark(messageCodeSent), codeSent())
}

type otpRequest struct {
	Mobile typedMobile `json:"mobile"`
	OTP    typedCode   `json:"otp"`
}

func (h *Auth) verifySignUp(c *gin.Context) error {
	var in otpRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	token, err := h.signUps.VerifySignUp(c.Request.Context(), string(in.Mobile), string(in.OTP), h.origin(c))
	if err != nil {
		return err
	}
	return OK(c, "Your mobile number is verified.", gin.H{"otp_verification_id": token})
}

type loginRequest struct {
	Username typedMobile `json:"username"`
	Password string      `json:"password"`
	Remember bool        `json:"remember"`
}

func (h *Auth) login(c *gin.Context) error {
	var in loginRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	out, challenge, err := h.signIns.Login(c.Request.Context(), signin.LoginInput{
		Username: string(in.Username), Password: in.Password, Remember: in.Remember,
	}, h.origin(c))
	if err != nil {
		return err
	}
	if challenge != "" {
		return OK(c, "Enter the code of your authenticator app.", gin.H{
			"totp_required": true, "totp_token": challenge, "expires_in": int(account.ChallengeLife / time.Second),
		})
	}
	return h.welcome(c, i18n.Mark("Welcome back."), out)
}

type loginTOTPRequest struct {
	Token string `json:"totp_token"`
	Code  string `json:"code"`
}

func (h *Auth) loginTOTP(c *gin.Context) error {
	var in loginTOTPRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	out, err := h.signIns.LoginTOTP(c.Request.Context(), in.Token, in.Code, h.origin(c))
	if err != nil {
		return err
	}
	return h.welcome(c, i18n.Mark("Welcome back."), out)
}

// refresh takes no body. It also clears an invalid refresh token from the browser.
func (h *Auth) refresh(c *gin.Context) error {
	out, err := h.sessions.Refresh(c.Request.Context(), h.cookies.Refresh(c), h.origin(c))
	if err != nil {
		if errs.KindOf(err) == errs.KindUnauthenticated {
			h.cookies.ClearSession(c)
		}
		return err
	}
	h.cookies.SetSession(c, out.Tokens, h.clock.Now())
	h.cookies.Remember(c, guard.KindFranchiser, out.User.Mobile, h.clock.Now())
	return OK(c, "Your session is renewed.", signedIn(out.User))
}

func (h *Auth) logout(c *gin.Context) error {
	if err := h.sessions.Logout(c.Request.Context(), middleware.Principal(c)); err != nil {
		return err
	}
	h.cookies.ClearSession(c)
	logSignIn(c, "signed out", "franchiser:"+middleware.Principal(c).Person())
	return OK(c, i18n.Mark("You are signed out."), nil)
}

func (h *Auth) session(c *gin.Context) error {
	u, err := h.sessions.SessionUser(c.Request.Context(), middleware.Principal(c))
	if err != nil {
		return err
	}
	// Staff who look at an account see no other one of that person's.
	u.OtherAccounts = u.OtherAccounts && !middleware.Viewing(c)
	h.cookies.EnsureXSRF(c)
	return OK(c, "You are signed in.", signedIn(u))
}

func (h *Auth) startReset(c *gin.Context) error {
	var in mobileRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	browser, err := h.signIns.StartReset(c.Request.Context(), string(in.Mobile), h.origin(c))
	if err != nil {
		return err
	}
	h.cookies.SetBrowser(c, browser)
	return OK(c, i18n.Mark("If this mobile number has an account, we have sent a code to it."), codeSent())
}

func (h *Auth) verifyReset(c *gin.Context) error {
	var in otpRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	token, err := h.signIns.VerifyReset(c.Request.Context(), string(in.Mobile), string(in.OTP), h.origin(c))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("The code is right. Choose a new password."), gin.H{"otp_verification_id": token})
}

type resetRequest struct {
	Mobile         typedMobile `json:"mobile"`
	VerificationID string      `json:"verification_id"`
	Password       string      `json:"password"`
	Confirmation   string      `json:"password_confirmation"`
}

// reset ends every session of the account, so it also signs this browser out.
func (h *Auth) reset(c *gin.Context) error {
	var in resetRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.signIns.Reset(c.Request.Context(), signin.ResetInput{
		Mobile: string(in.Mobile), Verification: in.VerificationID, Password: in.Password, Confirmation: in.Confirmation,
	})
	if err != nil {
		return err
	}
	h.cookies.Remember(c, guard.KindFranchiser, string(in.Mobile), h.clock.Now())
	return OK(c, i18n.Mark("Your password is changed. Please log in."), nil)
}
