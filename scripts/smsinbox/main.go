// Command smsinbox is the SMS provider, the mail server and the WhatsApp platform of the development stack, and stands in for MSG91,
// Meta and a mail server in a rehearsal of production: it accepts messages in the formats that the product's senders use, shows them on a page, and can
// be told to refuse them, never to answer, or to report that they were not delivered.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/scripts/sandbox"
)

const (
	kept         = 5000 // messages; older ones are dropped
	maxBody      = 1 << 16
	timeoutAfter = 2 * time.Minute
)

//go:embed inbox.html
var page string

// message is one SMS as posted by the sender, with the time it arrived, in UTC.
type message struct {
	To     string    `json:"to"`
	Body   string    `json:"body"`
	SentAt time.Time `json:"sent_at"`
}

// inbox keeps the newest messages in memory; losing them on a restart is harmless, as codes are valid for minutes only.
type inbox struct {
	mu        sync.Mutex
	messages  []message // oldest first
	mode      string    // ok, fail, timeout or undelivered
	only      string    // the channel that the mode is for: sms, email or whatsapp; empty for all
	emails    []email   // oldest first
	lastEmail int
	// whatsApp are oldest first too.
	whatsApp     []whatsAppMessage
	lastWhatsApp int
	// heard is when each mobile last wrote by WhatsApp. After a restart each has to write again.
	heard   map[string]time.Time
	now     func() time.Time
	page    *template.Template
	closing <-chan struct{}
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("SMS inbox", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves on HTTP_ADDR, and takes e-mails on SMTP_ADDR if there is one, until SIGINT or SIGTERM.
func run(ctx context.Context, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	box, err := newInbox(ctx.Done())
	if err != nil {
		return err
	}
	now, closeClock, err := sandbox.Clock(ctx, os.Getenv("CLOCK_DATABASE_URL"), logger)
	if err != nil {
		return err
	}
	defer func() { _ = closeClock() }()
	box.now = now
	if address := os.Getenv("SMTP_ADDR"); address != "" {
		if err := box.serveSMTP(ctx, address, logger); err != nil {
			return err
		}
	}
	return httpserver.Serve(ctx, os.Getenv("HTTP_ADDR"), box.routes(), logger)
}

func newInbox(closing <-chan struct{}) (*inbox, error) {
	parsed, err := template.New("inbox").Funcs(template.FuncMap{
		"clock": func(t time.Time) string {
			return t.In(time.FixedZone("IST", 5*3600+1800)).Format("2 Jan 15:04:05") + " IST"
		},
	}).Parse(page)
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	return &inbox{mode: "ok", heard: map[string]time.Time{}, now: time.Now, page: parsed, closing: closing}, nil
}

func (b *inbox) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /messages", b.handleSend)
	mux.HandleFunc("GET /messages", b.handleList)
	mux.HandleFunc("GET /emails", b.handleEmails)
	mux.HandleFunc("GET /emails/{id}", b.handleHTML)
	mux.HandleFunc("GET /emails/{id}/{file}", b.handleFile)
	mux.HandleFunc("POST /api/v2/sendsms", b.handleMSG91)
	mux.HandleFunc("POST /{version}/{number}/messages", b.handleWhatsApp)
	mux.HandleFunc("GET /whatsapp", b.handleWhatsAppList)
	mux.HandleFunc("POST /whatsapp/read", b.handleWhatsAppRead)
	mux.HandleFunc("POST /whatsapp/replies", b.handleWhatsAppReply)
	mux.HandleFunc("POST /whatsapp/verify", b.handleWhatsAppVerify)
	mux.HandleFunc("POST /mode", b.handleMode)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /{$}", b.handlePage)
	return mux
}

// handleSend accepts one SMS: 202 on success, 503 in mode fail; in mode timeout the message is accepted but never answered,
// which leaves the sender unsure whether it went out.
func (b *inbox) handleSend(w http.ResponseWriter, r *http.Request) {
	var m message
	if err := readJSON(w, r, &m); err != nil || m.To == "" || m.Body == "" {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "a message has to and body"})
		return
	}
	mode := b.take(m)
	switch mode {
	case "fail":
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"error": "the provider is down"})
	case "timeout":
		b.hang(r)
	default:
		writeJSON(w, http.StatusAccepted, map[string]string{"status": "accepted"})
	}
}

// take stores the message unless the mode is fail, and returns the mode.
func (b *inbox) take(m message) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	mode := b.modeOf("sms")
	if mode == "fail" {
		return mode
	}
	m.SentAt = time.Now().UTC()
	b.messages = append(b.messages, m)
	if len(b.messages) > kept {
		b.messages = slices.Clone(b.messages[len(b.messages)-kept:])
	}
	return mode
}

// modeOf is the mode of a channel, for whoever holds the lock.
func (b *inbox) modeOf(channel string) string {
	if b.only != "" && b.only != channel {
		return "ok"
	}
	return b.mode
}

// newest returns the messages to a mobile, or all of them, newest first; +91 and spaces are ignored.
func (b *inbox) newest(mobile string) []message {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []message{}
	for _, m := range slices.Backward(b.messages) {
		if mobile == "" || digits(m.To) == digits(mobile) {
			list = append(list, m)
		}
	}
	return list
}

// digits returns the last ten digits of a mobile number, which identify it within India.
func digits(mobile string) string {
	only := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, mobile)
	if len(only) > 10 {
		return only[len(only)-10:]
	}
	return only
}

func (b *inbox) handleList(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, b.newest(r.URL.Query().Get("mobile")))
}

func (b *inbox) handleMode(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Mode    string `json:"mode"`
		Channel string `json:"channel"`
	}
	if err := readJSON(w, r, &asked); err != nil || !slices.Contains([]string{"ok", "fail", "timeout", "undelivered"}, asked.Mode) ||
		!slices.Contains([]string{"", "sms", "email", "whatsapp"}, asked.Channel) {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "mode is one of: ok fail timeout undelivered; channel, for one alone, of: sms email whatsapp"})
		return
	}
	b.mu.Lock()
	b.mode, b.only = asked.Mode, asked.Channel
	b.mu.Unlock()
	writeJSON(w, http.StatusOK, map[string]string{"mode": asked.Mode})
}

// handlePage shows the newest messages; the page reloads every two seconds.
func (b *inbox) handlePage(w http.ResponseWriter, r *http.Request) {
	const shown = 50
	list := b.newest(r.URL.Query().Get("mobile"))
	if len(list) > shown {
		list = list[:shown]
	}
	emails := b.newestEmails(r.URL.Query().Get("to"))
	if len(emails) > shown {
		emails = emails[:shown]
	}
	whatsApp := b.newestWhatsApp(r.URL.Query().Get("mobile"))
	if len(whatsApp) > shown {
		whatsApp = whatsApp[:shown]
	}
	mode := b.modeNow("sms")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_ = b.page.Execute(w, map[string]any{"Messages": list, "Emails": emails, "WhatsApp": whatsApp, "Mode": mode}) // the browser may have gone
}

func readJSON(w http.ResponseWriter, r *http.Request, into any) error {
	return json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(into)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller may have gone
}
