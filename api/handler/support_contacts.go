package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// ContactDesk is where staff see to contact requests; contact.Desk implements it.
type ContactDesk interface {
	List(ctx context.Context, p staff.Principal, f contact.Filter, limit, offset int) ([]contact.Request, int, error)
	Counts(ctx context.Context) (contact.Counts, error)
	Open(ctx context.Context, p staff.Principal, contactID string) (contact.Opened, error)
	File(ctx context.Context, contactID, fileID string) (contact.FileBody, error)
	Upload(ctx context.Context, p staff.Principal, name string, body []byte) (contact.File, error)
	Move(ctx context.Context, p staff.Principal, contactID string, to contact.State, reason string) error
	Give(ctx context.Context, p staff.Principal, contactID string, ownerID *string, takeOver bool) error
	Write(ctx context.Context, p staff.Principal, contactID string, in contact.Written) error
	Macros(ctx context.Context) ([]contact.Macro, error)
	SaveMacro(ctx context.Context, p staff.Principal, m contact.Macro) (contact.Macro, error)
	DeleteMacro(ctx context.Context, p staff.Principal, macroID string) error
}

// SupportContacts handles staff calls on contact requests and the replies that are saved for them.
type SupportContacts struct {
	desk   ContactDesk
	reader Reader
}

// NewSupportContacts returns the handlers over their parts.
func NewSupportContacts(desk ContactDesk, reader Reader) *SupportContacts {
	return &SupportContacts{desk: desk, reader: reader}
}

// RegisterSupportContacts adds the routes to the engine, all behind before and require.
func RegisterSupportContacts(e *gin.Engine, h *SupportContacts, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/contacts", Handle(h.list))
	private.GET("/contacts/counts", Handle(h.counts))
	private.GET("/contacts/:id", Handle(h.open))
	private.GET("/contacts/:id/files/:file", Handle(h.file))
	private.POST("/contacts/:id", Handle(h.move))
	private.POST("/contacts/:id/owner", Handle(h.give))
	private.POST("/contacts/:id/entries", Handle(h.write))
	private.POST("/contact-files", Handle(h.upload))
	private.GET("/contact-macros", Handle(h.macros))
	private.POST("/contact-macros", Handle(h.saveMacro))
	private.POST("/contact-macros/:id", Handle(h.saveMacro))
	private.DELETE("/contact-macros/:id", Handle(h.deleteMacro))
}

type contactView struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`
	Email     string        `json:"email"`
	Mobile    string        `json:"mobile"`
	Topic     string        `json:"topic"`
	Message   string        `json:"message"`
	State     contact.State `json:"state"`
	Owner     string        `json:"owner"`
	OwnerID   *string       `json:"owner_id"`
	Mine      bool          `json:"mine"`
	CreatedAt time.Time     `json:"created_at"`
	UpdatedAt time.Time     `json:"updated_at"`
	// DueAt is the deadline of the next step, null without one.
	DueAt      *time.Time `json:"due_at"`
	AnswerBy   time.Time  `json:"answer_by"`
	AnsweredAt *time.Time `json:"answered_at"`
	SettleBy   time.Time  `json:"settle_by"`
	SettledAt  *time.Time `json:"settled_at"`
	CustomerID *string    `json:"customer_id"`
	Customer   string     `json:"customer"`
	ByEmail    bool       `json:"by_email"`
	// Proved means that the customer is proved to have written, by a session, by the account's mobile or by its proved address.
	Proved   bool            `json:"proved"`
	Channel  contact.Channel `json:"channel"`
	WroteAt  time.Time       `json:"wrote_at"`
	Priority bool            `json:"priority"`
	Version  int             `json:"version"`
}

func contactViewOf(r contact.Request, p staff.Principal) contactView {
	return contactView{
		ID: r.ID, Name: r.Name, Email: r.Email, Mobile: r.Mobile, Topic: r.Topic, Message: r.Message, State: r.State, Owner: r.Owner,
		OwnerID: r.OwnerID, Mine: r.OwnerID != nil && *r.OwnerID == p.StaffID, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		DueAt: utc(r.Due()), AnswerBy: r.AnswerBy.UTC(), AnsweredAt: utc(r.Answered), SettleBy: r.SettleBy.UTC(), SettledAt: utc(r.Settled),
		CustomerID: r.CustomerID, Customer: r.Customer, ByEmail: r.ByEmail,
		Proved: r.FranchiserID != nil, Channel: r.Channel, WroteAt: r.WroteAt.UTC(), Priority: r.Priority, Version: r.Version,
	}
}

func (h *SupportContacts) list(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	overdue, err := flag(c, "overdue")
	if err != nil {
		return err
	}
	p := middleware.Staff(c)
	f := contact.Filter{
		State: contact.State(c.Query("state")), Topic: c.Query("topic"), Search: page.Search, Owner: c.Query("owner"), Overdue: overdue,
		CustomerID: c.Query("customer"),
	}
	list, total, err := h.desk.List(c.Request.Context(), p, f, page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	if err := h.reader.NoteRead(c.Request.Context(), p, staff.ReadList("contacts")); err != nil {
		return err
	}
	rows := make([]contactView, 0, len(list))
	for _, r := range list {
		rows = append(rows, contactViewOf(r, p))
	}
	return List(c, "", rows, page, total)
}

func (h *SupportContacts) counts(c *gin.Context) error {
	n, err := h.desk.Counts(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{
		"open": n.Open, "waiting": n.Waiting, "answered": n.Answered, "closed": n.Closed, "overdue": n.Overdue, "unowned": n.Unowned,
	})
}

type contactEntryView struct {
	ID        string            `json:"id"`
	Kind      contact.EntryKind `json:"kind"`
	Channel   contact.Channel   `json:"channel"`
	Sender    string            `json:"sender"`
	Text      string            `json:"text"`
	Quoted    string            `json:"quoted"`
	Files     []contact.File    `json:"files"`
	Author    string            `json:"author"`
	CreatedAt time.Time         `json:"created_at"`
	SentAt    *time.Time        `json:"sent_at"`
	// Failure says why a reply was not sent yet, or never will be.
	Failure string `json:"failure"`
}

type filledMacroView struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Text  string   `json:"text"`
	Lacks []string `json:"lacks"`
}

func (h *SupportContacts) open(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	p := middleware.Staff(c)
	found, err := h.desk.Open(c.Request.Context(), p, contactID)
	if err != nil {
		return err
	}
	if err := h.reader.NoteRead(c.Request.Context(), p, staff.ReadList("contacts")); err != nil {
		return err
	}
	entries := make([]contactEntryView, 0, len(found.Entries))
	for _, e := range found.Entries {
		v := contactEntryView{
			ID: e.ID, Kind: e.Kind, Channel: e.Channel, Sender: e.Sender, Text: e.Text, Quoted: e.Quoted, Files: e.Files, Author: e.Author,
			CreatedAt: e.CreatedAt.UTC(), SentAt: utc(e.SentAt),
		}
		if e.SendError != "" {
			v.Failure = message.FailureText(e.SendError)
		}
		if e.FailedAt != nil {
			v.Failure += ". The product does not try again: answer another way"
		}
		entries = append(entries, v)
	}
	macros := make([]filledMacroView, 0, len(found.Macros))
	for _, m := range found.Macros {
		macros = append(macros, filledMacroView(m))
	}
	return OK(c, "", gin.H{
		"request": contactViewOf(found.Request, p), "entries": entries, "macros": macros, "colleagues": found.Colleagues,
		"way": gin.H{"channel": found.Way.Channel, "why": found.Way.Why, "until": utc(found.Way.Until)},
	})
}

func (h *SupportContacts) file(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	fileID, err := ParamID(c, "file")
	if err != nil {
		return err
	}
	f, err := h.desk.File(c.Request.Context(), contactID, fileID)
	if err != nil {
		return err
	}
	if err := h.reader.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("contacts")); err != nil {
		return err
	}
	download(c, f.Name, f.ContentType, f.Body)
	return nil
}

func (h *SupportContacts) upload(c *gin.Context) error {
	name, content, err := sentFile(c)
	if err != nil {
		return err
	}
	f, err := h.desk.Upload(c.Request.Context(), middleware.Staff(c), name, content)
	if err != nil {
		return err
	}
	return OK(c, "The file is uploaded.", f)
}

func (h *SupportContacts) move(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		State  contact.State `json:"state"`
		Reason string        `json:"reason"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.desk.Move(c.Request.Context(), middleware.Staff(c), contactID, in.State, in.Reason); err != nil {
		return err
	}
	return OK(c, "The request is moved.", nil)
}

func (h *SupportContacts) give(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		OwnerID  *string `json:"owner_id"`
		TakeOver bool    `json:"take_over"`
	}
	if err := bindWith(c, &in, func(v *errs.Validation) {
		v.Check(in.OwnerID != nil && (*in.OwnerID == "" || id.Valid(*in.OwnerID)), "owner_id", "Choose somebody who handles contact requests.")
	}); err != nil {
		return err
	}
	if *in.OwnerID == "" { // unassigned
		in.OwnerID = nil
	}
	if err := h.desk.Give(c.Request.Context(), middleware.Staff(c), contactID, in.OwnerID, in.TakeOver); err != nil {
		return err
	}
	return OK(c, "The assignment is saved.", nil)
}

func (h *SupportContacts) write(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Kind contact.EntryKind `json:"kind"`
		Text string            `json:"text"`
		Then contact.State     `json:"then"`
		Seen int               `json:"seen"`
		// Files are ids of uploads.
		Files []string `json:"files"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	if in.Seen < 0 {
		return errs.Invalid("Send how many messages you saw.").Field("seen", "Send how many messages you saw.")
	}
	written := contact.Written{Kind: in.Kind, Text: in.Text, Then: in.Then, Seen: in.Seen, Files: in.Files, Key: c.GetHeader(headerIdempotency)}
	if err := h.desk.Write(c.Request.Context(), middleware.Staff(c), contactID, written); err != nil {
		return err
	}
	return OK(c, "It is added.", nil)
}

type macroView struct {
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	Text      string    `json:"text"`
	ChangedBy string    `json:"changed_by"`
	ChangedAt time.Time `json:"changed_at"`
}

func macroViewOf(m contact.Macro) macroView {
	return macroView{ID: m.ID, Title: m.Title, Text: m.Text, ChangedBy: m.Changer, ChangedAt: m.ChangedAt.UTC()}
}

func (h *SupportContacts) macros(c *gin.Context) error {
	found, err := h.desk.Macros(c.Request.Context())
	if err != nil {
		return err
	}
	views := make([]macroView, 0, len(found))
	for _, m := range found {
		views = append(views, macroViewOf(m))
	}
	return OK(c, "", gin.H{"macros": views, "placeholders": contact.Placeholders()})
}

func (h *SupportContacts) saveMacro(c *gin.Context) error {
	var in struct {
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	m := contact.Macro{}
	if c.Param("id") != "" {
		var err error
		if m.ID, err = ParamID(c, "id"); err != nil {
			return err
		}
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	m.Title, m.Text = in.Title, in.Text
	saved, err := h.desk.SaveMacro(c.Request.Context(), middleware.Staff(c), m)
	if err != nil {
		return err
	}
	return OK(c, "The reply is saved.", macroViewOf(saved))
}

func (h *SupportContacts) deleteMacro(c *gin.Context) error {
	macroID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	if err := h.desk.DeleteMacro(c.Request.Context(), middleware.Staff(c), macroID); err != nil {
		return err
	}
	return OK(c, "The reply is deleted.", nil)
}

// flag reads a boolean of the query; the default is false.
func flag(c *gin.Context, name string) (bool, error) {
	switch c.Query(name) {
	case "":
		return false, nil
	case "true", "false":
		return c.Query(name) == "true", nil
	default:
		return false, errs.Invalid("Please check the marked fields.").Field(name, "Choose true or false.")
	}
}
