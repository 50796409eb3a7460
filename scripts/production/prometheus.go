package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/scripts/stack"
)

// scraped returns where the replicas of a service show their metrics.
func (p *production) scraped(service string) (addresses []string) {
	for i := range p.services[service].Replicas {
		if service == "proxy" {
			addresses = append(addresses, p.at(proxyAddress(i), "proxy_metrics"))
			continue
		}
		addresses = append(addresses, p.at(replicaAddress(service, i), "metrics"))
	}
	return addresses
}

var foundByName = regexp.MustCompile(`dns_sd_configs: \[\{ names: \[(\w+)\].*`)

// prometheusConfig returns the example configuration for the processes here: without an Alertmanager and a look from outside, which are
// others', and so often that it sees what a drill breaks.
func (p *production) prometheusConfig(example string) string {
	scrapes, _, _ := strings.Cut(example, "  # blackbox_exporter")
	text := regexp.MustCompile(`(?s)alerting:\n.*?scrape_configs:`).ReplaceAllString(scrapes, "scrape_configs:")
	text = foundByName.ReplaceAllStringFunc(text, func(line string) string {
		return `static_configs: [{ targets: ["` + strings.Join(p.scraped(foundByName.FindStringSubmatch(line)[1]), `", "`) + `"] }]`
	})
	return strings.NewReplacer("15s", "5s", "alerts.yml", p.in("scripts/monitoring/alerts.yml")).Replace(text)
}

// startPrometheus starts Prometheus with the product's alert rules beside a cluster, where it is installed.
func (p *production) startPrometheus(ctx context.Context) error {
	if !p.opts.cluster {
		return nil
	}
	if !filepath.IsAbs(p.programOf("prometheus")) {
		p.Screen.Say("Nobody judges the alert rules: apt-get install prometheus.")
		return nil
	}
	example, err := os.ReadFile(p.in("scripts/monitoring/prometheus.yml"))
	if err != nil {
		return fmt.Errorf("read the example of Prometheus: %w", err)
	}
	if err := stack.WriteWhole(p.prometheusFile(), []byte(p.prometheusConfig(string(example)))); err != nil {
		return err
	}
	p.prometheus = "http://" + p.local("prometheus")
	part := p.part("prometheus", 0, p.prometheus+"/-/ready")
	part.Arguments = append(part.Arguments, "--web.listen-address="+p.local("prometheus"))
	return p.Launch(ctx, part)
}

func (p *production) prometheusFile() string { return filepath.Join(p.DataDir, "prometheus.yml") }
