package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxSetting is more than any setting needs, in bytes; a longer one is a mistake, such as a file of another kind.
	maxSetting = 16 << 10
	maxPort    = 65535
)

// bounded returns a getenv that reports settings longer than maxSetting once each and reads them as empty.
func (r *reader) bounded(getenv func(string) string) func(string) string {
	return func(name string) string {
		v := getenv(name)
		if len(v) <= maxSetting {
			return v
		}
		if !r.unread[name] {
			r.fail(name, fmt.Sprintf("is longer than %d characters", maxSetting))
		}
		r.unread[name] = true
		return ""
	}
}

// checkShape rejects settings that no process could use as they are written, wherever it runs.
func (r *reader) checkShape(c Config) {
	for name, address := range map[string]string{"HTTP_ADDR": c.HTTPAddr, "METRICS_ADDR": c.MetricsAddr} {
		if !isHostPort(address, 0) {
			r.fail(name, "want host:port, or :port for every address of the machine")
		}
	}
	if host, _, _ := strings.Cut(c.DNSServer, ":"); c.DNSServer != "" && (host == "" || !isHostPort(c.DNSServer, 1)) {
		r.fail("DNS_SERVER", "want host:port, such as 1.1.1.1:53")
	}
	if u := c.PublicURL; strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || !isPort(u.Port(), 1) {
		r.fail("PUBLIC_URL", "want an address without path or query, such as https://franchise360.example")
	}
	if !isDomain(c.TenantBaseDomain) {
		r.fail("TENANT_BASE_DOMAIN", "want a domain, such as franchise360.example")
	}
	for _, text := range c.TrustedProxies {
		_, network := netip.ParsePrefix(text)
		if _, address := netip.ParseAddr(text); network != nil && address != nil {
			r.fail("TRUSTED_PROXIES", "want addresses or networks, such as 10.0.0.0/8, separated by commas")
			break
		}
	}
	for name, address := range map[string]string{"WHATSAPP_URL": c.WhatsApp.URL, "EINVOICE_URL": c.EInvoice.URL} {
		r.checkURL(name, address)
	}
	if s := c.Supplier.Signing; s.CertFile == "" && (s.Password != "" || s.Invoices) {
		r.fail("SIGNING_CERT_FILE", "is not set, but other settings of the signature are: nothing would be signed")
	}
}

// checkS3Shape rejects addresses and names that no object store has.
func (r *reader) checkS3Shape(s S3) {
	r.checkURL("S3_ENDPOINT", s.Endpoint)
	r.checkURL("S3_PUBLIC_ENDPOINT", s.PublicEndpoint)
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`).MatchString(s.Bucket) {
		r.fail("S3_BUCKET", "want 3 to 63 lower-case letters, digits, dots and hyphens")
	}
	if !regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{1,62}$`).MatchString(s.Region) {
		r.fail("S3_REGION", "want a region, such as ap-south-1")
	}
}

// checkURL rejects an address that is not http or https; an unset one is optional or already rejected.
func (r *reader) checkURL(name, address string) {
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || !isPort(u.Port(), 1) {
		r.fail(name, "want an http or https URL")
	}
}

// isHostPort reports whether the text is host:port, with an empty host for every address.
func isHostPort(text string, least int) bool {
	_, port, err := net.SplitHostPort(text)
	return err == nil && port != "" && isPort(port, least)
}

// isPort reports whether the text is empty or a port from least on.
func isPort(text string, least int) bool {
	if text == "" {
		return true
	}
	n, err := strconv.Atoi(text)
	return err == nil && n >= least && n <= maxPort
}

// isDomain reports whether the text is a host name of two labels or more and no IP address; localhost counts too.
func isDomain(text string) bool {
	if _, err := netip.ParseAddr(text); err == nil || len(text) > 253 {
		return false
	}
	label := regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	labels := strings.Split(text, ".")
	return (len(labels) > 1 || text == "localhost") && !slices.ContainsFunc(labels, func(l string) bool { return !label.MatchString(l) })
}

// canonical writes each address as name servers' answers are written, with which they are compared: 2001:DB8:0::7 is 2001:db8::7.
func canonical(addresses []string) []string {
	for i, text := range addresses {
		if ip, err := netip.ParseAddr(text); err == nil {
			addresses[i] = ip.Unmap().String()
		}
	}
	return addresses
}
