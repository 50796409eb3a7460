package handler

import (
	"net/http"
	"regexp"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

// Notifications handles what customers read of the messages to them, and want of them.
type Notifications struct {
	centre   *message.Centre
	settings *message.Settings
}

// NewNotifications returns the handlers backed by the centre and the settings.
func NewNotifications(centre *message.Centre, settings *message.Settings) *Notifications {
	return &Notifications{centre: centre, settings: settings}
}

// StopReminders is the path to which mailboxes post, without cookies, to stop reminders by e-mail (RFC 8058).
const StopReminders = Prefix + "/reminders/stop/:token"

// Register adds the routes.
func (h *Notifications) Register(r Routes) {
	r.Private.GET("/notifications", Handle(h.list))
	r.Private.GET("/notifications/unread", Handle(h.unread))
	r.Private.POST("/notifications/read", Handle(h.read))
	r.Private.GET("/message-preferences", Handle(h.preferences))
	r.Private.PUT("/message-preferences", Handle(h.prefer))
	r.Public.GET("/reminders/stop/:token", Handle(h.stopPage))
	r.Private.PUT("/message-preferences/whatsapp", Handle(h.consent))
	r.Public.POST("/reminders/stop/:token", Handle(h.stop))
}

type notificationAnswer struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind"`
	Title string    `json:"title"`
	Text  string    `json:"text"`
	Link  string    `json:"link"`
	At    time.Time `json:"at"`
	Read  bool      `json:"read"`
}

const (
	notificationsAtOnce = 20
	maxRead             = 100
)

func (h *Notifications) list(c *gin.Context) error {
	after, err := notificationCursor(c.Query("after"))
	if err != nil {
		return err
	}
	list, next, err := h.centre.List(c.Request.Context(), middleware.Principal(c).FranchiserID, languageOf(c), after, notificationsAtOnce)
	if err != nil {
		return err
	}
	rows := make([]notificationAnswer, 0, len(list))
	for _, n := range list {
		rows = append(rows, notificationAnswer{ID: n.ID, Kind: n.Template, Title: n.Title, Text: n.Text, Link: n.Link, At: n.At, Read: n.Read})
	}
	var cursor *string
	if next != nil {
		cursor = orNull(next.String())
	}
	var newest *string
	if len(list) > 0 {
		newest = orNull(message.NotificationCursor{At: list[0].At, ID: list[0].ID}.String())
	}
	return OK(c, "Your notifications.", gin.H{"notifications": rows, "next": cursor, "newest": newest})
}

func notificationCursor(text string) (*message.NotificationCursor, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // the first page
	}
	cursor, ok := message.ParseNotificationCursor(text)
	if !ok {
		return nil, errs.Invalid("This position in the list is not valid. Start from the top.")
	}
	return &cursor, nil
}

func (h *Notifications) unread(c *gin.Context) error {
	n, err := h.centre.Unread(c.Request.Context(), middleware.Principal(c).FranchiserID)
	if err != nil {
		return err
	}
	return OK(c, "Your unread notifications.", gin.H{"unread": n})
}

func (h *Notifications) read(c *gin.Context) error {
	var in struct {
		IDs  []string `json:"ids"`
		UpTo *string  `json:"up_to" empty:"refused"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	var v errs.Validation
	v.Check(len(in.IDs) <= maxRead, "ids", "Name up to 100 notifications.")
	for _, one := range in.IDs {
		if !v.Check(id.Valid(one), "ids", "Name notifications by their ids.") {
			break
		}
	}
	if err := v.Err(); err != nil {
		return err
	}
	var upTo *message.NotificationCursor
	if in.UpTo != nil {
		var err error
		if upTo, err = notificationCursor(*in.UpTo); err != nil {
			return err
		}
	}
	ctx, franchiserID := c.Request.Context(), middleware.Principal(c).FranchiserID
	if err := h.centre.Read(ctx, franchiserID, in.IDs, upTo); err != nil {
		return err
	}
	n, err := h.centre.Unread(ctx, franchiserID)
	if err != nil {
		return err
	}
	return OK(c, "Marked as read.", gin.H{"unread": n})
}

type preferencesAnswer struct {
	RemindersSMS   bool `json:"reminders_sms"`
	RemindersEmail bool `json:"reminders_email"`
	// WhatsApp is null where the product sends nothing by WhatsApp.
	WhatsApp *whatsAppAnswer `json:"whatsapp"`
}

// whatsAppAnswer says whether messages come by WhatsApp, and contains the consent text.
type whatsAppAnswer struct {
	Enabled  bool                     `json:"enabled"`
	Language i18n.Language            `json:"language"`
	Version  int                      `json:"version"`
	Texts    map[i18n.Language]string `json:"texts"`
}

func (h *Notifications) preferences(c *gin.Context) error {
	return h.answerPreferences(c, "Your preferences.")
}

func (h *Notifications) answerPreferences(c *gin.Context, text string) error {
	ctx, franchiserID := c.Request.Context(), middleware.Principal(c).FranchiserID
	p, err := h.settings.Preferences(ctx, franchiserID)
	if err != nil {
		return err
	}
	consent, err := h.settings.WhatsApp(ctx, franchiserID)
	if err != nil {
		return err
	}
	answer := preferencesAnswer{RemindersSMS: p.RemindersSMS, RemindersEmail: p.RemindersEmail}
	if consent != nil {
		answer.WhatsApp = &whatsAppAnswer{Enabled: consent.Given, Language: consent.Language, Version: consent.Version, Texts: consent.Texts}
	}
	return OK(c, text, answer)
}

// consent keeps that the customer opted in to messages by WhatsApp, having read the text of a version, or out of them.
func (h *Notifications) consent(c *gin.Context) error {
	var in struct {
		Enabled  *bool         `json:"enabled"`
		Language i18n.Language `json:"language"`
		Version  int           `json:"version"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	var v errs.Validation
	v.Check(in.Enabled != nil, "enabled", "Choose whether messages come by WhatsApp.")
	if err := v.Err(); err != nil {
		return err
	}
	if err := h.settings.SetWhatsApp(c.Request.Context(), middleware.Principal(c).FranchiserID, *in.Enabled, in.Language, in.Version); err != nil {
		return err
	}
	return h.answerPreferences(c, i18n.Mark("Your preferences are saved."))
}

func (h *Notifications) prefer(c *gin.Context) error {
	var in struct {
		RemindersSMS   *bool `json:"reminders_sms"`
		RemindersEmail *bool `json:"reminders_email"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	var v errs.Validation
	v.Check(in.RemindersSMS != nil, "reminders_sms", "Choose whether reminders come by SMS.")
	v.Check(in.RemindersEmail != nil, "reminders_email", "Choose whether reminders come by e-mail.")
	if err := v.Err(); err != nil {
		return err
	}
	p := message.Preferences{RemindersSMS: *in.RemindersSMS, RemindersEmail: *in.RemindersEmail}
	if err := h.settings.Set(c.Request.Context(), middleware.Principal(c).FranchiserID, p); err != nil {
		return err
	}
	return h.answerPreferences(c, i18n.Mark("Your preferences are saved."))
}

// stopForm is the form of a token that stops reminders.
var stopForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// stopPage leads mail programs that know of no one-click form, and so open its address, to the page with the button. Opening an address
// changes nothing: scanners do it too.
func (h *Notifications) stopPage(c *gin.Context) error {
	token := c.Param("token")
	if !stopForm.MatchString(token) {
		return errs.NotFound()
	}
	c.Header("Location", message.StopPath+token)
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusSeeOther)
	return nil
}

// stop handles the mailbox's one-click form with one field, and our page's empty form. The token alone authorises it.
func (h *Notifications) stop(c *gin.Context) error {
	if err := h.settings.Stop(c.Request.Context(), c.Param("token")); err != nil {
		return err
	}
	return OK(c, i18n.Mark("No more reminders by e-mail. They still come by SMS, and you can turn them on again in your account."), nil)
}
