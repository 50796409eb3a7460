package config

import (
	"encoding/base64"
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Alerts configures where alerts are delivered, each channel off if it is empty, and when they are raised.
type Alerts struct {
	Email               []string
	SlackURL            string
	WebhookURL          string
	WebhookKey          []byte
	Window              time.Duration
	FailurePercent      int
	FailureCount        int
	FailingJobs         int
	HungAfter           time.Duration
	ScheduleLate        time.Duration
	BooksUncheckedAfter time.Duration
	BackupMissingAfter  time.Duration
}

// maxAlertAddresses limits the e-mails that one alert makes.
const maxAlertAddresses = 10

func (r *reader) alerts(email Email, development bool) Alerts {
	a := Alerts{
		Email: split(r.getenv("ALERT_EMAIL")), SlackURL: r.alertURL("ALERT_SLACK_URL"), WebhookURL: r.alertURL("ALERT_WEBHOOK_URL"),
		// In ten minutes half of the attempts, and five, fail only if something is broken.
		Window: 10 * time.Minute, FailurePercent: 50, FailureCount: 5, FailingJobs: 20,
		// A worker reports every 15 seconds.
		HungAfter: 45 * time.Second, ScheduleLate: 10 * time.Minute,
		// The books are checked every day.
		BooksUncheckedAfter: 36 * time.Hour,
	}
	if r.getenv("ALERT_BACKUP_MISSING") != "0" {
		otherwise := 26 * time.Hour
		if development {
			otherwise = 0
		}
		a.BackupMissingAfter = r.duration("ALERT_BACKUP_MISSING", otherwise, time.Hour, 31*24*time.Hour)
	}
	if len(a.Email) > maxAlertAddresses {
		r.fail("ALERT_EMAIL", "want ten addresses or fewer")
	}
	for _, address := range a.Email {
		if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address {
			r.fail("ALERT_EMAIL", "want e-mail addresses, separated by commas")
			break
		}
	}
	if len(a.Email) > 0 && (!email.On() || email.SMTPURL == "") {
		r.fail("ALERT_EMAIL", "needs EMAIL_FROM and SMTP_URL")
	}
	text := r.getenv("ALERT_WEBHOOK_SECRET")
	if text == "" && a.WebhookURL == "" {
		return a
	}
	if a.WebhookURL == "" {
		r.fail("ALERT_WEBHOOK_URL", "is not set, but ALERT_WEBHOOK_SECRET is")
	}
	encoded, prefixed := strings.CutPrefix(text, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !prefixed || err != nil || len(key) < 24 || len(key) > 64 || isWeak(key) {
		r.fail("ALERT_WEBHOOK_SECRET", "want whsec_ and the base64 of 24 to 64 random bytes")
	}
	a.WebhookKey = key
	return a
}

// isWeak reports whether the bytes are few different ones, as no random ones are.
func isWeak(key []byte) bool {
	seen := map[byte]bool{}
	for _, b := range key {
		seen[b] = true
	}
	return len(seen) < 12
}

// alertURL reads an address that alerts are posted to. Outside development it is https and leads to a public host; the client that
// posts judges the address that the name leads to.
func (r *reader) alertURL(name string) string {
	text := r.getenv(name)
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || u.User != nil || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" ||
		!isPort(u.Port(), 1) {
		r.fail(name, "want an address such as https://hooks.example.com/alerts")
		return text
	}
	if r.getenv("APP_ENV") == "development" {
		return text
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	_, notIP := netip.ParseAddr(host)
	if u.Scheme != "https" || notIP == nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal") {
		r.fail(name, "must be https, to a name on the internet")
	}
	return text
}
