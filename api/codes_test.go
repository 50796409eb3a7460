package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// unanswered lists the codes that no call returns, each with who encounters it instead.
//
//nolint:gochecknoglobals // a constant
var unanswered = map[string]string{
	"audit_broken":       "the check of the audit trail, which jobs and scripts run",
	"import_done":        "pages at a store's host",
	"import_old":         "pages at a store's host",
	"night":              "reminders, which the worker sends",
	"order_being_made":   "the cause of an `unavailable`",
	"outlet_changed":     "pages at a store's host",
	"outlet_state":       "pages at a store's host",
	"partner_state":      "pages at a store's host",
	"partners_full":      "pages at a store's host",
	"sms_account_fault":  "the worker, which sends messages",
	"sms_no_answer":      "the worker, which sends messages",
	"sms_provider_limit": "the worker, which sends messages",
	"sms_rejected":       "the worker, which sends messages",
	"sms_refused":        "the worker, which sends messages",
	"sms_template":       "the worker, which sends messages",
	"sms_unavailable":    "the worker, which sends messages",
	"sms_unconfirmed":    "the worker, which sends messages",
	"too_late":           "the worker, which sends messages",
	"whatsapp_off":       "the worker, which sends messages",
}

// codesOfTheCode returns the codes of every errs.New in the folders, except in tests, each with one place that creates it.
func codesOfTheCode(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, folder := range folders {
		require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				maps.Copy(found, codesOfPackage(t, filepath.Join(folder, path)))
			}
			return err
		}))
	}
	return found
}

func codesOfPackage(t *testing.T, folder string) map[string]string {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	set, constants, calls := token.NewFileSet(), map[string]string{}, []*ast.CallExpr{}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, source, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, value := range n.Values {
					if text, ok := textOf(value); ok {
						constants[n.Names[i].Name] = text
					}
				}
			case *ast.CallExpr:
				if makesError(n, file.Name.Name) {
					calls = append(calls, n)
				}
			}
			return true
		})
	}
	found := map[string]string{}
	for _, call := range calls {
		at := set.Position(call.Pos()).String()
		code, ok := textOf(call.Args[1])
		switch argument := call.Args[1].(type) {
		case *ast.Ident:
			code, ok = constants[argument.Name], constants[argument.Name] != ""
		case *ast.SelectorExpr: // the code of an error created elsewhere
			if argument.Sel.Name == "Code" {
				continue
			}
		}
		require.True(t, ok, "%s: the code is no constant of its package", at)
		found[code] = at
	}
	return found
}

// makesError reports whether the call is errs.New, or New within errs.
func makesError(call *ast.CallExpr, pkg string) bool {
	if len(call.Args) != 3 {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		from, ok := f.X.(*ast.Ident)
		return ok && from.Name == "errs" && f.Sel.Name == "New"
	case *ast.Ident:
		_, literal := textOf(call.Args[1])
		return pkg == "errs" && f.Name == "New" && literal
	}
	return false
}

func textOf(e ast.Expr) (string, bool) {
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

func TestContract_FailureCodes_EqualTheCodesInTheSource(t *testing.T) {
	t.Parallel()
	spec, _ := operations(t)
	made := codesOfTheCode(t, ".", "../pkg")
	require.Greater(t, len(made), 60)
	require.Contains(t, made, "unauthorized", "of a constructor in errs")
	require.Contains(t, made, "invalid_credentials", "of a named constant")
	for code, who := range unanswered {
		require.Contains(t, made, code, "no longer made, so no longer kept from %s", who)
		delete(made, code)
	}
	require.NotNil(t, spec.Components.Schemas["FailureCode"])
	var declared []string
	for _, code := range spec.Components.Schemas["FailureCode"].Value.Enum {
		declared = append(declared, code.(string))
	}
	require.True(t, slices.IsSorted(declared), "the list is in the order of the alphabet")
	for code, at := range made {
		require.Contains(t, declared, code, "%s makes a code that FailureCode lacks", at)
	}
	for _, code := range declared {
		require.Contains(t, made, code, "FailureCode names a code that nothing makes")
	}
}
