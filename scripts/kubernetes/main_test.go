package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const compose = "../../docker-compose.yml"

func TestManifests_OursHaveNoFinding(t *testing.T) {
	t.Parallel()
	require.NoError(t, run(".", compose))
}

// Each faulty change to our own manifests is reported with its cause.
func TestManifests_FaultyChange_IsReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, from, to, problem string }{
		"misspelt key":         {"api.yaml", "livenessProbe", "livenesProbe", `unknown field "spec.template.spec.containers[0].livenesProbe"`},
		"key said twice":       {"api.yaml", "clusterIP: None", "clusterIP: None\n  clusterIP: None", "clusterIP"},
		"not a number":         {"api.yaml", "maxReplicas: 8", "maxReplicas: many", "maxReplicas"},
		"not a quantity":       {"api.yaml", "memory: 1Gi", "memory: 1Gigabyte", "quantities"},
		"unknown kind":         {"api.yaml", "kind: PodDisruptionBudget", "kind: PodDisruption", "PodDisruption"},
		"retired version":      {"api.yaml", "autoscaling/v2", "autoscaling/v2beta2", "v2beta2"},
		"root":                 {"api.yaml", "runAsUser: 65532", "runAsUser: 0", "runAsUser=0"},
		"no profile":           {"worker.yaml", "type: RuntimeDefault", "type: Unconfined", "seccompProfile"},
		"token":                {"worker.yaml", "      automountServiceAccountToken: false", "      automountServiceAccountToken: true", "automountServiceAccountToken"},
		"writable root":        {"api.yaml", "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "readOnlyRootFilesystem"},
		"capability":           {"api.yaml", "drop: [ALL]", "drop: [ALL], add: [NET_ADMIN]", "NET_ADMIN"},
		"escalation":           {"migrate.yaml", "allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true", "allowPrivilegeEscalation"},
		"moving image":         {"api.yaml", "franchise360:v1.0.0", "franchise360:latest", "image with a version"},
		"no memory":            {"api.yaml", "limits: { memory: 1Gi,", "limits: {", "limits of memory"},
		"folder of the host":   {"worker.yaml", "emptyDir: { sizeLimit: 64Mi }", "hostPath: { path: /tmp }", "hostPath"},
		"endless folder":       {"worker.yaml", "{ sizeLimit: 64Mi }", "{}", "sizeLimit"},
		"short end":            {"api.yaml", "terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 10", "28 or more"},
		"other health":         {"worker.yaml", "[worker, health]", "[api, health]", "word health"},
		"no budget":            {"api.yaml", "maxUnavailable: 1\n  selector:\n    matchLabels: { app: api }", "maxUnavailable: 1\n  selector:\n    matchLabels: { app: apis }", "disruption budget"},
		"scales another":       {"api.yaml", "kind: Deployment, name: api", "kind: Deployment, name: apis", "autoscaler"},
		"one replica":          {"worker.yaml", "minReplicas: 2", "minReplicas: 1", "two replicas"},
		"service to nobody":    {"api.yaml", "selector: { app: api }", "selector: { app: apis }", "selects no pod"},
		"service to no port":   {"api.yaml", "targetPort: http }", "targetPort: web }", `no port "web"`},
		"probe of no port":     {"api.yaml", "path: /readyz, port: http", "path: /readyz, port: web", "to probe"},
		"unknown settings":     {"api.yaml", "configMapRef: { name: settings }", "configMapRef: { name: setting }", "no ConfigMap setting"},
		"the worker's secrets": {"api.yaml", "secretRef: { name: api }", "secretRef: { name: worker }", "api: SIGNING_CERT_FILE is no setting of it"},
		"misspelt setting":     {"settings.yaml", "SUPPLIER_GSTIN", "SUPPLIER_GST", "SUPPLIER_GSTIN is not set"},
		"any namespace":        {"settings.yaml", "enforce: restricted", "enforce: baseline", "restricted profile"},
		"mail is shut in":      {"networks.yaml", "        - { port: 587, protocol: TCP } # SMTP_URL: STARTTLS\n", "", "SMTP_URL may name port 587"},
		"traces are shut in":   {"networks.yaml", "port: 4318", "port: 4317", "OTEL_EXPORTER_OTLP_ENDPOINT may name port 4318"},
		"own port of Postgres": {"secrets.example.yaml", "postgres.example:5432", "postgres.example:25060", "DATABASE_OWNER_URL may name port 25060"},
		"admin is shut in":     {"networks.yaml", "migrate, admin, backup", "migrate, backup", "pod admin: DATABASE_OWNER_URL"},
		"backup is shut in":    {"networks.yaml", "migrate, admin, backup", "migrate, admin", "cron job backup: DATABASE_OWNER_URL"},
		"proxy is shut in":     {"networks.yaml", "matchLabels: { app: proxy }\n  policyTypes: [Ingress, Egress]", "matchLabels: { app: proxies }\n  policyTypes: [Ingress, Egress]", "customers reach the proxy"},
		"proxy without api":    {"networks.yaml", "- { port: 8080 }", "- { port: 8081 }", "the proxy reach the api's port 8080"},
		"unseen worker":        {"networks.yaml", "[api, worker, proxy]", "[api, proxy]", "Prometheus reach worker"},
		"admin as root":        {"admin.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "pod admin: the restricted profile refuses"},
		"backup without disk":  {"backup.yaml", "claimName: backups", "claimName: backup", "no volume claim backup"},
		"admin without key":    {"secrets.example.yaml", "SECRET_KEY:", "SECRET_KEYS:", "admin: SECRET_KEY is not set"},
		"no schedule":          {"backup.yaml", "30 2 * * *", "30 25 * * *", "schedule"},
		"long port name":       {"api.yaml", "name: private", "name: private-and-for-metrics", "no more than 15 characters"},
		"another's pods":       {"worker.yaml", "selector:\n    matchLabels: { app: worker }\n  strategy", "selector:\n    matchLabels: { app: api }\n  strategy", "selector"},
		"no policy":            {"migrate.yaml", "restartPolicy: Never", "restartPolicy: Always", "restartPolicy"},
		"no volume":            {"worker.yaml", "{ name: tmp, mountPath", "{ name: temp, mountPath", `Not found: "temp"`},
		"misspelt database":    {"postgres.yaml", "instances: 3", "instance: 3", "unknown field spec.instance"},
		"lost commits":         {"postgres.yaml", "dataDurability: required", "dataDurability: maybe", `supported values: "required", "preferred"`},
		"few connections":      {"postgres.yaml", `reserved_connections: "300"`, `reserved_connections: "299"`, "300 reserved_connections for the size large"},
		"none for others":      {"postgres.yaml", `max_connections: "330"`, `max_connections: "319"`, "20 more max_connections"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, err := files(".")
			require.NoError(t, err)
			require.Contains(t, string(all[c.file]), c.from)
			all[c.file] = []byte(strings.ReplaceAll(string(all[c.file]), c.from, c.to))
			require.ErrorContains(t, check(all, compose), c.problem)
		})
	}
}

func TestSizes_AreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	for _, s := range sizes() {
		want, err := s.text()
		require.NoError(t, err)
		have, err := os.ReadFile(s.file("."))
		require.NoError(t, err)
		require.Equal(t, string(want), string(have), "run `go run . -write .`")
		built, err := s.build(".")
		require.NoError(t, err)
		m, err := read(built)
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(s.Pool), m.settings["ConfigMap settings"]["DATABASE_POOL"])
		for _, scaler := range m.scalers {
			if scaler.Name == "api" {
				require.EqualValues(t, s.APIMost, scaler.Spec.MaxReplicas)
			}
		}
	}
}

func TestSizes_Faulty_AreReported(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS(".")))
	require.NoError(t, run(folder, compose))
	large := sizes()[2]
	text, err := large.text()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(large.file(folder), bytes.Replace(text, []byte("cpu: 1,"), []byte("cpu: 0,"), 1), 0o600))
	require.ErrorContains(t, run(folder, compose), "size large: api/api: want requests of cpu and memory")
}
