package main

import (
	"fmt"
	"path"
	"strings"
)

const allMarkdown = 35_000

// budget limits the words of each document whose path matches.
type budget struct {
	pattern string
	words   int
	advice  string
}

func wordBudgets() []budget {
	return []budget{
		{"README.md", 700, "move details to the page that the map names"},
		{"scripts/production/*.md", 600, "one question a page: split it or use a table"},
		{"pkg/README.md", 900, "move a rule beside its code"},
		{"pkg/decisions/*.md", 120, "keep context, decision and consequence; move rules beside their code"},
	}
}

const (
	changelogPath    = "CHANGELOG.md"
	changelogWords   = 25
	glossaryPath     = "pkg/GLOSSARY.md"
	glossaryEntries  = 40
	budgetRule       = "too long"
	pageMissingRule  = "page missing"
	pageMissingHelp  = "no document matches a budget; correct the pattern in scripts/checkdocs/budgets.go"
	changelogAdvice  = "say what a user notices, in one sentence"
	glossaryAdvice   = "remove the entries that the field's own words explain"
	allMarkdownHelp  = "shorten the longest documents, link instead of repeating"
	allMarkdownLabel = "all Markdown"
)

// budgets checks the length of documents, of the changelog's lines and of the glossary.
func budgets(docs []document) []finding {
	var found []finding
	for _, b := range wordBudgets() {
		found = append(found, b.check(docs)...)
	}
	total := 0
	for _, d := range docs {
		if !strings.HasSuffix(d.path, ".gen.md") {
			total += d.words
		}
		switch d.path {
		case changelogPath:
			found = append(found, changelogLines(d)...)
		case glossaryPath:
			found = append(found, glossaryLength(d)...)
		}
	}
	if total > allMarkdown {
		text := fmt.Sprintf("%d words, %d allowed: %s", total, allMarkdown, allMarkdownHelp)
		found = append(found, finding{allMarkdownLabel, 0, budgetRule, text})
	}
	return found
}

func (b budget) check(docs []document) []finding {
	var found []finding
	matched := false
	for _, d := range docs {
		if ok, err := path.Match(b.pattern, d.path); err != nil || !ok {
			continue
		}
		matched = true
		if d.words > b.words {
			text := fmt.Sprintf("%d words, %d allowed: %s", d.words, b.words, b.advice)
			found = append(found, finding{d.path, 0, budgetRule, text})
		}
	}
	if !matched {
		found = append(found, finding{b.pattern, 0, pageMissingRule, pageMissingHelp})
	}
	return found
}

func changelogLines(d document) []finding {
	var found []finding
	for _, b := range d.blocks {
		if n := wordCount(prose(b.text)); b.kind == listItem && n > changelogWords {
			text := fmt.Sprintf("an entry of %d words, %d allowed: %s", n, changelogWords, changelogAdvice)
			found = append(found, finding{d.path, b.line, budgetRule, text})
		}
	}
	return found
}

// glossaryLength counts the rows of tables without their headings, list items, and paragraphs that begin with a bold term.
func glossaryLength(d document) []finding {
	entries := 0
	for i, b := range d.blocks {
		switch b.kind {
		case tableRow:
			if i > 0 && d.blocks[i-1].kind == tableRow {
				entries++
			}
		case listItem:
			entries++
		case paragraph:
			if strings.HasPrefix(b.text, "**") {
				entries++
			}
		case heading, codeBlock:
		}
	}
	if entries <= glossaryEntries {
		return nil
	}
	text := fmt.Sprintf("%d entries, %d allowed: %s", entries, glossaryEntries, glossaryAdvice)
	return []finding{{d.path, 0, budgetRule, text}}
}
