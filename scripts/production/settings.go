package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/scripts/stack"
)

// ports are the ports of this machine that the parts get, by their names; each is kept from run to run.
func ports() []string {
	return []string{
		"postgres", "redis", "objects", "api", "metrics", "proxy_http", "proxy_health",
		"payu", "payu_tls", "msg91", "msg91_tls", "dnsserver", "webhooks",
	}
}

// takePorts chooses and holds the ports, the site's included.
func (p *production) takePorts(ctx context.Context) error {
	if p.opts.port == 0 {
		port, err := p.Kept.Port(ctx, "proxy_https")
		if err != nil {
			return err
		}
		p.opts.port = port
	} else if !stack.IsFree(ctx, p.opts.port) {
		return fmt.Errorf("port %d is taken: choose another one, as in PORT=9443 make production", p.opts.port)
	}
	for _, name := range ports() {
		if _, err := p.Kept.Port(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// answers are what an operator fills into the copy of .env.example. The outside parties are those of this machine.
func (p *production) answers() map[string]string {
	secret := func(name string) string { return p.Kept.Secret(name, 24) }
	outside := func(port string) string { return "https://" + p.local(port) }
	return map[string]string{
		"TENANT_IPS": "203.0.113.10", "DNS_SERVER": p.local("dnsserver"), "WEB_SUBNET": "127.0.0.0/8",
		"SECRET_KEY": p.Kept.Secret("secret_key", 32), "POSTGRES_PASSWORD": secret("postgres"),
		"API_DATABASE_PASSWORD": secret("franchise360_api"), "WORKER_DATABASE_PASSWORD": secret("franchise360_worker"),
		"REDIS_PASSWORD": secret("redis"), "POSTGRES_SHARED_BUFFERS": "128MB",
		"S3_API_ACCESS_KEY": "documents-reader", "S3_API_SECRET_KEY": secret("s3_api"),
		"S3_WORKER_ACCESS_KEY": "documents-writer", "S3_WORKER_SECRET_KEY": secret("s3_worker"),
		"PAYU_KEY": secret("payu_key"), "PAYU_SALT": secret("payu_salt"), "PAYU_URL": outside("payu_tls"), "PAYU_API_URL": outside("payu_tls"),
		"MSG91_URL": outside("msg91_tls"), "MSG91_AUTH_KEY": secret("msg91"), "MSG91_SENDER": "FRNCHS",
		"MSG91_RECEIPT_KEY": secret("msg91_receipt"), "DLT_TEMPLATES": templates(),
		"SUPPLIER_NAME": "Franchise 360 Private Limited", "SUPPLIER_ADDRESS": "4th Floor, Trade Centre|Bandra Kurla Complex|Mumbai 400051, Maharashtra",
		"SUPPLIER_GSTIN": "27AAPFU0939F1ZV", "SUPPLIER_STATE_CODE": "27",
		"SUPPLIER_EMAIL": "billing@franchise360.example", "SUPPLIER_PHONE": "+91 22 4000 0360",
	}
}

// templates are ids for every message, such as operators give to registered ones.
func templates() string {
	var list []string
	for i, t := range message.Templates() {
		list = append(list, fmt.Sprintf("%s=11071600000000%05d", t.Name, i+1))
	}
	return strings.Join(list, ",")
}

// fillIn is the example of the settings with the answers in it. An answer that the example has no line for is an error, as the
// setting would reach nobody.
func fillIn(example string, answers map[string]string) (string, error) {
	for name, value := range answers {
		line := regexp.MustCompile(`(?m)^` + name + `=.*$`)
		if !line.MatchString(example) {
			return "", fmt.Errorf(".env.example has no line for %s", name)
		}
		example = line.ReplaceAllLiteralString(example, name+"='"+value+"'")
	}
	return example, nil
}

// writeEnv makes the .env of the rehearsal.
func (p *production) writeEnv() error {
	example, err := os.ReadFile(p.in(".env.example"))
	if err != nil {
		return fmt.Errorf("read the example of the settings: %w", err)
	}
	text, err := fillIn(string(example), p.answers())
	if err != nil {
		return err
	}
	return stack.WriteWhole(p.envFile(), []byte(text))
}
