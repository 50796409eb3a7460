package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
)

const (
	turnsPerTenThousand = 30
	turnsRule           = "obscure English"
	turnsShown          = 40
)

// turn is a phrase that makes a reader read a sentence twice, and what to write instead.
type turn struct {
	pattern *regexp.Regexp
	advice  string
}

func turns() []turn {
	rows := []struct{ pattern, advice string }{
		{`\b(?:is|are|was|were|be|been|being) (?:told|said|asked|heard|thought)\b`, "name the actor and the action"},
		{
			`\bwhat (?:is|was|came|comes|goes|went|has|had|it|they|of|stands|waits|remains|follows|becomes|happens)\b`,
			"use a noun instead of a clause with \"what\"",
		},
		{`(?:^|[.;:] )(?:Who|Whoever|What|Nobody|None)\b[^?]*$`, "begin the sentence with the actor"},
		{`\b(?:nobody|somebody|whoever|anybody|everybody)\b`, "name the role: customer, member of staff, operator"},
		{`\b(?:one|those|that) (?:that|which|who|whose)\b`, "repeat the noun"},
		{`\bnone\b`, "say \"no\" with its noun"},
		{`\b(?:go|goes|going|gone|went) back\b`, "use the field's word: refund, return, revert"},
		{`\b(?:stands|stood|standing)\b`, "say is, appears or hangs"},
		{`\bbeside\b`, "say next to, with or in addition to"},
		{`\b(?:anew|once more)\b`, "say again"},
		{`\b(?:until then|meanwhile|likewise)\b`, "name the time or the comparison"},
		{`\bof (?:its|their|one's|our|your) own\b`, "say own or separate"},
		{`\btake[sn]? for\b`, "say treats as"},
		{`\black(?:s|ed|ing)?\b`, "say does not have, or missing"},
		{`\b(?:is|are|was|were) left\b`, "name the remainder"},
		{`\bso (?:much|many)\b`, "name the amount"},
		{`\basks?\b`, "use the field's word: request, call, query"},
		{`\bby (?:itself|themselves)\b`, "say automatically, or name what starts it"},
		{`\bthat there (?:is|are|was|were)\b`, "name the thing and its verb"},
	}
	out := make([]turn, len(rows))
	for i, r := range rows {
		out[i] = turn{regexp.MustCompile(r.pattern), r.advice}
	}
	return out
}

// passage is a piece of text whose turns are counted.
type passage struct {
	file string
	line int
	text string
}

// markdownTexts returns the prose of all documents outside headings and code blocks.
func markdownTexts(docs []document) []passage {
	var out []passage
	for _, d := range docs {
		for _, b := range d.blocks {
			switch b.kind {
			case heading, codeBlock:
			case tableRow:
				out = append(out, passage{d.path, b.line, prose(b.text)})
			case paragraph, listItem:
				for _, s := range sentences(b) {
					out = append(out, passage{d.path, s.line, s.text})
				}
			}
		}
	}
	return out
}

// checkTurns compares the rate of obscure turns with its limit. Above the limit it names the passages with the most turns.
func checkTurns(label string, texts []passage) []finding {
	type place struct {
		density float64
		finding
	}
	var places []place
	list := turns()
	words, hits := 0, 0
	for _, p := range texts {
		n := wordCount(p.text)
		words += n
		for _, t := range list {
			for _, phrase := range t.pattern.FindAllString(p.text, -1) {
				hits++
				text := fmt.Sprintf("%q: %s", opening(phrase), t.advice)
				places = append(places, place{1 / float64(max(n, 1)), finding{p.file, p.line, turnsRule, text}})
			}
		}
	}
	if hits*10_000 <= turnsPerTenThousand*words {
		return nil
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.density, a.density) })
	text := fmt.Sprintf("%d turns per 10,000 words, %d allowed: rewrite the passages below, densest first", hits*10_000/words, turnsPerTenThousand)
	found := []finding{{label, 0, turnsRule, text}}
	for _, p := range places[:min(len(places), turnsShown)] {
		found = append(found, p.finding)
	}
	return found
}
