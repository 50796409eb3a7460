// Package config reads the processes' settings from the environment, once, and refuses to start on a bad one.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Config is what both processes know of their surroundings. `.env.example` describes every variable.
type Config struct {
	Development bool
	// LiveLimits keeps what is counted by address as narrow in development as in production.
	LiveLimits  bool
	HTTPAddr    string
	MetricsAddr string
	PublicURL   *url.URL
	DatabaseURL string
	// DatabasePool is how many connections a process has to the database, and DatabasePoolJobs how many more a worker has
	// with which it fetches jobs.
	DatabasePool, DatabasePoolJobs int
	RedisURL                       string
	// RequestTimeout is how long a request may take until its answer begins.
	RequestTimeout time.Duration
	// DrainDelay is how long a process that is told to end still answers, so that whoever leads requests to it may notice.
	DrainDelay time.Duration
	WebDir     string
	// TrustedProxies are the CIDRs whose X-Forwarded-For is believed; none by default.
	TrustedProxies   []string
	Keys             secret.Keyring
	TenantBaseDomain string
	// TenantIPs are the addresses that customers' own domains point to, the one to show first.
	TenantIPs []string
	// DNSServer is host:port of the name server that proves domains; empty for the machine's.
	DNSServer string
	S3        S3
	Gateways  Gateways
	SMS       SMS
	Places    Places
	Supplier  Supplier
	// PGChargeBPS is the surcharge for the gateway in basis points of the charge before tax.
	PGChargeBPS int64
	// RefundApprovalAbove is how many rupees of one payment may go back on the word of a single member of staff.
	RefundApprovalAbove int64
}

// S3 is the object store that keeps the documents.
type S3 struct {
	Endpoint, PublicEndpoint, Region, AccessKey, SecretKey, Bucket string
	// SessionToken belongs to temporary keys; without keys the role of the machine counts.
	SessionToken string
	// Addressing is auto, path or virtual.
	Addressing string
}

// SMS are the text message providers.
type SMS struct {
	// Provider names one provider, or several separated by commas: each takes over when the one before it fails.
	Provider, InboxURL                  string
	MSG91AuthKey, MSG91URL, MSG91Sender string
	// MSG91ReceiptKey is the key in the address to which MSG91 sends its delivery reports; empty for none.
	MSG91ReceiptKey                                              string
	TwilioSID, TwilioToken, TwilioFrom, TwilioService, TwilioURL string
	// DLTTemplates are the ids under which the operators know the messages, by the message's name (TRAI, TCCCPR 2018).
	DLTTemplates map[string]string
}

// Places is the provider of address suggestions.
type Places struct{ Provider, GoogleKey, GoogleURL, PhotonURL string }

// Supplier is who issues the invoices: the operator of this platform. Address, Bank and Terms may have several lines,
// parted by a vertical bar.
type Supplier struct {
	Name, Address, GSTIN, StateCode, Email, Phone, Bank, Terms string
	// Signatory is who signs credit notes and vouchers: name and designation, parted by a vertical bar.
	Signatory string
	// AnnualReturns are the days on which GST annual returns were filed, by financial year (26-27).
	AnnualReturns map[string]time.Time
	Signing       Signing
}

// Signing is the certificate that signs credit notes and vouchers, and invoices where Invoices says so; nothing is signed without CertFile.
type Signing struct {
	// CertFile is PKCS#12, which Password opens, or PEM, whose key may be in KeyFile.
	CertFile, KeyFile, Password string
	Invoices                    bool
}

// Load reads the configuration through getenv, or from the files that it names (WithFiles), and lists everything that is missing or wrong in one error.
func Load(getenv func(string) string) (Config, error) {
	r := reader{unread: map[string]bool{}}
	getenv = WithFiles(getenv, r.failFile)
	r.getenv = getenv
	c := Config{
		HTTPAddr:         r.or("HTTP_ADDR", ":8080"),
		MetricsAddr:      r.or("METRICS_ADDR", "127.0.0.1:0"),
		DatabaseURL:      r.must("DATABASE_URL"),
		RedisURL:         r.must("REDIS_URL"),
		WebDir:           getenv("WEB_DIR"),
		TrustedProxies:   split(getenv("TRUSTED_PROXIES")),
		TenantBaseDomain: strings.TrimSuffix(strings.ToLower(r.or("TENANT_BASE_DOMAIN", "franchise360.localhost")), "."),
		TenantIPs:        split(r.or("TENANT_IPS", "127.0.0.1")),
		DNSServer:        getenv("DNS_SERVER"),
		S3: S3{
			Endpoint: r.must("S3_ENDPOINT"), PublicEndpoint: getenv("S3_PUBLIC_ENDPOINT"),
			Region: r.or("S3_REGION", "ap-south-1"), AccessKey: getenv("S3_ACCESS_KEY"),
			SecretKey: getenv("S3_SECRET_KEY"), Bucket: r.or("S3_BUCKET", "franchise360"),
			SessionToken: getenv("S3_SESSION_TOKEN"), Addressing: r.or("S3_ADDRESSING", "auto"),
		},
		Gateways: r.gateways(),
		SMS: SMS{
			Provider: r.or("SMS_PROVIDER", "inbox"), InboxURL: getenv("SMS_INBOX_URL"),
			MSG91AuthKey: getenv("MSG91_AUTH_KEY"), MSG91URL: r.or("MSG91_URL", "https://api.msg91.com"),
			MSG91Sender: getenv("MSG91_SENDER"), MSG91ReceiptKey: getenv("MSG91_RECEIPT_KEY"),
			TwilioSID: getenv("TWILIO_ACCOUNT_SID"), TwilioToken: getenv("TWILIO_AUTH_TOKEN"),
			TwilioFrom: getenv("TWILIO_FROM"), TwilioService: getenv("TWILIO_MESSAGING_SERVICE_SID"),
			TwilioURL:    r.or("TWILIO_URL", "https://api.twilio.com"),
			DLTTemplates: r.pairs("DLT_TEMPLATES"),
		},
		Places: Places{
			Provider: r.or("PLACES_PROVIDER", "gazetteer"), GoogleKey: getenv("GOOGLE_PLACES_KEY"),
			GoogleURL: r.or("GOOGLE_PLACES_URL", "https://places.googleapis.com"), PhotonURL: getenv("PHOTON_URL"),
		},
		Supplier:            r.supplier(),
		DatabasePool:        r.between("DATABASE_POOL", 20, 2, maxPool),
		DatabasePoolJobs:    r.between("DATABASE_POOL_JOBS", 4, 2, maxPool),
		RequestTimeout:      r.duration("REQUEST_TIMEOUT", 7*time.Second, time.Second, maxRequestTimeout),
		PGChargeBPS:         r.int("PG_CHARGE_BPS", 0),
		RefundApprovalAbove: r.int("REFUND_APPROVAL_ABOVE", 50_000),
	}
	if _, err := LogLevel(getenv("LOG_LEVEL")); err != nil {
		r.fail("LOG_LEVEL", err.Error())
	}
	c.PublicURL = r.url("PUBLIC_URL")
	if c.PGChargeBPS > maxPGCharge {
		r.fail("PG_CHARGE_BPS", "is beyond 10000, the whole charge")
	}
	if len(c.TenantIPs) == 0 {
		r.fail("TENANT_IPS", "want IP addresses, separated by commas")
	}
	for _, ip := range c.TenantIPs {
		if _, err := netip.ParseAddr(ip); err != nil {
			r.fail("TENANT_IPS", "want IP addresses, separated by commas")
		}
	}
	c.Keys = r.keys("SECRET_KEY", "SECRET_KEYS_OLD")
	r.checkS3(c.S3)
	if key := c.SMS.MSG91ReceiptKey; key != "" && len(key) < minReceiptKey {
		r.fail("MSG91_RECEIPT_KEY", "want 24 characters or more")
	}
	if limits := r.getenv("LIMITS"); limits != "" && limits != "live" {
		r.fail("LIMITS", "want live, or nothing")
	}
	c.LiveLimits = r.getenv("LIMITS") == "live"
	switch env := r.must("APP_ENV"); env {
	case "development":
		c.Development = true
	case "production", "":
	default:
		r.fail("APP_ENV", "want development or production")
	}
	drain := 3 * time.Second
	if c.Development {
		drain = 0
	}
	c.DrainDelay = r.duration("DRAIN_DELAY", drain, 0, maxDrainDelay)
	r.checkProduction(c)
	return c, errors.Join(r.problems...)
}

func (r *reader) supplier() Supplier {
	return Supplier{
		Name: r.or("SUPPLIER_NAME", "Franchise 360 Private Limited"), Address: r.getenv("SUPPLIER_ADDRESS"),
		GSTIN: r.getenv("SUPPLIER_GSTIN"), StateCode: r.or("SUPPLIER_STATE_CODE", "27"),
		Email: r.or("SUPPLIER_EMAIL", "hello@franchise360.example"), Phone: r.or("SUPPLIER_PHONE", "+91 22 4000 0360"),
		Bank: r.getenv("SUPPLIER_BANK"), Terms: r.getenv("SUPPLIER_TERMS"),
		Signatory: r.getenv("SUPPLIER_SIGNATORY"), AnnualReturns: r.dates("GST_ANNUAL_RETURNS"),
		Signing: Signing{
			CertFile: r.getenv("SIGNING_CERT_FILE"), KeyFile: r.getenv("SIGNING_KEY_FILE"), Password: r.getenv("SIGNING_CERT_PASSWORD"),
			Invoices: r.flag("SIGNING_INVOICES"),
		},
	}
}

// LogLevel reads the least level that is logged, info where nothing is said; an unknown word gives info and an error.
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
	// maxPool is more connections than any Postgres should have to serve.
	maxPool = 1000
	// maxRequestTimeout leaves a request of ten seconds the time to end its statement and to note what it did.
	maxRequestTimeout = 7 * time.Second
	// maxDrainDelay and the time that requests in hand get are together below what the compose file waits.
	maxDrainDelay = 5 * time.Second
)

func (r *reader) checkS3(s S3) {
	if (s.AccessKey == "") != (s.SecretKey == "") {
		r.fail("S3_ACCESS_KEY", "set it and S3_SECRET_KEY, or neither for the role of the machine")
	}
	if s.SessionToken != "" && s.AccessKey == "" {
		r.fail("S3_SESSION_TOKEN", "belongs to S3_ACCESS_KEY, which is not set")
	}
	if !slices.Contains([]string{"auto", "path", "virtual"}, s.Addressing) {
		r.fail("S3_ADDRESSING", "want auto, path or virtual")
	}
}

// maxPGCharge is a surcharge as large as what it is charged for, in basis points.
const maxPGCharge = 10_000

// minReceiptKey is the least length of a key that stands in an address.
const minReceiptKey = 24

// checkProduction refuses the development-only parts and anything that would weaken a live system.
func (r *reader) checkProduction(c Config) {
	if c.Development {
		return
	}
	if slices.Contains(split(c.SMS.Provider), "inbox") {
		r.fail("SMS_PROVIDER", "the inbox exists in development only")
	}
	if r.getenv("TENANT_IPS") == "" {
		r.fail("TENANT_IPS", "customers need the addresses that their own domains point to")
	}
	r.checkAddress("PUBLIC_URL", c.PublicURL.String(), false)
	if c.RefundApprovalAbove > maxRefundAlone {
		r.fail("REFUND_APPROVAL_ABOVE", "is beyond 1000000 rupees, so that no refund would need a second person")
	}
	r.checkProductionGateways(c.Gateways)
	r.checkProductionSecrets(c)
	r.checkProductionNetwork(c)
	r.checkProductionSupplier(c.Supplier)
}

// dates reads pairs such as 25-26:2026-10-15, parted by commas: a financial year and a day in India.
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

// isFinancialYear says whether the text names two years, one after the other, as 26-27 and 99-00 do.
func isFinancialYear(text string) bool {
	first, second, _ := strings.Cut(text, "-")
	from, wrongFrom := strconv.ParseUint(first, 10, 8)
	to, wrongTo := strconv.ParseUint(second, 10, 8)
	return len(first) == 2 && len(second) == 2 && wrongFrom == nil && wrongTo == nil && to == (from+1)%100
}

type reader struct {
	getenv   func(string) string
	problems []error
	// unread are the settings whose file could not be read.
	unread map[string]bool
}

// failFile says once that the file of a setting cannot be read.
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
	if v == "" && !r.unread[name+"_FILE"] {
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

// between reads a whole number within bounds; what is not set is the number given.
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

// duration reads a time such as 5s within bounds; what is not set is the time given.
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

// flag reads true or false; what is not set is false.
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

// keys reads the key in use and those that are only read with.
func (r *reader) keys(name, others string) secret.Keyring {
	v := r.must(name)
	if v == "" {
		return secret.Keyring{}
	}
	if _, err := secret.ParseKeyring(v); err != nil {
		r.fail(name, "want 64 hexadecimal digits")
		return secret.Keyring{}
	}
	k, err := secret.ParseKeyring(v, split(r.getenv(others))...)
	if err != nil {
		r.fail(others, "want keys of 64 hexadecimal digits, separated by commas")
	}
	return k
}

// pairs reads name=value, separated by commas.
func (r *reader) pairs(name string) map[string]string {
	out := map[string]string{}
	for _, part := range split(r.getenv(name)) {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			r.fail(name, "want name=value, separated by commas")
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
