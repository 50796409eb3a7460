// Package monitoring checks alert rules, dashboards and runbooks against the product's actual metrics.
package monitoring

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	rules "github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// family is a metric with its labels and their observed values.
type family struct {
	histogram bool
	labels    map[string][]string
}

// existing returns the metrics of a process in which every event has occurred once.
func existing(t *testing.T) map[string]family {
	t.Helper()
	m := metrics.New()
	m.Began()("/api/franchise/login", "POST", 500, false, time.Second)
	m.Began()("/api/franchise/login", "POST", 503, true, time.Second)
	m.Began()("(asset)", "GET", 200, false, time.Second)
	for _, outcome := range []string{"done", "failed", "panicked", "waits", "cancelled"} {
		m.Job("verify_payment", outcome, time.Second)
	}
	for _, provider := range []string{"payu", "razorpay", "object_store"} {
		for _, outcome := range []string{"ok", "refused", "failed", "unreachable"} {
			m.Provider(provider, outcome, time.Second)
		}
	}
	m.Query("SELECT 1", time.Second, nil)
	m.Query("SELECT 1", time.Second, errors.New("refused"))
	m.Pool("services", func() metrics.Pool { return metrics.Pool{} })
	m.Circuit("sms_msg91", true)
	m.Circuit("sms_twilio", true)
	m.Circuit("mail_server", true)
	m.Circuit("whatsapp", true)
	m.Circuit("replica", true)
	m.Watch("redis", func() bool { return true })
	m.Clock(func() (time.Duration, bool) { return time.Second, true })
	var queues []metrics.Queue
	for _, name := range []string{queue.QueueOTP, queue.QueuePayments, queue.QueueDocuments, queue.QueueDefault} {
		queues = append(queues, metrics.Queue{Name: name})
	}
	m.Queues(queues, 1, time.Unix(1, 0))
	for _, r := range rules.Rules() {
		m.Alerts(r.Name, 1)
	}
	for _, outcome := range []string{"paid", "given_back", "held", "failed", "expired"} {
		m.Decided("payu", outcome)
	}
	m.Activated("new")
	for _, outcome := range []string{"accepted", "failed", "delivered", "undelivered"} {
		for _, name := range message.Names() {
			m.Message(name, outcome)
		}
	}
	m.Checked("books", 0, time.Unix(1, 0))
	m.Checked("audit_trail", 0, time.Unix(1, 0))
	m.Checked("settlements", 0, time.Unix(1, 0))
	m.Checked("documents", 0, time.Unix(1, 0))

	families, err := m.Registry().Gather()
	require.NoError(t, err)
	all := others()
	for _, f := range families {
		one := family{histogram: f.GetType().String() == "HISTOGRAM", labels: map[string][]string{}}
		for _, series := range f.GetMetric() {
			for _, l := range series.GetLabel() {
				one.labels[l.GetName()] = append(one.labels[l.GetName()], l.GetValue())
			}
		}
		all[f.GetName()] = one
	}
	return all
}

// others are the metrics that are not the product's own: Prometheus's, blackbox_exporter's, and Caddy's, which the tests of the
// proxy look for.
func others() map[string]family {
	return map[string]family{
		"up": {}, "probe_success": {}, "probe_ssl_earliest_cert_expiry": {},
		"caddy_http_requests_total":                 {labels: map[string][]string{}},
		"caddy_http_request_duration_seconds_count": {labels: map[string][]string{"code": {"200", "502", "503", "504"}}},
	}
}

var (
	selector = regexp.MustCompile(`\b(franchise360_[a-z0-9_]+|go_[a-z0-9_]+|process_[a-z0-9_]+|caddy_[a-z0-9_]+|probe_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?`)
	matcher  = regexp.MustCompile(`([a-z_]+)(=~|!=|!~|=)"([^"]*)"`)
	grouping = regexp.MustCompile(`\b(?:by|on)\s*\(([^)]*)\)`)
)

// check verifies an expression against the existing metrics, and returns the names of those it uses. Values are named, not
// matched by a pattern, which would take in what is added later and means something else.
func check(t *testing.T, expression string, all map[string]family) (used []string) {
	t.Helper()
	require.Equal(t, strings.Count(expression, "("), strings.Count(expression, ")"), expression)
	labels := []string{"job", "instance", "le"}
	for _, found := range selector.FindAllStringSubmatch(expression, -1) {
		name := found[1]
		f, ok := all[name]
		if !ok {
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				if base, cut := strings.CutSuffix(name, suffix); cut && all[base].histogram {
					name, f, ok = base, all[base], true
				}
			}
		}
		require.True(t, ok, "no metric %s: %s", name, expression)
		used = append(used, name)
		labels = append(labels, slices.Collect(maps.Keys(f.labels))...)
		for _, m := range matcher.FindAllStringSubmatch(found[2], -1) {
			label, operator, value := m[1], m[2], m[3]
			if label == "job" {
				require.Contains(t, []string{
					"franchise360-api", "franchise360-worker", "franchise360-api|franchise360-worker", "franchise360-proxy", "franchise360-site",
				}, value)
				continue
			}
			require.Contains(t, f.labels, label, expression)
			if label == "route" {
				continue
			}
			for one := range strings.SplitSeq(value, "|") {
				require.Contains(t, f.labels[label], one, "%s %s %q is never: %s", label, operator, one, expression)
			}
		}
	}
	require.NotEmpty(t, used, expression)
	for _, found := range grouping.FindAllStringSubmatch(expression, -1) {
		for label := range strings.SplitSeq(found[1], ",") {
			require.Contains(t, labels, strings.TrimSpace(label), expression)
		}
	}
	return used
}

type alert struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

func alerts(t *testing.T) []alert {
	t.Helper()
	text, err := os.ReadFile("alerts.yml")
	require.NoError(t, err)
	var file struct {
		Groups []struct {
			Name  string  `yaml:"name"`
			Rules []alert `yaml:"rules"`
		} `yaml:"groups"`
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&file))
	require.Len(t, file.Groups, 1)
	return file.Groups[0].Rules
}

// The alert about failing gateways takes their names from the payments' counters, which exist for each configured gateway.
func TestGatewayAlert_Expression_NamesNoGateway(t *testing.T) {
	t.Parallel()
	for _, d := range app.Gateways() {
		for _, a := range alerts(t) {
			require.NotContains(t, a.Expr, d.Name, a.Alert)
		}
	}
}

func TestAlerts_UseExistingMetricsAndHaveARunbook(t *testing.T) {
	t.Parallel()
	all, names, linked := existing(t), []string{}, map[string]bool{}
	for _, a := range alerts(t) {
		require.NotContains(t, names, a.Alert)
		names = append(names, a.Alert)
		if a.Alert == "Watchdog" {
			require.Equal(t, "vector(1)", a.Expr, "it always fires")
			require.Equal(t, "none", a.Labels["severity"])
		} else {
			check(t, a.Expr, all)
			require.Contains(t, []string{"page", "ticket"}, a.Labels["severity"], a.Alert)
		}
		require.NotEmpty(t, a.Annotations["summary"], a.Alert)
		_, err := time.ParseDuration(a.For)
		require.NoError(t, err, a.Alert)
		text, err := os.ReadFile(a.Annotations["runbook"])
		require.NoError(t, err, a.Alert)
		require.Contains(t, string(text), "`"+a.Alert+"`", "the runbook names its alarm")
		linked[a.Annotations["runbook"]] = true
	}
	for _, r := range rules.Rules() {
		linked["runbooks/"+r.Runbook+".md"] = true
	}
	files, err := filepath.Glob("runbooks/*.md")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 12)
	for _, file := range files {
		require.True(t, linked[file], "no alert leads to %s", file)
	}
}

// Each job that a rule names is scraped, each probe has its module, and each severity its receiver.
func TestExampleConfigurations_NameWhatTheRulesNeed(t *testing.T) {
	t.Parallel()
	var prometheus struct {
		Rules  []string `yaml:"rule_files"`
		Scrape []struct {
			Job    string              `yaml:"job_name"`
			Params map[string][]string `yaml:"params"`
		} `yaml:"scrape_configs"`
	}
	var blackbox struct {
		Modules map[string]any `yaml:"modules"`
	}
	var manager struct {
		Route struct {
			Receiver string `yaml:"receiver"`
			Routes   []struct {
				Matchers []string `yaml:"matchers"`
				Receiver string   `yaml:"receiver"`
			} `yaml:"routes"`
		} `yaml:"route"`
		Inhibit []struct {
			Source []string `yaml:"source_matchers"`
			Target []string `yaml:"target_matchers"`
		} `yaml:"inhibit_rules"`
		Receivers []struct {
			Name string `yaml:"name"`
		} `yaml:"receivers"`
	}
	for file, into := range map[string]any{"prometheus.yml": &prometheus, "blackbox.yml": &blackbox, "alertmanager.yml": &manager} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, into), file)
	}
	require.Equal(t, []string{"alerts.yml"}, prometheus.Rules)
	var jobs, names, receivers, matched []string
	for _, s := range prometheus.Scrape {
		jobs = append(jobs, s.Job)
		for _, module := range s.Params["module"] {
			require.Contains(t, blackbox.Modules, module)
		}
	}
	for _, a := range alerts(t) {
		names = append(names, a.Alert)
		for _, found := range regexp.MustCompile(`job=~?"([^"]+)"`).FindAllStringSubmatch(a.Expr, -1) {
			for job := range strings.SplitSeq(found[1], "|") {
				require.Contains(t, jobs, job, a.Alert)
			}
		}
	}
	for _, r := range manager.Receivers {
		receivers = append(receivers, r.Name)
	}
	require.Contains(t, receivers, manager.Route.Receiver)
	for _, r := range manager.Route.Routes {
		require.Contains(t, receivers, r.Receiver)
		matched = append(matched, r.Matchers...)
	}
	for _, i := range manager.Inhibit {
		matched = append(matched, slices.Concat(i.Source, i.Target)...)
	}
	require.Contains(t, matched, `severity="page"`)
	require.Contains(t, matched, `alertname="Watchdog"`)
	for _, m := range matched {
		label, value, _ := strings.Cut(strings.ReplaceAll(strings.Trim(m, `"`), "=~", "="), `="`)
		for name := range strings.SplitSeq(value, "|") {
			if label == "alertname" {
				require.Contains(t, names, name)
			}
		}
	}
}

// Given an alert whose value is reckoned, then its summary rounds it: Prometheus says 59.75183823529412 codes, and 370.91799998283386 s.
func TestAlerts_CalculatedValue_IsRounded(t *testing.T) {
	t.Parallel()
	reckoned, found := regexp.MustCompile(`(rate|increase|quantile|avg_over_time)\(|time\(\)|oldest_seconds\{`), 0
	for _, a := range alerts(t) {
		if reckoned.MatchString(a.Expr) && strings.Contains(a.Annotations["summary"], "$value") {
			require.NotContains(t, a.Annotations["summary"], "{{ $value }}", a.Alert)
			found++
		}
	}
	require.Positive(t, found)
}

// An outage of a gateway lasts minutes: an alert that looks back and waits for longer fires when it is over.
func TestGatewayFails_FiresWithinMinutes(t *testing.T) {
	t.Parallel()
	for _, a := range alerts(t) {
		if a.Alert != "GatewayFails" {
			continue
		}
		wait, err := time.ParseDuration(a.For)
		require.NoError(t, err)
		require.LessOrEqual(t, wait, 3*time.Minute)
		require.Equal(t, 3, strings.Count(a.Expr, "[5m]"), a.Expr)
		return
	}
	t.Fatal("there is no such alert")
}

// A quiet night has few events: one failure among two calls is half of them. The numerator of the share, with increase, has to be three.
func TestAlerts_ShareOfFailures_NeedsThreeFailures(t *testing.T) {
	t.Parallel()
	share, checked := regexp.MustCompile(`(sum(?: by \(\w+\))? \(?)rate(\([^)]+\]\)\)) / sum(?: by \(\w+\))? ?\(rate\(`), []string{}
	for _, a := range alerts(t) {
		found := share.FindStringSubmatch(strings.ReplaceAll(a.Expr, "sum(", "sum ("))
		if found == nil {
			continue
		}
		require.Contains(t, strings.ReplaceAll(a.Expr, "sum(", "sum ("), found[1]+"increase"+found[2]+" >= 3", a.Alert)
		checked = append(checked, a.Alert)
	}
	require.Equal(t, []string{"RequestsFail", "CodesNotTaken", "GatewayFails", "JobsFail", "ObjectStoreFails", "StatementsFail", "ProxyFails"}, checked)
}

// Caddy makes its counters with the first request, so that a proxy that nobody reaches after a restart has none.
func TestTrafficStopped_ProxyHasNoCounters_CountsAsNoRequests(t *testing.T) {
	t.Parallel()
	at := slices.IndexFunc(alerts(t), func(a alert) bool { return a.Alert == "TrafficStopped" })
	require.True(t, strings.HasPrefix(alerts(t)[at].Expr, `(sum(rate(caddy_http_requests_total{job="franchise360-proxy"}[10m])) or vector(0)) < `))
}

// Given an alert that the product itself tells, then the runbook that it names knows the alert by its name.
func TestRunbooks_NameTheProductsAlerts(t *testing.T) {
	t.Parallel()
	for _, r := range rules.Rules() {
		for _, subject := range []string{
			"", "object store", "SMS provider", "payment gateway", queue.QueueOTP, queue.QueuePayments, queue.QueueDocuments, "smtp", "whatsapp",
		} {
			text, err := os.ReadFile("runbooks/" + rules.RunbookOf(r.Name, subject) + ".md")
			require.NoError(t, err, r.Name)
			require.Contains(t, string(text), "`"+r.Name+"`", "%s %s", r.Name, subject)
		}
	}
}

// screens returns the console's routes, from the web client's router.
func screens(t *testing.T) []string {
	t.Helper()
	var list []string
	path := regexp.MustCompile(`(?:path: |screen\(\s*)'support(/[a-z/:-]+)?'`)
	for _, pattern := range []string{"../../web/src/app/*.tsx", "../../web/src/app/routes/*.tsx"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, found := range path.FindAllStringSubmatch(string(text), -1) {
				list = append(list, "/support"+found[1])
			}
		}
	}
	require.Contains(t, list, "/support/queues")
	return list
}

// anchors returns the addresses of a page's headings, as forges make them.
func anchors(page string) []string {
	var list []string
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		plain := regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		list = append(list, strings.ReplaceAll(plain, " ", "-"))
	}
	return list
}

func TestRunbooks_FitAPageAndNameCommandAndScreen(t *testing.T) {
	t.Parallel()
	known := screens(t)
	files, err := filepath.Glob("runbooks/*.md")
	require.NoError(t, err)
	screen := regexp.MustCompile("`(/support[a-z/<>-]*)")
	link := regexp.MustCompile(`\]\(([^)]+)\)`)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		text := string(raw)
		require.LessOrEqual(t, strings.Count(text, "\n"), 50, file)
		require.Contains(t, text, "```sh\ndocker compose ", file)
		for _, heading := range []string{"## Meaning\n", "## Look\n", "## Fix\n"} {
			require.Equal(t, 1, strings.Count(text, heading), "%s: %s", file, heading)
		}
		named := screen.FindAllStringSubmatch(text, -1)
		require.NotEmpty(t, named, file)
		for _, found := range named {
			pattern := regexp.MustCompile(`/<[a-z]+>`).ReplaceAllString(found[1], "/:x")
			require.True(t, slices.ContainsFunc(known, func(k string) bool {
				return regexp.MustCompile(`/:[a-z]+`).ReplaceAllString(k, "/:x") == pattern
			}), "%s: the console has no %s", file, found[1])
		}
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			page, anchor, _ := strings.Cut(found[1], "#")
			target, err := os.ReadFile(filepath.Join("runbooks", page))
			require.NoError(t, err, file)
			require.True(t, anchor == "" || slices.Contains(anchors(string(target)), anchor), "%s: %s has no %s", file, page, anchor)
		}
	}
}

// Given a runbook that looks for a line of the log, then some process writes that line.
func TestRunbooks_LogLines_ExistInTheSource(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	for _, folder := range []string{"api", "pkg", "worker"} {
		require.NoError(t, filepath.WalkDir("../../"+folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			source.Write(text)
			return err
		}))
	}
	files, err := filepath.Glob("runbooks/*.md")
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, line := range regexp.MustCompile(`"msg":"([^"'\n]+)`).FindAllStringSubmatch(string(text), -1) {
			said, err := regexp.Compile(`"` + line[1]) // grep -E takes it as a pattern too
			require.NoError(t, err, file)
			require.True(t, said.MatchString(source.String()), "%s looks for %q, which nobody writes", file, line[1])
			found++
		}
	}
	require.Positive(t, found)
}

func TestDashboards_ShowEachMetric(t *testing.T) {
	t.Parallel()
	all, shown := existing(t), map[string]bool{}
	files, err := filepath.Glob("dashboard-*.json")
	require.NoError(t, err)
	require.Len(t, files, 2)
	ids := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var board struct {
			UID, Title string
			Panels     []struct {
				ID      int
				Type    string
				Title   string
				Targets []struct{ Expr string }
			}
		}
		require.NoError(t, json.Unmarshal(text, &board))
		require.NotEmpty(t, board.Title)
		require.False(t, ids[board.UID], "two dashboards of one uid")
		ids[board.UID] = true
		panels := map[int]bool{}
		for _, p := range board.Panels {
			require.False(t, panels[p.ID], "%s: two panels %d", file, p.ID)
			panels[p.ID] = true
			require.NotEmpty(t, p.Title)
			if p.Type == "row" {
				continue
			}
			require.NotEmpty(t, p.Targets, p.Title)
			for _, target := range p.Targets {
				for _, name := range check(t, target.Expr, all) {
					shown[name] = true
				}
			}
		}
	}
	for name := range all {
		if strings.HasPrefix(name, "franchise360_") {
			require.True(t, shown[name], "no dashboard shows %s", name)
		}
	}
}
