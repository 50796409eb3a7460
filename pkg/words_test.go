package pkg_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// word is a text that customers read.
type word struct{ context, english string }

// wordsOfTheSource are the texts that the server's packages say in a reader's language: literals of Say, In and Mark, the templates, and the
// words of the built-in catalogue.
func wordsOfTheSource(t *testing.T) map[word]bool {
	t.Helper()
	words := map[word]bool{}
	for _, text := range message.Texts() {
		words[word{"", text}] = true
	}
	texts, err := plan.Texts()
	require.NoError(t, err)
	for _, text := range append(slices.Concat(texts, businessTypes(t)), "India") {
		words[word{"", text}] = true
	}
	addWordsOf(t, ".", words)
	addWordsOf(t, "../api", words)
	for _, month := range []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"} {
		words[word{"month", month}] = true
	}
	for n := range 100 {
		words[word{"number", fmt.Sprintf("%02d", n)}] = true
	}
	for _, unit := range []string{"{1} crore", "{1} lakh", "{1} thousand", "{1} hundred"} {
		words[word{"number", unit}] = true
	}
	return words
}

// businessTypes are the kinds of stores, whose rows a migration inserts.
func businessTypes(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../migrations/0106_tenant.sql")
	require.NoError(t, err)
	_, rows, _ := strings.Cut(string(text), "INSERT INTO business_types")
	rows, _, _ = strings.Cut(rows, ";")
	var names []string
	for _, found := range regexp.MustCompile(`'([^']+)'`).FindAllStringSubmatch(rows, -1) {
		names = append(names, found[1])
	}
	require.NotEmpty(t, names)
	return names
}

// said matches a text of a page's template.
var said = regexp.MustCompile(`\bsay ("(?:[^"\\]|\\.)*")`)

// addWordsOf adds the texts of the sources and templates below a folder.
func addWordsOf(t *testing.T, folder string, words map[word]bool) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go"):
			return err
		case strings.HasSuffix(path, ".html"):
			page, err := os.ReadFile(path)
			for _, found := range said.FindAllSubmatch(page, -1) {
				text, err := strconv.Unquote(string(found[1]))
				require.NoError(t, err, path)
				words[word{"", text}] = true
			}
			return err
		case strings.HasSuffix(path, ".go"):
			return addWordsOfGo(path, words)
		default:
			return nil
		}
	}))
}

// readByStaff matches the sources whose errors of fields only staff and developers read, in English.
var readByStaff = regexp.MustCompile(`^(alert|announcement|connect|consent|einvoice|figures|gstreturn|jobadmin|ledger|plan|settlement|staff|support|testkit|timeline|timemachine|webhook|worklist)/` +
	`|^payment/(dispute|inputtax|reversal)/|^platform/(devclock|sheet)/|^contact/(desk|entry|macro)\.go|^delivery/(credit|delivery|desk|report)\.go` +
	`|^invoice/correct\.go|^outlet/import_read\.go|^subscription/grace\.go|^transfer/statement/|^transfer/(desk|state|tds|tds_desk)\.go` +
	`|^\.\./api/handler/(connect|dev|support_.*)\.go|^\.\./api/tenantsite/`)

// fieldMessage returns the message that a call adds to a field, and the label that a call of a shared check names.
func fieldMessage(call *ast.CallExpr, name string) ast.Expr {
	switch n := len(call.Args); {
	case n == 2 && (name == "Field" || name == "Add"), n == 3 && name == "Check":
		return call.Args[n-1]
	case name == "CheckNamedMobile", n > 3 && name == "Check":
		return call.Args[2]
	}
	return nil
}

// constsOf are the string constants of a folder's packages, by name. A name has several texts if functions declare it.
func constsOf(folder string) (map[string][]string, error) {
	consts := map[string][]string{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
				for i, name := range spec.Names {
					if text, ok := literalText(spec.Values[i]); ok {
						consts[name.Name] = append(consts[name.Name], text)
					}
				}
			}
			return true
		})
	}
	return consts, err
}

func addWordsOfGo(path string, words map[word]bool) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return err
	}
	consts, err := constsOf(filepath.Dir(path))
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		name, ok := call.Fun.(*ast.SelectorExpr)
		if own, isOwn := call.Fun.(*ast.Ident); isOwn {
			name, ok = &ast.SelectorExpr{Sel: own}, true
		}
		if !ok {
			return true
		}
		if said := fieldMessage(call, name.Sel.Name); said != nil && !readByStaff.MatchString(filepath.ToSlash(path)) {
			addTexts(words, said, consts)
		}
		switch {
		case slices.Contains([]string{"Say", "say", "Mark", "both", "other"}, name.Sel.Name): // the last two are those of documents
			addTexts(words, call.Args[0], consts)
		case name.Sel.Name == "In" && len(call.Args) > 1:
			first, isText := literalText(call.Args[0])
			if second, ok := literalText(call.Args[1]); ok && isText {
				words[word{first, second}] = true
			}
		}
		return true
	})
	return nil
}

// addTexts adds the text of a literal, or of a constant of its package or of a package of the platform.
func addTexts(words map[word]bool, e ast.Expr, consts map[string][]string) {
	var texts []string
	text, isLiteral := literalText(e)
	switch named, _ := e.(*ast.SelectorExpr); {
	case isLiteral:
		texts = []string{text}
	case named != nil:
		if of, ok := named.X.(*ast.Ident); ok {
			others, _ := constsOf(filepath.Join("platform", of.Name)) // none if the folder does not exist
			texts = others[named.Sel.Name]
		}
	default:
		if named, ok := e.(*ast.Ident); ok {
			texts = consts[named.Name]
		}
	}
	for _, text := range texts {
		words[word{"", text}] = true
	}
}

// literalText is the text of a literal, or of several joined by +.
func literalText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := literalText(e.X)
		right, also := literalText(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	default:
		return "", false
	}
}

var valueOfAWord = regexp.MustCompile(`\{[^}]*\}`)

// Given each language but English, then its catalogue has a translation of every text with the same values, and no other text. A failure
// lists what to paste into the file.
func TestEveryTextOfTheServerIsTranslated(t *testing.T) {
	t.Parallel()
	words := wordsOfTheSource(t)
	require.Greater(t, len(words), 200)
	languages := i18n.Languages()
	require.Greater(t, len(languages), 1)
	for _, l := range languages[1:] {
		var missing []string
		for w := range words {
			if !l.Has(w.context, w.english) {
				missing = append(missing, entryOf(w))
				continue
			}
			translated := l.Raw(w.context, w.english)
			want, have := valueOfAWord.FindAllString(w.english, -1), valueOfAWord.FindAllString(translated, -1)
			slices.Sort(want)
			slices.Sort(have)
			require.Equal(t, want, have, "%s: the values of %q", l, w.english)
		}
		slices.Sort(missing)
		require.Empty(t, missing, "%s.po lacks:\n\n%s", l, strings.Join(missing, "\n"))
		for _, known := range l.Texts() {
			require.True(t, words[word{known.Context, known.English}], "%s.po: nobody says %q any more", l, known.English)
		}
	}
}

func entryOf(w word) string {
	text := fmt.Sprintf("msgid %s\nmsgstr \"\"\n", strconv.Quote(w.english))
	if w.context != "" {
		return "msgctxt " + strconv.Quote(w.context) + "\n" + text
	}
	return text
}
