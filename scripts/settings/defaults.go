package main

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
	"strings"
)

// defaultsOf returns the defaults that the calls of the config package's reader declare, such as r.or("S3_REGION", "ap-south-1").
func defaultsOf(folder string) (map[string]string, error) {
	calls, err := callsOf(folder)
	if err != nil {
		return nil, err
	}
	defaults := map[string]string{}
	for name, call := range calls {
		if len(call.Args) > 1 && slices.Contains([]string{"or", "int", "between", "duration"}, methodOf(call)) {
			defaults[name] = constant(call.Args[1])
		}
	}
	return defaults, nil
}

// callsOf returns the calls in the config package that read a setting, by its name.
func callsOf(folder string) (map[string]*ast.CallExpr, error) {
	calls := map[string]*ast.CallExpr{}
	files, err := fs.Glob(os.DirFS(folder), "*.go")
	if err != nil {
		return nil, fmt.Errorf("list the config package: %w", err)
	}
	setting := regexp.MustCompile(`^"([A-Z][A-Z0-9_]+)"$`)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, 0)
		if err != nil {
			return nil, fmt.Errorf("read the config package: %w", err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || !reads(call) {
				return true
			}
			if first, ok := call.Args[0].(*ast.BasicLit); ok && setting.MatchString(first.Value) {
				declared := setting.FindStringSubmatch(first.Value)[1]
				if known := calls[declared]; known == nil || len(known.Args) < len(call.Args) {
					calls[declared] = call
				}
			}
			return true
		})
	}
	return calls, nil
}

// reads reports whether a call of the reader r, or of getenv, reads a setting.
func reads(call *ast.CallExpr) bool {
	method := methodOf(call)
	return method != "" && method != "fail" && !strings.HasPrefix(method, "check")
}

// methodOf returns the name of the reader's method, or getenv; it is empty for every other call.
func methodOf(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		if reader, ok := f.X.(*ast.Ident); ok && reader.Name == "r" {
			return f.Sel.Name
		}
	case *ast.Ident:
		if f.Name == "getenv" {
			return f.Name
		}
	}
	return ""
}

// constant writes a literal or a product such as 7*time.Second as a setting; it is empty for any other expression.
func constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return strings.ReplaceAll(strings.Trim(e.Value, `"`), "_", "")
	case *ast.BinaryExpr:
		if unit, ok := e.Y.(*ast.SelectorExpr); ok && e.Op == token.MUL {
			return constant(e.X) + map[string]string{"Second": "s", "Minute": "m", "Hour": "h"}[unit.Sel.Name]
		}
	}
	return ""
}
