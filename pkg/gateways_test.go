package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
)

// A further payment gateway is its adapter's folder and one line in pkg/app/gateways.go, so no other product code names a gateway.
// Comments may: they cite the published pages that a rule comes from.
func TestProductCode_OutsideTheAdapters_NamesNoGateway(t *testing.T) {
	t.Parallel()
	exempt := []string{
		"pkg/adapter/gateway/",        // the adapters
		"pkg/app/gateways.go",         // the registry
		"pkg/testkit/",                // tests' stand-ins and data
		"pkg/tenant/impersonation.go", // words of many companies that no store may use
	}
	names := []string{}
	for _, d := range app.Gateways() {
		names = append(names, d.Name)
	}
	seen, found := 0, []string{}
	for _, root := range []string{"api", "worker", "pkg"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", root), func(path string, entry fs.DirEntry, err error) error {
			inside := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || hasAnyPrefix(inside, exempt) {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			seen++
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if namesAny(n.Name, names) {
						found = append(found, inside+": "+n.Name)
					}
				case *ast.BasicLit:
					if namesAny(n.Value, names) {
						found = append(found, inside+": "+n.Value)
					}
				}
				return true
			})
			return nil
		}))
	}
	require.Greater(t, seen, 500)
	require.Empty(t, found)
}

func TestNamesAny_Name_CountsOnlyAsWholeWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"payu": true, "PayU": true, "PAYU": true, `"payu"`: true, "payu_key": true, "newPayU": true, "PayUStatus": true, "isPayUOn": true,
		"PAYU_KEY": true, "fromPayu": true, "razorpayID": true, "XRazorpay": true, "razorpay2": true, `"https://api.razorpay.com"`: true,
		"payURL": false, "PayURL": false, "PayURLBase": false, "repayURL": false, "prepayUntil": false, "payUpdate": false, "PayUntil": false,
		"payuntil": false, "": false, "pay": false,
	} {
		require.Equal(t, want, namesAny(text, []string{"payu", "razorpay"}), text)
	}
}

// namesAny reports whether the text has one of the lower-case names as a whole word. A word ends where letters end, and where a capital
// begins the next word of an identifier; in PayURL and payUpdate, the letters "payu" are no word.
func namesAny(text string, names []string) bool {
	for _, name := range names {
		lower := strings.ToLower(text)
		for from := 0; ; {
			at := strings.Index(lower[from:], name)
			if at < 0 {
				break
			}
			at += from
			if end := at + len(name); beginsWord(text, at) && endsWord(text, at, end) {
				return true
			}
			from = at + 1
		}
	}
	return false
}

func beginsWord(text string, at int) bool {
	return at == 0 || !isLetter(text[at-1]) || isUpper(text[at]) && (!isUpper(text[at-1]) || at+1 < len(text) && !isUpper(text[at+1]))
}

func endsWord(text string, at, end int) bool {
	if end == len(text) || !isLetter(text[end]) {
		return true
	}
	if !isUpper(text[end]) {
		return false
	}
	// In payUpdate and payURL, the last letter of the match begins a word of its own.
	if isUpper(text[end-1]) {
		return isUpper(text[at]) && end+1 < len(text) && !isUpper(text[end+1])
	}
	return true
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLetter(c byte) bool { return isUpper(c) || 'a' <= c && c <= 'z' }

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}
