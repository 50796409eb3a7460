package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSBOM_ListsEachPartWithAnAllowedLicence(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, run(t.Context(), "../..", []string{"write", folder}))
	seen := map[string]component{}
	for _, image := range []string{"product", "proxy", "objects"} {
		text, err := os.ReadFile(filepath.Join(folder, image+".json"))
		require.NoError(t, err)
		var bom document
		require.NoError(t, json.Unmarshal(text, &bom))
		require.Equal(t, "CycloneDX", bom.BOMFormat)
		once := map[string]bool{}
		for _, c := range bom.Components {
			require.False(t, once[c.Name], "%s in %s: each once", c.Name, image)
			once[c.Name] = true
			require.NotEmpty(t, c.Version, c.Name)
			require.NotEmpty(t, c.Licences[0].Expression, c.Name)
			seen[c.Name] = c
		}
		require.Contains(t, once, "std")
	}
	gin := seen["github.com/gin-gonic/gin"]
	require.Equal(t, "pkg:golang/github.com/gin-gonic/gin@"+gin.Version, gin.PURL)
	require.Equal(t, []licence{{"MIT"}}, gin.Licences)
	require.Equal(t, []licence{{"Apache-2.0"}}, seen["github.com/caddyserver/caddy/v2"].Licences)
	require.NotContains(t, seen, "github.com/alicebob/miniredis/v2", "of the tests")
	texts, err := os.ReadFile(filepath.Join(folder, "THIRD-PARTY.txt"))
	require.NoError(t, err)
	for _, want := range []string{"github.com/lib/pq", "\nreact-dom ", "SIL OPEN FONT LICENSE", "GeoNames", "Mozilla Public License"} {
		require.Contains(t, string(texts), want)
	}
	require.NotContains(t, string(texts), "\nvitest ", "of the tests")
}

// The shipped modules are limited: each is other people's code to follow, and adds compile time to a first start. Passkeys bring 7, Excel files 7.
func TestServers_NumberOfModules_IsLimited(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), "go", "list", "-tags=nomsgpack", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./api", "./worker")
	command.Dir = "../.."
	output, err := command.Output()
	require.NoError(t, err)
	modules := slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(output)))))
	require.NotEmpty(t, modules)
	require.LessOrEqual(t, len(modules), 75+7+7, "%s", modules)
}

func TestPermitted_OtherLicences_AreRefused(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]bool{
		"MIT": true, "(MIT OR GPL-3.0)": true, "Apache-2.0 AND BSD-3-Clause": true, "OFL-1.1 AND MIT OR GPL-3.0": true,
		"AGPL-3.0": false, "MIT AND GPL-3.0": false, "SSPL-1.0 OR BUSL-1.1": false, "none": false, "": false,
		"unknown words in LICENSE": false, "(MIT) AND (ISC)": false,
	} {
		require.Equal(t, want, permitted(expression), expression)
	}
	problems := refused("product", []part{{name: "x", version: "v1", licence: "MIT"}, {name: "y", version: "v2", licence: "AGPL-3.0"}})
	require.Len(t, problems, 1)
	require.ErrorContains(t, problems[0], `y v2 is under "AGPL-3.0"`)
}

func TestRead_LicenceText_IsRecognised(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	expression, _, err := read(folder)
	require.NoError(t, err)
	require.Equal(t, "none", expression)
	own, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "COPYING"), own, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "license.go"), []byte("package x"), 0o600))
	expression, files, err := read(folder)
	require.NoError(t, err)
	require.Equal(t, "Apache-2.0", expression)
	require.Len(t, files, 1)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "LICENSE.txt"), []byte("You may run this on Sundays only, if you sing."), 0o600))
	expression, _, err = read(folder)
	require.NoError(t, err)
	require.False(t, permitted(expression))
}
