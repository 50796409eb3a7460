package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A setter called on a finished service can be forgotten, and nothing notices; a part of an options struct cannot be, because constructors
// refuse nil.
func TestServices_Methods_AreNoFluentSetters(t *testing.T) {
	t.Parallel()
	seen, setters := 0, []string{}
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Body == nil {
				continue
			}
			seen++
			if setsAndReturnsReceiver(fn) {
				setters = append(setters, path+": "+fn.Name.Name)
			}
		}
		return nil
	}))
	require.Greater(t, seen, 2000)
	require.Empty(t, setters)
}

// setsAndReturnsReceiver reports whether a method with a pointer receiver assigns to a field of it and returns it.
func setsAndReturnsReceiver(fn *ast.FuncDecl) bool {
	star, isPointer := fn.Recv.List[0].Type.(*ast.StarExpr)
	if !isPointer || len(fn.Recv.List[0].Names) == 0 || !returnsPointerTo(fn, star.X) {
		return false
	}
	receiver, sets, returns := fn.Recv.List[0].Names[0].Name, false, false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				sets = sets || isFieldOf(left, receiver)
			}
		case *ast.ReturnStmt:
			for _, result := range n.Results {
				name, ok := result.(*ast.Ident)
				returns = returns || ok && name.Name == receiver
			}
		}
		return true
	})
	return sets && returns
}

func returnsPointerTo(fn *ast.FuncDecl, receiver ast.Expr) bool {
	if fn.Type.Results == nil {
		return false
	}
	return slices.ContainsFunc(fn.Type.Results.List, func(result *ast.Field) bool {
		star, ok := result.Type.(*ast.StarExpr)
		return ok && types.ExprString(star.X) == types.ExprString(receiver)
	})
}

// isFieldOf reports whether the expression is a field, or an element of a field, of the named variable.
func isFieldOf(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && x.Name == name || isFieldOf(e.X, name)
	case *ast.IndexExpr:
		return isFieldOf(e.X, name)
	}
	return false
}
