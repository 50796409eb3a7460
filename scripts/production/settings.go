package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/scripts/stack"
)

// ports lists the names of the parts' local ports; each port is kept between runs.
func (p *production) ports() []string {
	list := []string{
		"postgres", "redis", "objects", "api", "metrics", "proxy_http", "proxy_health", "proxy_metrics",
		"payu", "payu_tls", "msg91", "msg91_tls", "smtp", "smtp_tls", "dnsserver", "webhooks", "toxiproxy",
	}
	for _, port := range breakable() {
		list = append(list, wayOf(port))
	}
	if p.opts.cluster {
		list = append(append(list, proxyHealth(1), "prometheus"), clusterPorts()...)
	}
	return list
}

// takePorts chooses and reserves the ports, including the site's.
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
	for _, name := range p.ports() {
		if _, err := p.Kept.Port(ctx, name, hostsOf(name)...); err != nil {
			return err
		}
	}
	return nil
}

// whatsAppNumber is the id at Meta of the number that messages come from.
const whatsAppNumber = "106540352242922"

// answers returns an operator's values for the copy of .env.example. The outside parties are the local ones.
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
		"PAYU_KEY": secret("payu_key"), "PAYU_SALT": secret("payu_salt"), "PAYU_URL": outside("payu_tls"), "PAYU_API_URL": "https://" + p.way("payu_tls"),
		"ALLOW_INSECURE": "objects", // Postgres is reached over TLS here
		"SMS_URL":        "msg91://" + secret("msg91") + "@" + p.local("msg91_tls") + "?sender=FRNCHS&receipt_key=" + secret("msg91_receipt"),
		"DLT_TEMPLATES":  templates(),
		"WHATSAPP_URL": "https://" + whatsAppNumber + ":" + secret("whatsapp_token") + "@" + p.local("msg91_tls") + "/v24.0?app_secret=" +
			secret("whatsapp_app_secret") + "&verify_token=" + secret("whatsapp_verify_token"),
		"SMTP_URL": "smtps://" + p.local("smtp_tls"), "EMAIL_FROM": "Franchise 360 <billing@franchise360.example>",
		"ALERT_EMAIL":   "operator@franchise360.example", // the sandbox's inbox shows the alerts
		"SUPPLIER_NAME": "Franchise 360 Private Limited", "SUPPLIER_ADDRESS": "4th Floor, Trade Centre|Bandra Kurla Complex|Mumbai 400051, Maharashtra",
		"SUPPLIER_GSTIN": "27AAPFU0939F1ZV",
		"SUPPLIER_EMAIL": "help@franchise360.example", "SUPPLIER_PHONE": "+91 22 4000 0360",
		"SUPPLIER_CIN": "U72900MH2024PTC000360", "GRIEVANCE_OFFICER": "Meera Kulkarni|Grievance Officer|grievance@franchise360.example|+91 22 4000 0361|Monday to Friday, 10 am to 6 pm",
	}
}

// templates returns template ids for every message, as operators assign on registration.
func templates() string {
	var list []string
	for i, t := range message.Templates() {
		list = append(list, fmt.Sprintf("%s=11071600000000%05d", t.Name, i+1), fmt.Sprintf("%s.hi=11071700000000%05d", t.Name, i+1))
	}
	return strings.Join(list, ",")
}

// quoted returns the answers as lines of a .env hold them.
func quoted(answers map[string]string) map[string]string {
	lines := map[string]string{}
	for name, value := range answers {
		lines[name] = "'" + value + "'"
	}
	return lines
}

// ownSettings reads the operator's settings unchanged; without a file it returns none.
func ownSettings(file string) (map[string]string, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read your settings: %w", err)
	}
	own, line := map[string]string{}, regexp.MustCompile(`^([A-Z][A-Z0-9_]*)=(.*)$`)
	for i, written := range strings.Split(string(text), "\n") {
		written = strings.TrimSpace(written)
		if written == "" || strings.HasPrefix(written, "#") {
			continue
		}
		found := line.FindStringSubmatch(written)
		if found == nil {
			return nil, fmt.Errorf("%s, line %d: want NAME=value", file, i+1)
		}
		own[found[1]] = found[2]
	}
	return own, nil
}

// fillIn returns the example settings with the values filled in, as they are written in the .env. A value without a line in the
// example is an error, as nothing would read it.
func fillIn(example string, values map[string]string) (string, error) {
	for name, value := range values {
		line := regexp.MustCompile(`(?m)^` + name + `=.*$`)
		if !line.MatchString(example) {
			return "", fmt.Errorf(".env.example has no line for %s", name)
		}
		example = line.ReplaceAllLiteralString(example, name+"="+value)
	}
	return example, nil
}

// writeEnv writes the rehearsal's .env, in which the operator's settings replace its answers.
func (p *production) writeEnv() error {
	example, err := os.ReadFile(p.in(".env.example"))
	if err != nil {
		return fmt.Errorf("read the example of the settings: %w", err)
	}
	if p.given, err = ownSettings(p.opts.settings); err != nil {
		return err
	}
	values := quoted(p.answers())
	maps.Copy(values, p.given)
	text, err := fillIn(string(example), values)
	if err != nil {
		return err
	}
	return stack.WriteWhole(p.envFile(), []byte(text))
}
