package main

import (
	"regexp"
	"strings"
)

// blockKind says which rules a block of Markdown has to meet.
type blockKind int

const (
	paragraph blockKind = iota
	heading
	listItem
	tableRow
	codeBlock
)

// block is a part of a document: a paragraph, a heading, a list item, a table row or a line of a code block.
type block struct {
	kind blockKind
	line int
	text string
}

// lineAt returns the line of a byte of the text.
func (b block) lineAt(offset int) int { return b.line + strings.Count(b.text[:offset], "\n") }

// document is a parsed Markdown file.
type document struct {
	path   string
	words  int
	blocks []block
}

var (
	fence      = regexp.MustCompile("^\\s*(```+|~~~+)")
	itemStart  = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+(.*)$`)
	headStart  = regexp.MustCompile(`^#{1,6}\s+(.*)$`)
	tableRule  = regexp.MustCompile(`^\s*\|?[\s:|-]*-{2,}[\s:|-]*$`)
	htmlRemark = regexp.MustCompile(`(?s)<!--.*?-->`)
)

// parseMarkdown splits a document into blocks. It knows the parts of Markdown that the documents use.
func parseMarkdown(path, text string) document {
	// A comment keeps its line breaks, so that the lines after it keep their numbers.
	text = htmlRemark.ReplaceAllStringFunc(text, func(remark string) string { return strings.Repeat("\n", strings.Count(remark, "\n")) })
	p := parser{doc: document{path: path, words: wordCount(text)}}
	for i, line := range strings.Split(text, "\n") {
		p.read(i+1, line)
	}
	p.flush()
	return p.doc
}

type parser struct {
	doc    document
	open   block
	marker string
}

func (p *parser) read(number int, line string) {
	if mark := fence.FindStringSubmatch(line); mark != nil && (p.marker == "" || strings.HasPrefix(mark[1], p.marker)) {
		p.flush()
		if p.marker == "" {
			p.marker = mark[1]
		} else {
			p.marker = ""
		}
		return
	}
	if p.marker != "" {
		p.doc.blocks = append(p.doc.blocks, block{codeBlock, number, line})
		return
	}
	p.readProse(number, line)
}

func (p *parser) readProse(number int, line string) {
	trimmed := strings.TrimSpace(strings.TrimLeft(line, "> "))
	switch {
	case trimmed == "", tableRule.MatchString(line):
		p.flush()
	case strings.HasPrefix(trimmed, "|"):
		p.flush()
		p.doc.blocks = append(p.doc.blocks, block{tableRow, number, trimmed})
	case headStart.MatchString(line):
		p.flush()
		p.doc.blocks = append(p.doc.blocks, block{heading, number, headStart.FindStringSubmatch(line)[1]})
	case itemStart.MatchString(line):
		p.flush()
		p.open = block{listItem, number, itemStart.FindStringSubmatch(line)[1]}
	case p.open.line > 0:
		p.open.text += "\n" + trimmed
	default:
		p.open = block{paragraph, number, trimmed}
	}
}

func (p *parser) flush() {
	if p.open.line > 0 {
		p.doc.blocks = append(p.doc.blocks, p.open)
	}
	p.open = block{}
}

// codeWord replaces a code span when words are counted.
const codeWord = "§"

var (
	codeSpan = regexp.MustCompile("(?s)``.+?``|`[^`]+`")
	linkText = regexp.MustCompile(`(?s)!?\[([^\]]*)\]\([^)]*\)`)
)

// prose returns the text that a reader sees, with codeWord for each code span.
func prose(text string) string {
	text = codeSpan.ReplaceAllString(text, codeWord)
	text = linkText.ReplaceAllString(text, "$1")
	return strings.NewReplacer("**", "", "__", "").Replace(text)
}

// wordCount counts the words that have a letter or a digit, and code spans.
func wordCount(text string) (n int) {
	for field := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(field, isWordRune) {
			n++
		}
	}
	return n
}
