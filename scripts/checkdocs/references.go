package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"
)

const (
	linkRule    = "broken link"
	commandRule = "unknown command"
	pathRule    = "unknown path"
	anchorHelp  = "no heading %q in %s: correct the link"
	linkHelp    = "%s does not exist: correct the link"
	pathHelp    = "%s does not exist: correct or remove it"
	targetHelp  = "the Makefile has no target %q: correct or remove the command"
	scriptHelp  = "no package.json has a script %q: correct or remove the command"
	programHelp = "%s has no Go file: correct or remove the command"
)

// references knows all that a document can refer to.
type references struct {
	paths   map[string]bool
	names   map[string]bool
	targets map[string]bool
	scripts map[string]bool
	ignored []string
	anchors map[string]map[string]bool
	// services are those of the compose file; nil if there is no compose file.
	services map[string]service
}

var makeTarget = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*)\s*:(?:[^=]|$)`)

func newReferences(tree fs.FS, paths map[string]bool, docs []document) (references, error) {
	r := references{
		paths: paths, names: map[string]bool{}, targets: map[string]bool{}, scripts: map[string]bool{}, anchors: map[string]map[string]bool{},
	}
	for p := range paths {
		r.names[path.Base(p)] = true
		if path.Base(p) == "package.json" {
			if err := r.addScripts(tree, p); err != nil {
				return r, err
			}
		}
	}
	if _, ok := paths["Makefile"]; ok {
		raw, err := fs.ReadFile(tree, "Makefile")
		if err != nil {
			return r, fmt.Errorf("read the Makefile: %w", err)
		}
		for _, m := range makeTarget.FindAllStringSubmatch(string(raw), -1) {
			r.targets[m[1]] = true
		}
	}
	if _, ok := paths[".gitignore"]; ok {
		raw, err := fs.ReadFile(tree, ".gitignore")
		if err != nil {
			return r, fmt.Errorf("read the ignored paths: %w", err)
		}
		r.ignored = strings.Fields(string(raw))
	}
	for _, d := range docs {
		r.anchors[d.path] = anchorsOf(d)
	}
	var err error
	r.services, err = composeServices(tree)
	return r, err
}

func (r references) addScripts(tree fs.FS, file string) error {
	raw, err := fs.ReadFile(tree, file)
	if err != nil {
		return fmt.Errorf("read scripts: %w", err)
	}
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return fmt.Errorf("parse %s: %w", file, err)
	}
	for name := range manifest.Scripts {
		r.scripts[name] = true
	}
	return nil
}

// anchorsOf returns the anchors that GitHub gives to the headings of a document.
func anchorsOf(d document) map[string]bool {
	out, seen := map[string]bool{}, map[string]int{}
	for _, b := range d.blocks {
		if b.kind != heading {
			continue
		}
		name := anchor(b.text)
		seen[name]++
		if n := seen[name]; n > 1 {
			name = fmt.Sprintf("%s-%d", name, n-1)
		}
		out[name] = true
	}
	return out
}

func anchor(title string) string {
	title = linkText.ReplaceAllString(title, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, title)
}

// check finds links, commands and paths of a document that lead nowhere.
func (r references) check(d document) []finding {
	var found []finding
	for _, b := range d.blocks {
		if b.kind == codeBlock {
			found = append(found, r.checkCode(d.path, b.line, b.text, false)...)
			continue
		}
		found = append(found, r.checkLinks(d.path, b)...)
		for _, span := range codeSpan.FindAllStringIndex(b.text, -1) {
			text := strings.Join(strings.Fields(strings.Trim(b.text[span[0]:span[1]], "` ")), " ")
			found = append(found, r.checkCode(d.path, b.lineAt(span[0]), text, true)...)
		}
	}
	return found
}

var (
	linkTarget = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)`)
	scheme     = regexp.MustCompile(`^[a-z]+:`)
	notNewline = regexp.MustCompile(`[^\n]`)
)

func (r references) checkLinks(file string, b block) []finding {
	var found []finding
	// A code span keeps its length and its line breaks, so that the links after it keep their places.
	text := codeSpan.ReplaceAllStringFunc(b.text, func(span string) string {
		return notNewline.ReplaceAllStringFunc(span, func(c string) string { return strings.Repeat(".", len(c)) })
	})
	for _, at := range linkTarget.FindAllStringSubmatchIndex(text, -1) {
		link := b.text[at[2]:at[3]]
		if scheme.MatchString(link) {
			continue
		}
		if problem := r.linkProblem(file, link); problem != "" {
			found = append(found, finding{file, b.lineAt(at[0]), linkRule, problem})
		}
	}
	return found
}

func (r references) linkProblem(file, link string) string {
	target, fragment, _ := strings.Cut(link, "#")
	to := file
	if target != "" {
		to = path.Join(path.Dir(file), target)
	}
	if _, ok := r.paths[to]; !ok {
		return fmt.Sprintf(linkHelp, to)
	}
	anchors, markdown := r.anchors[to]
	if fragment != "" && markdown && !anchors[fragment] {
		return fmt.Sprintf(anchorHelp, fragment, to)
	}
	return ""
}

var (
	makeCall   = regexp.MustCompile(`(?:^|[\s;&|(])make((?:\s+[^\s;&|)]+)+)`)
	goRun      = regexp.MustCompile(`\bgo run (?:-\S+ )*(\./\S+)`)
	npmRun     = regexp.MustCompile(`\bnpm (?:--?\S+ |web )*run (?:--?\S+ )*([a-z][\w:-]*)`)
	targetName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	remark     = regexp.MustCompile(`(?:^|\s)#\s.*$`)
	quoted     = regexp.MustCompile(`"[^"]*"|'[^']*'`)
)

// checkCode checks the commands and paths of a code span or of a line of a code block.
func (r references) checkCode(file string, line int, text string, span bool) []finding {
	text = quoted.ReplaceAllString(remark.ReplaceAllString(text, ""), `""`)
	var found []finding
	add := func(rule, format string, values ...any) {
		found = append(found, finding{file, line, rule, fmt.Sprintf(format, values...)})
	}
	for _, call := range makeCall.FindAllStringSubmatch(text, -1) {
		for word := range strings.FieldsSeq(call[1]) {
			if targetName.MatchString(word) && !r.targets[word] {
				add(commandRule, targetHelp, word)
			}
		}
	}
	for _, m := range npmRun.FindAllStringSubmatch(text, -1) {
		if !r.scripts[m[1]] {
			add(commandRule, scriptHelp, m[1])
		}
	}
	for _, m := range goRun.FindAllStringSubmatch(text, -1) {
		if dir := path.Clean(m[1]); r.paths[dir] && !r.hasGo(dir) {
			add(commandRule, programHelp, dir)
		}
	}
	for _, problem := range r.containerProblems(text) {
		add(commandRule, "%s", problem)
	}
	for word := range strings.FieldsSeq(text) {
		if p, ok := r.pathProblem(file, word, span); ok {
			add(pathRule, pathHelp, p)
		}
	}
	return found
}

func (r references) hasGo(dir string) bool {
	for p := range r.paths {
		if path.Dir(p) == dir && path.Ext(p) == ".go" {
			return true
		}
	}
	return false
}

var (
	// A word with one of these characters is a placeholder, a setting or a URL.
	notPath    = regexp.MustCompile("[<>{}…$?=|\"'@\\\\`~%\\[\\]()]|://|^[-/.]*$|^[-/]|\\*\\*")
	lineSuffix = regexp.MustCompile(`(?::\d+(?:-\d+)?|#.*|/\.\.\.|/)$`)
	symbol     = regexp.MustCompile(`\.[A-Z]\w*(?:\.\w+)*$`)
	sourceFile = regexp.MustCompile(`^[\w.-]+\.(?:go|md|sh|ts|tsx|mjs|sql)$`)
)

// pathProblem returns the path that a word names if no file or folder has it.
func (r references) pathProblem(file, word string, span bool) (string, bool) {
	word = strings.TrimRight(strings.TrimLeft(strings.TrimRight(word, ",;"), "("), ".:")
	word = strings.TrimSuffix(strings.TrimSuffix(word, "()"), ")")
	if notPath.MatchString(word) {
		return "", false
	}
	name := lineSuffix.ReplaceAllString(word, "")
	if !strings.Contains(name, "/") {
		return name, span && sourceFile.MatchString(name) && !strings.HasPrefix(name, ".") && !r.names[name]
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(name, "./"), "/")
	known := false
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		known = known || r.paths[path.Join(dir, first)]
		if r.exists(path.Join(dir, name)) {
			return "", false
		}
		if dir == "." {
			break
		}
	}
	return name, known && first != ".."
}

// exists accepts a path, a pattern that some path matches, a package with one of its symbols, and a file that git ignores.
func (r references) exists(p string) bool {
	if _, ok := r.paths[p]; ok {
		return true
	}
	for _, ignored := range r.ignored {
		if strings.HasPrefix("/"+p+"/", strings.TrimSuffix(ignored, "/")+"/") {
			return true
		}
	}
	if short := symbol.ReplaceAllString(p, ""); short != p {
		_, ok := r.paths[short]
		return ok
	}
	if !strings.Contains(p, "*") {
		return false
	}
	for known := range r.paths {
		if ok, err := path.Match(p, known); err == nil && ok {
			return true
		}
	}
	return false
}
