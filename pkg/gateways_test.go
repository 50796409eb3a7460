package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
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
		names = append(names, regexp.QuoteMeta(d.Name))
	}
	name := regexp.MustCompile(`(?i)` + strings.Join(names, "|"))
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
					if name.MatchString(n.Name) {
						found = append(found, inside+": "+n.Name)
					}
				case *ast.BasicLit:
					if name.MatchString(n.Value) {
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

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}
