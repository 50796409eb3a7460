package main

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/scripts/movedclock"
	"github.com/franchise360/franchise360/scripts/stack"
)

// This file holds every difference between a local process and its container in docker-compose.yml: the addresses of the
// others, its own listening address, and its files. complete fails if something in the compose file is in none of the lists.

// The replicas listen on separate addresses, as containers do; the proxy finds those of the api under the name api, from the
// stack's DNS server.
const (
	firstReplica = 2 // 127.0.0.2
	mostReplicas = 4 // of a kind; their ports are reserved before docker-compose.yml is read
)

func replicaAddress(kind string, index int) string {
	switch kind {
	case "api":
	case "worker":
		index += 100
	default:
		index += 200
	}
	return "127.0.0." + strconv.Itoa(firstReplica+index)
}

// hostsOf returns the addresses, beside 127.0.0.1, on which replicas listen on the named port.
func hostsOf(port string) []string {
	var hosts []string
	for i := range mostReplicas {
		switch {
		case port == "proxy_metrics" || slices.Contains(clusterPorts(), port):
			hosts = append(hosts, replicaAddress("database", i))
			continue
		case port != "api" && port != "metrics":
			continue
		}
		hosts = append(hosts, replicaAddress("api", i), replicaAddress("worker", i))
	}
	return hosts
}

// logRoot is the folder of the logs that are kept.
func (p *production) logRoot() string { return filepath.Join(p.DataDir, "logs") }

// local returns the listening address of a part with a single instance.
func (p *production) local(port string) string { return stack.Local(p.Kept.Ports[port]) }

func (p *production) at(address, port string) string {
	return net.JoinHostPort(address, strconv.Itoa(p.Kept.Ports[port]))
}

// replacements maps the addresses in the settings of a service's replica to local ones. The site and its documents get a port, and
// Postgres is reached over TLS only.
func (p *production) replacements(domain string, index int) *strings.Replacer {
	port := ":" + strconv.Itoa(p.opts.port)
	encrypted := url.Values{"sslmode": {"verify-full"}, "sslrootcert": {p.authorityFile()}}.Encode()
	pairs := []string{"@postgres:5432/", "@" + p.way("postgres") + "/"}
	if p.opts.cluster {
		pairs = p.clusterAddresses(index)
	}
	return strings.NewReplacer(append(pairs,
		"sslmode=disable", encrypted,
		"@redis:6379/", "@"+p.way("redis")+"/",
		"http://objects:9000", "http://"+p.way("objects"),
		"https://objects."+domain, "https://objects."+domain+port,
		"https://"+domain, "https://"+domain+port,
	)...)
}

// own returns the settings that replace those of the service's container or image.
func (p *production) own(name string, index int) map[string]string {
	product := map[string]string{
		"WEB_DIR":       stack.WebDir(p.opts.repository), // from the image
		"SSL_CERT_FILE": p.authorityFile(),               // the authority of the outside parties' certificates
	}
	switch name {
	case "api", "worker":
		product["HTTP_ADDR"] = p.at(replicaAddress(name, index), "api")
		product["METRICS_ADDR"] = p.at(replicaAddress(name, index), "metrics")
		product["LOG_DIR"] = filepath.Join(p.logRoot(), "product")
		return product
	case "migrate", "catalogue", "admin":
		return product
	case "objects":
		return map[string]string{"HTTP_ADDR": p.local("objects"), "OBJECTSTORE_DIR": filepath.Join(p.DataDir, "objects")}
	case "logs":
		return map[string]string{"LOG_ROOT": p.logRoot()}
	case "proxy":
		folder := filepath.Join(p.DataDir, "proxy") // of all replicas: they share the certificates
		return map[string]string{
			"PROXY_OPTIONS": fmt.Sprintf("local_certs\nhttp_port %d\nhttps_port %d\ndefault_bind %s",
				p.Kept.Ports["proxy_http"], p.opts.port, proxyAddress(index)),
			"PROXY_RESOLVERS": "resolvers " + p.local("dnsserver"),
			"API_HOST":        "api", "API_PORT": strconv.Itoa(p.Kept.Ports["api"]),
			"TLS_ASK": "http://" + p.at(replicaAddress("api", 0), "metrics") + "/tls/ask",
			"OBJECTS": p.way("objects"), "HEALTH_PORT": strconv.Itoa(p.Kept.Ports[proxyHealth(index)]),
			"ACCESS_LOG":    filepath.Join(p.logRoot(), "proxy", accessLog(index)),
			"METRICS_PORT":  strconv.Itoa(p.Kept.Ports["proxy_metrics"]),
			"OUTAGE_PAGES":  filepath.Join(p.opts.repository, "api", "outage", "page"), // in the image
			"XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, "HOME": folder,         // from the image
		}
	default: // postgres and redis take arguments
		if p.opts.cluster {
			return p.ownOfCluster(name, index)
		}
		return nil
	}
}

// proxyAddress returns where a replica of the proxy listens for the site.
func proxyAddress(index int) string {
	if index == 0 {
		return "127.0.0.1"
	}
	return replicaAddress("proxy", index)
}

// proxyHealth returns the name of the port of a proxy's health, which is on 127.0.0.1 in each container.
func proxyHealth(index int) string {
	if index == 0 {
		return "proxy_health"
	}
	return "proxy_health_" + strconv.Itoa(index+1)
}

func accessLog(index int) string {
	if index == 0 {
		return "access.log"
	}
	return "access-" + strconv.Itoa(index+1) + ".log"
}

// known lists the services that are started here, or run by hand (admin).
func (p *production) known() []string {
	list := []string{"admin", "api", "catalogue", "logs", "migrate", "objects", "postgres", "proxy", "redis", "worker"}
	if p.opts.cluster {
		list = append(list, clusterServices()...)
	}
	return list
}

// environment returns the environment of a service's replica: the container's, adapted, and nothing of this machine's.
func (p *production) environment(name string, s service, index int) []string {
	settings := maps.Clone(s.Environment)
	here := p.replacements(p.domain, index)
	for setting, value := range settings {
		settings[setting] = here.Replace(value)
	}
	if p.opts.cluster && name == "api" && !p.follows {
		settings["DATABASE_URL"] += "&default_query_exec_mode=exec"
		settings["DATABASE_READ_URL"] += "&default_query_exec_mode=exec"
	}
	maps.Copy(settings, p.own(name, index))
	if p.opts.clocks && p.isMoved(name) {
		settings[movedclock.Variable] = p.clockFile(titleOf(name, s, index))
	}
	list := make([]string, 0, len(settings))
	for setting, value := range settings {
		list = append(list, setting+"="+value)
	}
	slices.Sort(list)
	return list
}

// complete fails if docker-compose.yml or the Caddyfile names something of a container's that no list here replaces: a service,
// a service's address, a listening address or a folder.
func (p *production) complete(services map[string]service, caddyfile string) error {
	var problems []error
	names := strings.Join(slices.Sorted(maps.Keys(services)), "|")
	host := regexp.MustCompile(`(^|[/@,. ])(` + names + `):\d+($|[/?,;])`) // the @ ends a password
	wildcard := regexp.MustCompile(`^:\d+$`)
	folder := regexp.MustCompile(`^/`)
	for _, name := range slices.Sorted(maps.Keys(services)) {
		if !slices.Contains(p.known(), name) {
			problems = append(problems, fmt.Errorf("the service %s is started by nobody", name))
			continue
		}
		if services[name].Replicas > mostReplicas {
			problems = append(problems, fmt.Errorf("the service %s has more than %d replicas: raise mostReplicas", name, mostReplicas))
		}
		for _, setting := range p.environment(name, services[name], 0) {
			key, value, _ := strings.Cut(setting, "=")
			_, given := p.given[key]
			if _, mine := p.own(name, 0)[key]; mine {
				given = true
			}
			within := given || strings.HasPrefix(value, p.DataDir) || strings.HasPrefix(value, p.opts.repository)
			if host.MatchString(value) || wildcard.MatchString(value) || folder.MatchString(value) && !within {
				problems = append(problems, fmt.Errorf("%s of %s is that of a container", key, name))
			}
		}
	}
	for _, name := range p.known() {
		if _, ok := services[name]; !ok {
			problems = append(problems, fmt.Errorf("the service %s is not in docker-compose.yml", name))
		}
	}
	return errors.Join(append(problems, p.completeProxy(services, caddyfile))...)
}

// completeProxy verifies that every placeholder in the Caddyfile is filled in, and that it names containers only through
// placeholders.
func (p *production) completeProxy(services map[string]service, caddyfile string) error {
	var problems []error
	given := map[string]bool{}
	for _, setting := range p.environment("proxy", services["proxy"], 0) {
		key, _, _ := strings.Cut(setting, "=")
		given[key] = true
	}
	placeholder := regexp.MustCompile(`\{\$([A-Z0-9_]+)(:[^}]*)?\}`)
	for _, found := range placeholder.FindAllStringSubmatch(caddyfile, -1) {
		if !given[found[1]] {
			problems = append(problems, fmt.Errorf("nobody gives the Caddyfile %s", found[1]))
		}
	}
	rest := placeholder.ReplaceAllString(regexp.MustCompile(`(?m)^\s*#.*$`).ReplaceAllString(caddyfile, ""), "")
	names := strings.Join(slices.Sorted(maps.Keys(services)), "|")
	if found := regexp.MustCompile(`\b(` + names + `)[: ]\d+|(?m)^:\d+`).FindString(rest); found != "" {
		problems = append(problems, fmt.Errorf("the Caddyfile names %q, which is a container's", found))
	}
	return errors.Join(problems...)
}
