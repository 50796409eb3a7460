package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	messages "github.com/franchise360/franchise360/pkg/message"
)

// This stand-in of the WhatsApp Business Platform is written from Meta's documents:
//
//   - the call: https://developers.facebook.com/documentation/business-messaging/whatsapp/reference/whatsapp-business-phone-number/message-api
//   - templates: https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/overview
//   - texts and their window: https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages
//   - errors: https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
//   - notices: https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status
//   - verification and signature: https://developers.facebook.com/docs/graph-api/webhooks/getting-started
//
// A number that ends in 0026 is not on WhatsApp (131026), and to one that ends in 0049 Meta chooses not to deliver (131049). Meta reports by
// webhook that the window of a number that ends in 0047 is over (131047); for other numbers the answer to the call says so.
const (
	window        = 24 * time.Hour
	maxText       = 4096
	keptWhatsApp  = 500
	maxParameter  = 1024
	noticeTries   = 4
	noticePause   = time.Second
	wabaID        = "102290129340398"
	displayNumber = "15550783881"
	sizeOfID      = 30
)

// whatsAppMessage is one message as its recipient sees it.
type whatsAppMessage struct {
	ID       int       `json:"id"`
	Ref      string    `json:"ref"`
	To       string    `json:"to"`
	Template string    `json:"template"`
	Language string    `json:"language"`
	Body     string    `json:"body"`
	Footer   string    `json:"footer"`
	Button   string    `json:"button"`
	Link     string    `json:"link"`
	State    string    `json:"state"`
	SentAt   time.Time `json:"sent_at"`
	ours     string
}

type metaRequest struct {
	Product   string `json:"messaging_product"`
	Recipient string `json:"recipient_type"`
	To        string `json:"to"`
	Type      string `json:"type"`
	Text      struct {
		Body string `json:"body"`
	} `json:"text"`
	Template struct {
		Name     string `json:"name"`
		Language struct {
			Code string `json:"code"`
		} `json:"language"`
		Components []struct {
			Type       string      `json:"type"`
			SubType    string      `json:"sub_type"`
			Index      json.Number `json:"index"`
			Parameters []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"parameters"`
		} `json:"components"`
	} `json:"template"`
	Opaque string `json:"biz_opaque_callback_data"`
}

// metaError is an error of the Graph API's.
type metaError struct {
	status, code, subCode int
	kind, text, details   string
}

func refuseWhatsApp(w http.ResponseWriter, e metaError) {
	body := map[string]any{"message": fmt.Sprintf("(#%d) %s", e.code, e.text), "type": e.kind, "code": e.code, "fbtrace_id": "AXUAk2pYIYIpqBDKR8b0Xd4"}
	if e.kind == "" {
		body["type"] = "OAuthException"
	}
	if e.subCode > 0 {
		body["error_subcode"] = e.subCode
	}
	if e.details != "" {
		body["error_data"] = map[string]string{"messaging_product": "whatsapp", "details": e.details}
	}
	writeJSON(w, e.status, map[string]any{"error": body})
}

// handleWhatsApp takes a message as Meta does: it answers faults of the call immediately, and reports faults of the recipient later by
// webhook.
func (b *inbox) handleWhatsApp(w http.ResponseWriter, r *http.Request) {
	if key := os.Getenv("WHATSAPP_TOKEN"); key == "" || r.Header.Get("Authorization") != "Bearer "+key {
		refuseWhatsApp(w, metaError{status: http.StatusUnauthorized, code: 190, text: "Invalid OAuth access token - Cannot parse access token"})
		return
	}
	if number := r.PathValue("number"); number != os.Getenv("WHATSAPP_PHONE_NUMBER_ID") || !regexp.MustCompile(`^v\d+\.\d$`).MatchString(r.PathValue("version")) {
		refuseWhatsApp(w, metaError{
			status: http.StatusBadRequest, code: 100, subCode: 33, kind: "GraphMethodException",
			text: "Unsupported post request. Object with ID '" + number + "' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
		})
		return
	}
	var in metaRequest
	if err := readJSON(w, r, &in); err != nil {
		refuseWhatsApp(w, metaError{status: http.StatusBadRequest, code: 100, text: "Invalid parameter"})
		return
	}
	m, refused := b.readWhatsApp(in)
	if refused != nil {
		refuseWhatsApp(w, *refused)
		return
	}
	mode := b.modeNow("whatsapp")
	if mode == "fail" {
		refuseWhatsApp(w, metaError{status: http.StatusServiceUnavailable, code: 131016, text: "Service overloaded", details: "A service is temporarily unavailable."})
		return
	}
	m = b.takeWhatsApp(m)
	if to := os.Getenv("WHATSAPP_WEBHOOK_URL"); to != "" {
		go b.tellFate(context.WithoutCancel(r.Context()), to, m)
	}
	if mode == "timeout" {
		b.hang(r)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"messaging_product": "whatsapp", "contacts": []any{map[string]string{"input": m.To, "wa_id": m.To}},
		"messages": []any{map[string]string{"id": m.Ref, "message_status": "accepted"}},
	})
}

// readWhatsApp returns the text, or the message that the registered template and the values make, or what Meta says is wrong.
func (b *inbox) readWhatsApp(in metaRequest) (whatsAppMessage, *metaError) {
	bad := func(code int, text, details string) (whatsAppMessage, *metaError) {
		return whatsAppMessage{}, &metaError{status: http.StatusBadRequest, code: code, text: text, details: details}
	}
	switch {
	case in.Product != "whatsapp":
		return bad(100, "The parameter messaging_product is required.", "")
	case !regexp.MustCompile(`^\+?[0-9]{8,15}$`).MatchString(in.To):
		return bad(131009, "Parameter value is not valid", "Param to is not a valid phone number")
	case len(in.Opaque) > 512:
		return bad(131009, "Parameter value is not valid", "Param biz_opaque_callback_data is longer than 512 characters")
	case in.Type == "text":
		return b.readText(in)
	case in.Type != "template":
		return bad(131051, "Unsupported message type", "This stand-in sends texts and templates alone")
	case in.Template.Name == "" || in.Template.Language.Code == "":
		return bad(131008, "Required parameter is missing", "Param template['name'] or template['language']['code'] is missing")
	}
	at := slices.IndexFunc(registered(), func(d messages.WhatsAppDefinition) bool {
		return d.Name == in.Template.Name && string(d.Language) == in.Template.Language.Code
	})
	if at < 0 {
		return whatsAppMessage{}, &metaError{
			status: http.StatusNotFound, code: 132001, text: "Template name does not exist in the translation",
			details: "template name (" + in.Template.Name + ") does not exist in " + in.Template.Language.Code,
		}
	}
	values := map[string][]string{}
	for _, c := range in.Template.Components {
		if c.Type == "button" && (c.SubType != "url" || c.Index.String() != "0") {
			return bad(131009, "Parameter value is not valid", "There is one button, a url with index 0")
		}
		for _, p := range c.Parameters {
			if p.Type != "text" || p.Text == "" || len(p.Text) > maxParameter {
				return bad(132012, "Parameter format does not match format in the created template", c.Type+": want text")
			}
			if strings.ContainsAny(p.Text, "\n\t") || strings.Contains(p.Text, "     ") {
				return bad(132018, "Template parameters", "Param text cannot have new-line/tab characters or more than 4 consecutive spaces")
			}
			values[c.Type] = append(values[c.Type], p.Text)
		}
	}
	return fillWhatsApp(in, registered()[at], values)
}

// lateText is Meta's error for a text outside the customer service window.
func lateText() metaError {
	return metaError{
		status: http.StatusBadRequest, code: 131047, text: "Re-engagement message",
		details: "Message failed to send because more than 24 hours have passed since the customer last replied to this number.",
	}
}

// readText returns a text without a template. Meta takes it within 24 hours of the customer's last message.
func (b *inbox) readText(in metaRequest) (whatsAppMessage, *metaError) {
	b.mu.Lock()
	heard, wrote := b.heard[digits(in.To)]
	b.mu.Unlock()
	refused := lateText()
	switch n := utf8.RuneCountInString(in.Text.Body); {
	case n == 0:
		refused = metaError{status: http.StatusBadRequest, code: 131008, text: "Required parameter is missing", details: "Param text['body'] is missing"}
	case n > maxText:
		refused = metaError{status: http.StatusBadRequest, code: 100, text: "Param text['body'] must be at most 4096 characters long."}
	case wrote && b.now().Before(heard.Add(window)):
		return whatsAppMessage{To: strings.TrimPrefix(in.To, "+"), Body: in.Text.Body, State: "accepted", ours: in.Opaque}, nil
	}
	return whatsAppMessage{}, &refused
}

// registered are the templates that the operator registered and Meta approved.
func registered() []messages.WhatsAppDefinition {
	site := messages.Site{URL: strings.TrimRight(os.Getenv("PUBLIC_URL"), "/")}
	if u, err := url.Parse(site.URL); err == nil {
		site.Host = u.Hostname()
	}
	return site.WhatsAppDefinitions()
}

var variable = regexp.MustCompile(`\{\{(\d+)\}\}`)

func fillWhatsApp(in metaRequest, d messages.WhatsAppDefinition, values map[string][]string) (whatsAppMessage, *metaError) {
	m := whatsAppMessage{To: strings.TrimPrefix(in.To, "+"), Template: d.Name, Language: string(d.Language), State: "accepted", ours: in.Opaque}
	var wrong *metaError
	fill := func(part, text string) string {
		given, want := values[part], len(variable.FindAllString(text, -1))
		if len(given) != want {
			wrong = &metaError{
				status: http.StatusBadRequest, code: 132000, text: "Number of parameters does not match the expected number of params",
				details: fmt.Sprintf("%s: number of localizable_params (%d) does not match the expected number of params (%d)", part, len(given), want),
			}
			return ""
		}
		return variable.ReplaceAllStringFunc(text, func(tag string) string {
			n, err := strconv.Atoi(tag[2 : len(tag)-2])
			if err != nil || n < 1 || n > len(given) {
				return ""
			}
			return given[n-1]
		})
	}
	for _, c := range d.Components {
		switch c.Type {
		case "BODY":
			m.Body = fill("body", c.Text)
		case "FOOTER":
			m.Footer = c.Text
		case "BUTTONS":
			m.Button, m.Link = c.Buttons[0].Text, fill("button", c.Buttons[0].URL)
		default:
		}
	}
	return m, wrong
}

func newRef() string {
	random := make([]byte, sizeOfID)
	_, _ = rand.Read(random) // never fails
	return "wamid." + base64.StdEncoding.EncodeToString(random)
}

func (b *inbox) takeWhatsApp(m whatsAppMessage) whatsAppMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastWhatsApp++
	m.ID, m.Ref, m.SentAt = b.lastWhatsApp, newRef(), b.now().UTC()
	b.whatsApp = append(b.whatsApp, m)
	if len(b.whatsApp) > keptWhatsApp {
		b.whatsApp = slices.Clone(b.whatsApp[len(b.whatsApp)-keptWhatsApp:])
	}
	return m
}

// newestWhatsApp returns the messages to a mobile, or all of them, newest first.
func (b *inbox) newestWhatsApp(mobile string) []whatsAppMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []whatsAppMessage{}
	for _, m := range slices.Backward(b.whatsApp) {
		if mobile == "" || digits(m.To) == digits(mobile) {
			list = append(list, m)
		}
	}
	return list
}

func (b *inbox) setWhatsApp(id int, state string) (whatsAppMessage, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.whatsApp {
		if b.whatsApp[i].ID == id {
			b.whatsApp[i].State = state
			return b.whatsApp[i], true
		}
	}
	return whatsAppMessage{}, false
}

// tellFate reports a message's result: sent and delivered, or failed.
func (b *inbox) tellFate(ctx context.Context, to string, m whatsAppMessage) {
	time.Sleep(reportAfter) // the caller has to store the answer first
	failures := map[string]metaError{
		"0047": lateText(),
		"0026": {code: 131026, text: "Message undeliverable", details: "Message Undeliverable."},
		"0049": {code: 131049, text: "This message was not delivered to maintain healthy ecosystem engagement.", details: "In order to maintain a healthy ecosystem engagement, the message failed to be delivered."},
	}
	if e, fails := failures[m.To[len(m.To)-4:]]; fails {
		b.setWhatsApp(m.ID, "failed")
		post(ctx, to, b.statusOf(m, "failed", &e))
		return
	}
	for _, state := range []string{"sent", "delivered"} {
		b.setWhatsApp(m.ID, state)
		post(ctx, to, b.statusOf(m, state, nil))
	}
}

// changed wraps a value as Meta's notices do.
func changed(value map[string]any) map[string]any {
	value["messaging_product"] = "whatsapp"
	value["metadata"] = map[string]string{"display_phone_number": displayNumber, "phone_number_id": os.Getenv("WHATSAPP_PHONE_NUMBER_ID")}
	return map[string]any{"object": "whatsapp_business_account", "entry": []any{
		map[string]any{"id": wabaID, "changes": []any{map[string]any{"value": value, "field": "messages"}}},
	}}
}

func (b *inbox) stamp() string { return strconv.FormatInt(b.now().Unix(), 10) }

func (b *inbox) statusOf(m whatsAppMessage, state string, failed *metaError) map[string]any {
	status := map[string]any{"id": m.Ref, "status": state, "timestamp": b.stamp(), "recipient_id": m.To}
	if m.ours != "" {
		status["biz_opaque_callback_data"] = m.ours
	}
	if failed != nil {
		status["errors"] = []any{map[string]any{
			"code": failed.code, "title": failed.text, "message": failed.text, "error_data": map[string]string{"details": failed.details},
			"href": "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
		}}
	} else if m.Template == "" {
		status["pricing"] = map[string]any{"billable": false, "pricing_model": "PMP", "type": "free_customer_service", "category": "service"}
	} else {
		status["pricing"] = map[string]any{"billable": true, "pricing_model": "PMP", "type": "regular", "category": "utility"}
	}
	return changed(map[string]any{"statuses": []any{status}})
}

// post sends a notice, signed with the app's secret, and again after a pause while it is not answered by 200.
func post(ctx context.Context, to string, notice map[string]any) {
	body, err := json.Marshal(notice)
	if err != nil {
		return
	}
	mac := hmac.New(sha256.New, []byte(os.Getenv("WHATSAPP_APP_SECRET")))
	mac.Write(body)
	signature := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	for try := range noticeTries {
		if postOnce(ctx, to, body, signature) {
			return
		}
		time.Sleep(noticePause << try)
	}
}

func postOnce(ctx context.Context, to string, body []byte, signature string) bool {
	ctx, cancel := context.WithTimeout(ctx, reportTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body)) //nolint:gosec // the stack's own address
	if err != nil {
		return true
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Hub-Signature-256", signature)
	response, err := http.DefaultClient.Do(request) //nolint:gosec // as above
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (b *inbox) handleWhatsAppList(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, b.newestWhatsApp(r.URL.Query().Get("mobile")))
}

// handleWhatsAppRead lets the recipient read a message, named by id.
func (b *inbox) handleWhatsAppRead(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.FormValue("id"))
	m, found := b.setWhatsApp(id, "read")
	if err != nil || !found {
		http.NotFound(w, r)
		return
	}
	b.tell(w, r, b.statusOf(m, "read", nil))
}

// handleWhatsAppReply sends a text from a number to the product's number.
func (b *inbox) handleWhatsAppReply(w http.ResponseWriter, r *http.Request) {
	from, text := "91"+digits(r.FormValue("from")), r.FormValue("text")
	if len(from) != 12 || text == "" {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "a reply has from and text"})
		return
	}
	b.mu.Lock()
	b.heard[digits(from)] = b.now()
	b.mu.Unlock()
	b.tell(w, r, changed(map[string]any{
		"contacts": []any{map[string]any{"profile": map[string]string{"name": "A customer"}, "wa_id": from}},
		"messages": []any{map[string]any{"from": from, "id": newRef(), "timestamp": b.stamp(), "type": "text", "text": map[string]string{"body": text}}},
	}))
}

// tell posts the notice while the caller waits, and leads a browser back to the page.
func (*inbox) tell(w http.ResponseWriter, r *http.Request, notice map[string]any) {
	if to := os.Getenv("WHATSAPP_WEBHOOK_URL"); to != "" {
		post(context.WithoutCancel(r.Context()), to, notice)
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// handleWhatsAppVerify does what *Verify and save* does in Meta's dashboard.
func (*inbox) handleWhatsAppVerify(w http.ResponseWriter, r *http.Request) {
	const challenge = "1158201444"
	query := url.Values{"hub.mode": {"subscribe"}, "hub.challenge": {challenge}, "hub.verify_token": {os.Getenv("WHATSAPP_VERIFY_TOKEN")}}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, os.Getenv("WHATSAPP_WEBHOOK_URL")+"?"+query.Encode(), http.NoBody) //nolint:gosec // the stack's own address
	if err == nil {
		var response *http.Response
		if response, err = http.DefaultClient.Do(request); err == nil { //nolint:gosec // the stack's own address
			defer func() { _ = response.Body.Close() }()
			body, readErr := io.ReadAll(io.LimitReader(response.Body, maxBody))
			if readErr == nil && response.StatusCode == http.StatusOK && string(body) == challenge {
				writeJSON(w, http.StatusOK, map[string]bool{"success": true})
				return
			}
		}
	}
	writeJSON(w, http.StatusBadRequest, map[string]any{"error": map[string]any{"message": "The callback URL or verify token couldn't be validated.", "code": 2200}})
}
