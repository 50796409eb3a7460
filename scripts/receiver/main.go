// Command receiver is a sample of a connected system: it takes webhooks, verifies them, refuses repeats, asks what the customer is
// entitled to, and lets in whom the product signs in. It needs FRANCHISE360_URL, WEBHOOK_SECRET (whsec_…) and FRANCHISE360_KEY (f360_…)
// for the webhooks, and CLIENT_ID and CLIENT_SECRET (f360s_…) for the sign-in; either is left out where its settings are. It listens on
// ADDR and is reached at OWN_URL. It keeps what it has seen in memory; a real system keeps that with its own data, in the same
// transaction.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// tolerance is the maximum distance of a message's timestamp from now; the product signs each attempt separately.
	tolerance = 5 * time.Minute
	maxBody   = 64 << 10
)

// event is the content of a webhook.
type event struct {
	Type string `json:"type"`
	Data struct {
		AccountID string `json:"account_id"`
	} `json:"data"`
}

// sample takes webhooks. Secrets are two during a rotation.
type sample struct {
	secrets [][]byte
	product string
	key     string
	now     func() time.Time
	client  *http.Client
	logger  *slog.Logger
	// ended is called with an account that was closed.
	ended func(accountID string)

	mu   sync.Mutex
	seen map[string]bool
}

// newSample returns a receiver for secrets as the console shows them.
func newSample(product, key string, now func() time.Time, logger *slog.Logger, secrets ...string) (*sample, error) {
	r := &sample{product: product, key: key, now: now, logger: logger, client: &http.Client{Timeout: 5 * time.Second}, seen: map[string]bool{}, ended: func(string) {}}
	for _, shown := range secrets {
		text, ok := strings.CutPrefix(shown, "whsec_")
		secret, err := base64.StdEncoding.DecodeString(text)
		if !ok || err != nil || len(secret) < 24 {
			return nil, errors.New("WEBHOOK_SECRET is none: it begins with whsec_; during a change of it give both, with a space between")
		}
		r.secrets = append(r.secrets, secret)
	}
	if len(r.secrets) == 0 {
		return nil, errors.New("WEBHOOK_SECRET is missing: the console shows it once, when a system is added or its secret changed")
	}
	if u, err := url.Parse(product); err != nil || u.Host == "" {
		return nil, errors.New("FRANCHISE360_URL is missing, as in http://localhost:8080")
	}
	if !strings.HasPrefix(key, "f360_") {
		return nil, errors.New("FRANCHISE360_KEY is none: make one on the console")
	}
	return r, nil
}

// ServeHTTP answers 2xx for an accepted event or a repeat, 401 for a wrong signature, and 5xx to have the event sent again.
func (r *sample) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil || !r.genuine(req.Header, body) {
		http.Error(w, "not signed by the product", http.StatusUnauthorized)
		return
	}
	var e event
	if json.Unmarshal(body, &e) != nil {
		http.Error(w, "no event", http.StatusBadRequest)
		return
	}
	eventID := req.Header.Get("webhook-id")
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[eventID] {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if strings.HasPrefix(e.Type, "subscription.") { // events are unordered: read the current state
		state, err := r.entitlements(req.Context(), e.Data.AccountID)
		if err != nil {
			http.Error(w, "later", http.StatusServiceUnavailable)
			return
		}
		r.logger.Info("entitled", slog.String("account", e.Data.AccountID), slog.String("state", state))
	}
	if account := accountOf(body); account != "" {
		r.ended(account)
	}
	r.seen[eventID] = true
	r.logger.Info("event", slog.String("type", e.Type))
	w.WriteHeader(http.StatusNoContent)
}

// genuine reports whether one of the secrets signed the message, and lately.
func (r *sample) genuine(h http.Header, body []byte) bool {
	sent, err := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64)
	if err != nil || r.now().Sub(time.Unix(sent, 0)).Abs() > tolerance {
		return false
	}
	for signature := range strings.FieldsSeq(h.Get("webhook-signature")) {
		text, ok := strings.CutPrefix(signature, "v1,")
		given, err := base64.StdEncoding.DecodeString(text)
		if !ok || err != nil {
			continue
		}
		for _, secret := range r.secrets {
			m := hmac.New(sha256.New, secret)
			m.Write([]byte(h.Get("webhook-id") + "." + h.Get("webhook-timestamp") + "."))
			m.Write(body)
			if hmac.Equal(given, m.Sum(nil)) {
				return true
			}
		}
	}
	return false
}

// entitlements reads the state of the customer's plan from the product.
func (r *sample) entitlements(ctx context.Context, accountID string) (state string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.product+"/api/v1/tenants/"+url.PathEscape(accountID)+"/entitlements", http.NoBody)
	if err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	res, err := r.client.Do(req)
	if err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Data struct {
			State string `json:"state"`
		} `json:"data"`
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the product answered %d", res.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxBody)).Decode(&answer); err != nil {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	return answer.Data.State, nil
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(logger); err != nil {
		logger.Error("receiver", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(logger *slog.Logger) error {
	product, address := strings.TrimRight(os.Getenv("FRANCHISE360_URL"), "/"), os.Getenv("ADDR")
	if address == "" {
		address = "127.0.0.1:4000"
	}
	own := strings.TrimRight(os.Getenv("OWN_URL"), "/")
	if own == "" {
		own = "http://" + address
	}
	if os.Getenv("WEBHOOK_SECRET") == "" && os.Getenv("CLIENT_ID") == "" {
		return errors.New("set WEBHOOK_SECRET, CLIENT_ID, or both")
	}
	webhooks := http.NotFoundHandler()
	var taker *sample
	if secrets := strings.Fields(os.Getenv("WEBHOOK_SECRET")); len(secrets) > 0 {
		var err error
		if taker, err = newSample(product, os.Getenv("FRANCHISE360_KEY"), time.Now, logger, secrets...); err != nil {
			return err
		}
		webhooks = taker
	}
	pages := webhooks
	if clientID := os.Getenv("CLIENT_ID"); clientID != "" {
		in, err := newSignIn(context.Background(), product, clientID, os.Getenv("CLIENT_SECRET"), own, time.Now, logger)
		if err != nil {
			return err
		}
		if taker != nil {
			taker.ended = in.end
		}
		pages = in.pages(webhooks)
	}
	server := &http.Server{Addr: address, Handler: pages, ReadTimeout: 10 * time.Second, WriteTimeout: 20 * time.Second, MaxHeaderBytes: 16 << 10}
	logger.Info("listening", slog.String("address", address))
	return fmt.Errorf("serve: %w", server.ListenAndServe())
}
