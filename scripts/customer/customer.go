// Package customer is somebody with a browser who uses the running product: sign-up, address, payment at the gateway
// sandbox, store. The demo accounts, the benchmarks and the simulation are made by it, through the product's own calls.
package customer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

const callTimeout = 30 * time.Second

// Customer is somebody with a browser: cookies, and the headers that a browser sends.
type Customer struct {
	stack  Stack
	site   *url.URL
	client *http.Client
}

// Stack is where the parts of the running product answer: the site and the SMS inbox.
type Stack struct {
	Site, Inbox string
	// Transport reaches the site where its name alone does not; each customer has a copy. Nil for the usual one.
	Transport *http.Transport
}

// New returns a customer of the stack without any cookies yet.
func New(s Stack) (*Customer, error) {
	parsed, err := url.Parse(s.Site)
	if err != nil {
		return nil, fmt.Errorf("read the site's address: %w", err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, fmt.Errorf("make a cookie jar: %w", err)
	}
	// Connections of its own, as a browser has: those of one client for all are mostly made anew.
	transport := &http.Transport{IdleConnTimeout: callTimeout}
	if s.Transport != nil {
		transport = s.Transport.Clone()
	}
	return &Customer{stack: s, site: parsed, client: &http.Client{
		Jar: jar, Timeout: callTimeout, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// refused is an answer other than 2xx or 3xx.
type refused struct {
	status int
	body   string
}

// Error tells the status and what the server said.
func (r *refused) Error() string { return fmt.Sprintf("answered %d: %s", r.status, r.body) }

// IsRefused tells whether the server answered, but not as hoped.
func IsRefused(err error) bool { return Status(err) != 0 }

// Status is the HTTP status of an answer other than hoped for, 0 for every other error.
func Status(err error) int {
	if r, ok := errors.AsType[*refused](err); ok {
		return r.status
	}
	return 0
}

// Call asks one of the product's calls and reads its `data` into the given value, which may be nil; header holds names
// and values in turn.
func (c *Customer) Call(ctx context.Context, method, path string, body, into any, header ...string) error {
	var text io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		text = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.site.String()+"/api/franchise"+path, text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Origin", c.site.String())
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, cookie := range c.client.Jar.Cookies(c.site) {
		if strings.TrimPrefix(cookie.Name, "__Host-") == "XSRF-TOKEN" { // the prefix is that of https
			request.Header.Set("X-XSRF-TOKEN", cookie.Value)
		}
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := c.do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(answer, &struct{ Data any }{into}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// PostForm posts a form to any address, as a page's form does.
func (c *Customer) PostForm(ctx context.Context, address string, fields map[string]string) error {
	form := url.Values{}
	for name, value := range fields {
		form.Set(name, value)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("post to %s: %w", address, err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if _, err := c.do(request); err != nil {
		return fmt.Errorf("post to %s: %w", address, err)
	}
	return nil
}

// Exchange sends JSON (or nothing) to a service of the development stack and reads its JSON answer.
func (c *Customer) Exchange(ctx context.Context, method, address, body string, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask %s: %w", address, err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.do(request)
	if err != nil {
		return fmt.Errorf("ask %s: %w", address, err)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("ask %s: %w", address, err)
	}
	return nil
}

func (c *Customer) do(request *http.Request) ([]byte, error) {
	response, err := c.client.Do(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return nil, &refused{status: response.StatusCode, body: string(body)}
	}
	return body, nil
}
