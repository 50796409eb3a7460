// Package customer drives the running product like a customer with a browser: sign-up, address, payment at the gateway sandbox,
// store. It uses the product's own API; demo accounts, benchmarks and the fault drill build on it.
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

// callTimeout only ends calls without a response: on a busy machine the jobs of a month that the clock passes over take long.
const callTimeout = 2 * time.Minute

// Customer is a simulated browser: cookies, and the headers that a browser sends.
type Customer struct {
	stack  Stack
	site   *url.URL
	client *http.Client
}

// Stack holds the addresses of the running product: the site and the SMS inbox.
type Stack struct {
	Site, Inbox string
	// Transport reaches a site whose name does not resolve; each customer gets a copy. Nil means the default.
	Transport *http.Transport
	// Watch, if set, is called after every request with its outcome: an error or a status.
	Watch func(request *http.Request, status int, took time.Duration, err error)
}

// New returns a customer of the stack without any cookies.
func New(s Stack) (*Customer, error) {
	parsed, err := url.Parse(s.Site)
	if err != nil {
		return nil, fmt.Errorf("read the site's address: %w", err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, fmt.Errorf("make a cookie jar: %w", err)
	}
	// Each customer has its own connections, as a browser does; a client shared by all would mostly open new ones.
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

// Error returns the status and the response body.
func (r *refused) Error() string { return fmt.Sprintf("answered %d: %s", r.status, r.body) }

// IsRefused reports whether the server answered, but with an error status.
func IsRefused(err error) bool { return Status(err) != 0 }

// Status returns the HTTP status of a refusal, or 0 for any other error.
func Status(err error) int {
	if r, ok := errors.AsType[*refused](err); ok {
		return r.status
	}
	return 0
}

// Call sends a request to the product's API and decodes its `data` into the given value, which may be nil; header alternates
// names and values.
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
		if strings.TrimPrefix(cookie.Name, "__Host-") == "XSRF-TOKEN" { // the prefix is used over https
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

// Cookies returns the Cookie header that the browser sends to the site.
func (c *Customer) Cookies() string {
	var pairs []string
	for _, cookie := range c.client.Jar.Cookies(c.site) {
		pairs = append(pairs, cookie.Name+"="+cookie.Value)
	}
	return strings.Join(pairs, "; ")
}

// PostForm posts a form to any address, as a page would.
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
	began := time.Now()
	status, body, err := c.send(request)
	if c.stack.Watch != nil {
		c.stack.Watch(request, status, time.Since(began), err)
	}
	if err == nil && status >= http.StatusBadRequest {
		return nil, &refused{status: status, body: string(body)}
	}
	return body, err
}

func (c *Customer) send(request *http.Request) (status int, body []byte, err error) {
	response, err := c.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, errors.Join(err, response.Body.Close())
}

// Close closes idle connections.
func (c *Customer) Close() { c.client.CloseIdleConnections() }
