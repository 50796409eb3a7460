package docs

import (
	"html/template"
	"regexp"
	"slices"
	"strings"
)

func newShape(s pair) shape {
	return shape{Name: s.key, About: markdown(s.get("description").text()), Fields: fields(s.value, ""), Self: newField(s.key, s.value, true)}
}

// fields lists the properties of an object, with those of nested objects by their path: a.b, a[].b.
func fields(schema value, prefix string) []field {
	var out []field
	required := schema.get("required").texts()
	for _, p := range schema.get("properties").pairs() {
		f := newField(prefix+p.key, p.value, slices.Contains(required, p.key))
		out = append(out, f)
		if item := p.get("items"); item.get("properties").exists() {
			out = append(out, fields(item, f.Name+"[].")...)
			continue
		}
		out = append(out, fields(p.value, f.Name+".")...)
	}
	for _, choice := range append(schema.get("oneOf").items(), schema.get("allOf").items()...) {
		if choice.component() == "" || schema.get("allOf").exists() {
			out = append(out, fields(choice.resolved(), prefix)...)
		}
	}
	return out
}

func newField(name string, schema value, required bool) field {
	f := field{Name: name, Required: required, Type: typeOf(schema), About: markdown(schema.get("description").text())}
	if schema.component() == "" {
		f.Rules = rules(schema)
	}
	if examples := schema.get("examples").items(); len(examples) > 0 {
		f.Example = examples[0].json("")
	}
	return f
}

// bodyType describes a body; within the success envelope, only the type of data is shown.
func bodyType(schema value) []part {
	if data := schema.get("properties", "data"); data.exists() && schema.component() == "" {
		return append([]part{{Text: "data: "}}, typeOf(data)...)
	}
	return typeOf(schema)
}

// typeOf describes the type of a schema, with links to named shapes.
func typeOf(schema value) []part {
	if name := schema.component(); name != "" {
		return []part{{Text: name, Link: "#shape-" + name}}
	}
	if choices := schema.get("oneOf").items(); len(choices) > 0 {
		var parts []part
		for i, c := range choices {
			if i > 0 {
				parts = append(parts, part{Text: " or "})
			}
			parts = append(parts, typeOf(c)...)
		}
		return parts
	}
	if constant := schema.get("const"); constant.exists() {
		return []part{{Text: "always " + constant.json("")}}
	}
	kind := strings.Join(schema.get("type").texts(), " or ")
	if kind == "array" {
		return append([]part{{Text: "list of "}}, typeOf(schema.get("items"))...)
	}
	if extra := schema.get("additionalProperties"); kind == "object" && len(extra.pairs()) > 0 {
		known := ""
		if schema.get("properties").exists() {
			known = " with further fields, each "
		} else {
			known = " of any keys, each "
		}
		return append([]part{{Text: "object" + known}}, typeOf(extra)...)
	}
	if format := schema.get("format").text(); format != "" {
		kind += " (" + format + ")"
	}
	return []part{{Text: kind}}
}

// rules describes a schema's constraints.
func rules(schema value) []string {
	var out []string
	add := func(format string, keys ...string) {
		for _, key := range keys {
			v := schema.get(key)
			if !v.exists() {
				return
			}
			format = strings.Replace(format, "%", v.json(""), 1)
		}
		out = append(out, format)
	}
	between := func(low, high, unit string) {
		switch {
		case schema.get(low).exists() && schema.get(high).exists():
			add("% to %"+unit, low, high)
		case schema.get(low).exists():
			add("at least %"+unit, low)
		default:
			add("at most %"+unit, high)
		}
	}
	if choices := schema.get("enum").texts(); len(choices) > 0 {
		out = append(out, "one of "+strings.Join(choices, ", "))
	}
	between("minLength", "maxLength", " characters")
	between("minimum", "maximum", "")
	between("minItems", "maxItems", " items")
	if schema.get("uniqueItems").text() == "true" {
		out = append(out, "no item twice")
	}
	if pattern := schema.get("pattern").text(); pattern != "" {
		out = append(out, "pattern "+pattern)
	}
	add("default %", "default")
	return out
}

// markdown converts the subset of Markdown that the contract uses to HTML: paragraphs, lists, bold and code. Everything
// else is escaped.
func markdown(text string) template.HTML {
	var b strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(block, "- ") {
			b.WriteString("<ul>")
			for item := range strings.SplitSeq(strings.TrimPrefix(block, "- "), "\n- ") {
				b.WriteString("<li>" + inline(item) + "</li>")
			}
			b.WriteString("</ul>")
			continue
		}
		if block != "" {
			b.WriteString("<p>" + inline(block) + "</p>")
		}
	}
	return template.HTML(b.String()) //nolint:gosec // all text was escaped by inline
}

func inline(text string) string {
	escaped := template.HTMLEscapeString(text)
	escaped = regexp.MustCompile("`([^`]+)`").ReplaceAllString(escaped, "<code>$1</code>")
	return regexp.MustCompile(`\*\*([^*]+)\*\*`).ReplaceAllString(escaped, "<strong>$1</strong>")
}
