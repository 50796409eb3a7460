package config

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	minGatewayKey    = 6 // such as PayU's gtKFFx
	minGatewaySalt   = 8 // the shortest that PayU gives
	minGatewaySecret = 12
	minStoreSecret   = 16
	// minDistinct is how many different characters a secret has at least that was drawn.
	minDistinct = 4
	// The public networks of proxies are together no wider than these; Cloudflare's whole list fits.
	minPublicBits4, minPublicBits6 = 11, 28
	// maxRefundAlone is how many rupees one member of staff may give back alone at most.
	maxRefundAlone = 1_000_000
)

// checkProductionGateways refuses to send keys and payments over an open line or to a gateway's test system, and secrets
// that can be guessed: who knows one, tells us of payments that nobody made.
func (r *reader) checkProductionGateways(g Gateways) {
	if slices.Contains(g.Names, GatewayPayU) {
		r.checkGatewayAddress("PAYU_URL", g.PayU.URL)
		r.checkGatewayAddress("PAYU_API_URL", g.PayU.APIURL)
		r.checkSecret("PAYU_KEY", g.PayU.Key, minGatewayKey)
		r.checkSecret("PAYU_SALT", g.PayU.Salt, minGatewaySalt)
	}
	if slices.Contains(g.Names, GatewayRazorpay) {
		r.checkGatewayAddress("RAZORPAY_URL", g.Razorpay.URL)
		r.checkSecret("RAZORPAY_KEY_ID", g.Razorpay.KeyID, minGatewaySecret)
		r.checkSecret("RAZORPAY_KEY_SECRET", g.Razorpay.KeySecret, minGatewaySecret)
		r.checkSecret("RAZORPAY_WEBHOOK_SECRET", g.Razorpay.WebhookSecret, minGatewaySecret)
		if strings.HasPrefix(g.Razorpay.KeyID, "rzp_test_") && !r.flag("ALLOW_TEST_GATEWAY") {
			r.fail("RAZORPAY_KEY_ID", "is of a test account, which moves no money; a rehearsal sets ALLOW_TEST_GATEWAY=true")
		}
	}
}

func (r *reader) checkGatewayAddress(name, address string) {
	r.checkAddress(name, address, false)
	u, err := url.Parse(address)
	if err == nil && strings.HasPrefix(strings.ToLower(u.Hostname()), "test.") && !r.flag("ALLOW_TEST_GATEWAY") {
		r.fail(name, "is the gateway's test system, which moves no money; a rehearsal sets ALLOW_TEST_GATEWAY=true")
	}
}

// checkAddress refuses an address that is not https, unless plain allows http, and one with a user in it, whose host is easily
// misread. One that is not set was refused before, or need not be set.
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

// isPrivateHost says whether the host of an address is one that only a network of one's own knows: a private IP address, a name
// of one part as containers have, or one under a suffix that is never public.
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

// checkSecret refuses what is not random; what is not set was refused before, or need not be set.
func (r *reader) checkSecret(name, value string, least int) {
	if value != "" && (len(value) < least || simple(value)) {
		r.fail(name, "is too short or too simple for production")
	}
}

// simple says whether somebody typed the secret rather than drew it: few different characters, a word that stands for a secret,
// or the same again and again.
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
	// The same again and again, whole or cut off: some part of it, put before it, begins it again.
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
	if secret.Weak(r.getenv("SECRET_KEY")) {
		r.fail("SECRET_KEY", "is not random: make one with `openssl rand -hex 32`")
	}
	if slices.ContainsFunc(split(r.getenv("SECRET_KEYS_OLD")), secret.Weak) {
		r.fail("SECRET_KEYS_OLD", "holds a key that is not random")
	}
	if c.SMS.MSG91ReceiptKey != "" && simple(c.SMS.MSG91ReceiptKey) { // its length is checked everywhere
		r.fail("MSG91_RECEIPT_KEY", "is too simple for production: make one with `openssl rand -hex 24`")
	}
	r.checkSecret("S3_SECRET_KEY", c.S3.SecretKey, minStoreSecret)
	if c.S3.SecretKey != "" && c.S3.SecretKey == c.S3.AccessKey {
		r.fail("S3_SECRET_KEY", "is the same as S3_ACCESS_KEY")
	}
	if slices.Contains([]string{"minioadmin", "minio", "admin", "root"}, c.S3.AccessKey) {
		r.fail("S3_ACCESS_KEY", "is the default of the object store")
	}
}

// checkProductionNetwork refuses open lines and proxies that could be anybody.
func (r *reader) checkProductionNetwork(c Config) {
	if c.DatabaseURL != "" && !r.flag("ALLOW_PLAINTEXT_DATABASE") {
		if err := postgres.CheckEncrypted(c.DatabaseURL); err != nil {
			r.fail("DATABASE_URL", err.Error()+"; for a database on the same machine set ALLOW_PLAINTEXT_DATABASE=true")
		}
	}
	for name, address := range map[string]string{
		"MSG91_URL": c.SMS.MSG91URL, "TWILIO_URL": c.SMS.TwilioURL, "S3_PUBLIC_ENDPOINT": c.S3.PublicEndpoint,
	} {
		r.checkAddress(name, address, false)
	}
	for name, address := range map[string]string{"PHOTON_URL": c.Places.PhotonURL, "GOOGLE_PLACES_URL": c.Places.GoogleURL} {
		r.checkAddress(name, address, isPrivateHost(address))
	}
	plain := r.flag("ALLOW_PLAINTEXT_OBJECTS")
	r.checkAddress("S3_ENDPOINT", c.S3.Endpoint, plain)
	if strings.HasPrefix(c.S3.Endpoint, "http://") && !plain {
		r.fail("S3_ENDPOINT", "for a store on the same machine set ALLOW_PLAINTEXT_OBJECTS=true")
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

// checkRedis refuses a Redis that anybody could read, who would read sessions there.
func (r *reader) checkRedis(address string) {
	u, err := url.Parse(address)
	if address == "" || err == nil && u.Scheme == "unix" {
		return
	}
	if err != nil {
		r.fail("REDIS_URL", "want a redis or rediss URL")
		return
	}
	if password, _ := u.User.Password(); password == "" {
		r.fail("REDIS_URL", "must hold a password in production")
	}
	if u.Scheme != "rediss" && !isPrivateHost(address) {
		r.fail("REDIS_URL", "must be rediss in production, unless the host is private")
	}
}

// privateNetworks are those that no stranger's address is in.
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

// areNarrow says whether the networks of proxies are private, or public and together no more than a large provider's.
func areNarrow(networks []string) bool {
	var ip4, ip6 uint64 // how many addresses, and how many /64
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

// checkProductionSupplier refuses to issue invoices in the name of nobody (Rule 46 CGST).
func (r *reader) checkProductionSupplier(s Supplier) {
	switch {
	case s.GSTIN == "" || s.Address == "":
		r.fail("SUPPLIER_GSTIN", "invoices need SUPPLIER_GSTIN and SUPPLIER_ADDRESS (Rule 46 CGST)")
	case !gstin.Valid(s.GSTIN):
		r.fail("SUPPLIER_GSTIN", "is no GSTIN, or its check character is wrong")
	}
	if len(s.GSTIN) == gstin.Length && s.StateCode != s.GSTIN[:2] {
		r.fail("SUPPLIER_STATE_CODE", "is not the State with which SUPPLIER_GSTIN begins")
	}
}
