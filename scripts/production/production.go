package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/scripts/embedded"
	"github.com/franchise360/franchise360/scripts/stack"
)

const siteTimeout = 2 * time.Minute

// production is the running system and its description from docker-compose.yml.
type production struct {
	*stack.Stack
	opts      options
	services  map[string]service
	domain    string
	authority *authority
	ownerURL  string
	given     map[string]string // somebody's own settings, which may name any file

	// Of the cluster:
	account embedded.Account  // of Postgres, Patroni and PgBouncer
	folders map[string]string // of parts that run as the account
	follows bool              // PgBouncer follows prepared statements
	// prometheus is where it answers; empty if it does not run.
	prometheus string
}

func newProduction(opts options, screen *stack.Console) (*production, error) {
	base, err := stack.New(opts.dataDir, opts.binDir, screen)
	if err != nil {
		return nil, err
	}
	p := &production{Stack: base, opts: opts, folders: map[string]string{}}
	p.Changed = p.writeJSON
	return p, nil
}

// in returns the path of a file in the repository.
func (p *production) in(path string) string { return filepath.Join(p.opts.repository, path) }

func (p *production) envFile() string       { return filepath.Join(p.DataDir, ".env") }
func (p *production) authorityFile() string { return filepath.Join(p.DataDir, "authority.pem") }
func (p *production) proxyAuthorityFile() string {
	return filepath.Join(p.DataDir, "proxy", "caddy", "pki", "authorities", "local", "root.crt")
}

func (p *production) site() *url.URL {
	return &url.URL{Scheme: "https", Host: p.domain + ":" + strconv.Itoa(p.opts.port)}
}

// begin builds everything and starts Postgres.
func (p *production) begin(ctx context.Context) error {
	if err := p.EndLeftovers(ctx); err != nil {
		return err
	}
	if err := p.takePorts(ctx); err != nil {
		return err
	}
	p.Screen.Say("Starting the production form of Franchise 360 in " + p.DataDir)
	if err := p.makeClocks(ctx); err != nil {
		return err
	}
	if err := p.build(ctx); err != nil {
		return err
	}
	if err := p.prepare(ctx); err != nil {
		return err
	}
	if err := p.Screen.Step("Postgres", func() error {
		if p.opts.cluster {
			return p.startCluster(ctx)
		}
		return p.startPostgres(ctx)
	}); err != nil {
		return err
	}
	p.Kept.Release()
	return p.openWays(ctx)
}

// start brings everything up in the order of the compose file's depends_on.
func (p *production) start(ctx context.Context) error {
	if err := p.begin(ctx); err != nil {
		return err
	}
	for _, step := range []struct {
		name  string
		start func() error
	}{
		{"gateway, SMS and DNS of others", func() error {
			return errors.Join(p.Launch(ctx, p.outsideParties()...), p.serveTLS(ctx), p.tellReplicas(ctx))
		}},
		{"Redis and objects", func() error {
			return p.Launch(ctx, p.redis(), p.objects())
		}},
		{"migrations and catalogue", func() error { return errors.Join(p.oneShot(ctx, "migrate"), p.oneShot(ctx, "catalogue")) }},
		{"proxy", func() error {
			for _, one := range p.proxies() { // the first makes the authority of their certificates
				if err := p.Launch(ctx, one); err != nil {
					return err
				}
			}
			return nil
		}},
		{"logs", func() error {
			if err := os.MkdirAll(filepath.Join(p.logRoot(), "product"), 0o700); err != nil {
				return fmt.Errorf("make the folder of logs: %w", err)
			}
			return p.Launch(ctx, p.part("logs", 0, ""))
		}},
		{"api and worker", func() error { return errors.Join(p.Launch(ctx, p.product()...), p.startPrometheus(ctx)) }},
		{"site", func() error { return errors.Join(p.open(ctx), p.serveWebhooks(ctx)) }},
	} {
		if err := p.Screen.Step(step.name, step.start); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// build compiles all programs of the images and of the outside parties, and builds the web client.
func (p *production) build(ctx context.Context) error {
	group, together := errgroup.WithContext(ctx)
	group.Go(func() error {
		return p.Screen.Step("Go programs", func() error {
			return errors.Join(
				p.Build(together, p.opts.repository, "./api", "./worker", "./scripts/admin",
					"./scripts/payusandbox", "./scripts/smsinbox", "./scripts/dnsserver", "./scripts/redisserver"),
				p.BuildModule(together, p.opts.repository, "scripts/checkcompose", "."),
				p.BuildModuleOver(together, p.opts.repository, "scripts/versitygw", "."),
				p.BuildModule(together, p.opts.repository, "scripts/proxy", "."),
				p.buildWays(together))
		})
	})
	group.Go(func() error {
		return p.Screen.Step("web client", func() error { return stack.BuildWeb(together, p.opts.repository) })
	})
	return group.Wait()
}

// prepare creates the .env, reads the compose file with it, and creates the authority that the processes trust.
func (p *production) prepare(ctx context.Context) (err error) {
	if err := p.writeEnv(); err != nil {
		return err
	}
	if err := p.Kept.Save(); err != nil {
		return err
	}
	if p.services, err = p.readCompose(ctx); err != nil {
		return err
	}
	p.domain = p.services["proxy"].Environment["DOMAIN"]
	caddyfile, err := os.ReadFile(p.in("scripts/Caddyfile"))
	if err != nil {
		return fmt.Errorf("read the Caddyfile: %w", err)
	}
	if err := p.complete(p.services, string(caddyfile)); err != nil {
		return fmt.Errorf("docker-compose.yml and scripts/production/places.go differ: %w", err)
	}
	if p.authority, err = newAuthority(p.authorityFile()); err != nil {
		return err
	}
	return p.setClocks()
}

// startPostgres runs the embedded Postgres with the compose file's password, database and settings.
func (p *production) startPostgres(ctx context.Context) error {
	if err := embedded.Install(ctx, p.opts.repository); err != nil {
		return err
	}
	certificate, key, err := p.authority.local()
	if err != nil {
		return err
	}
	s := p.services["postgres"]
	settings := map[string]string{}
	for i, argument := range s.Command {
		if name, value, ok := strings.Cut(argument, "="); ok && i > 0 && s.Command[i-1] == "-c" {
			settings[name] = value
		}
	}
	clock, err := p.clockOfC(ctx, "postgres")
	if err != nil {
		return err
	}
	p.Kept.Release("postgres")
	server, err := p.StartPostgres(ctx, embedded.PostgresConfig{
		Repository: p.opts.repository, Data: filepath.Join(p.DataDir, "postgres"), Port: p.Kept.Ports["postgres"],
		Password: s.Environment["POSTGRES_PASSWORD"], Throwaway: p.opts.throwaway, Log: p.Screen.Prefixed("postgres"),
		TLS:      &embedded.PostgresTLS{Certificate: certificate, Key: key, Authority: p.authorityFile()},
		Settings: settings, Env: clock,
	})
	if err != nil {
		return err
	}
	go p.WatchPostgres(ctx)
	p.ownerURL = server.SuperuserURL(s.Environment["POSTGRES_DB"])
	return ensureDatabase(ctx, server.SuperuserURL("postgres"), s.Environment["POSTGRES_DB"])
}

// ensureDatabase creates the database, as Postgres's image does at its first start.
func ensureDatabase(ctx context.Context, superuserURL, name string) (err error) {
	db, err := sql.Open("postgres", superuserURL)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var exists bool
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&exists); err != nil {
		return fmt.Errorf("look for the database: %w", err)
	}
	if exists {
		return nil
	}
	if _, err := db.ExecContext(ctx, `CREATE DATABASE `+pq.QuoteIdentifier(name)); err != nil {
		return fmt.Errorf("create the database: %w", err)
	}
	return nil
}

func (p *production) objects() *stack.Part {
	return p.part("objects", 0, "http://"+p.local("objects")+"/healthz")
}

// redis returns an installed redis-server with the compose file's arguments, or else one that is built here.
func (p *production) redis() *stack.Part {
	s, health := p.services["redis"], "tcp://"+p.local("redis")
	if path, err := exec.LookPath(s.Command[0]); err == nil {
		arguments := append(s.Command[1:len(s.Command):len(s.Command)], "--bind", "127.0.0.1",
			"--port", strconv.Itoa(p.Kept.Ports["redis"]), "--set-proc-title", "no")
		return &stack.Part{Name: "redis", Path: path, Arguments: arguments, Health: health}
	}
	return &stack.Part{Name: "redis", Path: p.Program("redisserver"), Health: health, Env: []string{
		"HTTP_ADDR=" + p.local("redis"), "REDIS_PASSWORD=" + s.Environment["REDISCLI_AUTH"],
	}}
}

// part returns a replica of a service, run with the built program of its command.
func (p *production) part(name string, index int, health string) *stack.Part {
	s := p.services[name]
	arguments := make([]string, 0, len(s.Command))
	files := strings.NewReplacer(
		"/etc/caddy/Caddyfile", p.in("scripts/Caddyfile"),
		"/etc/haproxy/haproxy.cfg", p.in("scripts/production/haproxy.cfg"),
		"/etc/patroni/patroni.yml", p.folders[name],
		"/etc/prometheus/prometheus.yml", p.prometheusFile(),
		"=/prometheus", "="+filepath.Join(p.DataDir, "prometheus"),
		"/etc/pgbouncer/cluster.ini", filepath.Join(p.folders[nameOf(name, index)], "pgbouncer.ini"))
	for _, argument := range s.Command[1:] {
		arguments = append(arguments, files.Replace(argument))
	}
	return &stack.Part{Name: titleOf(name, s, index), Path: p.programOf(s.Command[0]), Arguments: arguments, Env: p.environment(name, s, index), Health: health}
}

// titleOf returns the name of a service's replica.
func titleOf(name string, s service, index int) string {
	if s.Replicas > 1 {
		return name + "-" + strconv.Itoa(index+1)
	}
	return name
}

// product returns the replicas of api and worker.
func (p *production) product() []*stack.Part {
	var parts []*stack.Part
	for i := range p.services["api"].Replicas {
		parts = append(parts, p.part("api", i, "http://"+p.at(replicaAddress("api", i), "api")+"/readyz"))
	}
	for i := range p.services["worker"].Replicas {
		parts = append(parts, p.part("worker", i, "http://"+p.at(replicaAddress("worker", i), "metrics")+"/healthz"))
	}
	return parts
}

func (p *production) proxies() []*stack.Part {
	var parts []*stack.Part
	for i := range p.services["proxy"].Replicas {
		parts = append(parts, p.part("proxy", i, "http://"+p.local(proxyHealth(i))+"/healthz"))
	}
	return parts
}

// oneShot runs a service that terminates on its own.
func (p *production) oneShot(ctx context.Context, name string) error {
	s := p.services[name]
	return p.Command(ctx, p.environment(name, s, 0), s.Command[0], s.Command[1:]...)
}

// tellReplicas makes the name api resolve to all its replicas, as Docker's DNS does.
func (p *production) tellReplicas(ctx context.Context) error {
	var addresses []string
	for i := range p.services["api"].Replicas {
		addresses = append(addresses, replicaAddress("api", i))
	}
	return tellDNS(ctx, "http://"+p.local("dnsserver"), "api", addresses)
}

func tellDNS(ctx context.Context, server, name string, addresses []string) error {
	body, err := json.Marshal(map[string]any{"name": name, "type": "A", "values": addresses})
	if err != nil {
		return fmt.Errorf("tell the DNS: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, server+"/records", strings.NewReader(string(body)))
	if err != nil {
		return fmt.Errorf("tell the DNS: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("tell the DNS: %w", err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusNoContent {
		return fmt.Errorf("tell the DNS: it answers %s: %w", response.Status, err)
	}
	return nil
}

// open waits until the site answers through the proxy.
func (p *production) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, siteTimeout)
	defer cancel()
	transport, err := p.toSite()
	if err != nil {
		return err
	}
	client := &http.Client{Transport: transport}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.site().String()+"/readyz", nil)
		if err != nil {
			return fmt.Errorf("ask the site: %w", err)
		}
		response, err := client.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the site does not answer: %w", errors.Join(err, ctx.Err()))
		case <-time.After(100 * time.Millisecond):
		}
	}
}
