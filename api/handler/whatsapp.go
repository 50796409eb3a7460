package handler

import (
	"errors"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const (
	whatsAppPath = "/whatsapp/webhook"
	// WhatsAppWebhook is the full path to which Meta posts, without cookies.
	WhatsAppWebhook = Prefix + whatsAppPath
	// maxNotice is the largest notice that Meta sends, in bytes.
	maxNotice = 3 << 20
	// maxChallenge is far above the number that Meta sends as a challenge, in characters.
	maxChallenge = 100
)

// WhatsApp handles Meta's verification call and webhooks.
type WhatsApp struct{ notices *message.WhatsAppNotices }

// NewWhatsApp returns the handlers backed by the notices.
func NewWhatsApp(notices *message.WhatsAppNotices) *WhatsApp { return &WhatsApp{notices: notices} }

// Register adds the routes. They are public: Meta knows the configured token and signs its webhooks.
func (h *WhatsApp) Register(r Routes) {
	r.Public.GET(whatsAppPath, Handle(h.verify))
	r.Public.POST(whatsAppPath, Handle(h.take))
}

// verify returns Meta's challenge as it is, so that Meta knows the address as ours.
func (h *WhatsApp) verify(c *gin.Context) error {
	if err := h.notices.Verify(c.Query("hub.verify_token")); err != nil {
		return err
	}
	challenge := c.Query("hub.challenge")
	if c.Query("hub.mode") != "subscribe" || challenge == "" || len(challenge) > maxChallenge {
		return errs.Malformed("The challenge could not be read.")
	}
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	c.String(http.StatusOK, "%s", challenge)
	return nil
}

func (h *WhatsApp) take(c *gin.Context) error {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxNotice))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return errs.New(errs.KindTooLarge, "body_too_large", "This is too much data. Please send at most 3 MB.")
		}
		return errs.Malformed("The request could not be read.").Because(err)
	}
	posted := message.Incoming{URI: c.Request.URL.RequestURI(), Headers: extensions(c.Request.Header), Body: body}
	if err := h.notices.Take(c.Request.Context(), posted); err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	return OK(c, "Received.", nil)
}
