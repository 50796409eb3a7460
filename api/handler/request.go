package handler

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/filetype"
)

// EmailInbound is the full path to which the mail provider posts e-mails, without cookies.
const EmailInbound = Prefix + emailInboundPath

const emailInboundPath = "/email/inbound"

// maxUploadName is the longest name of a file in the browsers' systems.
const maxUploadName = 255

// Requests handles customers' requests, and the e-mails that arrive for them.
type Requests struct {
	inbox   *contact.Service
	arrived *contact.Inbox
}

// NewRequests returns the handlers backed by the service and the inbox.
func NewRequests(inbox *contact.Service, arrived *contact.Inbox) *Requests {
	return &Requests{inbox: inbox, arrived: arrived}
}

// Register adds the routes. That of e-mails is public: the mail provider signs its calls.
func (h *Requests) Register(r Routes) {
	r.Private.GET("/requests", Handle(h.list))
	r.Private.POST("/requests", middleware.Idempotency, Handle(h.start))
	r.Private.GET("/requests/:id", Handle(h.show))
	r.Private.POST("/requests/:id/messages", middleware.Idempotency, Handle(h.reply))
	r.Private.GET("/requests/:id/files/:file", Handle(h.file))
	r.Private.POST("/request-files", Handle(h.upload))
	r.Public.POST(emailInboundPath, Handle(h.email))
}

type requestView struct {
	ID        string        `json:"id"`
	Topic     string        `json:"topic"`
	State     contact.State `json:"state"`
	Message   string        `json:"message"`
	CreatedAt time.Time     `json:"created_at"`
	WroteAt   time.Time     `json:"wrote_at"`
}

func requestViewOf(r contact.Request) requestView {
	return requestView{ID: r.ID, Topic: r.Topic, State: r.State, Message: r.Message, CreatedAt: r.CreatedAt.UTC(), WroteAt: r.WroteAt.UTC()}
}

type requestMessageView struct {
	ID      string          `json:"id"`
	Mine    bool            `json:"mine"`
	Channel contact.Channel `json:"channel"`
	// Sender is an address that is not proved to be the customer's, or "".
	Sender string         `json:"sender"`
	Text   string         `json:"text"`
	Quoted string         `json:"quoted"`
	At     time.Time      `json:"at"`
	Files  []contact.File `json:"files"`
}

func (h *Requests) list(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	list, total, err := h.inbox.Mine(c.Request.Context(), middleware.Principal(c).FranchiserID, contact.State(c.Query("state")), page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	rows := make([]requestView, 0, len(list))
	for _, r := range list {
		rows = append(rows, requestViewOf(r))
	}
	return List(c, "", rows, page, total)
}

func (h *Requests) show(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	t, err := h.inbox.MyThread(c.Request.Context(), middleware.Principal(c).FranchiserID, contactID)
	if err != nil {
		return err
	}
	messages := make([]requestMessageView, 0, len(t.Entries))
	for _, e := range t.Entries {
		messages = append(messages, requestMessageView{
			ID: e.ID, Mine: e.Kind != contact.EntryReply, Channel: e.Channel, Sender: e.Sender, Text: e.Text, Quoted: e.Quoted, At: e.CreatedAt.UTC(), Files: e.Files,
		})
		if e.Kind != contact.EntryReply {
			t.Message = e.Text
		}
	}
	return OK(c, "", gin.H{"request": requestViewOf(t.Request), "messages": messages})
}

type requestMessage struct {
	Topic   string   `json:"topic"`
	Message string   `json:"message"`
	Files   []string `json:"files"`
}

func (h *Requests) start(c *gin.Context) error {
	var in requestMessage
	if err := Bind(c, &in); err != nil {
		return err
	}
	contactID, err := h.inbox.Start(c.Request.Context(), middleware.Principal(c).FranchiserID, contact.MyMessage{
		Topic: in.Topic, Text: in.Message, Files: in.Files, Key: c.GetHeader(headerIdempotency),
	})
	if err != nil {
		return err
	}
	return OK(c, "Your request is sent.", gin.H{"id": contactID})
}

func (h *Requests) reply(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Message string   `json:"message"`
		Files   []string `json:"files"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	err = h.inbox.Reply(c.Request.Context(), middleware.Principal(c).FranchiserID, contactID, contact.MyMessage{
		Text: in.Message, Files: in.Files, Key: c.GetHeader(headerIdempotency),
	})
	if err != nil {
		return err
	}
	return OK(c, "Your message is sent.", nil)
}

// readBytes reads a body of up to most bytes; large is the error for a larger one.
func readBytes(c *gin.Context, most int64, large error) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, most))
	if err == nil {
		return body, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, large
	}
	return nil, errs.Malformed("The request could not be read.").Because(err)
}

// sentFile reads the name and the content of an uploaded file.
func sentFile(c *gin.Context) (name string, content []byte, err error) {
	if content, err = readBytes(c, filetype.MaxBytes, filetype.ErrTooLarge()); err != nil {
		return "", nil, err
	}
	if name = c.Query("name"); name == "" || utf8.RuneCountInString(name) > maxUploadName {
		return "", nil, errs.Invalid("Please check the marked fields.").Field("name", "Give the file a name of up to 255 characters.")
	}
	return name, content, nil
}

func (h *Requests) upload(c *gin.Context) error {
	name, content, err := sentFile(c)
	if err != nil {
		return err
	}
	f, err := h.inbox.Upload(c.Request.Context(), middleware.Principal(c).FranchiserID, name, content)
	if err != nil {
		return err
	}
	return OK(c, "The file is uploaded.", f)
}

func (h *Requests) file(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	fileID, err := ParamID(c, "file")
	if err != nil {
		return err
	}
	f, err := h.inbox.MyFile(c.Request.Context(), middleware.Principal(c).FranchiserID, contactID, fileID)
	if err != nil {
		return err
	}
	download(c, f.Name, f.ContentType, f.Body)
	return nil
}

// download sends a file that somebody else made: browsers save it, and show nothing of it on this site.
func download(c *gin.Context, name, contentType string, content []byte) {
	c.Header("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Content-Security-Policy", "sandbox")
	c.Data(http.StatusOK, contentType, content)
}

func (h *Requests) email(c *gin.Context) error {
	body, err := readBytes(c, contact.MaxPosted, errs.New(errs.KindTooLarge, "email_too_large", "An e-mail may have at most 12 MB."))
	if err != nil {
		return err
	}
	posted := contact.Posted{
		ID: c.GetHeader("webhook-id"), Timestamp: c.GetHeader("webhook-timestamp"), Signature: c.GetHeader("webhook-signature"), Body: body,
	}
	if err := h.arrived.TakeEmail(c.Request.Context(), posted); err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	return OK(c, "Received.", nil)
}
