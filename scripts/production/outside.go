package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/stack"
)

const headerTimeout = 10 * time.Second

// outsideParties returns the stand-ins for the gateway, MSG91, Meta and the mail server.
func (p *production) outsideParties() []*stack.Part {
	answers, secret := p.answers(), func(name string) string { return p.Kept.Secret(name, 24) }
	return []*stack.Part{
		{
			Name: "payusandbox", Path: p.Program("payusandbox"), Health: "http://" + p.local("payu") + "/healthz", Env: append(p.clockOf("payusandbox"), []string{
				"HTTP_ADDR=" + p.local("payu"), "PAYU_KEY=" + answers["PAYU_KEY"], "PAYU_SALT=" + answers["PAYU_SALT"],
				"SANDBOX_STATE=" + p.DataDir + "/sandbox.journal",
				"SANDBOX_WEBHOOK_URL=http://" + p.local("webhooks") + "/api/franchise/payments/webhook/payu",
			}...),
		},
		{
			Name: "smsinbox", Path: p.Program("smsinbox"), Health: "http://" + p.local("msg91") + "/healthz", Env: []string{
				"HTTP_ADDR=" + p.local("msg91"), "SMTP_ADDR=" + p.local("smtp"), "MSG91_AUTH_KEY=" + secret("msg91"),
				"MSG91_REPORT_URL=http://" + p.local("webhooks") + "/api/franchise/sms/receipts/msg91?key=" + secret("msg91_receipt"),
				"WHATSAPP_PHONE_NUMBER_ID=" + whatsAppNumber, "WHATSAPP_TOKEN=" + secret("whatsapp_token"),
				"WHATSAPP_APP_SECRET=" + secret("whatsapp_app_secret"), "WHATSAPP_VERIFY_TOKEN=" + secret("whatsapp_verify_token"),
				"WHATSAPP_WEBHOOK_URL=http://" + p.local("webhooks") + "/api/franchise/whatsapp/webhook", "PUBLIC_URL=" + p.site().String(),
			},
		},
		{
			Name: "dnsserver", Path: p.Program("dnsserver"), Health: "http://" + p.local("dnsserver") + "/healthz",
			Env: []string{"HTTP_ADDR=" + p.local("dnsserver")},
		},
	}
}

// serveTLS serves the outside parties over https, which production requires.
func (p *production) serveTLS(ctx context.Context) error {
	certificate, key, err := p.authority.local()
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return fmt.Errorf("read a certificate: %w", err)
	}
	for _, name := range []string{"payu", "msg91"} {
		to := &url.URL{Scheme: "http", Host: p.local(name)}
		listener, err := p.listen(ctx, name+"_tls")
		if err != nil {
			return err
		}
		p.serve(ctx, tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}), forward(to, nil))
	}
	return p.serveMailTLS(ctx, pair)
}

// serveMailTLS accepts the mail connections over TLS, which production requires, and forwards them to the stand-in.
func (p *production) serveMailTLS(ctx context.Context, pair tls.Certificate) error {
	plain, err := p.listen(ctx, "smtp_tls")
	if err != nil {
		return err
	}
	listener := tls.NewListener(plain, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
	go func() {
		<-ctx.Done()
		_ = listener.Close()
	}()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go passOn(ctx, conn, p.local("smtp"))
		}
	}()
	return nil
}

// mailTimeout is longer than any conversation with the mail server.
const mailTimeout = time.Minute

// passOn connects both ends until one of them closes.
func passOn(ctx context.Context, from net.Conn, address string) {
	defer func() { _ = from.Close() }()
	to, err := (&net.Dialer{Timeout: headerTimeout}).DialContext(ctx, "tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	_ = from.SetDeadline(time.Now().Add(mailTimeout))
	_ = to.SetDeadline(time.Now().Add(mailTimeout))
	go func() {
		_, _ = io.Copy(to, from) // ends with either connection
		_ = to.Close()
	}()
	_, _ = io.Copy(from, to)
}

// serveWebhooks forwards the gateway's webhooks to the site, whose name only this process can resolve.
func (p *production) serveWebhooks(ctx context.Context) error {
	listener, err := p.listen(ctx, "webhooks")
	if err != nil {
		return err
	}
	transport, err := p.toSite()
	if err != nil {
		return err
	}
	p.serve(ctx, listener, forward(p.site(), transport))
	return nil
}

// forward proxies requests. Broken connections, normal in a rehearsal, are not logged.
func forward(to *url.URL, transport http.RoundTripper) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(to) },
		Transport: transport, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn),
	}
}

// proxyAddresses returns where the proxies listen for the site.
func (p *production) proxyAddresses() []string {
	var list []string
	for i := range p.services["proxy"].Replicas {
		list = append(list, p.siteAt(proxyAddress(i)))
	}
	return list
}

func (p *production) siteAt(host string) string {
	return net.JoinHostPort(host, strconv.Itoa(p.opts.port))
}

// toSite connects to a local proxy, the first that accepts, for every name of the site.
func (p *production) toSite() (*http.Transport, error) {
	config, err := trusting(p.authorityFile(), p.proxyAuthorityFile())
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: headerTimeout}
	return &http.Transport{
		TLSClientConfig: config,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if host, _, err := net.SplitHostPort(address); err != nil || host != p.domain && !strings.HasSuffix(host, "."+p.domain) {
				return dialer.DialContext(ctx, network, address)
			}
			var problems []error
			for _, address := range p.proxyAddresses() {
				connection, err := dialer.DialContext(ctx, network, address)
				if err == nil {
					return connection, nil
				}
				problems = append(problems, err)
			}
			return nil, errors.Join(problems...)
		},
	}, nil
}

func (p *production) listen(ctx context.Context, port string) (net.Listener, error) {
	p.Kept.Release(port)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.local(port))
	if err != nil {
		return nil, fmt.Errorf("listen for %s: %w", port, err)
	}
	return listener, nil
}

// serve serves until the context ends; a server that stops earlier is reported.
func (p *production) serve(ctx context.Context, listener net.Listener, handler http.Handler) {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn),
	}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			p.Screen.Say("!!! " + err.Error())
		}
	}()
}
