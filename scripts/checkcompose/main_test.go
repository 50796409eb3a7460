package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// confined is what every service sets, without braces.
const confined = `user: "65532", cap_drop: [ALL], read_only: true, security_opt: ["no-new-privileges:true"], pids_limit: 9, ` +
	`mem_limit: 9m, networks: [inside], logging: {driver: json-file, options: {max-size: 9m, max-file: "2"}}`

func TestRun_FaultyComposeFile_IsReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ compose, problem string }{
		"whole":            {"services: {a: {image: \"x:1.2${TAG:?}\", " + confined + "}}\nnetworks: {inside: {internal: true}}", ""},
		"misspelt key":     {"services: {a: {image: x, port: []}}", "port"},
		"unknown service":  {"services: {a: {image: x, depends_on: [b]}}", "b"},
		"unknown volume":   {"services: {a: {image: x, volumes: [\"data:/data\"]}}", "data"},
		"unknown variable": {"services: {a: {image: \"x:${OTHER}\"}}", "OTHER"},
		"not YAML":         {"services: [", "yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			example, file := filepath.Join(dir, ".env.example"), filepath.Join(dir, "compose.yml")
			require.NoError(t, os.WriteFile(example, []byte("# a comment\nTAG=\n"), 0o600))
			require.NoError(t, os.WriteFile(file, []byte("name: test\n"+c.compose+"\n"), 0o600))
			err := run(t.Context(), example, []string{file})
			if c.problem == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.problem)
		})
	}
}

func TestConfined_WeakerContainer_IsReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ from, to, problem string }{
		"capabilities":     {"cap_drop: [ALL]", "cap_drop: [CHOWN]", "cap_drop"},
		"added capability": {"read_only", "cap_add: [SYS_ADMIN], read_only", "no cap_add"},
		"writable":         {"read_only: true", "read_only: false", "read_only"},
		"new privileges":   {`["no-new-privileges:true"]`, "[]", "no-new-privileges"},
		"privileged":       {"read_only", "privileged: true, read_only", "no privileges"},
		"root":             {`user: "65532"`, `user: "0:0"`, "other than root"},
		"user of image":    {`user: "65532", `, "", "other than root"},
		"processes":        {"pids_limit: 9, ", "", "pids_limit"},
		"memory":           {"mem_limit: 9m, ", "", "mem_limit"},
		"endless log":      {"max-size: 9m, ", "", "max-size"},
		"moving image":     {"x:1.2", "x:1", "version or digest"},
		"no health check":  {"read_only", "restart: unless-stopped, read_only", "healthcheck"},
		"open port":        {"read_only", `ports: ["80:80"], read_only`, "proxy alone"},
		"way out":          {"networks: [inside]", "networks: [outside]", "outside is not internal"},
		"common network":   {", networks: [inside]", "", "networks by name"},
		"the machine":      {"read_only", `volumes: ["/var/run/docker.sock:/s:ro"], read_only`, "is the machine"},
		"writable mount":   {"read_only", `volumes: ["./x:/x"], read_only`, "read-only"},
		"proxy and data":   {"a: {", "proxy: {", "no business with the data"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compose := `{name: test, services: {a: {image: "x:1.2", ` + confined + `}}, ` +
				`networks: {inside: {internal: true}, outside: {}, data: {internal: true}}}`
			if name == "proxy and data" {
				compose = strings.Replace(compose, "networks: [inside]", "networks: [data]", 1)
			}
			require.Contains(t, compose, c.from)
			dir := t.TempDir()
			example, file := filepath.Join(dir, ".env.example"), filepath.Join(dir, "compose.yml")
			require.NoError(t, os.WriteFile(example, nil, 0o600))
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(compose, c.from, c.to, 1)), 0o600))
			require.ErrorContains(t, run(t.Context(), example, []string{file}), c.problem)
		})
	}
}

func TestPrint_Services_HaveTheSettingsOfTheFile(t *testing.T) {
	t.Setenv("PASSWORD", "of the machine")
	dir := t.TempDir()
	env, file := filepath.Join(dir, ".env"), filepath.Join(dir, "compose.yml")
	require.NoError(t, os.WriteFile(env, []byte("PASSWORD='of the file'\nCOMPOSE_PROFILES=shop\nHOST=h\nURL=https://${HOST}\n"), 0o600))
	require.NoError(t, os.WriteFile(file, []byte(`{name: test, services: {
		a: {image: x, command: [run, "${PASSWORD}"], environment: {URL: "${URL}", GONE: "${GONE}", NOWHERE: }, deploy: {replicas: 2}},
		b: {image: x, profiles: [shop]}, c: {image: x, profiles: [admin], entrypoint: [admin], command: [help]}}}`), 0o600))
	var out bytes.Buffer
	require.NoError(t, printServices(t.Context(), &out, env, []string{file}))
	require.JSONEq(t, `{
		"a": {"command": ["run", "of the file"], "environment": {"URL": "https://h", "GONE": ""}, "replicas": 2, "enabled": true},
		"b": {"command": null, "environment": {}, "replicas": 1, "enabled": true},
		"c": {"command": ["admin", "help"], "environment": {}, "replicas": 1, "enabled": false}}`, out.String())
	require.NoError(t, os.WriteFile(file, []byte(`{name: test, services: {a: {image: "${GONE:?say which}"}}}`), 0o600))
	require.ErrorContains(t, printServices(t.Context(), &out, env, []string{file}), "say which")
}

func TestConfined_OurComposeFile(t *testing.T) {
	t.Parallel()
	require.NoError(t, run(t.Context(), "../../.env.example", []string{"../../docker-compose.yml"}))
}

// An operator cannot find a setting that the processes read but nobody documents.
func TestSettings_EachOneReadByTheProcesses_IsDocumented(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join("../..", path))
		require.NoError(t, err)
		return string(text)
	}
	source := ""
	for _, files := range []string{"../../pkg/platform/config/*.go", "../../pkg/adapter/gateway/*/descriptor.go"} {
		paths, err := filepath.Glob(files)
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") {
				source += read(strings.TrimPrefix(path, "../../"))
			}
		}
	}
	settings := regexp.MustCompile(`(?:getenv|r\.[a-zA-Z]+|config\.(?:Address|Secret))\("([A-Z][A-Z0-9_]+)"`).FindAllStringSubmatch(source, -1)
	require.Greater(t, len(settings), 30)
	example, compose := read(".env.example"), read("docker-compose.yml")
	elsewhere := []string{"WEB_DIR", "LIMITS", "TIME_MACHINE_URL"}
	for _, setting := range settings {
		named := regexp.MustCompile(`\b` + setting[1] + `\b`)
		require.Regexp(t, named, example, "in .env.example")
		if !slices.Contains(elsewhere, setting[1]) {
			require.Regexp(t, named, compose, "in docker-compose.yml")
		}
	}
}
