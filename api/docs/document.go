package docs

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// value is a node of the document; the zero value stands for a missing node. Unlike decoded maps it preserves the order of the contract.
type value struct {
	node, root *yaml.Node
}

// pair is a key of a mapping with its value.
type pair struct {
	key string
	value
}

func parse(contract []byte) (value, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(contract, &file); err != nil {
		return value{}, fmt.Errorf("parse the contract: %w", err)
	}
	if len(file.Content) != 1 || file.Content[0].Kind != yaml.MappingNode {
		return value{}, errors.New("parse the contract: it is not a mapping")
	}
	return value{node: file.Content[0], root: file.Content[0]}, nil
}

func (v value) exists() bool { return v.node != nil }

// get follows the keys; if one is missing it returns the zero value.
func (v value) get(keys ...string) value {
	for _, key := range keys {
		next := value{root: v.root}
		for _, p := range v.pairs() {
			if p.key == key {
				next = p.value
			}
		}
		v = next
	}
	return v
}

// text returns the scalar, or "".
func (v value) text() string {
	if v.node == nil || v.node.Kind != yaml.ScalarNode {
		return ""
	}
	return v.node.Value
}

func (v value) pairs() []pair {
	if v.node == nil || v.node.Kind != yaml.MappingNode {
		return nil
	}
	pairs := make([]pair, 0, len(v.node.Content)/2)
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		pairs = append(pairs, pair{v.node.Content[i].Value, value{v.node.Content[i+1], v.root}})
	}
	return pairs
}

func (v value) items() []value {
	if v.node == nil || v.node.Kind != yaml.SequenceNode {
		return nil
	}
	items := make([]value, len(v.node.Content))
	for i, n := range v.node.Content {
		items[i] = value{n, v.root}
	}
	return items
}

// texts returns the scalars of a sequence, or a single scalar as a list.
func (v value) texts() []string {
	if t := v.text(); t != "" {
		return []string{t}
	}
	var texts []string
	for _, item := range v.items() {
		texts = append(texts, item.text())
	}
	return texts
}

// component returns the last part of a $ref, or "".
func (v value) component() string {
	ref := v.get("$ref").text()
	return ref[strings.LastIndex(ref, "/")+1:]
}

// resolved follows a $ref within the document; a dangling reference returns the zero value.
func (v value) resolved() value {
	ref := v.get("$ref").text()
	if ref == "" {
		return v
	}
	keys := strings.Split(strings.TrimPrefix(ref, "#/"), "/")
	return value{v.root, v.root}.get(keys...)
}

// json returns the value as indented JSON, in the contract's order.
func (v value) json(indent string) string {
	deeper := indent + "  "
	switch {
	case v.node == nil:
		return ""
	case v.node.Kind == yaml.MappingNode:
		parts := make([]string, 0, len(v.node.Content)/2)
		for _, p := range v.pairs() {
			parts = append(parts, deeper+quoted(p.key)+": "+p.json(deeper))
		}
		return enclosed("{", parts, indent, "}")
	case v.node.Kind == yaml.SequenceNode:
		parts := make([]string, 0, len(v.node.Content))
		for _, item := range v.items() {
			parts = append(parts, deeper+item.json(deeper))
		}
		return enclosed("[", parts, indent, "]")
	case v.node.Tag == "!!str" || v.node.Tag == "!!timestamp":
		return quoted(v.node.Value)
	case v.node.Tag == "!!null":
		return "null"
	case v.node.Tag == "!!bool":
		return strings.ToLower(v.node.Value)
	default:
		return v.node.Value
	}
}

func enclosed(open string, parts []string, indent, end string) string {
	if len(parts) == 0 {
		return open + end
	}
	return open + "\n" + strings.Join(parts, ",\n") + "\n" + indent + end
}

func quoted(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // strings always encode
	return strings.TrimSpace(b.String())
}
