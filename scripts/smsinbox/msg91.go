package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const (
	reportAfter   = 300 * time.Millisecond // the caller has to store the answer first
	reportTimeout = 10 * time.Second
)

// msg91Request is the body of MSG91's Send SMS call (POST /api/v2/sendsms).
type msg91Request struct {
	Sender   string `json:"sender"`
	Messages []struct {
		Text string   `json:"message"`
		To   []string `json:"to"`
	} `json:"sms"`
	Template string `json:"DLT_TE_ID"`
}

// handleMSG91 accepts messages like MSG91: success returns a request id, and errors have status 200 as well. As operators block
// texts without a template id, those are rejected here.
func (b *inbox) handleMSG91(w http.ResponseWriter, r *http.Request) {
	refuse := func(code, text string) {
		writeJSON(w, http.StatusOK, map[string]string{"type": "error", "code": code, "message": text})
	}
	var in msg91Request
	if key := os.Getenv("MSG91_AUTH_KEY"); key == "" || r.Header.Get("authkey") != key {
		refuse("201", "Authentication failure")
		return
	}
	if err := readJSON(w, r, &in); err != nil || in.Sender == "" || in.Template == "" || len(in.Messages) == 0 {
		refuse("211", "A message has a sender, a template and a text")
		return
	}
	mode := "ok"
	for _, m := range in.Messages {
		for _, to := range m.To {
			mode = b.take(message{To: to, Body: m.Text})
		}
	}
	switch mode {
	case "fail":
		w.WriteHeader(http.StatusServiceUnavailable)
	case "timeout":
		b.hang(r)
	default:
		random := make([]byte, 12)
		_, _ = rand.Read(random) // never fails
		id := hex.EncodeToString(random)
		writeJSON(w, http.StatusOK, map[string]string{"type": "success", "message": id})
		if to := os.Getenv("MSG91_REPORT_URL"); to != "" {
			go report(context.WithoutCancel(r.Context()), to, id, mode != "undelivered")
		}
	}
}

// report notifies the address configured in MSG91's panel, a moment later, whether the request's messages were delivered (version
// 2 of its reports: a form with a JSON list).
func report(ctx context.Context, to, id string, delivered bool) {
	ctx, cancel := context.WithTimeout(ctx, reportTimeout)
	defer cancel()
	time.Sleep(reportAfter)
	fate := `"status":"1","desc":"DELIVERED"`
	if !delivered {
		fate = `"status":"2","desc":"FAILED"`
	}
	form := url.Values{"data": {`[{"requestId":"` + id + `","report":[{` + fate + `}]}]`}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(form.Encode())) //nolint:gosec // the stack's own address
	if err != nil {
		return
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if response, err := http.DefaultClient.Do(request); err == nil { //nolint:gosec // as above
		_ = response.Body.Close()
	}
}

// hang returns only once the caller has given up.
func (b *inbox) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-b.closing:
	case <-time.After(timeoutAfter):
	}
}
