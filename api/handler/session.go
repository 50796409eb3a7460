package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Security handles users' changes to their own account: sessions, authenticator app, data.
type Security struct {
	sessions    *session.Service
	credentials *credential.Service
	erasures    *erasure.Service
	stores      *tenant.Service
	cookies     middleware.Cookies
	clock       clock.Clock
}

// NewSecurity returns the handlers backed by the services; the stores have sign-ins of their own.
func NewSecurity(sessions *session.Service, credentials *credential.Service, erasures *erasure.Service, stores *tenant.Service, cookies middleware.Cookies, clk clock.Clock) *Security {
	return &Security{sessions: sessions, credentials: credentials, erasures: erasures, stores: stores, cookies: cookies, clock: clk}
}

// Register adds the routes.
func (h *Security) Register(r Routes) {
	r.Private.GET("/profile/sessions", Handle(h.list))
	r.Private.DELETE("/profile/sessions", Handle(h.endOtherSessions))
	r.Private.DELETE("/profile/sessions/:id", Handle(h.endSession))
	r.Private.POST("/profile/totp/enrol", Handle(h.beginTOTP))
	r.Private.POST("/profile/totp/confirm", Handle(h.confirmTOTP))
	r.Private.POST("/profile/totp/disable", Handle(h.disableTOTP))
	r.Private.POST("/profile/export", Handle(h.export))
	r.Private.GET("/profile/erasure", Handle(h.erasure))
	r.Private.POST("/profile/erasure", Handle(h.requestErasure))
	r.Private.DELETE("/profile/erasure", Handle(h.withdrawErasure))
}

type sessionAnswer struct {
	ID         string    `json:"id"`
	Current    bool      `json:"current"`
	Device     string    `json:"device"`
	IPAddress  string    `json:"ip_address"`
	CreatedAt  time.Time `json:"created_at"`
	LastSeenAt time.Time `json:"last_seen_at"`
	ExpiresAt  time.Time `json:"expires_at"`
}

func (h *Security) list(c *gin.Context) error {
	list, err := h.sessions.Sessions(c.Request.Context(), middleware.Principal(c))
	if err != nil {
		return err
	}
	language := languageOf(c)
	rows := make([]sessionAnswer, 0, len(list))
	for _, s := range list {
		rows = append(rows, sessionAnswer{
			ID: s.ID, Current: s.Current, Device: language.Resay(s.Device, account.DeviceTexts()), IPAddress: s.IPAddress,
			CreatedAt: s.CreatedAt.UTC(), LastSeenAt: s.LastSeenAt.UTC(), ExpiresAt: s.ExpiresAt.UTC(),
		})
	}
	return OK(c, "Your sessions.", rows)
}

func (h *Security) endOtherSessions(c *gin.Context) error {
	ctx, p := c.Request.Context(), middleware.Principal(c)
	if err := h.sessions.EndOtherSessions(ctx, p); err != nil {
		return err
	}
	if err := h.stores.EndOwnerSessions(ctx, p.FranchiserID); err != nil { // after the sessions, which could open others
		return err
	}
	return OK(c, i18n.Mark("You are signed out everywhere else."), nil)
}

func (h *Security) endSession(c *gin.Context) error {
	sessionID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	p := middleware.Principal(c)
	if err := h.sessions.EndSession(c.Request.Context(), p, sessionID); err != nil {
		return err
	}
	if sessionID == p.SessionID {
		h.cookies.ClearSession(c)
	}
	return OK(c, i18n.Mark("The session has ended."), nil)
}

type passwordRequest struct {
	Password string `json:"password"`
}

func (h *Security) beginTOTP(c *gin.Context) error {
	var in passwordRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	e, err := h.credentials.BeginTOTP(c.Request.Context(), middleware.Principal(c), in.Password)
	if err != nil {
		return err
	}
	return OK(c, "Scan the code with your authenticator app.", gin.H{
		"secret": e.Secret, "otpauth_url": e.URL, "expires_in": int(account.EnrolmentLife / time.Second),
	})
}

type codeRequest struct {
	Code string `json:"code"`
}

func (h *Security) confirmTOTP(c *gin.Context) error {
	var in codeRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	codes, err := h.credentials.ConfirmTOTP(c.Request.Context(), middleware.Principal(c), in.Code)
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Authenticator app is on. Keep the recovery codes."), gin.H{"recovery_codes": codes})
}

type proofRequest struct {
	Password string `json:"password"`
	Code     string `json:"code"`
}

func (b proofRequest) proof() credential.Proof {
	return credential.Proof{Password: b.Password, Code: b.Code}
}

func (h *Security) disableTOTP(c *gin.Context) error {
	var in proofRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.credentials.DisableTOTP(c.Request.Context(), middleware.Principal(c), in.Password, in.Code); err != nil {
		return err
	}
	return OK(c, i18n.Mark("Authenticator app is off."), nil)
}

// export returns all data at once: little is stored about one franchiser.
func (h *Security) export(c *gin.Context) error {
	var in proofRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	e, err := h.erasures.ExportData(c.Request.Context(), middleware.Principal(c), in.proof())
	if err != nil {
		return err
	}
	day := e.At.In(clock.IST).Format(time.DateOnly)
	c.Header("Content-Disposition", `attachment; filename="franchise360-data-`+day+`.json"`)
	return OK(c, "This is all the data that we keep about you.", gin.H{"exported_at": e.At.UTC(), "sections": e.Sections})
}

// erasureAnswer contains the date of a scheduled erasure and the records that every erasure keeps.
type erasureAnswer struct {
	State       string          `json:"state"`
	RequestedAt *time.Time      `json:"requested_at"`
	EraseOn     *string         `json:"erase_on"`
	DelayDays   int             `json:"delay_days"`
	Kept        []i18n.Sentence `json:"kept"`
	Owed        *string         `json:"owed"`
}

func erasureOf(of erasure.Status) erasureAnswer {
	a := erasureAnswer{State: "none", DelayDays: int(account.ErasureDelay / (24 * time.Hour)), Kept: sentencesOf(erasure.Kept())}
	if of.Owed > 0 {
		owed := of.Owed.Display()
		a.Owed = &owed
	}
	if e := of.Pending; e != nil {
		at := e.RequestedAt.UTC()
		a.State, a.RequestedAt, a.EraseOn = "scheduled", &at, eraseOn(e)
	}
	return a
}

func (h *Security) erasure(c *gin.Context) error {
	e, err := h.erasures.Erasure(c.Request.Context(), middleware.Principal(c))
	if err != nil {
		return err
	}
	return OK(c, "Account erasure.", erasureOf(e))
}

func (h *Security) requestErasure(c *gin.Context) error {
	var in proofRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	e, err := h.erasures.RequestErasure(c.Request.Context(), middleware.Principal(c), in.proof())
	if err != nil {
		return err
	}
	return accepted(c, e.Text(), erasureOf(e))
}

func (h *Security) withdrawErasure(c *gin.Context) error {
	if err := h.erasures.WithdrawErasure(c.Request.Context(), middleware.Principal(c)); err != nil {
		return err
	}
	return OK(c, i18n.Mark("Your account will not be erased."), nil)
}
