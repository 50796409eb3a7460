package smtp

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
	gomail "github.com/wneessen/go-mail"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// headersOf returns the headers that the server received, with long lines joined.
func headersOf(t *testing.T, s *server) string {
	t.Helper()
	require.Len(t, s.took, 1)
	head, _, _ := strings.Cut(s.took[0], "\r\n\r\n")
	return strings.ReplaceAll(head, "\r\n ", " ") + "\r\n"
}

// Replies to a letter written by staff go to the desk. It is not marked as automatic, because vacation replies ignore automatic mail.
func TestLetter_WrittenByStaff_IsAnsweredToTheDesk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		personal         bool
		replyTo          string
		automatic, reply bool
	}{
		"a receipt":                 {false, "desk@franchise360.example", true, false},
		"an answer":                 {true, "desk@franchise360.example", false, true},
		"an answer without a desk":  {true, "", false, false},
		"a receipt without a desk":  {false, "", true, false},
		"an answer to a named desk": {true, "The desk <desk@franchise360.example>", false, true},
	} {
		s := &server{}
		provider, m := start(t, s), letter()
		provider.replyTo, m.Personal = c.replyTo, c.personal
		require.Nil(t, send(t.Context(), provider, m), name)
		head := headersOf(t, s)
		require.Equal(t, c.automatic, strings.Contains(head, "Auto-Submitted: auto-generated\r\n"), name)
		require.Equal(t, c.reply, strings.Contains(head, "Reply-To: ") && strings.Contains(head, "<desk@franchise360.example>"), name)
		require.Contains(t, head, "Date: "+testkit.NewClock().Now().Format(time.RFC1123Z)+"\r\n", "the product's clock, not the machine's")
	}
}

// Such a message is refused permanently before any connection, because a further attempt cannot change it.
func TestSend_InvalidMessage_IsRefusedWithoutAConnection(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Server, *message.Message){
		"no address":          func(_ *Server, m *message.Message) { m.Email = "" },
		"half an address":     func(_ *Server, m *message.Message) { m.Email = "asha@" },
		"two addresses":       func(_ *Server, m *message.Message) { m.Email = "asha@example.in, ravi@example.in" },
		"a header in it":      func(_ *Server, m *message.Message) { m.Email = "asha@example.in\r\nBcc: ravi@example.in" },
		"no desk":             func(s *Server, m *message.Message) { s.replyTo, m.Personal = "nobody", true },
		"a large attachment":  func(_ *Server, m *message.Message) { m.Attachments = attachment(message.MaxAttached + 1) },
		"a larger attachment": func(_ *Server, m *message.Message) { m.Attachments = attachment(2 * message.MaxAttached) },
	} {
		provider, m := client(t, "smtp://127.0.0.1:1"), letter() // no server listens there
		change(provider, &m)
		f := send(t.Context(), provider, m)
		require.NotNil(t, f, name)
		require.Equal(t, message.ClassRefused, f.Class, name)
		require.True(t, f.Message, name)
		require.NotContains(t, f.Error(), "asha", name)
	}
	provider := client(t, "smtp://127.0.0.1:1")
	m := letter()
	m.Attachments = attachment(message.MaxAttached)
	_, err := provider.letter(m)
	require.NoError(t, err, "the largest that is sent")
}

func attachment(size int) []message.Attachment {
	return []message.Attachment{
		{Name: "FP-26-27-000001.pdf", ContentType: "application/pdf", Body: make([]byte, size/2)},
		{Name: "terms.pdf", ContentType: "application/pdf", Body: make([]byte, size-size/2)},
	}
}

// A subject is one line, whatever is in it: a name in it cannot add a header.
func TestLetter_LineBreakInTheSubject_AddsNoHeader(t *testing.T) {
	t.Parallel()
	s := &server{}
	m := letter()
	m.Subject = "Your receipt\r\nBcc: ravi@example.in"
	require.Nil(t, send(t.Context(), start(t, s), m))
	head := headersOf(t, s)
	require.NotContains(t, head, "\r\nBcc:")
	require.Equal(t, 1, strings.Count(head, "Subject: "))
}

// The codes of a server that refuses log-ins or our messages, and its temporary codes.
func TestSend_ConnectionRefused_IsAccountOrTemporary(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]message.Class{
		421: message.ClassUnavailable, 454: message.ClassUnavailable, 499: message.ClassUnavailable, 500: message.ClassAccount, 530: message.ClassAccount,
		535: message.ClassAccount, 554: message.ClassAccount,
	} {
		f := judgeDial(fmt.Errorf("dial: %w", &textproto.Error{Code: code, Msg: "user asha@example.in, password hunter2"}))
		require.Equal(t, want, f.Class, "%d", code)
		require.NotContains(t, f.Error(), "hunter2")
		require.Equal(t, want == message.ClassAccount, f.Code == fmt.Sprint(code), "%d", code)
	}
	require.Equal(t, message.ClassUnavailable, judgeDial(errors.New("no route")).Class)
	require.Equal(t, message.ClassUnavailable, judge(errors.New("broken pipe")).Class)
	require.Equal(t, message.ClassUnavailable, judge(&gomail.SendError{Reason: gomail.ErrSMTPReset}).Class)
}

// A refusal of the recipient is about the recipient, unless its code is about us.
func TestSend_RecipientRefused_DependsOnTheCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer error
		class  message.Class
	}{
		"a log-in is wanted":       {reply(530, gosmtp.EnhancedCode{5, 5, 1}), message.ClassAccount},
		"the log-in was not taken": {reply(535, gosmtp.EnhancedCode{5, 5, 1}), message.ClassAccount},
		"a policy":                 {reply(554, gosmtp.EnhancedCode{5, 7, 26}), message.ClassAccount},
		"a mailbox that is closed": {reply(550, gosmtp.EnhancedCode{5, 2, 1}), message.ClassRefused},
		"an unknown domain":        {reply(553, gosmtp.EnhancedCode{5, 1, 2}), message.ClassRefused},
		"a policy, for the moment": {reply(450, gosmtp.EnhancedCode{4, 7, 0}), message.ClassUnavailable},
		"5.7 only in the text":     {reply(550, gosmtp.EnhancedCode{5, 0, 0}), message.ClassRefused},
	} {
		f := send(t.Context(), start(t, &server{rcpt: c.answer}), letter())
		require.NotNil(t, f, name)
		require.Equal(t, c.class, f.Class, name)
		require.False(t, f.Message, "%s: another recipient may be sent the same", name)
	}
}

// A server is reached at the port that its scheme has, unless another is given, and a bad one is refused before anything starts.
func TestNew_URL_HasItsPortOrIsRefused(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"smtps://mail.example": "mail.example:465", "smtp://mail.example": "mail.example:587", "smtp://mail.example:25": "mail.example:25",
		"smtps://user:pass@mail.example:2465": "mail.example:2465", "smtp://[::1]:1025": "[::1]:1025",
	} {
		s, err := New(config.Email{SMTPURL: address, From: "billing@franchise360.example"}, false, testkit.NewClock())
		require.NoError(t, err, address)
		require.Equal(t, want, s.client.ServerAddr(), address)
	}
	for what, c := range map[string]config.Email{
		"EMAIL_FROM: want":    {From: "Franchise 360", SMTPURL: "smtp://mail.example"},
		"SMTP_URL: want":      {From: "billing@franchise360.example", SMTPURL: "smtp://mail.example:port"},
		"SMTP_URL: is not":    {From: "billing@franchise360.example"},
		"SMTP_URL: hostname":  {From: "billing@franchise360.example", SMTPURL: "smtp://"},
		"invalid port number": {From: "billing@franchise360.example", SMTPURL: "smtp://mail.example:0"},
	} {
		_, err := New(c, false, testkit.NewClock())
		require.ErrorContains(t, err, what)
	}
}

// The port of an IPv6 address is not read as a part of the address.
func TestSend_ServerOnIPv6_IsReached(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6")
	}
	s := &server{}
	under := gosmtp.NewServer(s)
	under.Domain, under.ErrorLog = "localhost", slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn)
	go func() { _ = under.Serve(listener) }()
	t.Cleanup(func() { _ = under.Close() })
	require.Nil(t, send(t.Context(), client(t, "smtp://"+listener.Addr().String()), letter()))
	require.Len(t, s.took, 1)
}

// Only in development, and only to this machine, a message goes in clear.
func TestTLS_ThisMachineInDevelopment_IsNotRequired(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][2]string{ // in development, and not
		"smtp://localhost:1025": {gomail.NoTLS.String(), gomail.TLSMandatory.String()},
		"smtp://127.0.0.1:1025": {gomail.NoTLS.String(), gomail.TLSMandatory.String()},
		"smtp://127.9.9.9:1025": {gomail.NoTLS.String(), gomail.TLSMandatory.String()},
		"smtp://[::1]:1025":     {gomail.NoTLS.String(), gomail.TLSMandatory.String()},
		"smtp://mail.example":   {gomail.TLSMandatory.String(), gomail.TLSMandatory.String()},
		"smtp://10.0.0.1":       {gomail.TLSMandatory.String(), gomail.TLSMandatory.String()},
		"smtp://localhost.evil": {gomail.TLSMandatory.String(), gomail.TLSMandatory.String()},
		"other://mail.example":  {gomail.TLSMandatory.String(), gomail.TLSMandatory.String()},
	} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		for i, development := range []bool{true, false} {
			c, err := gomail.NewClient(u.Hostname(), options(u, "franchise360.example", development)...)
			require.NoError(t, err)
			require.Equal(t, want[i], c.TLSPolicy(), "%s %v", address, development)
		}
	}
	require.False(t, isLoopback(""))
	require.False(t, isLoopback(net.IPv4zero.String()))
}
