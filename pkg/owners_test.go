package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
)

// The lists stand with the migrations, whose schema.sql has the tables under their owners.
func owners() map[string][]string { return migrations.Owners() }

// foreign are the tables that a package still names although another one owns them. The auditor of the books (ledger) judges from
// the rows themselves; of the others none may be added, and one that is gone is taken off the list.
func foreign() map[string][]string {
	return map[string][]string{
		"ledger": {
			"bank_credit_uses", "bank_credits", "input_tax_states", "invoice_counters", "invoice_lines", "invoices", "orders", "payments",
			"proformas", "refunds", "revenue_days", "revenue_lines", "settlement_days", "settlement_differences", "settlement_lines", "tds_records",
		},
	}
}

// circles are the packages that name rows of one that imports them, with the reason for each. None may be added.
func circles() map[string]string {
	return map[string]string{
		"account → tenant":       "each page load reads who is signed in, with the store's name, in one round trip",
		"ledger → payment":       "the auditor",
		"ledger → revenue":       "the auditor",
		"ledger → settlement":    "the auditor",
		"ledger → transfer":      "the auditor",
		"subscription → payment": "the dashboard names held payments in its one round trip",
	}
}

const module = "github.com/franchise360/franchise360/pkg/"

var (
	// What schema.sql, which is generated, defines: a kind, and a name.
	defines    = regexp.MustCompile(`(?m)^CREATE (?:OR REPLACE )?(?:UNLOGGED )?(TABLE|VIEW|FUNCTION|PROCEDURE|POLICY \w+ ON) (?:public\.)?(\w+)`)
	calls      = regexp.MustCompile(`\b(\w+)\s*\(`)
	rowOf      = regexp.MustCompile(`\b(\w+)%ROWTYPE`)
	namesTable = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:ONLY\s+)?(?:public\.)?(\w+)((?:\s+\w+)?\s*,\s*\w+)*`)
	listed     = regexp.MustCompile(`,\s*(\w+)`)
	// A statement whose table comes from elsewhere: a verb of fmt, or the end of a text that goes on with a variable.
	leavesTable = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:%\S*\b[sv]|$)`)
)

func TestEveryTableHasOneOwner(t *testing.T) {
	t.Parallel()
	owner := ownersOf(t, owners())
	require.ElementsMatch(t, defined(t, "TABLE"), slices.Collect(maps.Keys(owner)), "each table, and no other")
	require.ElementsMatch(t, defined(t, "VIEW"), slices.Collect(maps.Keys(ownersOf(t, migrations.Views()))), "each view, and no other")
	require.ElementsMatch(t, append(defined(t, "FUNCTION"), defined(t, "PROCEDURE")...),
		slices.Collect(maps.Keys(ownersOf(t, migrations.Functions()))), "each function, and no other")

	strangers := map[string][]string{}
	for domain, names := range known(t, joined(namedIn(t), namedInSchema(t))) {
		for _, table := range names {
			if of, known := owner[table]; known && of != domain {
				strangers[domain] = append(strangers[domain], table)
			}
		}
	}
	require.Equal(t, foreign(), strangers, "ask the owner's package for its rows instead")
}

// Two ways of reading the code have to find the same: the syntax tree with a pattern, and the bare tokens with a small parser of SQL.
func TestTheNamesOfTablesAreCountedTwice(t *testing.T) {
	t.Parallel()
	require.Equal(t, namedIn(t), countedIn(t))
}

// A circle is a package that names rows of another one from which it can be reached by imports or rows. Who calls a function of the
// schema names the rows of its owner.
func TestNoRowsRunAgainstTheImports(t *testing.T) {
	t.Parallel()
	owner := ownersOf(t, owners())
	maps.Copy(owner, ownersOf(t, migrations.Views()))
	maps.Copy(owner, ownersOf(t, migrations.Functions()))
	uses, rows := imports(t), map[string][]string{}
	for domain, names := range joined(namedIn(t), namedInSchema(t), calledIn(t)) {
		for _, name := range names {
			if of, known := owner[name]; known && of != domain && !slices.Contains(rows[domain], of) {
				rows[domain] = append(rows[domain], of)
			}
		}
	}
	found := []string{}
	for domain, others := range rows {
		for _, other := range others {
			if reaches(uses, other, domain, map[string]bool{}) {
				found = append(found, domain+" → "+other)
			}
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(circles())), found)
}

// reaches reports whether from imports to, directly or indirectly.
func reaches(uses map[string][]string, from, to string, seen map[string]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(uses[from], func(next string) bool { return next == to || reaches(uses, next, to, seen) })
}

func ownersOf(t *testing.T, of map[string][]string) map[string]string {
	t.Helper()
	owner := map[string]string{}
	for domain, names := range of {
		for _, name := range names {
			require.NotContains(t, owner, name)
			owner[name] = domain
		}
	}
	return owner
}

func schema(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../migrations/schema.sql")
	require.NoError(t, err)
	return string(text)
}

func defined(t *testing.T, kind string) (names []string) {
	t.Helper()
	for _, found := range defines.FindAllStringSubmatch(schema(t), -1) {
		if found[1] == kind {
			names = append(names, found[2])
		}
	}
	return names
}

// namedInSchema are the tables, views and functions in the bodies of each owner's views and functions, and in the policies of its
// tables.
func namedInSchema(t *testing.T) map[string][]string {
	t.Helper()
	owner := ownersOf(t, owners())
	maps.Copy(owner, ownersOf(t, migrations.Views()))
	maps.Copy(owner, ownersOf(t, migrations.Functions()))
	text, named := schema(t), map[string][]string{}
	found := defines.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i < len(found)-1 {
			end = found[i+1][0]
		}
		body, _, _ := strings.Cut(text[at[1]:end], "\n--")
		kind, domain := text[at[2]:at[3]], owner[text[at[4]:at[5]]]
		if kind == "TABLE" {
			continue // its triggers are hooks of those who own their functions
		}
		if strings.HasPrefix(kind, "POLICY") {
			body, _, _ = strings.Cut(body, ";\n")
		}
		named[domain] = append(named[domain], namesIn(body)...)
		for _, pattern := range []*regexp.Regexp{calls, rowOf} {
			for _, word := range pattern.FindAllStringSubmatch(body, -1) {
				named[domain] = append(named[domain], word[1])
			}
		}
	}
	return named
}

// calledIn are the words before a bracket in the texts of each package's product code and in its SQL files.
func calledIn(t *testing.T) map[string][]string {
	t.Helper()
	called := map[string][]string{}
	product(t, func(domain, path string) {
		for _, text := range texts(t, path) {
			for _, word := range calls.FindAllStringSubmatch(text, -1) {
				called[domain] = append(called[domain], word[1])
			}
		}
	})
	return called
}

func joined(all ...map[string][]string) map[string][]string {
	whole := map[string][]string{}
	for _, part := range all {
		for domain, words := range part {
			whole[domain] = append(whole[domain], words...)
		}
	}
	return whole
}

// product calls fn for each file of the product's packages in Go or SQL.
func product(t *testing.T, fn func(domain, path string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && path == "testkit" {
			return filepath.SkipDir
		}
		code := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if !entry.IsDir() && (code || strings.HasSuffix(path, ".sql")) {
			fn(domainOf(filepath.ToSlash(filepath.Dir(path))), path)
		}
		return nil
	}))
}

// domainOf is the package to whose domain a folder belongs: the rooms below a domain share its tables.
func domainOf(folder string) string {
	domain, _, _ := strings.Cut(folder, "/")
	if domain == "adapter" || domain == "platform" {
		return folder
	}
	return domain
}

func imports(t *testing.T) map[string][]string {
	t.Helper()
	uses := map[string][]string{}
	product(t, func(domain, path string) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			other, ours := strings.CutPrefix(name, module)
			if other = domainOf(other); ours && other != domain && !slices.Contains(uses[domain], other) {
				uses[domain] = append(uses[domain], other)
			}
		}
	})
	return uses
}

// known keeps of the words that were found those that are tables or views, sorted and once each.
func known(t *testing.T, found map[string][]string) map[string][]string {
	t.Helper()
	names := ownersOf(t, owners())
	maps.Copy(names, ownersOf(t, migrations.Views()))
	for domain, words := range found {
		words = slices.DeleteFunc(words, func(word string) bool { return names[word] == "" })
		slices.Sort(words)
		if found[domain] = slices.Compact(words); len(words) == 0 {
			delete(found, domain)
		}
	}
	return found
}

// namedIn are the tables and views behind the words of SQL that take one, in the texts of each package's product code and in its SQL
// files. Where a statement takes the name from elsewhere, each text of the file that is a name counts.
func namedIn(t *testing.T) map[string][]string {
	t.Helper()
	named := map[string][]string{}
	product(t, func(domain, path string) {
		texts := texts(t, path)
		open := slices.ContainsFunc(texts, leavesTable.MatchString)
		for _, text := range texts {
			if open {
				named[domain] = append(named[domain], text)
			}
			named[domain] = append(named[domain], namesIn(text)...)
		}
	})
	return known(t, named)
}

func namesIn(text string) (names []string) {
	for _, found := range namesTable.FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
		for _, further := range listed.FindAllStringSubmatch(found[0], -1) {
			names = append(names, further[1])
		}
	}
	return names
}

func texts(t *testing.T, path string) (all []string) {
	t.Helper()
	if strings.HasSuffix(path, ".sql") {
		text, err := os.ReadFile(filepath.Clean(path))
		require.NoError(t, err)
		return []string{string(text)}
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			all = append(all, text)
		}
		return true
	})
	return all
}

// countedIn is namedIn by another way: all tokens of a file, and in each text the words of its SQL one by one.
func countedIn(t *testing.T) map[string][]string {
	t.Helper()
	counted := map[string][]string{}
	product(t, func(domain, path string) {
		source, err := os.ReadFile(filepath.Clean(path))
		require.NoError(t, err)
		if strings.HasSuffix(path, ".sql") {
			names, _ := tablesOf(string(source))
			counted[domain] = append(counted[domain], names...)
			return
		}
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile(path, set.Base(), len(source)), source, nil, 0)
		var whole []string
		elsewhere := false
		for _, kind, literal := s.Scan(); kind != token.EOF; _, kind, literal = s.Scan() {
			if kind != token.STRING {
				continue
			}
			text, err := strconv.Unquote(literal)
			require.NoError(t, err)
			names, open := tablesOf(text)
			counted[domain], whole, elsewhere = append(counted[domain], names...), append(whole, text), elsewhere || open
		}
		if elsewhere {
			counted[domain] = append(counted[domain], whole...)
		}
	})
	return known(t, counted)
}

// tablesOf reads the words of an SQL text from left to right: a name, and after a comma the next one, follows each word that takes a
// table. open says that one is missing, because it comes from elsewhere.
func tablesOf(text string) (names []string, open bool) {
	for _, sign := range []string{"(", ")", ",", ";"} {
		text = strings.ReplaceAll(text, sign, " "+sign+" ")
	}
	words := strings.Fields(text)
	for i, word := range words {
		if !slices.Contains([]string{"FROM", "JOIN", "INTO", "UPDATE", "USING"}, word) {
			continue
		}
		at := i + 1
		if at < len(words) && words[at] == "ONLY" {
			at++
		}
		if at == len(words) || strings.HasPrefix(words[at], "%") {
			open = true
			continue
		}
		for {
			names = append(names, strings.TrimPrefix(words[at], "public."))
			if at+2 < len(words) && words[at+1] == "," {
				at += 2
			} else if at+3 < len(words) && words[at+2] == "," {
				at += 3
			} else {
				break
			}
		}
	}
	return names, open
}
