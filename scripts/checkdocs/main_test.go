package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// words returns n words as one text without a full stop.
func words(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }

// check runs all rules on files that are given as path and text, and returns the findings in lines.
func check(t *testing.T, files map[string]string) []string {
	t.Helper()
	tree := fstest.MapFS{
		"README.md":                    {Data: []byte("# Product\n")},
		"pkg/README.md":                {Data: []byte("# Packages\n")},
		"pkg/decisions/0001-a.md":      {Data: []byte("# One\n")},
		"scripts/production/a.md":      {Data: []byte("# Operation\n")},
		"scripts/production/main.go":   {Data: []byte("package main\n")},
		"pkg/plan/quote.go":            {Data: []byte("package plan\n")},
		"scripts/fonts/NOTICE":         {Data: []byte("Fonts.\n")},
		"web/package.json":             {Data: []byte(`{"scripts": {"types": "tsc"}}`)},
		"docker-compose.yml":           {Data: []byte("services:\n  worker: {command: [worker]}\n  admin: {command: [worker], entrypoint: [admin]}\n  redis: {command: [redis-server]}\n")},
		"scripts/admin/seed/seed.go":   {Data: []byte("package seed\n")},
		"Makefile":                     {Data: []byte("X := 1\n.PHONY: test\ntest: ## run\n\tgo test ./...\n")},
		".gitignore":                   {Data: []byte("# outputs\n/web/e2e/results/\n")},
		"web/node_modules/x/BROKEN.md": {Data: []byte("[a](b.md)\n")},
	}
	for path, text := range files {
		tree[path] = &fstest.MapFile{Data: []byte(text)}
	}
	var out strings.Builder
	ok, err := run(tree, &out)
	require.NoError(t, err)
	require.Equal(t, out.Len() == 0, ok)
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestCheck_DocumentsInOrder_HasNoFinding(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{""}, check(t, map[string]string{
		"README.md": "# Product\n\nRun `make test` or see [the plan](pkg/README.md#two-words-1) and `pkg/plan/quote.go`.\n\n```sh\n" +
			"make -s test A=b # make nothing\ndocker compose run --rm admin seed staff list\ndocker compose exec redis redis-cli\n--command -- admin seed\ngo run ./scripts/production\nnpm --prefix web run types\n" + words(60) + "\n```\n",
		"pkg/README.md":                 "# Packages\n\n## What it promises\n\n## Two words\n\n## Two words!\n\n| a | " + words(90) + " |\n|---|---|\n",
		"scripts/settings/a.gen.md":     "| " + words(35_000) + " |\n",
		"web/src/content/help/en/a.md":  words(500),
		"scripts/production/GROWING.md": "`production/main.go`, `pkg/plan.Quote`, `pkg/<domain>/x.go`, `pkg/*/quote.go`, `web/e2e/results/a`, `application/json`.\n",
	}))
}

func TestCheck_DocumentBreaksARule_NamesFileLineAndAdvice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, text, want string }{
		"page over its budget":      {"README.md", words(701), "README.md: too long: 701 words, 700 allowed: "},
		"decision over its budget":  {"pkg/decisions/0002-b.md", words(121), "pkg/decisions/0002-b.md: too long: 121 words, 120 allowed: "},
		"manual over its budget":    {"scripts/production/b.md", words(601), "scripts/production/b.md: too long: 601 words"},
		"all Markdown":              {"web/README.md", words(35_001), "all Markdown: too long: 35"},
		"changelog entry":           {"CHANGELOG.md", "# C\n\n- short\n- " + words(26), "CHANGELOG.md:4: too long: an entry of 26 words, 25 allowed: "},
		"glossary":                  {"pkg/GLOSSARY.md", "| a | b |\n|---|---|\n" + strings.Repeat("| a | b |\n", 41), "pkg/GLOSSARY.md: too long: 41 entries, 40 allowed: "},
		"sentence":                  {"a.md", "Short.\n" + words(5) + ".\n\nOne. Two " + words(19) + "\n" + words(6) + ". Two.", "a.md:4: long sentence: 26 words, 25 allowed: "},
		"sentence after a comment":  {"a.md", "<!-- one\ntwo -->\n\n- " + words(26), "a.md:4: long sentence: 26 words"},
		"paragraph":                 {"a.md", "# T\n\n" + strings.Repeat("One two three four. ", 21), "a.md:3: long paragraph: 84 words, 80 allowed: "},
		"link":                      {"pkg/a.md", "\n[a](b.md)", "pkg/a.md:2: broken link: pkg/b.md does not exist: correct the link"},
		"link after a code span":    {"pkg/a.md", "The span `of\ntwo [x](y.md) lines` and\n[a](b.md).", "pkg/a.md:3: broken link: pkg/b.md does not exist"},
		"path in a span of lines":   {"a.md", "One `x\ny`, then `go test\n./pkg/plan/price.go`.", "a.md:2: unknown path: ./pkg/plan/price.go does not exist: "},
		"link in a table":           {"pkg/a.md", "| [a](b.md) |", "pkg/a.md:1: broken link: pkg/b.md does not exist"},
		"anchor":                    {"a.md", "[a](README.md#other)", `a.md:1: broken link: no heading "other" in README.md: `},
		"anchor of the same page":   {"a.md", "# Title\n\n[a](#titles)", `a.md:3: broken link: no heading "titles" in a.md: `},
		"make target":               {"a.md", "Run `make all`.", `a.md:1: unknown command: the Makefile has no target "all": `},
		"make target in a block":    {"a.md", "```\nmake test && make -s all\n```", `a.md:2: unknown command: the Makefile has no target "all": `},
		"program":                   {"a.md", "```\ngo run ./scripts/none -x\n```", "a.md:2: unknown path: ./scripts/none does not exist: "},
		"folder without a program":  {"a.md", "`go run ./scripts/fonts`", "a.md:1: unknown command: scripts/fonts has no Go file: "},
		"npm script":                {"a.md", "`npm --prefix web run none`", `a.md:1: unknown command: no package.json has a script "none": `},
		"service":                   {"a.md", "`docker compose exec objects ls`", `a.md:1: unknown command: docker-compose.yml has no service "objects": `},
		"program of a container":    {"a.md", "`docker compose run --rm -e A_B=… -T\n-e C worker seed`", `a.md:1: unknown command: the product's image has no program "seed": `},
		"admin in a container":      {"a.md", "`docker compose exec worker admin feed`", `a.md:1: unknown command: admin has no command "feed": `},
		"admin's command":           {"a.md", "```\ndocker compose run -v \"$PWD/a:/a\" admin feed /a # b\n```", `a.md:2: unknown command: admin has no command "feed": `},
		"program of a pod":          {"a.md", "```\n--command -- seed staff first \"A\"\n```", `a.md:2: unknown command: the product's image has no program "seed": `},
		"path":                      {"a.md", "See `pkg/plan/price.go`.", "a.md:1: unknown path: pkg/plan/price.go does not exist: "},
		"path below its own folder": {"pkg/a.md", "See `plan/price.go`.", "pkg/a.md:1: unknown path: plan/price.go does not exist: "},
		"pattern":                   {"a.md", "See `pkg/*/price.go`.", "a.md:1: unknown path: pkg/*/price.go does not exist: "},
		"file name":                 {"a.md", "See `price.go`.", "a.md:1: unknown path: price.go does not exist: "},
		"obscure English":           {"a.md", "It is told\nwhat came of it.", `a.md:1: obscure English: "is told": name the actor and the action`},
		"clause of a question":      {"a.md", "Who goes there.", `a.md:1: obscure English: "Who goes there.": begin the sentence with the actor`},
		"contract": {
			contractPath, "info:\n  title: whoever\n  description: Names whoever pays.\n",
			`api/openapi.yaml:3: obscure English: "whoever": name the role: `,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := check(t, map[string]string{c.path: c.text})
			require.Contains(t, "\n"+strings.Join(found, "\n"), "\n"+c.want)
		})
	}
}

func TestSentences_AbbreviationOrNumber_DoesNotEndASentence(t *testing.T) {
	t.Parallel()
	d := parseMarkdown("a.md", "Pay Rs. 500, e.g. `x`, at 1.5 %. `Next` ends. \"Quoted.\" Last: [one\ntwo](x.md).")
	var got []sentence
	for _, b := range d.blocks {
		got = append(got, sentences(b)...)
	}
	require.Equal(t, []sentence{{1, "Pay Rs. 500, e.g. §, at 1.5 %."}, {1, "§ ends."}, {1, `"Quoted.`}, {1, "\" Last: one\ntwo."}}, got)
}

func TestContractTexts_ExamplesAndFieldNames_AreNoTexts(t *testing.T) {
	t.Parallel()
	found, err := contractTexts(fstest.MapFS{contractPath: {Data: []byte(
		"a:\n  summary: One\n  example: {description: Two}\n  properties:\n    description: {type: string, description: Three}\n    summary: {type: string}\n",
	)}})
	require.NoError(t, err)
	require.Equal(t, []passage{{contractPath, 2, "One"}, {contractPath, 5, "Three"}}, found)
}

func TestCheckTurns_RateAtTheLimit_HasNoFinding(t *testing.T) {
	t.Parallel()
	rare := []passage{{"a.md", 1, words(332) + " anew"}}
	require.NotEmpty(t, checkTurns("all", rare))
	require.Empty(t, checkTurns("all", append(rare, passage{"a.md", 2, "one"})))
}

func TestRun_ProductsOwnContract_IsRead(t *testing.T) {
	t.Parallel()
	found, err := contractTexts(os.DirFS("../.."))
	require.NoError(t, err)
	require.Greater(t, len(found), 1000)
}
