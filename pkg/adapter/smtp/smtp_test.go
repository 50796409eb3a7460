package smtp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
	gomail "github.com/wneessen/go-mail"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// server is a mail server that gives the configured answers.
type server struct {
	mu               sync.Mutex
	mail, rcpt, data error
	hangs            chan struct{}
	took             []string
}

func (s *server) NewSession(*gosmtp.Conn) (gosmtp.Session, error) { return session{s}, nil }

type session struct{ *server }

func (session) Reset()                                   {}
func (session) Logout() error                            { return nil }
func (s session) Mail(string, *gosmtp.MailOptions) error { return s.mail }
func (s session) Rcpt(string, *gosmtp.RcptOptions) error { return s.rcpt }

func (s session) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	if s.hangs != nil {
		<-s.hangs
	}
	if s.data != nil {
		return s.data
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.took = append(s.took, string(body))
	return nil
}

func start(t *testing.T, s *server) *Server {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	under := gosmtp.NewServer(s)
	under.Domain, under.ErrorLog = "localhost", slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn)
	go func() { _ = under.Serve(listener) }()
	t.Cleanup(func() { _ = under.Close() })
	return client(t, "smtp://"+listener.Addr().String())
}

func client(t *testing.T, address string) *Server {
	t.Helper()
	c, err := New(config.Email{SMTPURL: address, From: "Franchise 360 <billing@franchise360.example>"}, true, testkit.NewClock())
	require.NoError(t, err)
	return c
}

func letter() message.Message {
	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	return site.Compose(message.Message{
		ID: id.New(), Email: "asha@example.in", Template: message.TemplateEmailChanged, Values: []string{"30 Sep 2026 <b>ü</b>"},
	})
}

func send(ctx context.Context, c *Server, m message.Message) *message.SendError {
	_, err := c.Send(ctx, m, time.Hour)
	f, _ := errors.AsType[*message.SendError](err)
	return f
}

// With a sender but no mail server the worker does not start: the screens would announce e-mails that are never sent.
func TestNew_SenderWithoutAServer_IsRefused(t *testing.T) {
	t.Parallel()
	_, err := New(config.Email{From: "Franchise 360 <billing@franchise360.example>"}, false, testkit.NewClock())
	require.ErrorContains(t, err, "SMTP_URL: is not set, but EMAIL_FROM is")
	server, err := New(config.Email{}, false, testkit.NewClock())
	require.NoError(t, err)
	require.Nil(t, server)
}

func TestSend_Email_ArrivesWhole(t *testing.T) {
	t.Parallel()
	s := &server{}
	c, m := start(t, s), letter()
	m.Attachments = []message.Attachment{{Name: "FP-26-27-000001.pdf", ContentType: "application/pdf", Body: []byte("%PDF-1.7\x00\xff")}}
	require.Nil(t, send(t.Context(), c, m))
	require.Nil(t, send(t.Context(), c, m))
	require.Len(t, s.took, 2)
	var ids []string
	for _, raw := range s.took {
		got, err := gomail.EMLToMsgFromString(raw)
		require.NoError(t, err)
		ids = append(ids, got.GetMessageID())
		require.Equal(t, []string{`"Franchise 360" <billing@franchise360.example>`}, got.GetFromString())
		require.Equal(t, []string{"<asha@example.in>"}, got.GetToString())
		require.Contains(t, raw, "Auto-Submitted: auto-generated")
		require.NotContains(t, raw, "List-Unsubscribe", "a receipt is no newsletter")
		parts := got.GetParts()
		require.GreaterOrEqual(t, len(parts), 2)
		text, err := parts[0].GetContent()
		require.NoError(t, err)
		require.Equal(t, m.Text, strings.ReplaceAll(string(text), "\r\n", "\n"))
		html, err := parts[1].GetContent()
		require.NoError(t, err)
		require.Equal(t, m.HTML, strings.ReplaceAll(string(html), "\r\n", "\n"))
		require.Contains(t, m.HTML, "&lt;b&gt;ü&lt;/b&gt;", "what somebody typed is no HTML")
		files := got.GetAttachments()
		require.Len(t, files, 1)
		var body strings.Builder
		_, err = files[0].Writer(&body)
		require.NoError(t, err)
		require.Equal(t, "%PDF-1.7\x00\xff", body.String())
	}
	require.Equal(t, []string{"<" + m.ID + "@franchise360.example>", "<" + m.ID + "@franchise360.example>"}, ids, "a mailbox knows the second one")
}

// One click of the mailbox stops what may be stopped (RFC 8058).
func TestLetter_Reminder_HasOneClickUnsubscribe(t *testing.T) {
	t.Parallel()
	s := &server{}
	c, m := start(t, s), letter()
	m.StopURL = "https://franchise360.example/api/franchise/reminders/stop/" + strings.Repeat("t", 43)
	require.Nil(t, send(t.Context(), c, m))
	raw := regexp.MustCompile(`\r\n[ \t]+`).ReplaceAllString(s.took[0], " ")
	require.Contains(t, raw, "List-Unsubscribe: <"+m.StopURL+">\r\n")
	require.Contains(t, raw, "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n")
}

func reply(code int, enhanced gosmtp.EnhancedCode) error {
	return &gosmtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: "asha@example.in is not welcome"}
}

func TestSend_EachRefusal_HasItsClass(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server  *server
		class   message.Class
		code    string
		content bool
	}{
		"no such mailbox":     {&server{rcpt: reply(550, gosmtp.EnhancedCode{5, 1, 1})}, message.ClassRefused, "550", false},
		"a full mailbox":      {&server{rcpt: reply(452, gosmtp.EnhancedCode{4, 2, 2})}, message.ClassUnavailable, "452", false},
		"greylisting":         {&server{rcpt: reply(451, gosmtp.EnhancedCode{4, 7, 1})}, message.ClassUnavailable, "451", false},
		"relaying denied":     {&server{rcpt: reply(550, gosmtp.EnhancedCode{5, 7, 1})}, message.ClassAccount, "550", false},
		"our sender":          {&server{mail: reply(553, gosmtp.EnhancedCode{5, 1, 8})}, message.ClassAccount, "553", false},
		"a busy server":       {&server{mail: reply(421, gosmtp.EnhancedCode{4, 3, 2})}, message.ClassUnavailable, "421", false},
		"the message":         {&server{data: reply(554, gosmtp.EnhancedCode{5, 6, 0})}, message.ClassRefused, "554", true},
		"the message for now": {&server{data: reply(451, gosmtp.EnhancedCode{4, 3, 0})}, message.ClassUnavailable, "451", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := send(t.Context(), start(t, c.server), letter())
			require.NotNil(t, f)
			require.Equal(t, c.class, f.Class)
			require.Equal(t, c.code, f.Code)
			require.Equal(t, c.content, f.Message)
			require.NotContains(t, f.Error(), "asha", "what the server said repeats the address")
		})
	}
}

func TestSend_NoAnswer_IsUnconfirmed(t *testing.T) {
	t.Parallel()
	s := &server{hangs: make(chan struct{})}
	c := start(t, s)
	require.NoError(t, gomail.WithTimeout(5*time.Second)(c.client))
	f := send(t.Context(), c, letter())
	close(s.hangs)
	require.NotNil(t, f)
	require.Equal(t, message.ClassUnconfirmed, f.Class)
}

func TestSend_NoServer_IsUnavailable(t *testing.T) {
	t.Parallel()
	f := send(t.Context(), client(t, "smtp://127.0.0.1:1"), letter())
	require.NotNil(t, f)
	require.Equal(t, message.ClassUnavailable, f.Class)
}

// A server without TLS gets no message, unless it is on this machine in development.
func TestSend_ServerWithoutTLS_SendsNothing(t *testing.T) {
	t.Parallel()
	s := &server{}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	under := gosmtp.NewServer(s)
	under.Domain, under.ErrorLog = "localhost", slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn)
	go func() { _ = under.Serve(listener) }()
	t.Cleanup(func() { _ = under.Close() })
	for _, scheme := range []string{"smtp", "smtps"} {
		u := url.URL{Scheme: scheme, Host: listener.Addr().String(), User: url.UserPassword("user", "Tr0ub4dor&3")}
		c, err := New(config.Email{SMTPURL: u.String(), From: "billing@franchise360.example"}, false, testkit.NewClock())
		require.NoError(t, err)
		f := send(t.Context(), c, letter())
		require.NotNil(t, f, scheme)
		require.NotContains(t, f.Error(), "Tr0ub4dor")
	}
	require.Empty(t, s.took)
}

func TestNew_WithoutASender_IsOff(t *testing.T) {
	t.Parallel()
	c, err := New(config.Email{}, false, testkit.NewClock())
	require.NoError(t, err)
	require.Nil(t, c)
	_, err = New(config.Email{From: "billing@franchise360.example"}, false, testkit.NewClock())
	require.ErrorContains(t, err, "SMTP_URL: is not set")
}
