package handler

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
)

// The paths of the OpenID provider, outside the product's calls: their form is that of its standards.
const (
	discoveryPath = "/.well-known/openid-configuration"
	jwksPath      = "/oauth/keys"
	tokenPath     = "/oauth/token" //nolint:gosec // a path, no secret
	// authorizePath is a page of the web client, which calls connected-systems/sign-in.
	authorizePath = "/connect"
)

// SignIns signs people in to connected systems; connect.SignIns implements it.
type SignIns interface {
	Issuer() string
	Authorize(ctx context.Context, p account.Principal, a connect.Authorization) (string, error)
	Redeem(ctx context.Context, x connect.Exchange) (string, error)
	PublicKeys(ctx context.Context) ([]connect.JWK, error)
}

// ConnectedSignIns handles the step of a sign-in that needs the customer's session.
type ConnectedSignIns struct{ signIns SignIns }

// NewConnectedSignIns returns the handlers backed by the provider.
func NewConnectedSignIns(signIns SignIns) *ConnectedSignIns {
	return &ConnectedSignIns{signIns: signIns}
}

// Register adds the route.
func (h *ConnectedSignIns) Register(r Routes) {
	r.Private.POST("/connected-systems/sign-in", Handle(h.authorize))
}

type authorizationBody struct {
	ClientID        string `json:"client_id"`
	RedirectURI     string `json:"redirect_uri"`
	ResponseType    string `json:"response_type"`
	ResponseMode    string `json:"response_mode"`
	Scope           string `json:"scope"`
	State           string `json:"state"`
	Nonce           string `json:"nonce"`
	Challenge       string `json:"code_challenge"`
	ChallengeMethod string `json:"code_challenge_method"`
	Prompt          string `json:"prompt"`
}

func (h *ConnectedSignIns) authorize(c *gin.Context) error {
	var in authorizationBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	var v errs.Validation
	for field, text := range map[string]string{"redirect_uri": in.RedirectURI, "scope": in.Scope, "state": in.State, "nonce": in.Nonce} {
		v.Check(len(text) <= maxHeader, field, "This is too long.")
	}
	if err := v.Err(); err != nil {
		return err
	}
	to, err := h.signIns.Authorize(c.Request.Context(), middleware.Principal(c), connect.Authorization{
		ClientID: in.ClientID, RedirectURI: in.RedirectURI, ResponseType: in.ResponseType, ResponseMode: in.ResponseMode, Scope: in.Scope,
		State: in.State, Nonce: in.Nonce, Challenge: in.Challenge, ChallengeMethod: in.ChallengeMethod, Prompt: in.Prompt,
	})
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"redirect_to": to})
}

// RegisterProvider adds the OpenID provider's calls for connected systems; wrong limits wrong secrets per address.
func RegisterProvider(e *gin.Engine, signIns SignIns, limiter middleware.Limiter, wrong ratelimit.Rule) {
	e.GET(discoveryPath, func(c *gin.Context) {
		c.Header("Cache-Control", "public, max-age=3600")
		c.JSON(http.StatusOK, metadata(signIns.Issuer()))
	})
	e.GET(jwksPath, func(c *gin.Context) {
		keys, err := signIns.PublicKeys(c.Request.Context())
		if err != nil {
			refuseToken(c, err)
			return
		}
		c.Header("Cache-Control", "public, max-age=900")
		c.JSON(http.StatusOK, gin.H{"keys": keys})
	})
	e.POST(tokenPath, func(c *gin.Context) {
		c.Header("Cache-Control", "no-store")
		x, err := exchangeOf(c)
		if err == nil {
			var token string
			if token, err = signIns.Redeem(c.Request.Context(), x); err == nil {
				c.JSON(http.StatusOK, tokenAnswer{AccessToken: "none", TokenType: "Bearer", ExpiresIn: 1, IDToken: token})
				return
			}
		}
		if errors.Is(err, connect.ErrClient) {
			if limited := limiter.Hit(c.Request.Context(), wrong, ratelimit.Address(c.ClientIP())); limited != nil {
				err = limited
			}
		}
		refuseToken(c, err)
	})
}

// tokenAnswer is the response of RFC 6749, section 5.1. The required access token opens nothing: systems use their API key.
type tokenAnswer struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int    `json:"expires_in"`
	IDToken     string `json:"id_token"`
}

// metadata describes the provider (OpenID Connect Discovery 1.0, section 3).
func metadata(issuer string) gin.H {
	return gin.H{
		"issuer": issuer, "authorization_endpoint": issuer + authorizePath, "token_endpoint": issuer + tokenPath, "jwks_uri": issuer + jwksPath,
		"response_types_supported": []string{"code"}, "response_modes_supported": []string{"query"},
		"grant_types_supported": []string{"authorization_code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{"RS256"}, "scopes_supported": []string{"openid"},
		"token_endpoint_auth_methods_supported": []string{"client_secret_basic", "client_secret_post"},
		"code_challenge_methods_supported":      []string{"S256"}, "claims_supported": connect.Claims(),
		"authorization_response_iss_parameter_supported": true, "request_uri_parameter_supported": false,
		"service_documentation": issuer + "/developers",
	}
}

// exchangeOf reads a token request: a form, with the secret in the form or the header.
func exchangeOf(c *gin.Context) (x connect.Exchange, err error) {
	if c.ContentType() != "application/x-www-form-urlencoded" {
		return x, &connect.RefusalError{Code: "invalid_request", Description: "send application/x-www-form-urlencoded"}
	}
	body, err := readBody(c)
	if err != nil {
		return x, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return x, &connect.RefusalError{Code: "invalid_request", Description: "the form cannot be read"}
	}
	for name, values := range form {
		if len(values) > 1 {
			return x, &connect.RefusalError{Code: "invalid_request", Description: "a parameter comes twice"}
		}
		if name == "" {
			return x, &connect.RefusalError{Code: "invalid_request", Description: "a parameter has no name"}
		}
	}
	x = connect.Exchange{
		ClientID: form.Get("client_id"), ClientSecret: form.Get("client_secret"), GrantType: form.Get("grant_type"), Code: form.Get("code"),
		RedirectURI: form.Get("redirect_uri"), Verifier: form.Get("code_verifier"),
	}
	user, password, ok := c.Request.BasicAuth()
	if !ok {
		return x, nil
	}
	if x.ClientSecret != "" {
		return x, &connect.RefusalError{Code: "invalid_request", Description: "send the secret once"}
	}
	// Both are form-encoded within the header (RFC 6749, section 2.3.1).
	id, err := url.QueryUnescape(user)
	if err != nil || x.ClientID != "" && x.ClientID != id {
		return x, connect.ErrClient
	}
	if x.ClientID = id; err == nil {
		x.ClientSecret, err = url.QueryUnescape(password)
	}
	if err != nil {
		return x, connect.ErrClient
	}
	return x, nil
}

// refuseToken answers in the form of RFC 6749, section 5.2; faults of ours and limits in the product's.
func refuseToken(c *gin.Context, err error) {
	var refusal *connect.RefusalError
	if !errors.As(err, &refusal) {
		_ = c.Error(err)
		c.Abort()
		return
	}
	status := http.StatusBadRequest
	if refusal.Code == connect.ErrClient.Code {
		status = http.StatusUnauthorized
		c.Header("WWW-Authenticate", `Basic realm="franchise360"`)
	}
	requestOf(c).logger.InfoContext(c.Request.Context(), "sign-in to a connected system refused",
		slog.String("request_id", requestOf(c).id), slog.String("error", refusal.Code), slog.String("why", refusal.Description))
	c.JSON(status, gin.H{"error": refusal.Code, "error_description": refusal.Description})
}
