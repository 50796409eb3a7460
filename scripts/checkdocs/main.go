// Command checkdocs checks the Markdown documents and the texts of the API contract: length, plain English, links, commands and paths.
package main

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// contractPath is the contract whose summaries and descriptions are checked.
const contractPath = "api/openapi.yaml"

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	ok, err := run(os.DirFS(root), os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// finding is one violation of a rule. Line is 0 if the whole file breaks the rule.
type finding struct {
	file string
	line int
	rule string
	text string
}

func (f finding) String() string {
	at := f.file
	if f.line > 0 {
		at = fmt.Sprintf("%s:%d", f.file, f.line)
	}
	return fmt.Sprintf("%s: %s: %s", at, f.rule, f.text)
}

// run writes one line for each finding and reports whether there are no findings.
func run(tree fs.FS, out io.Writer) (bool, error) {
	paths, err := index(tree)
	if err != nil {
		return false, err
	}
	docs, err := documents(tree, paths)
	if err != nil {
		return false, err
	}
	known, err := newReferences(tree, paths, docs)
	if err != nil {
		return false, err
	}
	contract, err := contractTexts(tree)
	if err != nil {
		return false, err
	}
	found := slices.Concat(budgets(docs), checkTurns("all Markdown", markdownTexts(docs)), checkTurns(contractPath, contract))
	for _, d := range docs {
		found = slices.Concat(found, checkProse(d), known.check(d))
	}
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line)) })
	for _, f := range found {
		if _, err := fmt.Fprintln(out, f); err != nil {
			return false, fmt.Errorf("write a finding: %w", err)
		}
	}
	return len(found) == 0, nil
}

// index returns every file and folder of the tree. The value says whether the path is a folder.
func index(tree fs.FS) (map[string]bool, error) {
	skipped := []string{"node_modules", ".git", ".data", "dist"}
	paths := map[string]bool{}
	err := fs.WalkDir(tree, ".", func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains(skipped, entry.Name()) {
			return fs.SkipDir
		}
		paths[p] = entry.IsDir()
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the tree: %w", err)
	}
	return paths, nil
}

// documents reads all Markdown except the customers' articles, which have their own tests.
func documents(tree fs.FS, paths map[string]bool) ([]document, error) {
	var docs []document
	for p, folder := range paths {
		if folder || path.Ext(p) != ".md" || strings.HasPrefix(p, "web/src/content/") {
			continue
		}
		raw, err := fs.ReadFile(tree, p)
		if err != nil {
			return nil, fmt.Errorf("read a document: %w", err)
		}
		docs = append(docs, parseMarkdown(p, string(raw)))
	}
	slices.SortFunc(docs, func(a, b document) int { return cmp.Compare(a.path, b.path) })
	return docs, nil
}
