// Package irp registers documents through the interface of the Invoice Registration Portal that NIC runs (authentication 1.04, invoices
// 1.03: https://einv-apisandbox.nic.in). Providers (GSP) pass the same calls through.
package irp

import (
	"context"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

const (
	name = "irp"
	// timeout limits one call; the portal is slow when many send.
	timeout, dialTimeout = 20 * time.Second, 3 * time.Second
	// maxAnswer is far above any answer, in bytes.
	maxAnswer = 1 << 20
	// early is how long before its end a token is replaced.
	early = 10 * time.Minute
)

// The portal's codes on which something follows (https://einv-apisandbox.nic.in, "Error codes").
const (
	codeToken, codeSession = "1005", "1004"
	codeDuplicate          = "2150"
	codeTooOld             = "2283"
	codeUnknownIRN         = "2148"
	codeUnknownDocument    = "2154"
)

// later are the refusals that may end without a change: GSTINs that the portal does not know, or not as active, until it is synchronised.
func later(code string) bool { return code == "3001" || code == "3028" || code == "3029" }

// Client registers for one supplier.
type Client struct {
	client *resty.Client
	clock  clock.Clock
	config config.EInvoice
	key    *rsa.PublicKey

	mutex   sync.Mutex
	session session
}

type session struct {
	token string
	sek   []byte
	until time.Time
}

// New returns a client for the supplier with the GSTIN, nil if no document is registered.
func New(c config.EInvoice, gstin string, clk clock.Clock) (*Client, error) {
	if !c.On() {
		return nil, nil
	}
	key, err := publicKey(c.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("EINVOICE_PUBLIC_KEY: %w", err)
	}
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}
	client := resty.New().SetBaseURL(c.URL).SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).
		SetTransport(&http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTimeout,
			IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 4, ForceAttemptHTTP2: true,
		}).
		SetRedirectPolicy(resty.NoRedirectPolicy()).SetLogger(silent{}).
		SetHeader("User-Agent", "franchise360").SetHeader("Accept", "application/json").
		SetHeader("client-id", c.ClientID).SetHeader("client-secret", c.ClientSecret).SetHeader("gstin", gstin)
	return &Client{client: client, clock: clk, config: c, key: key}, nil
}

// silent keeps resty from logging requests, which contain credentials, to standard error.
type silent struct{}

// Errorf logs nothing.
func (silent) Errorf(string, ...any) {}

// Warnf logs nothing.
func (silent) Warnf(string, ...any) {}

// Debugf logs nothing.
func (silent) Debugf(string, ...any) {}

// Name returns irp.
func (*Client) Name() string { return name }

// Measured enables timing of the calls.
func (c *Client) Measured(m *metrics.Metrics) {
	c.client.SetTransport(m.Transport(name, c.client.GetClient().Transport))
}

// Register registers a document. A document that is registered already is an *einvoice.RefusalError that carries its IRN.
func (c *Client) Register(ctx context.Context, d einvoice.Document) (einvoice.Registration, error) {
	return c.invoice(ctx, http.MethodPost, "/eicore/v1.03/Invoice", d)
}

// ByIRN returns a registration, or einvoice.ErrUnknown if the portal does not have it or no longer shows it.
func (c *Client) ByIRN(ctx context.Context, irn string) (einvoice.Registration, error) {
	r, err := c.invoice(ctx, http.MethodGet, "/eicore/v1.03/Invoice/irn/"+url.PathEscape(irn), nil)
	if refusal, ok := errors.AsType[*einvoice.RefusalError](err); ok {
		switch refusal.Code {
		case codeTooOld, codeUnknownIRN, codeUnknownDocument:
			return r, einvoice.ErrUnknown
		}
	}
	return r, err
}

// invoice makes a call about an invoice, and repeats it with a new token if the portal refuses the present one.
func (c *Client) invoice(ctx context.Context, method, path string, body any) (einvoice.Registration, error) {
	var answer struct {
		AckNo         json.Number `json:"AckNo"`
		AckDt         string
		Irn           string
		SignedInvoice string
		SignedQRCode  string
		Status        string
	}
	err := c.call(ctx, method, path, body, false, &answer)
	if tokenRefused(err) {
		err = c.call(ctx, method, path, body, true, &answer)
		if again, ok := errors.AsType[*einvoice.RefusalError](err); ok && tokenRefused(err) {
			again.Later = true // the portal's trouble with tokens, not the document's
		}
	}
	if err != nil {
		return einvoice.Registration{}, err
	}
	at, err := time.ParseInLocation(time.DateTime, answer.AckDt, clock.IST)
	if err != nil {
		return einvoice.Registration{}, fmt.Errorf("irp: time of acknowledgement: %w", err)
	}
	return einvoice.Registration{
		IRN: answer.Irn, AckNo: answer.AckNo.String(), AckAt: at.UTC(), SignedInvoice: answer.SignedInvoice,
		SignedQR: answer.SignedQRCode, Cancelled: answer.Status == "CNL",
	}, nil
}

// tokenRefused reports whether the portal refused the session: its token or its key.
func tokenRefused(err error) bool {
	refusal, ok := errors.AsType[*einvoice.RefusalError](err)
	return ok && (refusal.Code == codeToken || refusal.Code == codeSession)
}

// envelope is the form of every answer.
type envelope struct {
	Status json.Number     `json:"Status"`
	Data   json.RawMessage `json:"Data"`
	Errors []problem       `json:"ErrorDetails"`
	Info   []struct {
		Code string          `json:"InfCd"`
		Desc json.RawMessage `json:"Desc"`
	} `json:"InfoDtls"`
}

type problem struct {
	Code    errorCode `json:"ErrorCode"`
	Message string    `json:"ErrorMessage"`
}

// errorCode is the portal's number, or a provider's code such as GSP752; either may be a JSON string or a number.
type errorCode string

// UnmarshalJSON implements json.Unmarshaler.
func (c *errorCode) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*c = errorCode(strings.TrimSpace(s))
		return nil
	}
	var n json.Number
	err := json.Unmarshal(raw, &n)
	*c = errorCode(n)
	return err
}

func (c *Client) call(ctx context.Context, method, path string, body any, renew bool, into any) error {
	s, err := c.signIn(ctx, renew)
	if err != nil {
		return err
	}
	request := c.client.R().SetContext(ctx).SetHeader("user_name", c.config.Username).SetHeader("AuthToken", s.token)
	if body != nil {
		plain, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("irp: write document: %w", err)
		}
		sealed, err := seal(s.sek, plain)
		if err != nil {
			return err
		}
		request.SetBody(map[string]string{"Data": sealed})
	}
	e, err := execute(request, method, path)
	if err != nil {
		return err
	}
	var sealed string
	if err := json.Unmarshal(e.Data, &sealed); err != nil {
		return errors.New("irp: an answer without data")
	}
	plain, err := open(s.sek, sealed)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(plain, into); err != nil {
		return fmt.Errorf("irp: read answer: %w", err)
	}
	return nil
}

// execute sends the request and returns an answer of success, else a *einvoice.RefusalError or what went wrong on the way.
func execute(request *resty.Request, method, path string) (envelope, error) {
	resp, err := request.Execute(method, path)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return envelope{}, fmt.Errorf("irp: no answer: %w", context.DeadlineExceeded)
		}
		return envelope{}, errors.New("irp: the portal was not reached")
	}
	var e envelope
	if json.Unmarshal(resp.Body(), &e) != nil || resp.StatusCode() != http.StatusOK {
		return envelope{}, fmt.Errorf("irp: status %d", resp.StatusCode())
	}
	if e.Status == "1" {
		return e, nil
	}
	return envelope{}, refusal(e)
}

func refusal(e envelope) error {
	if len(e.Errors) == 0 {
		return errors.New("irp: refused without a reason")
	}
	r := &einvoice.RefusalError{Code: string(e.Errors[0].Code), Message: e.Errors[0].Message, Later: later(string(e.Errors[0].Code))}
	for _, info := range e.Info {
		var desc struct {
			Irn   string
			AckNo json.Number
			AckDt string
		}
		if info.Code == "DUPIRN" && json.Unmarshal(info.Desc, &desc) == nil && r.Code == codeDuplicate {
			r.IRN, r.AckNo = desc.Irn, desc.AckNo.String()
			r.AckAt, _ = time.ParseInLocation(time.DateTime, desc.AckDt, clock.IST) // an unreadable day is omitted
		}
	}
	return r
}

// signIn returns the session, or a new one if it is missing, about to end, or renew is set. Concurrent calls share it.
func (c *Client) signIn(ctx context.Context, renew bool) (session, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := c.clock.Now()
	if !renew && c.session.token != "" && now.Before(c.session.until.Add(-early)) {
		return c.session, nil
	}
	app := newKey()
	plain, err := json.Marshal(map[string]any{
		"UserName": c.config.Username, "Password": c.config.Password, "AppKey": base64.StdEncoding.EncodeToString(app),
		"ForceRefreshAccessToken": renew,
	})
	if err != nil {
		return session{}, fmt.Errorf("irp: write credentials: %w", err)
	}
	sealed, err := toPortal(c.key, plain)
	if err != nil {
		return session{}, err
	}
	request := c.client.R().SetContext(ctx).SetBody(map[string]string{"Data": sealed})
	e, err := execute(request, http.MethodPost, "/eivital/v1.04/auth")
	if err != nil {
		if r, ok := errors.AsType[*einvoice.RefusalError](err); ok {
			return session{}, fmt.Errorf("irp: sign-in refused with %s", r.Code) // no fault of a document's
		}
		return session{}, err
	}
	var answer struct{ AuthToken, Sek, TokenExpiry string }
	if err := json.Unmarshal(e.Data, &answer); err != nil {
		return session{}, fmt.Errorf("irp: read session: %w", err)
	}
	sek, err := open(app, answer.Sek)
	if err != nil {
		return session{}, err
	}
	until, err := time.ParseInLocation(time.DateTime, answer.TokenExpiry, clock.IST)
	if err != nil {
		until = now.Add(time.Hour) // the shortest that the portal documents
	}
	c.session = session{token: answer.AuthToken, sek: sek, until: until}
	return c.session, nil
}
