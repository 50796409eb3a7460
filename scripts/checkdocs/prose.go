package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

const (
	sentenceWords  = 25
	paragraphWords = 80
	sentenceRule   = "long sentence"
	paragraphRule  = "long paragraph"
)

var (
	// A full stop ends a sentence if the next word can begin one.
	sentenceEnd  = regexp.MustCompile(`[.!?]["'”’)*_]*\s+["'“‘(*_]*[\p{Lu}\p{Nd}\p{Devanagari}` + codeWord + `]`)
	abbreviation = regexp.MustCompile(`(?i)(?:^|[\s(])(?:e\.g|i\.e|cf|vs|no|nos|approx|art|sec|rs|inc|pvt|ltd|[a-z])\.\s*$`)
)

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || string(r) == codeWord
}

// sentence is a sentence and the line on which it begins.
type sentence struct {
	line int
	text string
}

// sentences splits the prose of a block.
func sentences(b block) []sentence {
	var out []sentence
	rest, line := prose(b.text), b.line
	for rest != "" {
		n := sentenceLength(rest)
		text := rest[:n]
		lead := len(text) - len(strings.TrimLeft(text, " \n"))
		line += strings.Count(text[:lead], "\n")
		if body := strings.TrimSpace(text); body != "" {
			out = append(out, sentence{line, body})
		}
		line += strings.Count(text[lead:], "\n")
		rest = rest[n:]
	}
	return out
}

// sentenceLength returns the number of bytes of the first sentence.
func sentenceLength(text string) int {
	from := 0
	for {
		at := sentenceEnd.FindStringIndex(text[from:])
		if at == nil {
			return len(text)
		}
		stop := from + at[0] + 1
		if text[stop-1] != '.' || !abbreviation.MatchString(text[:stop]) {
			return stop
		}
		from = stop
	}
}

// checkProse finds long sentences and long paragraphs outside tables and code.
func checkProse(d document) []finding {
	var found []finding
	for _, b := range d.blocks {
		if b.kind == tableRow || b.kind == codeBlock {
			continue
		}
		if n := wordCount(prose(b.text)); n > paragraphWords {
			text := fmt.Sprintf("%d words, %d allowed: split it, or use a list or a table", n, paragraphWords)
			found = append(found, finding{d.path, b.line, paragraphRule, text})
		}
		for _, s := range sentences(b) {
			if n := wordCount(s.text); n > sentenceWords {
				text := fmt.Sprintf("%d words, %d allowed: one idea a sentence: %q", n, sentenceWords, opening(s.text))
				found = append(found, finding{d.path, s.line, sentenceRule, text})
			}
		}
	}
	return found
}

// opening returns the first words of a text.
func opening(text string) string {
	words := strings.Fields(strings.ReplaceAll(text, codeWord, "`…`"))
	if len(words) <= 8 {
		return strings.Join(words, " ")
	}
	return strings.Join(words[:8], " ") + " …"
}
