package handler

import (
	"context"
	"errors"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Stores handles the franchiser's store: its details, its password and its domain.
type Stores struct {
	stores      *tenant.Service
	sessions    *session.Service
	credentials *credential.Service
}

// NewStores returns the handlers backed by the services.
func NewStores(stores *tenant.Service, sessions *session.Service, credentials *credential.Service) *Stores {
	return &Stores{stores: stores, sessions: sessions, credentials: credentials}
}

// Register adds the routes.
func (h *Stores) Register(r Routes) {
	r.Public.GET("/business", Handle(h.types))
	r.Private.POST("/tenant/create", Handle(h.create))
	r.Private.GET("/profile/store/details", Handle(h.details))
	r.Private.POST("/profile/store/update", Handle(h.update))
	r.Private.POST("/profile/store/entry", Handle(h.openEntry))
	r.Private.PUT("/subscription/password/update/:id", Handle(h.changePassword))
	r.Private.GET("/subscription/custom-domain/:id", Handle(h.domain))
	r.Private.PUT("/subscription/custom-domain/:id", Handle(h.setDomain))
	r.Private.DELETE("/subscription/custom-domain/:id", Handle(h.removeDomain))
}

func (h *Stores) types(c *gin.Context) error {
	list, err := h.stores.Types(c.Request.Context())
	if err != nil {
		return err
	}
	out := make([]itemAnswer, 0, len(list))
	for _, t := range list {
		out = append(out, itemAnswer{ID: t.ID, Name: i18n.Sentence(t.Name)})
	}
	return OK(c, "Store types.", out)
}

// storeRequest is the body of both calls; an update without a password, or with an empty one, leaves it unchanged.
type storeRequest struct {
	Username  typedMobile `json:"store_username"`
	Password  string      `json:"store_password"`
	StoreName string      `json:"store_name"`
	StoreType string      `json:"store_type"`
}

// storeUpdateRequest has the owner's proof if it has another password.
type storeUpdateRequest struct {
	storeRequest
	ownerProof
}

// ownerProof is the account's password, and a code if an authenticator app is in use, beside the store's password.
type ownerProof struct {
	CurrentPassword string `json:"current_password"`
	Code            string `json:"code"`
}

// prove returns the check of the proof; it names the fields as the request does.
func (h *Stores) prove(c *gin.Context, given ownerProof) tenant.Prove {
	return func(ctx context.Context) error {
		err := h.credentials.Prove(ctx, middleware.Principal(c), credential.Proof{Password: given.CurrentPassword, Code: given.Code})
		refused := (*errs.Error)(nil)
		if !errors.As(err, &refused) || refused.Fields["password"] == nil {
			return err
		}
		named := *refused
		named.Fields = map[string][]string{"current_password": refused.Fields["password"]}
		return &named
	}
}

// tenantAnswer is the store as the dashboard shows it.
type tenantAnswer struct {
	ID                string  `json:"id"`
	FranchiserID      string  `json:"franchiser_id"`
	StoreName         string  `json:"store_name"`
	StoreUsername     string  `json:"store_username"`
	Password          *string `json:"password"`
	PasswordSet       bool    `json:"password_set"`
	Domain            string  `json:"domain"`
	CustomDomain      *string `json:"custom_domain"`
	CustomDomainState string  `json:"custom_domain_state"`
	IPAddress         *string `json:"ip_address"`
	DashboardURL      string  `json:"dashboard_url"`
}

// stateNone is the state of a custom domain that was never set.
const stateNone = "none"

func tenantOf(s tenant.Store) tenantAnswer {
	a := tenantAnswer{
		ID: s.ID, FranchiserID: s.FranchiserID, StoreName: s.StoreName, StoreUsername: s.Username, PasswordSet: true,
		Domain: s.Domain, CustomDomainState: stateNone, IPAddress: orNull(s.IPAddress), DashboardURL: s.DashboardURL,
	}
	if s.Custom != nil {
		a.CustomDomain, a.CustomDomainState = &s.Custom.Display, string(s.Custom.State)
	}
	return a
}

func (h *Stores) create(c *gin.Context) error {
	var in storeRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	ctx, franchiserID := c.Request.Context(), middleware.Principal(c).FranchiserID
	made, err := h.stores.Create(ctx, franchiserID, tenant.CreateInput{
		Username: string(in.Username), Password: in.Password, StoreName: in.StoreName, TypeID: in.StoreType,
	})
	if err != nil {
		return err
	}
	user, err := h.sessions.User(ctx, franchiserID)
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Your store is ready."), gin.H{
		"tenant": tenantOf(made), "franchiser-user": signedIn(user)["franchiser-user"],
	})
}

type storeAnswer struct {
	ID            *string `json:"id"`
	FranchiserID  string  `json:"franchiser_id"`
	StoreUsername string  `json:"store_username"`
	StoreName     string  `json:"store_name"`
	StoreType     string  `json:"store_type"`
	Password      *string `json:"password"`
	PasswordSet   bool    `json:"password_set"`
}

func storeOf(s tenant.Store) storeAnswer {
	return storeAnswer{
		ID: &s.ID, FranchiserID: s.FranchiserID, StoreUsername: s.Username, StoreName: s.StoreName, StoreType: s.TypeID,
		PasswordSet: true,
	}
}

func (h *Stores) details(c *gin.Context) error {
	franchiserID := middleware.Principal(c).FranchiserID
	store, username, err := h.stores.Of(c.Request.Context(), franchiserID)
	if err != nil {
		return err
	}
	if store == nil {
		return OK(c, "You have no store yet.", storeAnswer{FranchiserID: franchiserID, StoreUsername: username})
	}
	return OK(c, "Your store.", storeOf(*store))
}

func (h *Stores) update(c *gin.Context) error {
	var in storeUpdateRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	p := middleware.Principal(c)
	if in.Password != "" && !p.Owns() {
		return errs.New(errs.KindForbidden, "role_forbidden", "Only the owner of the account changes the store's password.")
	}
	store, err := h.stores.Update(c.Request.Context(), p.FranchiserID, tenant.UpdateInput{
		Username: string(in.Username), Password: in.Password, StoreName: in.StoreName, TypeID: in.StoreType,
	}, h.prove(c, in.ownerProof))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Store details updated."), storeOf(store))
}

type storePasswordRequest struct {
	Password string `json:"password"`
	ownerProof
}

func (h *Stores) changePassword(c *gin.Context) error {
	tenantID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in storePasswordRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	err = h.stores.ChangePassword(c.Request.Context(), middleware.Principal(c).FranchiserID, tenantID, in.Password, h.prove(c, in.ownerProof))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Store password changed."), nil)
}

// openEntry makes a link by which who calls signs in at the store's own host.
func (h *Stores) openEntry(c *gin.Context) error {
	if err := NoBody(c); err != nil {
		return err
	}
	e, err := h.stores.OpenEntry(c.Request.Context(), middleware.Principal(c))
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"url": e.URL, "host": e.Host, "expires_at": e.ExpiresAt.UTC()})
}
