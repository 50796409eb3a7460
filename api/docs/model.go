package docs

import (
	"html/template"
	"strings"
)

// page is the template's data: the contract in reading order.
type page struct {
	Title, Version string
	Intro          template.HTML
	Areas          []area
	Failures       []failure
	Shapes, Values []shape
}

type area struct {
	ID, Name string
	About    template.HTML
	Calls    []call
}

type call struct {
	ID, Method, Path, Summary, Access string
	About                             template.HTML
	Params                            []field
	Bodies                            []body
	Answers                           []answer
	Failures                          []failure
}

type answer struct {
	Status  string
	About   template.HTML
	Headers []field
	Bodies  []body
}

type failure struct {
	Name, Status string
	About        template.HTML
	Headers      []field
	Bodies       []body
}

type body struct {
	Media    string
	Type     []part
	Examples []example
}

type example struct{ Name, JSON string }

// shape is a named schema; objects have fields, anything else a type and rules.
type shape struct {
	Name   string
	About  template.HTML
	Fields []field
	Self   field
}

// field is a property, parameter or header; Place is a parameter's location.
type field struct {
	Name, Place, Example string
	Required             bool
	Type                 []part
	Rules                []string
	About                template.HTML
}

// part is a piece of a type description; a piece with a Link refers to a shape.
type part struct{ Text, Link string }

func newPage(doc value) page {
	p := page{
		Title:   doc.get("info", "title").text(),
		Version: doc.get("info", "version").text(),
		Intro:   markdown(doc.get("info", "description").text()),
	}
	status := map[string]string{}
	calls := map[string][]call{}
	for _, path := range doc.get("paths").pairs() {
		for _, op := range path.pairs() {
			if id := op.get("operationId").text(); id != "" {
				c := newCall(doc, path, op)
				for _, f := range c.Failures {
					status[f.Name] = f.Status
				}
				tag := op.get("tags").items()[0].text()
				calls[tag] = append(calls[tag], c)
			}
		}
	}
	for _, tag := range doc.get("tags").items() {
		name := tag.get("name").text()
		p.Areas = append(p.Areas, area{
			ID: "area-" + strings.ReplaceAll(strings.ToLower(name), " ", "-"), Name: name,
			About: markdown(tag.get("description").text()), Calls: calls[name],
		})
	}
	for _, r := range doc.get("components", "responses").pairs() {
		p.Failures = append(p.Failures, failure{
			Name: r.key, Status: status[r.key], About: markdown(r.get("description").text()),
			Headers: headers(r.value), Bodies: bodies(r.value),
		})
	}
	for _, s := range doc.get("components", "schemas").pairs() {
		if sh := newShape(s); len(sh.Fields) > 0 {
			p.Shapes = append(p.Shapes, sh)
		} else {
			p.Values = append(p.Values, sh)
		}
	}
	return p
}

func newCall(doc value, path, op pair) call {
	server := path.get("servers")
	if !server.exists() {
		server = doc.get("servers")
	}
	c := call{
		ID: op.get("operationId").text(), Method: strings.ToUpper(op.key), Summary: op.get("summary").text(),
		Path:   strings.TrimSuffix(server.items()[0].get("url").text(), "/") + path.key,
		About:  markdown(op.get("description").text()),
		Access: access(doc, op.value),
		Bodies: bodies(op.get("requestBody")),
	}
	for _, param := range op.get("parameters").items() {
		param = param.resolved()
		f := newField(param.get("name").text(), param.get("schema"), param.get("required").text() == "true")
		f.Place = param.get("in").text()
		if about := param.get("description").text(); about != "" {
			f.About = markdown(about)
		}
		c.Params = append(c.Params, f)
	}
	for _, r := range op.get("responses").pairs() {
		about := markdown(r.resolved().get("description").text())
		if name := r.component(); name != "" {
			c.Failures = append(c.Failures, failure{Name: name, Status: r.key, About: about})
			continue
		}
		c.Answers = append(c.Answers, answer{Status: r.key, About: about, Headers: headers(r.value), Bodies: bodies(r.value)})
	}
	return c
}

// access describes who may call an operation.
func access(doc, op value) string {
	security := op.get("security")
	if !security.exists() {
		security = doc.get("security")
	}
	var schemes []string
	open := len(security.items()) == 0
	for _, choice := range security.items() {
		open = open || len(choice.pairs()) == 0
		for _, scheme := range choice.pairs() {
			schemes = append(schemes, brought(doc.get("components", "securitySchemes", scheme.key)))
		}
	}
	switch {
	case len(schemes) == 0:
		return "Open to everybody"
	case open:
		return "Open to everybody, says more with " + strings.Join(schemes, " or ")
	default:
		return "Needs " + strings.Join(schemes, " or ")
	}
}

// brought describes a security scheme's credential: a cookie, or a key in the header Authorization.
func brought(scheme value) string {
	if scheme.get("type").text() == "http" {
		return "a key as " + scheme.get("scheme").text() + " token"
	}
	return "the cookie " + scheme.get("name").text()
}

func headers(response value) []field {
	var fields []field
	for _, h := range response.get("headers").pairs() {
		header := h.resolved()
		f := newField(h.key, header.get("schema"), header.get("required").text() == "true")
		f.About = markdown(header.get("description").text())
		fields = append(fields, f)
	}
	return fields
}

// bodies reads the content of a request body or of a response.
func bodies(v value) []body {
	var out []body
	for _, media := range v.get("content").pairs() {
		b := body{Media: media.key, Type: bodyType(media.get("schema"))}
		if e := media.get("example"); e.exists() {
			b.Examples = append(b.Examples, example{"Example", e.json("")})
		}
		for _, e := range media.get("examples").pairs() {
			b.Examples = append(b.Examples, example{"Example: " + e.key, e.get("value").json("")})
		}
		out = append(out, b)
	}
	return out
}
