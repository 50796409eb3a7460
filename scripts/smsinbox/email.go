package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	gosmtp "github.com/emersion/go-smtp"
	gomail "github.com/wneessen/go-mail"
)

const (
	keptEmails   = 500
	maxEmail     = 16 << 20
	smtpTimeout  = 10 * time.Second
	shutdownWait = 2 * time.Second
)

// email is one e-mail as it arrived, with the time, in UTC.
type email struct {
	ID      int       `json:"id"`
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	Files   []file    `json:"files"`
	SentAt  time.Time `json:"sent_at"`
	// MessageID is the same where an e-mail was sent again.
	MessageID string `json:"message_id"`
}

type file struct {
	Name string `json:"name"`
	Size int    `json:"size"`
	body []byte
}

// serveSMTP takes e-mails on SMTP_ADDR, an address of this machine only, until the context ends.
func (b *inbox) serveSMTP(ctx context.Context, address string, logger *slog.Logger) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return errors.New("SMTP_ADDR: want an address of this machine, such as 127.0.0.1:2525")
	}
	server := gosmtp.NewServer(gosmtp.BackendFunc(func(*gosmtp.Conn) (gosmtp.Session, error) { return &smtpSession{box: b}, nil }))
	server.Addr, server.Domain, server.MaxMessageBytes, server.MaxRecipients = address, "localhost", maxEmail, 1
	server.ReadTimeout, server.WriteTimeout = smtpTimeout, smtpTimeout
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen for e-mails: %w", err)
	}
	go func() {
		<-ctx.Done()
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownWait)
		defer cancel()
		_ = server.Shutdown(ending)
	}()
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, gosmtp.ErrServerClosed) {
			logger.Error("e-mails", slog.String("error", err.Error()))
		}
	}()
	return nil
}

// smtpSession is one connection of a sender's.
type smtpSession struct {
	box *inbox
	to  string
}

// Reset forgets the message under way.
func (s *smtpSession) Reset() { s.to = "" }

// Logout does nothing.
func (*smtpSession) Logout() error { return nil }

// Mail accepts any sender, unless the inbox is set to fail.
func (s *smtpSession) Mail(string, *gosmtp.MailOptions) error {
	if s.box.modeNow("email") == "fail" {
		return &gosmtp.SMTPError{Code: 451, EnhancedCode: gosmtp.EnhancedCode{4, 3, 0}, Message: "Try again later"}
	}
	return nil
}

// Rcpt accepts any recipient except those that begin with "refused", whose mailbox does not exist.
func (s *smtpSession) Rcpt(to string, _ *gosmtp.RcptOptions) error {
	if strings.HasPrefix(to, "refused") {
		return &gosmtp.SMTPError{Code: 550, EnhancedCode: gosmtp.EnhancedCode{5, 1, 1}, Message: "No such user"}
	}
	s.to = to
	return nil
}

// Data keeps the message.
func (s *smtpSession) Data(r io.Reader) error {
	parsed, err := gomail.EMLToMsgFromReader(r)
	if err != nil {
		return &gosmtp.SMTPError{Code: 554, EnhancedCode: gosmtp.EnhancedCode{5, 6, 0}, Message: "Not a message"}
	}
	e, err := readEmail(parsed)
	if err != nil {
		return &gosmtp.SMTPError{Code: 554, EnhancedCode: gosmtp.EnhancedCode{5, 6, 0}, Message: "Not a message"}
	}
	e.To = s.to
	s.box.takeEmail(e)
	return nil
}

func readEmail(m *gomail.Msg) (email, error) {
	e := email{MessageID: m.GetMessageID(), Files: []file{}}
	if subject := m.GetGenHeader(gomail.HeaderSubject); len(subject) > 0 {
		words := mime.WordDecoder{}
		decoded, err := words.DecodeHeader(subject[0])
		if err != nil {
			return e, fmt.Errorf("read the subject: %w", err)
		}
		e.Subject = decoded
	}
	for _, part := range m.GetParts() {
		body, err := part.GetContent()
		if err != nil {
			return e, fmt.Errorf("read a part: %w", err)
		}
		switch part.GetContentType() {
		case gomail.TypeTextPlain:
			e.Text = string(body)
		case gomail.TypeTextHTML:
			e.HTML = string(body)
		default:
		}
	}
	for _, attached := range m.GetAttachments() {
		var body strings.Builder
		if _, err := attached.Writer(&body); err != nil {
			return e, fmt.Errorf("read a file: %w", err)
		}
		e.Files = append(e.Files, file{Name: attached.Name, Size: body.Len(), body: []byte(body.String())})
	}
	return e, nil
}

func (b *inbox) modeNow(channel string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.modeOf(channel)
}

func (b *inbox) takeEmail(e email) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastEmail++
	e.ID, e.SentAt = b.lastEmail, time.Now().UTC()
	b.emails = append(b.emails, e)
	if len(b.emails) > keptEmails {
		b.emails = slices.Clone(b.emails[len(b.emails)-keptEmails:])
	}
}

// newestEmails returns the e-mails to an address, or all of them, newest first.
func (b *inbox) newestEmails(to string) []email {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []email{}
	for _, e := range slices.Backward(b.emails) {
		if to == "" || strings.EqualFold(e.To, to) {
			list = append(list, e)
		}
	}
	return list
}

func (b *inbox) handleEmails(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, b.newestEmails(r.URL.Query().Get("to")))
}

func (b *inbox) emailOf(r *http.Request) (email, bool) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return email{}, false
	}
	for _, e := range b.newestEmails("") {
		if e.ID == id {
			return e, true
		}
	}
	return email{}, false
}

// handleHTML shows an e-mail as its sender wrote it: without scripts, forms or anything from elsewhere, also when it is
// opened outside of the sandboxed frame.
func (b *inbox) handleHTML(w http.ResponseWriter, r *http.Request) {
	e, ok := b.emailOf(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Security-Policy", "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Referrer-Policy", "no-referrer")
	body := strings.Replace(e.HTML, "<head>", `<head><base target="_blank">`, 1)
	_, _ = io.WriteString(w, body) // the browser may have gone
}

// handleFile downloads an attachment.
func (b *inbox) handleFile(w http.ResponseWriter, r *http.Request) {
	e, ok := b.emailOf(r)
	n, err := strconv.Atoi(r.PathValue("file"))
	if !ok || err != nil || n < 0 || n >= len(e.Files) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", e.Files[n].Name))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(e.Files[n].body)
}
