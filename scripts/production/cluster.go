package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/embedded"
	"github.com/franchise360/franchise360/scripts/stack"
)

// The cluster is what docker-compose.cluster.yml lays over docker-compose.yml: three etcd, three Postgres under Patroni, HAProxy
// that leads to the primary, and PgBouncer for the api. Their programs are Debian's. As with api and worker, each replica has a
// loopback address; those of one number are a machine.

const (
	machines = 3 // how many databases and how many etcd there are
	// firstGroup is the group of the first machine's database and etcd; each next machine has the next group. A firewall tells the
	// machines apart by their groups.
	firstGroup = 36001
)

// clusterPorts lists the cluster's ports, each of which is used on every machine.
func clusterPorts() []string {
	return []string{"etcd", "etcd_peers", "database", "patroni", "router", "standbys", "router_health", "pgbouncer"}
}

// clusterServices lists the services of docker-compose.cluster.yml that docker-compose.yml does not have.
func clusterServices() []string {
	list := []string{"pgbouncer", "prometheus"}
	for i := range machines {
		list = append(list, nameOf("etcd", i), nameOf("database", i))
	}
	return list
}

func nameOf(kind string, index int) string { return kind + "-" + strconv.Itoa(index+1) }

var numbered = regexp.MustCompile(`^(etcd|database)-([1-9])$`)

// numberOf splits the name of a service that stands once for each machine.
func numberOf(name string) (kind string, index int, ok bool) {
	found := numbered.FindStringSubmatch(name)
	if found == nil {
		return "", 0, false
	}
	return found[1], int(found[2][0] - '1'), true
}

// composeFiles returns what describes the system.
func (p *production) composeFiles() []string {
	files := []string{p.in("docker-compose.yml")}
	if p.opts.cluster {
		files = append(files, p.in("docker-compose.cluster.yml"))
	}
	return files
}

// clusterAddresses maps the addresses of the cluster's containers, as a process of the given number sees them, to local ones.
func (p *production) clusterAddresses(index int) []string {
	pairs := []string{
		"@postgres:5432/", "@" + p.at(replicaAddress("postgres", index), "router") + "/",
		"@pgbouncer:6432/", "@" + p.at(replicaAddress("pgbouncer", index), "pgbouncer") + "/",
	}
	for i := range machines {
		for _, one := range [][3]string{
			{"etcd", "2379", "etcd"}, {"etcd", "2380", "etcd_peers"}, {"database", "5432", "database"}, {"database", "8008", "patroni"},
		} {
			pairs = append(pairs, nameOf(one[0], i)+":"+one[1], p.at(replicaAddress(one[0], i), one[2]))
		}
	}
	return pairs
}

// ownOfCluster is own for the cluster's services.
func (p *production) ownOfCluster(name string, index int) map[string]string {
	if name == "postgres" {
		here := replicaAddress(name, index)
		return map[string]string{
			"LISTEN": p.at(here, "router"), "STANDBYS": p.at(here, "standbys"), "HEALTH": p.at(here, "router_health"), "PATRONI_PORT": strconv.Itoa(p.Kept.Ports["patroni"]),
		}
	}
	kind, index, _ := numberOf(name)
	here, folder := replicaAddress(kind, index), p.folders[name]
	switch kind {
	case "etcd":
		return map[string]string{
			"ETCD_DATA_DIR":         filepath.Join(p.DataDir, name),
			"ETCD_LISTEN_PEER_URLS": "http://" + p.at(here, "etcd_peers"), "ETCD_LISTEN_CLIENT_URLS": "http://" + p.at(here, "etcd"),
		}
	case "database":
		own := map[string]string{
			"PATRONI_POSTGRESQL_LISTEN": p.at(here, "database"), "PATRONI_RESTAPI_LISTEN": p.at(here, "patroni"),
			"PATRONI_POSTGRESQL_BIN_DIR":  filepath.Join(embedded.InstalledPostgres(), "bin"),
			"PATRONI_POSTGRESQL_DATA_DIR": filepath.Join(folder, "cluster"), "PATRONI_POSTGRESQL_PGPASS": filepath.Join(folder, "pgpass"),
		}
		for _, role := range []string{"SUPERUSER", "REPLICATION"} {
			own["PATRONI_"+role+"_SSLMODE"], own["PATRONI_"+role+"_SSLROOTCERT"] = "verify-full", filepath.Join(folder, "authority.pem")
		}
		return own
	default:
		return nil
	}
}

// databasesHere is what the databases have here beside patroni.yml: as in docker-compose.yml's rehearsal, all connections are encrypted.
const databasesHere = `postgresql:
  parameters:
    unix_socket_directories: ''
    shared_buffers: 64MB
    ssl: 'on'
    ssl_cert_file: %[1]s/server.crt
    ssl_key_file: %[1]s/server.key
  pg_hba:
    - hostssl all,replication all 127.0.0.0/8 scram-sha-256
`

// poolerHere is what PgBouncer has here behind pgbouncer.ini, whose last section goes on.
const poolerHere = `
listen_addr = %[2]s
listen_port = %[5]d
unix_socket_dir =
auth_file = %[1]s/userlist.txt
client_tls_cert_file = %[1]s/server.crt
client_tls_key_file = %[1]s/server.key
server_tls_ca_file = %[1]s/authority.pem
[databases]
franchise360 = host=%[2]s port=%[3]d user=franchise360_api pool_size=40
franchise360_standbys = host=%[2]s port=%[4]d dbname=franchise360 user=franchise360_api pool_size=40
`

// startCluster starts etcd, the databases, HAProxy and PgBouncer, and makes the product's database.
func (p *production) startCluster(ctx context.Context) (err error) {
	if missing := p.missingPrograms(); len(missing) > 0 {
		return fmt.Errorf("the cluster needs %s: apt-get install etcd-server patroni postgresql haproxy pgbouncer prometheus", strings.Join(missing, ", "))
	}
	if err := p.checkPatroni(ctx); err != nil {
		return err
	}
	if p.account, err = embedded.ServerAccount(); err != nil {
		return err
	}
	if _, p.follows, err = embedded.InstalledPgBouncer(ctx); err != nil {
		return err
	}
	p.Kept.Release(clusterPorts()...)
	var etcd, databases, routers, poolers []*stack.Part
	for i := range machines {
		etcd = append(etcd, onMachine(i, p.part(nameOf("etcd", i), 0, "http://"+p.at(replicaAddress("etcd", i), "etcd")+"/health")))
	}
	if err := p.Launch(ctx, etcd...); err != nil {
		return err
	}
	for i := range machines {
		if err := p.placeDatabase(ctx, nameOf("database", i)); err != nil {
			return err
		}
		health := "http://" + p.at(replicaAddress("database", i), "patroni") + "/health"
		database := onMachine(i, p.unprivileged(p.part(nameOf("database", i), 0, health)))
		clock, err := p.clockOfC(ctx, database.Name)
		if err != nil {
			return err
		}
		database.Env = append(database.Env, clock...)
		databases = append(databases, database)
	}
	if err := p.Launch(ctx, databases...); err != nil {
		return err
	}
	for i := range p.services["postgres"].Replicas {
		routers = append(routers, p.part("postgres", i, "http://"+p.at(replicaAddress("postgres", i), "router_health")+"/healthz"))
	}
	if err := p.Launch(ctx, routers...); err != nil {
		return err
	}
	name := p.services[nameOf("database", 0)].Environment["POSTGRES_DB"]
	p.ownerURL = p.routedURL(name)
	for begun := time.Now(); ; time.Sleep(time.Second) { // HAProxy may still see another primary
		if err = ensureDatabase(ctx, p.routedURL("postgres"), name); err == nil || time.Since(begun) > siteTimeout || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return err
	}
	for i := range p.services["pgbouncer"].Replicas {
		if err := p.placePooler(ctx, i); err != nil {
			return err
		}
		poolers = append(poolers, p.unprivileged(p.part("pgbouncer", i, "tcp://"+p.at(replicaAddress("pgbouncer", i), "pgbouncer"))))
	}
	return p.Launch(ctx, poolers...)
}

// missingPrograms lists the cluster's programs that are not installed.
func (p *production) missingPrograms() (missing []string) {
	if embedded.InstalledPostgres() == "" {
		missing = append(missing, "Postgres")
	}
	for _, name := range append(clusterServices(), "postgres") {
		program := p.services[name].Command[0]
		if program == "prometheus" {
			continue // the product runs without
		}
		if filepath.Base(p.programOf(program)) == program && !filepath.IsAbs(p.programOf(program)) && !slices.Contains(missing, program) {
			missing = append(missing, program)
		}
	}
	return missing
}

// checkPatroni refuses an installed Patroni that may lose commits.
func (p *production) checkPatroni(ctx context.Context) error {
	version, err := exec.CommandContext(ctx, p.programOf("patroni"), "--version").Output()
	if err != nil {
		return fmt.Errorf("ask Patroni for its version: %w", err)
	}
	return refuseOldPatroni(string(version))
}

// refuseOldPatroni refuses Patroni before 4. After a network cut, Patroni 3.0 overwrites another leader's name in etcd without a
// comparison (patroni/dcs/etcd3.py, _update_leader). Then two databases lead, and the commits of one are lost.
func refuseOldPatroni(version string) error {
	version = strings.TrimSpace(strings.TrimPrefix(version, "patroni "))
	first, _, _ := strings.Cut(version, ".")
	if major, err := strconv.Atoi(first); err != nil || major < 4 {
		return fmt.Errorf("the cluster needs Patroni 4 or newer, as in Debian 13 or PostgreSQL's own archive; %s can lose commits after a network cut", version)
	}
	return nil
}

// programOf returns the path of a service's program: one that is built, or Debian's.
func (p *production) programOf(name string) string {
	if !slices.Contains([]string{"etcd", "patroni", "haproxy", "pgbouncer", "prometheus"}, name) {
		return p.Program(name)
	}
	for _, path := range []string{name, "/usr/sbin/" + name} { // which is not in everybody's PATH
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	return name
}

// unprivileged makes a part run as the user of Postgres.
func (p *production) unprivileged(part *stack.Part) *stack.Part {
	part.Credential = p.account.Credential()
	return part
}

// onMachine gives a part the group of its machine, which only root may.
func onMachine(index int, part *stack.Part) *stack.Part {
	if os.Geteuid() != 0 {
		return part
	}
	credential := syscall.Credential{Gid: uint32(firstGroup + index)}
	if part.Credential != nil {
		credential.Uid = part.Credential.Uid
	}
	part.Credential = &credential
	return part
}

// place makes the folder of a part that runs as the user of Postgres, with a certificate and the authority in it.
func (p *production) place(ctx context.Context, name string, files map[string]string) (folder string, err error) {
	if folder, err = p.account.Place(ctx, filepath.Join(p.DataDir, name)); err != nil {
		return "", err
	}
	certificate, key, err := p.authority.local()
	if err != nil {
		return "", err
	}
	authority, err := os.ReadFile(p.authorityFile())
	if err != nil {
		return "", fmt.Errorf("read the authority: %w", err)
	}
	all := map[string]string{"server.crt": string(certificate), "server.key": string(key), "authority.pem": string(authority)}
	maps.Copy(all, files)
	for file, text := range all {
		if err := p.account.Write(filepath.Join(folder, file), []byte(text)); err != nil {
			return "", err
		}
	}
	p.folders[name] = folder
	return folder, nil
}

func (p *production) placeDatabase(ctx context.Context, name string) error {
	folder, err := p.place(ctx, name, nil)
	if err != nil {
		return err
	}
	if err := embedded.EndLeftover(ctx, folder); err != nil {
		return err
	}
	ours, err := os.ReadFile(p.in("scripts/production/patroni.yml"))
	if err != nil {
		return fmt.Errorf("read the settings of Patroni: %w", err)
	}
	return errors.Join(
		p.account.Write(filepath.Join(folder, "1-patroni.yml"), ours),
		p.account.Write(filepath.Join(folder, "2-here.yml"), fmt.Appendf(nil, databasesHere, folder)))
}

func (p *production) placePooler(ctx context.Context, index int) error {
	ours, err := os.ReadFile(p.in("scripts/production/pgbouncer.ini"))
	if err != nil {
		return fmt.Errorf("read the settings of PgBouncer: %w", err)
	}
	text, name := string(ours), nameOf("pgbouncer", index)
	if !p.follows {
		text = embedded.WithoutPrepared(text)
	}
	folder, err := p.place(ctx, name, map[string]string{
		"userlist.txt": fmt.Sprintf("%q %q\n", "franchise360_api", p.Kept.Secret("franchise360_api", 24)),
	})
	if err != nil {
		return err
	}
	here := fmt.Sprintf(poolerHere, folder, replicaAddress("pgbouncer", index), p.Kept.Ports["router"], p.Kept.Ports["standbys"], p.Kept.Ports["pgbouncer"])
	return p.account.Write(filepath.Join(folder, "pgbouncer.ini"), []byte(text+here))
}

// routedURL returns the superuser's address of a database, by way of HAProxy.
func (p *production) routedURL(database string) string {
	address := url.URL{
		Scheme: "postgres", Path: "/" + database, User: url.UserPassword(embedded.Superuser, p.Kept.Secret("postgres", 24)),
		Host:     p.at(replicaAddress("postgres", 0), "router"),
		RawQuery: url.Values{"sslmode": {"verify-full"}, "sslrootcert": {p.authorityFile()}}.Encode(),
	}
	return address.String()
}

// endDatabases ends each Postgres whose Patroni was killed.
func (p *production) endDatabases(ctx context.Context) {
	for i := range machines {
		folder := p.folders[nameOf("database", i)]
		if folder == "" {
			continue
		}
		if err := embedded.EndLeftover(ctx, folder); err != nil {
			p.Screen.Say("!!! " + err.Error())
		}
	}
}
