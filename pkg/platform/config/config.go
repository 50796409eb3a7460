// Package config reads the settings of both processes from the environment at start-up and rejects invalid ones.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Config holds the settings of both processes. `.env.example` describes every variable.
type Config struct {
	Development bool
	// LiveLimits keeps the limits per address as tight in development as in production.
	LiveLimits bool
	// SMSPerDay is how many SMS with codes browsers that never signed in may request in a day.
	SMSPerDay   int
	HTTPAddr    string
	MetricsAddr string
	PublicURL   *url.URL
	DatabaseURL string
	// DatabaseReadURL is a standby for reads that may be up to DatabaseReadLag old; optional.
	DatabaseReadURL string
	DatabaseReadLag time.Duration
	// DatabasePool is the size of a process's connection pool; DatabasePoolJobs is the number of extra connections a worker
	// uses to fetch jobs.
	DatabasePool, DatabasePoolJobs int
	RedisURL                       string
	// RequestTimeout is how long a request may take to start its response.
	RequestTimeout time.Duration
	// DrainDelay is how long a stopping process keeps serving, so that the load balancer can notice.
	DrainDelay time.Duration
	WebDir     string
	// TrustedProxies are the CIDRs whose X-Forwarded-For is trusted; empty by default.
	TrustedProxies   []string
	Keys             secret.Keyring
	TenantBaseDomain string
	// TenantIPs are the addresses that customers' own domains must point to, the one to display first.
	TenantIPs []string
	// DNSServer is the host:port of the name server used to verify domains; empty for the system's.
	DNSServer string
	S3        S3
	Gateways  Gateways
	SMS       SMS
	Email     Email
	Contact   Contact
	WhatsApp  WhatsApp
	EInvoice  EInvoice
	Places    Places
	Supplier  Supplier
	Traces    Traces
	// AutomaticRenewal offers renewals that are debited by mandate, at gateways that can.
	AutomaticRenewal bool
	Renewals         Renewals
	// Bank is the account that customers may transfer to; without it no bank transfer is offered.
	Bank   Bank
	Alerts Alerts
	// TimeMachine lets staff look ahead, in development only.
	TimeMachine TimeMachine
	// PGChargeBPS is the payment gateway surcharge in basis points of the pre-tax charge.
	PGChargeBPS int64
	// RefundApprovalAbove is the amount in rupees per payment above which a refund needs a second member of staff.
	RefundApprovalAbove int64
	// MobileChangeWait is how long a change of a lost mobile waits after two members of staff decided it.
	MobileChangeWait time.Duration
	// SecondPersonDays is for how many days a new account of staff and the person who opened it cannot approve each other's requests.
	SecondPersonDays int
}

// S3 configures the object store for documents. Without keys the machine's role is used.
type S3 struct{ Endpoint, PublicEndpoint, Region, AccessKey, SecretKey, Bucket string }

// Supplier is the issuer of the invoices: the operator of this platform. Address, Bank and Terms may have several lines,
// separated by vertical bars. Bank is the account of BANK_ACCOUNT.
type Supplier struct {
	Name, Address, GSTIN, StateCode, Email, Phone, Bank, Terms string
	// CIN is the company's registration number, empty for others than companies.
	CIN string
	// Grievance is whom the site names for complaints.
	Grievance Grievance
	// Signatory is the name and designation of the person who signs credit notes and vouchers, separated by a vertical bar.
	Signatory string
	// AnnualReturns maps financial years (26-27) to the day on which the GST annual return was filed.
	AnnualReturns map[string]time.Time
	Signing       Signing
}

// Grievance is the grievance officer (rules 4(2) and 4(4), Consumer Protection (E-Commerce) Rules 2020).
type Grievance struct {
	// Officer is the name and designation, separated by a vertical bar.
	Officer, Email, Phone string
	// Hours are those in which the officer can be reached, as the site shows them.
	Hours string
}

// Signing is the certificate that signs credit notes and vouchers, and invoices too if Invoices is set; nothing is signed
// without CertFile.
type Signing struct {
	// CertFile is PKCS#12, protected by Password, or PEM with certificate and key.
	CertFile, Password string
	Invoices           bool
}

// Load reads the configuration through getenv, or from the files it names (WithFiles), and returns one error listing
// everything missing or invalid. GATEWAY may name the gateways given.
func Load(getenv func(string) string, gateways ...GatewayKind) (Config, error) {
	r := reader{unread: map[string]bool{}, gatewayKinds: gateways}
	getenv = r.bounded(WithFiles(getenv, r.failFile))
	r.getenv = getenv
	c := Config{
		HTTPAddr:        r.or("HTTP_ADDR", ":8080"),
		MetricsAddr:     r.or("METRICS_ADDR", "127.0.0.1:0"),
		DatabaseURL:     r.must("DATABASE_URL"),
		DatabaseReadURL: getenv("DATABASE_READ_URL"), DatabaseReadLag: readLag,
		RedisURL:         r.must("REDIS_URL"),
		WebDir:           getenv("WEB_DIR"),
		TrustedProxies:   split(getenv("TRUSTED_PROXIES")),
		TenantBaseDomain: strings.TrimSuffix(strings.ToLower(r.or("TENANT_BASE_DOMAIN", "franchise360.localhost")), "."),
		TenantIPs:        canonical(split(r.or("TENANT_IPS", "127.0.0.1"))),
		DNSServer:        getenv("DNS_SERVER"),
		S3: S3{
			Endpoint: r.must("S3_ENDPOINT"), PublicEndpoint: getenv("S3_PUBLIC_ENDPOINT"),
			Region: r.or("S3_REGION", "ap-south-1"), AccessKey: getenv("S3_ACCESS_KEY"),
			SecretKey: getenv("S3_SECRET_KEY"), Bucket: r.or("S3_BUCKET", "franchise360"),
		},
		Gateways:            r.gateways(),
		SMS:                 r.sms(),
		Email:               r.email(),
		WhatsApp:            r.whatsApp(),
		EInvoice:            r.eInvoice(),
		Places:              r.places(),
		Supplier:            r.supplier(),
		Bank:                r.bank(),
		Traces:              r.traces(),
		DatabasePool:        r.between("DATABASE_POOL", 20, 2, maxPool),
		DatabasePoolJobs:    poolJobs,
		RequestTimeout:      requestTimeout,
		DrainDelay:          drainDelay,
		Renewals:            r.renewals(),
		PGChargeBPS:         r.int("PG_CHARGE_BPS", 0),
		SMSPerDay:           r.between("SMS_PER_DAY", 100_000, 100, 100_000_000),
		RefundApprovalAbove: r.int("REFUND_APPROVAL_ABOVE", 50_000),
		MobileChangeWait:    mobileChangeWait,
		SecondPersonDays:    secondPersonDays,
	}
	c.AutomaticRenewal = len(c.Renewals.Methods) > 0
	c.Alerts = r.alerts(c.Email, c.Development)
	c.TimeMachine = r.timeMachine()
	c.Contact, c.Email.ReplyTo, c.Supplier.Bank = r.contact(), c.Supplier.Email, c.Bank.lines()
	if _, err := LogLevel(getenv("LOG_LEVEL")); err != nil {
		r.fail("LOG_LEVEL", err.Error())
	}
	if dir := getenv("LOG_DIR"); dir != "" && !filepath.IsAbs(dir) {
		r.fail("LOG_DIR", "is not an absolute path")
	}
	c.PublicURL = r.url("PUBLIC_URL")
	if c.PGChargeBPS > maxPGCharge {
		r.fail("PG_CHARGE_BPS", "is beyond 10000, the whole charge")
	}
	r.checkTenantIPs(c.TenantIPs)
	c.Keys = r.keys()
	r.checkS3(c.S3)
	r.checkS3Shape(c.S3)
	r.checkShape(c)
	if limits := r.getenv("LIMITS"); limits != "" && limits != "live" {
		r.fail("LIMITS", "want live, or nothing")
	}
	c.LiveLimits = r.getenv("LIMITS") == "live"
	switch env := r.must("APP_ENV"); env {
	case "development":
		c.Development, c.DrainDelay = true, 0
	case "production", "":
	default:
		r.fail("APP_ENV", "want development or production")
	}
	r.checkProduction(c)
	return c, errors.Join(r.problems...)
}

func (r *reader) checkTenantIPs(addresses []string) {
	wrong := func(address string) bool {
		_, err := netip.ParseAddr(address)
		return err != nil
	}
	if len(addresses) == 0 || slices.ContainsFunc(addresses, wrong) {
		r.fail("TENANT_IPS", "want IP addresses, separated by commas")
	}
}

func (r *reader) supplier() Supplier {
	return Supplier{
		Name: r.or("SUPPLIER_NAME", "Franchise 360 Private Limited"), Address: r.getenv("SUPPLIER_ADDRESS"),
		GSTIN: r.getenv("SUPPLIER_GSTIN"), StateCode: stateOf(r.getenv("SUPPLIER_GSTIN")),
		Email: r.or("SUPPLIER_EMAIL", "hello@franchise360.example"), Phone: r.or("SUPPLIER_PHONE", "+91 22 4000 0360"),
		Terms:     r.getenv("SUPPLIER_TERMS"),
		CIN:       r.getenv("SUPPLIER_CIN"),
		Grievance: r.grievance(),
		Signatory: r.getenv("SUPPLIER_SIGNATORY"), AnnualReturns: r.dates("GST_ANNUAL_RETURNS"),
		Signing: Signing{
			CertFile: r.getenv("SIGNING_CERT_FILE"), Password: r.getenv("SIGNING_CERT_PASSWORD"),
			Invoices: r.flag("SIGNING_INVOICES"),
		},
	}
}

// stateOf returns the State with which a GSTIN begins; Maharashtra without one, as in development.
func stateOf(number string) string {
	if len(number) != gstin.Length {
		return "27"
	}
	return number[:2]
}

// grievance reads name|designation|e-mail|telephone|hours. Parts that are missing are empty.
func (r *reader) grievance() Grievance {
	parts := append(strings.Split(r.getenv("GRIEVANCE_OFFICER"), "|"), make([]string, 5)...)
	return Grievance{Officer: parts[0] + "|" + parts[1], Email: parts[2], Phone: parts[3], Hours: parts[4]}
}

// LogLevel parses the minimum log level; empty means info, and an unknown word returns info and an error.
func LogLevel(s string) (slog.Level, error) {
	switch s {
	case "", "info":
		return slog.LevelInfo, nil
	case "debug":
		return slog.LevelDebug, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return slog.LevelInfo, errors.New("want debug, info, warn or error")
}

const (
	// maxPool is more connections than any Postgres should serve.
	maxPool = 1000
	// poolJobs lets a worker fetch jobs while its jobs use its pool.
	poolJobs = 4
	// requestTimeout leaves a ten-second request time to end its statement and record what it did.
	requestTimeout = 7 * time.Second
	// readLag leaves the watch time to look at the replica, and is less than the life of a caller's mark.
	readLag = 2 * time.Second
	// drainDelay is longer than load balancers take to notice. With the time for requests in flight it is below the grace period in
	// the compose file.
	drainDelay = 5 * time.Second
	// mobileChangeWait leaves the customer a day to stop the change of a lost mobile.
	mobileChangeWait = 24 * time.Hour
	// secondPersonDays is never 0: with an account made at once one person would be two.
	secondPersonDays = 7
)

func (r *reader) checkS3(s S3) {
	if s.AccessKey == "" && s.SecretKey != "" {
		r.fail("S3_ACCESS_KEY", "set it and S3_SECRET_KEY, or neither for the role of the machine")
	}
	if s.SecretKey == "" && s.AccessKey != "" {
		r.fail("S3_SECRET_KEY", "set it and S3_ACCESS_KEY, or neither for the role of the machine")
	}
}

// The surcharge, in basis points, is at most the charge itself; in production a tenth of it, several times what gateways cost.
const (
	maxPGCharge         = 10_000
	maxProductionCharge = 1_000
)

// minReceiptKey is the minimum length of a key that is part of a URL.
const minReceiptKey = 24

// checkProduction rejects development-only parts and any setting that would weaken a live system.
func (r *reader) checkProduction(c Config) {
	if c.Development {
		return
	}
	if slices.Contains(split(c.SMS.Provider), "inbox") {
		r.fail("SMS_URL", "the inbox exists in development only")
	}
	if r.getenv("TENANT_IPS") == "" {
		r.fail("TENANT_IPS", "customers need the addresses that their own domains point to")
	}
	r.refuseTimeMachine(c.TimeMachine)
	r.checkAddress("PUBLIC_URL", c.PublicURL.String(), false)
	if c.PGChargeBPS > maxProductionCharge && c.PGChargeBPS <= maxPGCharge {
		r.fail("PG_CHARGE_BPS", "is beyond 1000, a tenth of the charge")
	}
	if c.RefundApprovalAbove > maxRefundAlone {
		r.fail("REFUND_APPROVAL_ABOVE", "is beyond 1000000 rupees, so that no refund would need a second person")
	}
	r.allowed = map[string]bool{}
	for _, part := range split(r.getenv("ALLOW_INSECURE")) {
		if !slices.Contains([]string{"database", "objects", testGateway}, part) {
			r.fail("ALLOW_INSECURE", "want database, objects and test-gateway, each if needed, separated by commas")
		}
		r.allowed[part] = true
	}
	r.checkProductionGateways(c.Gateways)
	r.checkProductionSecrets(c)
	r.checkProductionNetwork(c)
	r.checkProductionSupplier(c.Supplier)
}

// dates parses comma-separated pairs of a financial year and a date in India, such as 25-26:2026-10-15.
func (r *reader) dates(name string) map[string]time.Time {
	days := map[string]time.Time{}
	for _, pair := range split(r.getenv(name)) {
		year, text, _ := strings.Cut(pair, ":")
		at, err := time.ParseInLocation(time.DateOnly, text, time.FixedZone("IST", 19_800))
		if err != nil || !isFinancialYear(year) {
			r.fail(name, "is a list such as 25-26:2026-10-15,26-27:2027-11-02")
			continue
		}
		days[year] = at
	}
	return days
}

// isFinancialYear reports whether the text names two consecutive years, such as 26-27 or 99-00.
func isFinancialYear(text string) bool {
	first, second, _ := strings.Cut(text, "-")
	from, wrongFrom := strconv.ParseUint(first, 10, 8)
	to, wrongTo := strconv.ParseUint(second, 10, 8)
	return len(first) == 2 && len(second) == 2 && wrongFrom == nil && wrongTo == nil && to == (from+1)%100
}

type reader struct {
	gatewayKinds []GatewayKind
	getenv       func(string) string
	problems     []error
	// unread holds the settings whose file could not be read, or that are too long.
	unread map[string]bool
	// allowed holds the words of ALLOW_INSECURE, each of which lets production do without a protection.
	allowed map[string]bool
}

// failFile reports an unreadable file once per setting.
func (r *reader) failFile(name string, err error) {
	if !r.unread[name] {
		r.fail(name, err.Error())
	}
	r.unread[name] = true
}

func (r *reader) fail(name, problem string) {
	r.problems = append(r.problems, fmt.Errorf("%s: %s", name, problem))
}

func (r *reader) or(name, otherwise string) string {
	if v := r.getenv(name); v != "" {
		return v
	}
	return otherwise
}

func (r *reader) must(name string) string {
	v := r.getenv(name)
	if v == "" && !r.unread[name] && !r.unread[name+"_FILE"] {
		r.fail(name, "is not set")
	}
	return v
}

func (r *reader) int(name string, otherwise int64) int64 {
	v := r.getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 {
		r.fail(name, "want a whole number, 0 or more")
	}
	return n
}

// between reads an integer within bounds, or returns the default if unset.
func (r *reader) between(name string, otherwise, least, most int) int {
	v := r.getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < least || n > most {
		r.fail(name, fmt.Sprintf("want a whole number from %d to %d", least, most))
	}
	return n
}

// duration reads a duration such as 5s within bounds, or returns the default if unset.
func (r *reader) duration(name string, otherwise, least, most time.Duration) time.Duration {
	v := r.getenv(name)
	if v == "" {
		return otherwise
	}
	d, err := time.ParseDuration(v)
	if err != nil || d < least || d > most {
		r.fail(name, fmt.Sprintf("want a time from %s to %s", least, most))
	}
	return d
}

// flag reads true or false; unset means false.
func (r *reader) flag(name string) bool {
	v := r.getenv(name)
	if v != "" && v != "true" && v != "false" {
		r.fail(name, "want true or false")
	}
	return v == "true"
}

func (r *reader) url(name string) *url.URL {
	v := r.must(name)
	u, err := url.Parse(v)
	if v != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		r.fail(name, "want an http or https URL")
	}
	if err != nil {
		return &url.URL{}
	}
	u.Host = strings.ToLower(u.Host)
	return u
}

// keys reads the current key and the old keys used only for reading.
func (r *reader) keys() secret.Keyring {
	if r.must("SECRET_KEY") == "" {
		return secret.Keyring{}
	}
	k, err := Keyring(r.getenv)
	if err != nil {
		r.fail("SECRET_KEY", "want 64 hexadecimal digits, and old keys of the same form behind a comma")
	}
	return k
}

// pairs parses comma-separated name=value pairs.
func (r *reader) pairs(name string) map[string]string {
	out := map[string]string{}
	for _, part := range split(r.getenv(name)) {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			r.fail(name, "want name=value, separated by commas")
		}
		if _, twice := out[key]; twice {
			r.fail(name, fmt.Sprintf("names %q twice", key))
		}
		out[key] = value
	}
	return out
}

func split(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
