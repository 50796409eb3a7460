// Package smtp sends e-mails through a mail server.
package smtp

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

const (
	// Name is that of the provider.
	Name = message.EmailProvider
	// timeout bounds connecting, and then the sending itself: both fit into the time of a job, whose end stops neither.
	timeout = 8 * time.Second
)

// Server is a mail server that accepts e-mails. Each message has a separate connection.
type Server struct {
	client *gomail.Client
	from   mail.Address
	// replyTo is where answers to what staff write go, empty for from.
	replyTo string
	host    string
	clock   clock.Clock
}

// New returns the server of SMTP_URL, nil if EMAIL_FROM is empty. Anything but the sandbox of development is spoken to
// over TLS only: from the first byte under smtps, after STARTTLS under smtp.
func New(c config.Email, development bool, clk clock.Clock) (*Server, error) {
	if c.From == "" {
		return nil, nil //nolint:nilnil // the product sends no e-mail
	}
	if c.SMTPURL == "" {
		return nil, errors.New("SMTP_URL: is not set, but EMAIL_FROM is")
	}
	from, err := mail.ParseAddress(c.From)
	if err != nil {
		return nil, errors.New("EMAIL_FROM: want an address such as Franchise 360 <billing@example.com>")
	}
	u, err := url.Parse(c.SMTPURL)
	if err != nil {
		return nil, errors.New("SMTP_URL: want smtps://user:password@host:465")
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	host := u.Hostname()
	if strings.Contains(host, ":") { // the client puts the port behind it as it is
		host = "[" + host + "]"
	}
	client, err := gomail.NewClient(host, options(u, domain, development)...)
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL: %w", err)
	}
	return &Server{client: client, from: *from, replyTo: c.ReplyTo, host: domain, clock: clk}, nil
}

// maxLocal is the longest part of an address before the @ (RFC 5321).
const maxLocal = 64

// tagged returns the address with the tag behind a plus, or as it is if there is no room for it.
func tagged(address, tag string) string {
	parsed, err := mail.ParseAddress(address)
	if tag == "" || err != nil {
		return address
	}
	at := strings.LastIndexByte(parsed.Address, '@')
	if at+1+len(tag) > maxLocal {
		return address
	}
	parsed.Address = parsed.Address[:at] + "+" + tag + parsed.Address[at:]
	return parsed.String()
}

func options(u *url.URL, domain string, development bool) []gomail.Option {
	list := []gomail.Option{
		gomail.WithTimeout(timeout), gomail.WithHELO(domain), gomail.WithoutNoop(),
		gomail.WithTLSConfig(&tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}),
	}
	port := "587"
	switch {
	case u.Scheme == "smtps":
		port, list = "465", append(list, gomail.WithSSL())
	case development && isLoopback(u.Hostname()):
		list = append(list, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		list = append(list, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if given := u.Port(); given != "" {
		port = given
	}
	number, _ := strconv.Atoi(port) // the client refuses 0
	list = append(list, gomail.WithPort(number))
	if password, ok := u.User.Password(); ok {
		list = append(list, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	return list
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Name implements message.Provider.
func (*Server) Name() string { return Name }

// Send implements message.Provider. A message sent again has the same Message-ID, by which mailboxes drop the second one.
func (s *Server) Send(ctx context.Context, m message.Message, _ time.Duration) (string, error) {
	letter, err := s.letter(m)
	if err != nil {
		return "", &message.SendError{Provider: Name, Class: message.ClassRefused, Message: true, Cause: errors.New("not a message that can be sent")}
	}
	connection, err := s.client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return "", judgeDial(err)
	}
	err = s.client.SendWithSMTPClient(connection, letter)
	_ = s.client.CloseWithSMTPClient(connection) // the message is taken or not by now
	if err != nil && !letter.IsDelivered() {
		return "", judge(err)
	}
	return "", nil
}

func (s *Server) letter(m message.Message) (*gomail.Msg, error) {
	letter := gomail.NewMsg()
	letter.FromMailAddress(&s.from)
	if err := letter.To(m.Email); err != nil {
		return nil, fmt.Errorf("address: %w", err)
	}
	letter.Subject(m.Subject)
	letter.SetMessageIDWithValue(m.ID + "@" + s.host)
	letter.SetDateWithValue(s.clock.Now())
	if !m.Personal {
		letter.SetGenHeader("Auto-Submitted", "auto-generated")
	} else if s.replyTo != "" {
		if err := letter.ReplyTo(tagged(s.replyTo, m.ReplyTag)); err != nil {
			return nil, fmt.Errorf("address for answers: %w", err)
		}
	}
	if m.StopURL != "" { // one click of the mailbox stops such mails (RFC 8058)
		letter.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribe, "<"+m.StopURL+">")
		letter.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	if n := len(m.References); n > 0 {
		letter.SetGenHeaderPreformatted(gomail.HeaderInReplyTo, "<"+m.References[n-1]+">")
		letter.SetGenHeaderPreformatted(gomail.HeaderReferences, "<"+strings.Join(m.References, ">\r\n <")+">")
	}
	letter.SetBodyString(gomail.TypeTextPlain, m.Text)
	letter.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	size := 0
	for _, file := range m.Attachments {
		if size += len(file.Body); size > message.MaxAttached {
			return nil, errors.New("the attachments are too large")
		}
		letter.AttachReadSeeker(file.Name, bytes.NewReader(file.Body), gomail.WithFileContentType(gomail.ContentType(file.ContentType)))
	}
	return letter, nil
}

// judgeDial returns why there is no connection on which to send; the server has not heard of the message yet. What it
// said is dropped, as it may repeat user and password.
func judgeDial(err error) *message.SendError {
	f := &message.SendError{Provider: Name, Class: message.ClassUnavailable, Cause: cause(err)}
	if code := codeOf(err); code >= 500 { // our user, or our address, is not welcome
		f.Class, f.Code = message.ClassAccount, strconv.Itoa(code)
	}
	return f
}

// judge returns the meaning of a failure on an open connection.
func judge(err error) *message.SendError {
	f := &message.SendError{Provider: Name, Class: message.ClassUnavailable, Cause: cause(err)}
	failure, ok := errors.AsType[*gomail.SendError](err)
	if !ok {
		return f
	}
	code := failure.ErrorCode()
	if code > 0 {
		f.Code = strconv.Itoa(code)
	}
	switch permanent := code >= 500; failure.Reason {
	case gomail.ErrSMTPMailFrom:
		if permanent {
			f.Class = message.ClassAccount
		}
	case gomail.ErrSMTPRcptTo:
		switch {
		case permanent && policy(failure):
			f.Class = message.ClassAccount
		case permanent:
			f.Class = message.ClassRefused
		}
	case gomail.ErrSMTPData, gomail.ErrWriteContent, gomail.ErrSMTPDataClose:
		switch {
		case permanent:
			f.Class, f.Message = message.ClassRefused, true
		case code == 0: // no answer after the message began: it may be on its way
			f.Class = message.ClassUnconfirmed
		}
	default:
	}
	return f
}

// policy reports whether the refusal is about us, not about the recipient: 5.7.x is for security and policy (RFC 3463),
// as when a relay wants a log-in first.
func policy(failure *gomail.SendError) bool {
	return strings.HasPrefix(failure.EnhancedStatusCode(), "5.7.") || failure.ErrorCode() == 530 || failure.ErrorCode() == 535
}
