package config

import (
	"net/netip"
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
	// minDistinct is how many different characters a secret has at least that nobody typed for a placeholder.
	minDistinct = 4
	// A network of proxies is no wider than one provider's private range (10.0.0.0/8, fc00::/7).
	minProxyBits4, minProxyBits6 = 8, 7
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
	if address == "" {
		return // said already
	}
	if !strings.HasPrefix(address, "https://") {
		r.fail(name, "must be https in production")
	}
	if strings.Contains(address, "://test.") && !r.flag("ALLOW_TEST_GATEWAY") {
		r.fail(name, "is the gateway's test system, which moves no money; a rehearsal sets ALLOW_TEST_GATEWAY=true")
	}
}

// checkSecret refuses one that is short or made of few characters; one that is not set was refused before.
func (r *reader) checkSecret(name, value string, least int) {
	if value == "" {
		return
	}
	if len(value) < least || distinct([]byte(value)) < minDistinct {
		r.fail(name, "is too short or too simple for production")
	}
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
	if c.S3.SecretKey == "" {
		return
	}
	if len(c.S3.SecretKey) < minStoreSecret || distinct([]byte(c.S3.SecretKey)) < minDistinct || c.S3.SecretKey == c.S3.AccessKey {
		r.fail("S3_SECRET_KEY", "is too short or too simple for production")
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
		if address != "" && !strings.HasPrefix(address, "https://") {
			r.fail(name, "must be https in production")
		}
	}
	if c.S3.Endpoint != "" && !strings.HasPrefix(c.S3.Endpoint, "https://") && !r.flag("ALLOW_PLAINTEXT_OBJECTS") {
		r.fail("S3_ENDPOINT", "must be https in production; for a store on the same machine set ALLOW_PLAINTEXT_OBJECTS=true")
	}
	if base := r.getenv("TENANT_BASE_DOMAIN"); base == "" || base == "localhost" || strings.HasSuffix(base, ".localhost") {
		r.fail("TENANT_BASE_DOMAIN", "stores need a domain of yours in production")
	}
	for _, network := range c.TrustedProxies {
		if !isNarrow(network) {
			r.fail("TRUSTED_PROXIES", "want addresses or networks of your own proxies, none wider than /8 (IPv6: /7)")
			return
		}
	}
}

func isNarrow(network string) bool {
	if _, err := netip.ParseAddr(network); err == nil {
		return true
	}
	prefix, err := netip.ParsePrefix(network)
	if err != nil || prefix.Addr().Is4In6() {
		return false
	}
	if prefix.Addr().Is4() {
		return prefix.Bits() >= minProxyBits4
	}
	return prefix.Bits() >= minProxyBits6
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
