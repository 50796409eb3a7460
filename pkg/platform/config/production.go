package config

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	minStoreSecret = 16
	// minDistinct is the minimum number of different characters in a randomly generated secret.
	minDistinct = 4
	// The public networks of proxies may add up to at most this size; Cloudflare's whole list fits.
	minPublicBits4, minPublicBits6 = 11, 28
	// maxRefundAlone is the most, in rupees, that one member of staff may ever be allowed to refund without approval.
	maxRefundAlone = 1_000_000
)

// checkAddress rejects an address that is not https, unless plain allows http, and one with user info, whose host is easily
// misread. An unset address is optional or already rejected.
func (r *reader) checkAddress(name, address string, plain bool) {
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		r.fail(name, "want an https URL")
	case u.User != nil:
		r.fail(name, "must hold no user or password")
	case u.Scheme != "https" && (u.Scheme != "http" || !plain):
		r.fail(name, "must be https in production")
	}
}

// isPrivateHost reports whether the address's host is reachable only within a private network: a private IP address, a
// single-label name as containers have, or a name under a suffix that is never public.
func isPrivateHost(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if ip, err := netip.ParseAddr(host); err == nil {
		return isPrivate(netip.PrefixFrom(ip.Unmap(), ip.Unmap().BitLen()))
	}
	return host != "" && (!strings.Contains(host, ".") || slices.ContainsFunc([]string{".internal", ".local", ".localhost"}, func(suffix string) bool {
		return strings.HasSuffix(host, suffix)
	}))
}

// checkSecret rejects secrets that are not random; an unset one is optional or already rejected.
func (r *reader) checkSecret(name, value string, least int) {
	if value != "" && (len(value) < least || simple(value)) {
		r.fail(name, "is too short or too simple for production")
	}
}

// simple reports whether the secret looks typed rather than generated: few different characters, a placeholder word, or a
// repeated pattern.
func simple(value string) bool {
	if distinct([]byte(value)) < minDistinct {
		return true
	}
	lower := strings.ToLower(value)
	for _, word := range []string{"password", "changeme", "change-me", "minio", "secret", "admin", "qwerty", "letmein", "1234567", "filled-in"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	// A repeated pattern, whole or truncated: the text starts with itself shifted by n.
	for n := 1; n <= len(value)/2; n++ {
		if value[n:] == value[:len(value)-n] {
			return true
		}
	}
	return false
}

func distinct(text []byte) int {
	seen := map[byte]bool{}
	for _, b := range text {
		seen[b] = true
	}
	return len(seen)
}

func (r *reader) checkProductionSecrets(c Config) {
	if slices.ContainsFunc(split(r.getenv("SECRET_KEY")), secret.Weak) {
		r.fail("SECRET_KEY", "is not random: make one with `openssl rand -hex 32`")
	}
	if c.SMS.MSG91ReceiptKey != "" && simple(c.SMS.MSG91ReceiptKey) { // its length is checked in development too
		r.fail("SMS_URL", "its receipt_key is too simple for production: make one with `openssl rand -hex 24`")
	}
	r.checkSecret("EMAIL_INBOUND_SECRET", c.Email.InboundSecret, minWhatsAppSecret)
	for _, secret := range []string{c.WhatsApp.Token, c.WhatsApp.AppSecret, c.WhatsApp.VerifyToken} {
		r.checkSecret("WHATSAPP_URL", secret, minWhatsAppSecret)
	}
	r.checkSecret("EINVOICE_URL", c.EInvoice.ClientSecret, minPortalSecret)
	r.checkSecret("EINVOICE_URL", c.EInvoice.Password, minPortalSecret)
	r.checkSecret("S3_SECRET_KEY", c.S3.SecretKey, minStoreSecret)
	if c.S3.SecretKey != "" && c.S3.SecretKey == c.S3.AccessKey {
		r.fail("S3_SECRET_KEY", "is the same as S3_ACCESS_KEY")
	}
	if slices.Contains([]string{"minioadmin", "minio", "admin", "root"}, c.S3.AccessKey) {
		r.fail("S3_ACCESS_KEY", "is the default of the object store")
	}
}

// checkProductionNetwork rejects unencrypted connections and proxy ranges that include arbitrary clients.
func (r *reader) checkProductionNetwork(c Config) {
	if err := postgres.CheckEncrypted(c.DatabaseURL); err != nil && c.DatabaseURL != "" && !r.allowed["database"] {
		r.fail("DATABASE_URL", err.Error()+"; for a database on the same machine set ALLOW_INSECURE=database")
	}
	// A standby is on another machine, so the exception for plain text to the database on this one does not cover it.
	if err := postgres.CheckEncrypted(c.DatabaseReadURL); err != nil && c.DatabaseReadURL != "" {
		r.fail("DATABASE_READ_URL", err.Error())
	}
	for name, address := range map[string]string{
		"WHATSAPP_URL": c.WhatsApp.URL, "EINVOICE_URL": c.EInvoice.URL, "S3_PUBLIC_ENDPOINT": c.S3.PublicEndpoint,
	} {
		r.checkAddress(name, address, false)
	}
	for name, address := range map[string]string{"PLACES_URL": c.Places.PhotonURL, "OTEL_EXPORTER_OTLP_ENDPOINT": c.Traces.Endpoint} {
		r.checkAddress(name, address, isPrivateHost(address))
	}
	plain := r.allowed["objects"]
	r.checkAddress("S3_ENDPOINT", c.S3.Endpoint, plain)
	if strings.HasPrefix(c.S3.Endpoint, "http://") && !plain {
		r.fail("S3_ENDPOINT", "for a store on the same machine set ALLOW_INSECURE=objects")
	}
	r.checkRedis(c.RedisURL)
	if base := r.getenv("TENANT_BASE_DOMAIN"); base == "" || base == "localhost" || strings.HasSuffix(base, ".localhost") {
		r.fail("TENANT_BASE_DOMAIN", "stores need a domain of yours in production")
	}
	if !areNarrow(c.TrustedProxies) {
		r.fail("TRUSTED_PROXIES", "want addresses or networks of your own proxies; public ones together no wider than /11 (IPv6: /28)")
	}
	for _, text := range c.TenantIPs {
		ip, err := netip.ParseAddr(text)
		if err == nil && (!ip.IsGlobalUnicast() || isPrivate(netip.PrefixFrom(ip.Unmap(), ip.Unmap().BitLen()))) {
			r.fail("TENANT_IPS", "want addresses that everybody can reach")
			return
		}
	}
}

// checkRedis rejects a Redis that outsiders could read, because it holds sessions.
func (r *reader) checkRedis(address string) {
	u, err := url.Parse(address)
	if address == "" || err == nil && u.Scheme == "unix" {
		return
	}
	if err != nil {
		r.fail("REDIS_URL", "want a redis or rediss URL")
		return
	}
	password, _ := u.User.Password()
	if u.Query().Has("master_name") { // the user and password of the address are the Sentinel's
		password = u.Query().Get("password")
	}
	if password == "" {
		r.fail("REDIS_URL", "must hold a password in production")
	}
	isPublic := func(sentinel string) bool { return !isPrivateHost("redis://" + sentinel) }
	if u.Scheme != "rediss" && (!isPrivateHost(address) || slices.ContainsFunc(u.Query()["addr"], isPublic)) {
		r.fail("REDIS_URL", "must be rediss in production, unless the host is private")
	}
}

// privateNetworks returns the networks that contain no outside client's address.
func privateNetworks() []netip.Prefix {
	var list []netip.Prefix
	for _, text := range []string{
		"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8",
		"fc00::/7", "fe80::/10", "::1/128",
	} {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

func isPrivate(network netip.Prefix) bool {
	return slices.ContainsFunc(privateNetworks(), func(p netip.Prefix) bool {
		return p.Bits() <= network.Bits() && p.Contains(network.Addr())
	})
}

// areNarrow reports whether the proxy networks are private, or public and in total no larger than a large provider's.
func areNarrow(networks []string) bool {
	var ip4, ip6 uint64 // number of addresses, and of /64 networks
	for _, text := range networks {
		network, err := netip.ParsePrefix(text)
		if ip, no := netip.ParseAddr(text); no == nil {
			network, err = ip.Unmap().Prefix(ip.Unmap().BitLen())
		}
		switch {
		case err != nil || network.Addr().Is4In6():
			return false
		case isPrivate(network):
		case network.Addr().Is4():
			ip4 += 1 << (32 - network.Bits())
		case network.Bits() < minPublicBits6:
			return false
		default:
			ip6 += 1 << (64 - min(network.Bits(), 64))
		}
	}
	return ip4 <= 1<<(32-minPublicBits4) && ip6 <= 1<<(64-minPublicBits6)
}

// checkProductionSupplier refuses to issue invoices without the supplier's details (Rule 46 CGST).
func (r *reader) checkProductionSupplier(s Supplier) {
	switch {
	case s.GSTIN == "":
		r.fail("SUPPLIER_GSTIN", "is not set, and invoices need it (Rule 46 CGST)")
	case !gstin.Valid(s.GSTIN):
		r.fail("SUPPLIER_GSTIN", "is no GSTIN, or its check character is wrong")
	}
	if strings.TrimSpace(s.Address) == "" {
		r.fail("SUPPLIER_ADDRESS", "is not set, and invoices need it (Rule 46 CGST)")
	}
	if s.CIN != "" && !isCIN(s.CIN) {
		r.fail("SUPPLIER_CIN", "is no CIN, such as U72900MH2024PTC000360")
	}
	r.checkProductionContact(s.Grievance)
}

// isCIN reports whether it is a company's number: listing, industry, State, year, kind, registration.
func isCIN(number string) bool {
	return regexp.MustCompile(`^[LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}$`).MatchString(number)
}

// checkProductionContact refuses a site that does not say who runs it and who hears complaints: rule 4(2) and 4(4) of
// the Consumer Protection (E-Commerce) Rules 2020.
func (r *reader) checkProductionContact(g Grievance) {
	for _, name := range []string{
		"SUPPLIER_NAME", "SUPPLIER_EMAIL", "SUPPLIER_PHONE", "GRIEVANCE_OFFICER",
	} {
		if strings.TrimSpace(r.getenv(name)) == "" {
			r.fail(name, "the site has to name who runs it and who hears complaints (rule 4, E-Commerce Rules 2020)")
		}
	}
	parts := strings.Split(r.getenv("GRIEVANCE_OFFICER"), "|")
	blank := func(part string) bool { return strings.TrimSpace(part) == "" }
	if len(parts) != 5 || slices.ContainsFunc(parts, blank) || !strings.Contains(g.Email, "@") {
		r.fail("GRIEVANCE_OFFICER", "want name|designation|e-mail|telephone|hours, as in Meera Kulkarni|Grievance Officer|grievance@example.com|…")
	}
	if address := r.getenv("SUPPLIER_EMAIL"); address != "" {
		if _, err := mail.ParseAddress(address); err != nil {
			r.fail("SUPPLIER_EMAIL", "is no e-mail address")
		}
	}
}
