package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// clusterServicesOf returns the cluster's services as make cluster reads them.
func clusterServicesOf(t *testing.T) *production {
	t.Helper()
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	p := &production{
		Stack: newTestStack(t), opts: options{repository: repository, port: 8443, cluster: true}, folders: map[string]string{},
	}
	for i, name := range p.ports() {
		p.Kept.Ports[name] = 20000 + i
	}
	require.NoError(t, p.BuildModule(t.Context(), repository, "scripts/checkcompose", "."))
	require.NoError(t, p.writeEnv())
	p.services, err = p.readCompose(t.Context())
	require.NoError(t, err)
	p.domain = p.services["proxy"].Environment["DOMAIN"]
	return p
}

func TestCluster_EveryAddress_HasALocalOne(t *testing.T) {
	t.Parallel()
	p := clusterServicesOf(t)
	caddyfile, err := os.ReadFile(p.in("scripts/Caddyfile"))
	require.NoError(t, err)
	require.NoError(t, p.complete(p.services, string(caddyfile)))
	for name, replicas := range map[string]int{"api": 2, "worker": 2, "proxy": 2, "postgres": 2, "pgbouncer": 2, "database-3": 1, "etcd-3": 1} {
		require.Equal(t, replicas, p.services[name].Replicas, name)
	}
	settings := func(name string, index int) string {
		list := p.environment(name, p.services[name], index)
		return list[slices.IndexFunc(list, func(one string) bool { return regexp.MustCompile("^DATABASE_URL=").MatchString(one) })]
	}
	require.Contains(t, settings("api", 1), "@"+p.at("127.0.0.203", "pgbouncer")+"/", "each api has a PgBouncer")
	require.Contains(t, settings("api", 1), "&default_query_exec_mode=exec", "an old PgBouncer follows no prepared statements")
	require.Contains(t, p.environment("api", p.services["api"], 1), "DATABASE_READ_URL="+
		strings.Replace(strings.TrimPrefix(settings("api", 1), "DATABASE_URL="), "/franchise360?", "/franchise360_standbys?", 1))
	require.Contains(t, settings("worker", 1), "@"+p.at("127.0.0.203", "router")+"/", "a worker listens, which PgBouncer does not allow")
}

func TestCluster_FilesOfTheServers_GetEverySetting(t *testing.T) {
	t.Parallel()
	p := clusterServicesOf(t)
	text, err := os.ReadFile("haproxy.cfg")
	require.NoError(t, err)
	own := p.own("postgres", 0)
	for _, found := range regexp.MustCompile(`"\$\{(\w+)\}"`).FindAllStringSubmatch(string(text), -1) {
		_, here := own[found[1]]
		_, given := p.services["postgres"].Environment[found[1]]
		require.True(t, here || given, found[1])
	}
	for _, i := range []string{"1", "2", "3"} {
		require.Contains(t, p.services, "database-"+i)
		require.Equal(t, "database-"+i, p.services["database-"+i].Environment["PATRONI_NAME"])
		require.Equal(t, "etcd-"+i, p.services["etcd-"+i].Environment["ETCD_NAME"])
	}
}

func TestRefuseOldPatroni(t *testing.T) {
	t.Parallel()
	require.NoError(t, refuseOldPatroni("patroni 4.0.7\n"))
	require.NoError(t, refuseOldPatroni("patroni 10.0.0\n"))
	require.ErrorContains(t, refuseOldPatroni("patroni 3.0.2\n"), "3.0.2 can lose commits")
	require.Error(t, refuseOldPatroni("unknown"))
}

func TestPrometheus_Config_AsksEveryProcess(t *testing.T) {
	t.Parallel()
	p := clusterServicesOf(t)
	example, err := os.ReadFile(p.in("scripts/monitoring/prometheus.yml"))
	require.NoError(t, err)
	text := p.prometheusConfig(string(example))
	for _, address := range []string{
		p.at("127.0.0.2", "metrics"), p.at("127.0.0.3", "metrics"), p.at("127.0.0.102", "metrics"), p.at("127.0.0.103", "metrics"),
		p.at("127.0.0.1", "proxy_metrics"), p.at("127.0.0.203", "proxy_metrics"),
	} {
		require.Contains(t, text, `"`+address+`"`)
	}
	require.Contains(t, text, "rule_files: ["+p.in("scripts/monitoring/alerts.yml")+"]")
	for _, foreign := range []string{"dns_sd", "alertmanager:", "blackbox"} {
		require.NotContains(t, text, foreign)
	}
}
