package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/scripts/stack"
)

// whatsAppNumber is the id at Meta of the number that messages come from.
const whatsAppNumber = "106540352242922"

// The environment may point to real services; each replaces its embedded counterpart.
func (s *devStack) embedsPostgres() bool { return os.Getenv("DATABASE_URL") == "" }
func (s *devStack) embedsRedis() bool    { return os.Getenv("REDIS_URL") == "" }
func (s *devStack) embedsS3() bool       { return os.Getenv("S3_ENDPOINT") == "" }
func (s *devStack) embedsPayU() bool     { return os.Getenv("PAYU_URL") == "" }
func (s *devStack) embedsRazorpay() bool { return os.Getenv("RAZORPAY_URL") == "" }
func (s *devStack) embedsSMS() bool      { return os.Getenv("SMS_URL") == "" }
func (s *devStack) embedsEmail() bool    { return s.embedsSMS() && os.Getenv("SMTP_URL") == "" }
func (s *devStack) embedsWhatsApp() bool {
	return s.embedsSMS() && os.Getenv("WHATSAPP_URL") == ""
}
func (s *devStack) embedsDNS() bool { return os.Getenv("DNS_SERVER") == "" }
func (s *devStack) embedsTraces() bool {
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_SDK_DISABLED") != "true"
}

// choosePort takes the requested port, or a free one for 0.
func (s *devStack) choosePort(ctx context.Context) error {
	if s.opts.port == 0 {
		port, err := s.Kept.Port(ctx, "api")
		s.opts.port = port
		return err
	}
	if !stack.IsFree(ctx, s.opts.port) {
		return fmt.Errorf("port %d is taken: choose another one, as in PORT=8090 make run", s.opts.port)
	}
	return nil
}

// settle decides every setting of the product's processes that does not depend on Postgres. The environment takes precedence.
func (s *devStack) settle(ctx context.Context) error {
	site := "http://localhost:" + strconv.Itoa(s.opts.port)
	s.settings = map[string]string{
		"APP_ENV": "development", "PUBLIC_URL": site, "WEB_DIR": stack.WebDir(s.opts.repository), "DATA_DIR": s.opts.dataDir,
		"SECRET_KEY": s.Kept.Secret("secret_key", 32), "AUTOMATIC_RENEWAL": "upi,card,enach",
		"TENANT_BASE_DOMAIN": "franchise360.localhost", "S3_REGION": "ap-south-1", "S3_BUCKET": "franchise360",
		"SUPPLIER_NAME":    "Franchise 360 Private Limited",
		"SUPPLIER_ADDRESS": "4th Floor, Trade Centre|Bandra Kurla Complex|Mumbai 400051, Maharashtra",
		"SUPPLIER_GSTIN":   "27AAPFU0939F1ZV",
		"SUPPLIER_EMAIL":   "help@franchise360.example", "SUPPLIER_PHONE": "+91 22 4000 0360",
		"SUPPLIER_CIN": "U72900MH2024PTC000360", "GRIEVANCE_OFFICER": "Meera Kulkarni|Grievance Officer|grievance@franchise360.example|+91 22 4000 0361|Monday to Friday, 10 am to 6 pm",
		"BANK_ACCOUNT": "50200012345678|HDFC0000360|Franchise 360 Private Limited|HDFC Bank", "BANK_TRANSFER_MINIMUM": "10000",
	}
	for _, name := range []string{"postgres", "redis", "s3", "sandbox", "razorpay", "smsinbox", "smtp", "irp", "dnsserver", "traces", "timemachine", "api_metrics", "worker_metrics"} {
		if _, err := s.Kept.Port(ctx, name); err != nil {
			return err
		}
	}
	if s.embedsRedis() {
		address := url.URL{
			Scheme: "redis", User: url.UserPassword("", s.Kept.Secret("redis", 24)),
			Host: stack.Local(s.Kept.Ports["redis"]), Path: "/0",
		}
		s.settings["REDIS_URL"] = address.String()
	}
	if s.embedsS3() {
		s.settings["S3_ENDPOINT"] = "http://" + stack.Local(s.Kept.Ports["s3"])
		s.settings["S3_ACCESS_KEY"] = "franchise360"
		s.settings["S3_SECRET_KEY"] = s.Kept.Secret("s3", 24)
	}
	s.settleGateways()
	if err := s.settlePortal(); err != nil {
		return err
	}
	if s.embedsSMS() {
		s.settings["SMS_URL"] = "http://localhost:" + strconv.Itoa(s.Kept.Ports["smsinbox"])
	}
	if s.embedsEmail() {
		s.settings["EMAIL_FROM"] = "Franchise 360 <billing@franchise360.example>"
		s.settings["SMTP_URL"] = "smtp://" + stack.Local(s.Kept.Ports["smtp"])
		s.settings["ALERT_EMAIL"] = "oncall@franchise360.example"
	}
	if s.embedsWhatsApp() {
		s.settings["WHATSAPP_URL"] = "http://" + whatsAppNumber + ":" + s.Kept.Secret("whatsapp_token", 24) + "@" + stack.Local(s.Kept.Ports["smsinbox"]) +
			"/v24.0?app_secret=" + s.Kept.Secret("whatsapp_app_secret", 24) + "&verify_token=" + s.Kept.Secret("whatsapp_verify_token", 24)
	}
	if s.embedsPostgres() {
		for _, role := range []string{superuser, apiRole, workerRole} {
			s.password(role)
		}
		// The time machine creates databases, which an external Postgres may not allow.
		s.settings["TIME_MACHINE_URL"] = "http://:" + s.Kept.Secret("timemachine", 24) + "@" + stack.Local(s.Kept.Ports["timemachine"])
	}
	if s.embedsDNS() {
		s.settings["DNS_SERVER"] = stack.Local(s.Kept.Ports["dnsserver"])
	}
	if s.embedsTraces() {
		s.settings["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://localhost:" + strconv.Itoa(s.Kept.Ports["traces"])
	}
	for name := range s.settings {
		if value := os.Getenv(name); value != "" && name != "DATA_DIR" {
			s.settings[name] = value
		}
	}
	s.settings["GATEWAY"] = gatewayOrder(os.Getenv("GATEWAY"))
	if err := s.takeRealDatabase(); err != nil {
		return err
	}
	// Kept before anything is made with them: a first start that is interrupted leaves a database that the next one can open.
	return s.Kept.Save()
}

// settleGateways creates the accounts at both gateway sandboxes.
func (s *devStack) settleGateways() {
	if s.embedsPayU() {
		base := "http://localhost:" + strconv.Itoa(s.Kept.Ports["sandbox"])
		s.settings["PAYU_URL"], s.settings["PAYU_API_URL"] = base, base
		s.settings["PAYU_KEY"] = "sandbox"
		s.settings["PAYU_SALT"] = s.Kept.Secret("gateway", 24)
	}
	if s.embedsRazorpay() {
		s.settings["RAZORPAY_URL"] = "http://localhost:" + strconv.Itoa(s.Kept.Ports["razorpay"])
		s.settings["RAZORPAY_KEY_ID"] = "rzp_test_sandbox"
		s.settings["RAZORPAY_KEY_SECRET"] = s.Kept.Secret("razorpay", 24)
		s.settings["RAZORPAY_WEBHOOK_SECRET"] = s.Kept.Secret("razorpay_webhook", 24)
	}
}

// gatewayOrder puts the requested gateways first and appends the others, because a restarted stack still has payments of
// theirs.
func gatewayOrder(asked string) string {
	order := asked
	for _, name := range []string{"payu", "razorpay"} {
		if !slices.Contains(strings.Split(strings.ReplaceAll(asked, " ", ""), ","), name) {
			order = strings.TrimPrefix(order+","+name, ",")
		}
	}
	return order
}

// embedsFirstGateway reports whether new payments go to a sandbox, where the demo accounts can pay.
func (s *devStack) embedsFirstGateway() bool {
	if strings.HasPrefix(s.settings["GATEWAY"], "razorpay") {
		return s.embedsRazorpay()
	}
	return s.embedsPayU()
}

// takeRealDatabase reads the URLs of an external Postgres, which brings its own roles and passwords.
func (s *devStack) takeRealDatabase() error {
	if s.embedsPostgres() {
		return nil
	}
	for _, name := range []string{"DATABASE_URL", "WORKER_DATABASE_URL", "DATABASE_OWNER_URL"} {
		s.settings[name] = os.Getenv(name)
		if s.settings[name] == "" {
			return errors.New("a database of your own needs DATABASE_URL, WORKER_DATABASE_URL and DATABASE_OWNER_URL")
		}
	}
	return nil
}

// environment returns a process's environment: the system's, then the product's, then its own settings, later ones winning.
func (s *devStack) environment(address string, own ...string) []string {
	list := os.Environ()
	for name, value := range s.settings {
		list = append(list, name+"="+value)
	}
	if address != "" {
		list = append(list, "HTTP_ADDR="+address)
	}
	return append(list, own...)
}

// services returns the embedded counterparts of the services that production rents.
func (s *devStack) services() []*stack.Part {
	var parts []*stack.Part
	if s.embedsRedis() {
		address := stack.Local(s.Kept.Ports["redis"])
		parts = append(parts, s.part("redisserver", "tcp://"+address,
			s.environment(address, "REDIS_PASSWORD="+s.Kept.Secret("redis", 24))))
	}
	if s.embedsS3() {
		address := stack.Local(s.Kept.Ports["s3"])
		parts = append(parts, s.part("objectstore", "http://"+address+"/healthz",
			s.environment(address, "OBJECTSTORE_DIR="+filepath.Join(s.opts.dataDir, "objects"))))
	}
	if s.embedsSMS() {
		address := stack.Local(s.Kept.Ports["smsinbox"])
		parts = append(parts, s.part("smsinbox", "http://"+address+"/healthz", s.environment(address,
			"WHATSAPP_PHONE_NUMBER_ID="+whatsAppNumber, "WHATSAPP_TOKEN="+s.Kept.Secret("whatsapp_token", 24),
			"WHATSAPP_APP_SECRET="+s.Kept.Secret("whatsapp_app_secret", 24), "WHATSAPP_VERIFY_TOKEN="+s.Kept.Secret("whatsapp_verify_token", 24),
			"SMTP_ADDR="+stack.Local(s.Kept.Ports["smtp"]), "WHATSAPP_WEBHOOK_URL=http://"+stack.Local(s.opts.port)+"/api/franchise/whatsapp/webhook",
			"CLOCK_DATABASE_URL="+s.settings["DATABASE_URL"])))
	}
	if s.embedsDNS() {
		address := stack.Local(s.Kept.Ports["dnsserver"])
		parts = append(parts, s.part("dnsserver", "http://"+address+"/healthz", s.environment(address)))
	}
	if s.embedsPostgres() {
		address := stack.Local(s.Kept.Ports["timemachine"])
		parts = append(parts, s.part("timemachine", "http://"+address+"/healthz", s.environment(address,
			"CLOCK_DATABASE_URL="+s.settings["DATABASE_URL"])))
	}
	if s.embedsTraces() {
		address := stack.Local(s.Kept.Ports["traces"])
		parts = append(parts, s.part("traceviewer", "http://"+address+"/healthz", s.environment(address)))
	}
	return append(append(parts, s.gatewaySandboxes()...), s.portal()...)
}

// gatewaySandboxes returns the stand-ins for the gateways. Each notifies the api by webhook.
func (s *devStack) gatewaySandboxes() []*stack.Part {
	var parts []*stack.Part
	add := func(program, port, journal, gateway string) {
		address := stack.Local(s.Kept.Ports[port])
		webhook := "http://" + stack.Local(s.opts.port) + "/api/franchise/payments/webhook/" + gateway
		parts = append(parts, s.part(program, "http://"+address+"/healthz", s.environment(address,
			"SANDBOX_STATE="+filepath.Join(s.opts.dataDir, journal), "SANDBOX_WEBHOOK_URL="+webhook,
			"CLOCK_DATABASE_URL="+s.settings["DATABASE_URL"])))
	}
	if s.embedsPayU() {
		add("payusandbox", "sandbox", "sandbox.journal", "payu")
	}
	if s.embedsRazorpay() {
		add("razorpaysandbox", "razorpay", "razorpay.journal", "razorpay")
	}
	return parts
}

// product returns the product's own two processes.
func (s *devStack) product() []*stack.Part {
	api, apiMetrics := stack.Local(s.opts.port), stack.Local(s.Kept.Ports["api_metrics"])
	workerMetrics := stack.Local(s.Kept.Ports["worker_metrics"])
	return []*stack.Part{
		s.part("api", "http://"+api+"/readyz", s.environment(api, "METRICS_ADDR="+apiMetrics)),
		s.part("worker", "http://"+workerMetrics+"/healthz", s.environment("",
			"METRICS_ADDR="+workerMetrics, "DATABASE_URL="+s.settings["WORKER_DATABASE_URL"])),
	}
}

func (s *devStack) part(name, health string, env []string) *stack.Part {
	return &stack.Part{Name: name, Path: s.Program(name), Health: health, Env: env}
}
