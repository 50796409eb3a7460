package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/stack"
)

// addresses is what tests and people need to know about the running system.
type addresses struct {
	Site        string         `json:"site"`
	Domain      string         `json:"domain"`
	Proxy       string         `json:"proxy"`       // host and port that serve every name of the site
	Proxies     []string       `json:"proxies"`     // all that do
	Databases   []string       `json:"databases"`   // Patroni's addresses; empty unless -cluster
	Authorities string         `json:"authorities"` // file of the certificates that a client must trust
	SMSInbox    string         `json:"sms_inbox"`
	Gateway     string         `json:"gateway"`
	DNSServer   string         `json:"dns_server"`
	Objects     string         `json:"objects"`
	API         []string       `json:"api"` // each replica, bypassing the proxy
	Metrics     []string       `json:"metrics"`
	OwnerURL    string         `json:"database_owner_url"`
	DataDir     string         `json:"data_dir"`
	BinDir      string         `json:"bin_dir"`
	Redis       string         `json:"redis_url"`
	Toxiproxy   string         `json:"toxiproxy"`  // its API; empty unless -breakable
	Clocks      string         `json:"clocks"`     // folder of the clocks; empty unless -clocks
	Prometheus  string         `json:"prometheus"` // empty where it does not run
	Processes   map[string]int `json:"processes"`  // process ids by name
}

func (p *production) addresses() addresses {
	a := addresses{
		Site: p.site().String(), Domain: p.domain, Proxy: stack.Local(p.opts.port), Authorities: p.authoritiesFile(),
		SMSInbox: "http://" + p.local("msg91"), Gateway: "https://" + p.local("payu_tls"), DNSServer: "http://" + p.local("dnsserver"),
		Objects:  "http://" + p.local("objects"),
		OwnerURL: p.ownerURL, DataDir: p.DataDir, BinDir: p.BinDir, Processes: p.Processes("production"),
	}
	a.Redis = strings.Replace(p.services["api"].Environment["REDIS_URL"], "@redis:6379/", "@"+p.local("redis")+"/", 1)
	a.Prometheus = p.prometheus
	a.Proxies = p.proxyAddresses()
	if p.opts.cluster {
		for i := range machines {
			a.Databases = append(a.Databases, "http://"+p.at(replicaAddress("database", i), "patroni"))
		}
	}
	if p.opts.breakable {
		a.Toxiproxy = "http://" + p.local("toxiproxy")
	}
	if p.opts.clocks {
		a.Clocks = p.clocksDir()
	}
	for i := range p.services["api"].Replicas {
		a.API = append(a.API, p.at(replicaAddress("api", i), "api"))
	}
	for _, name := range []string{"api", "worker"} {
		for i := range p.services[name].Replicas {
			a.Metrics = append(a.Metrics, "http://"+p.at(replicaAddress(name, i), "metrics")+"/metrics")
		}
	}
	return a
}

func (p *production) authoritiesFile() string { return filepath.Join(p.DataDir, "authorities.pem") }

// writeJSON writes the addresses to the requested file, and again after each restart, as process ids change.
func (p *production) writeJSON() error {
	if p.opts.jsonFile == "" {
		return nil
	}
	text, err := json.MarshalIndent(p.addresses(), "", "  ")
	if err != nil {
		return fmt.Errorf("write the addresses: %w", err)
	}
	return stack.WriteWhole(p.opts.jsonFile, text)
}

// writeAuthorities writes the certificates that a client must trust into one file.
func (p *production) writeAuthorities() error {
	var bundle []byte
	for _, file := range []string{p.authorityFile(), p.proxyAuthorityFile()} {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read an authority: %w", err)
		}
		bundle = append(bundle, text...)
	}
	return stack.WriteWhole(p.authoritiesFile(), bundle)
}

// announce prints how to reach the running system.
func (p *production) announce(took time.Duration) error {
	if err := p.writeAuthorities(); err != nil {
		return err
	}
	var a addresses
	err := p.Exclusively(func() error {
		a = p.addresses()
		return p.writeJSON()
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nThe production form of Franchise 360 is running (%.1f s). Ctrl-C ends it.\n\n", took.Seconds())
	for _, row := range a.rows(p.envFile()) {
		if row[1] == "" {
			continue
		}
		fmt.Fprintf(&text, "  %-18s %s\n", row[0], row[1])
	}
	p.Screen.Say(text.String())
	return nil
}

// rows returns what people read of the addresses; the settings in the file have the passwords.
func (a addresses) rows(settings string) [][2]string {
	rules := fmt.Sprintf("MAP %s %s, MAP *.%s %s", a.Domain, a.Proxy, a.Domain, a.Proxy)
	return [][2]string{
		{"Site", a.Site},
		{"With curl", fmt.Sprintf("curl --cacert %s --connect-to ::%s %s/readyz", a.Authorities, a.Proxy, a.Site)},
		{"With Chromium", fmt.Sprintf("chromium --host-resolver-rules=%q --ignore-certificate-errors %s", rules, a.Site)},
		{"SMS inbox", a.SMSInbox},
		{"PayU sandbox", a.Gateway},
		{"DNS records", a.DNSServer + "/records"},
		{"Object store", a.Objects},
		{"Metrics", strings.Join(a.Metrics, "\n"+strings.Repeat(" ", 21))},
		{"Prometheus", a.Prometheus},
		{"With psql", fmt.Sprintf("psql '%s' # asks for POSTGRES_PASSWORD, which is in %s", withoutPassword(a.OwnerURL), settings)},
		{"Settings", settings + " # each start writes it anew; to change it, name a file in SETTINGS at every start"},
		{"Programs by hand", "make admin RUN=\"seed staff list\""},
	}
}

// withoutPassword returns the address without its password; empty for an invalid address.
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User = url.User(u.User.Username())
	return u.String()
}
