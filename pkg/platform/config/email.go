package config

import (
	"net/mail"
	"net/url"
	"strconv"
)

// Email configures the e-mails. If From is empty, the product sends no e-mail.
type Email struct {
	// SMTPURL is the mail server, such as smtps://user:password@host:465; only the worker has it.
	SMTPURL string
	// From is the sender of every e-mail, such as Franchise 360 <billing@example.com>.
	From string
	// ReplyTo is where answers to what staff write go, the address on the site.
	ReplyTo string
	// InboundSecret signs the e-mails that the mail provider posts to the product. If it is empty, the product takes none.
	InboundSecret string
}

// On reports whether the product sends e-mails.
func (e Email) On() bool { return e.From != "" }

const minSMTPPassword = 8

func (r *reader) email() Email {
	e := Email{SMTPURL: r.getenv("SMTP_URL"), From: r.getenv("EMAIL_FROM"), InboundSecret: r.getenv("EMAIL_INBOUND_SECRET")}
	if e.From != "" {
		if _, err := mail.ParseAddress(e.From); err != nil {
			r.fail("EMAIL_FROM", "want an address such as Franchise 360 <billing@example.com>")
		}
	}
	if e.InboundSecret != "" && e.From == "" {
		r.fail("EMAIL_FROM", "is not set, but EMAIL_INBOUND_SECRET is")
	}
	if e.SMTPURL == "" {
		return e
	}
	if e.From == "" {
		r.fail("EMAIL_FROM", "is not set, but SMTP_URL is")
	}
	u, err := url.Parse(e.SMTPURL)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Path != "" && u.Path != "/" || u.RawQuery != "" {
		r.fail("SMTP_URL", "want smtps://user:password@host:465, or smtp:// for STARTTLS")
		return e
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			r.fail("SMTP_URL", "want a port from 1 to 65535")
		}
	}
	password, given := u.User.Password()
	if u.User != nil && (!given || u.User.Username() == "") {
		r.fail("SMTP_URL", "want a user and a password, or neither")
	}
	if r.getenv("APP_ENV") != "development" {
		r.checkSecret("SMTP_URL", password, minSMTPPassword)
	}
	return e
}
