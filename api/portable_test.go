package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// ownDialect matches regular expression syntax that not every dialect supports: Unicode and shorthand classes, anchors
// other than ^ and $, groups with a question mark, and escapes by code point.
var ownDialect = regexp.MustCompile(`\\[pPdDwWsSbBAzZuUkGQ]|\(\?|\\x\{|\[\[:`)

// TestContract_Patterns_ArePortable restricts patterns to syntax with the same meaning in JavaScript with and without its u
// flag, Python, Java and Go.
func TestContract_Patterns_ArePortable(t *testing.T) {
	t.Parallel()
	patterns := 0
	everyNode(t, func(n *yaml.Node, at string) {
		if !strings.HasSuffix(at, ".pattern") || n.Kind != yaml.ScalarNode {
			return
		}
		patterns++
		_, err := regexp.Compile(n.Value)
		require.NoError(t, err, at)
		require.NotRegexp(t, ownDialect, n.Value, "%s: line %d", at, n.Line)
	})
	require.Greater(t, patterns, 20)
}

// TestContract_IsValidYAML11And12 forbids words that a YAML 1.1 parser reads as true or false.
func TestContract_IsValidYAML11And12(t *testing.T) {
	t.Parallel()
	bare := regexp.MustCompile(`^(?i:y|n|yes|no|on|off)$`)
	nodes := 0
	everyNode(t, func(n *yaml.Node, at string) {
		nodes++
		if n.Kind == yaml.ScalarNode && n.Style == 0 {
			require.NotRegexp(t, bare, n.Value, "%s: line %d wants quotes", at, n.Line)
		}
	})
	require.Greater(t, nodes, 10_000)
}

// TestContract_Types_ArePortable allows one JSON type each, optionally with null; a list must declare its items.
func TestContract_Types_ArePortable(t *testing.T) {
	t.Parallel()
	types := 0
	everyNode(t, func(n *yaml.Node, at string) {
		if n.Kind != yaml.MappingNode {
			return
		}
		members := map[string]*yaml.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			members[n.Content[i].Value] = n.Content[i+1]
		}
		of := members["type"]
		if of == nil || of.Kind == yaml.MappingNode || strings.HasSuffix(at, ".properties") {
			return
		}
		types++
		names := []string{of.Value}
		if of.Kind == yaml.SequenceNode {
			names = names[:0]
			for _, one := range of.Content {
				if one.Value != openapi3.TypeNull {
					names = append(names, one.Value)
				}
			}
		}
		require.Len(t, names, 1, "%s: line %d", at, n.Line)
		if names[0] == openapi3.TypeArray {
			require.NotNil(t, members["items"], "%s: line %d: a list of what", at, n.Line)
		}
	})
	require.Greater(t, types, 500)
}

// everyNode visits the keys and values of the contract, except examples, with the path to each.
func everyNode(t *testing.T, visit func(n *yaml.Node, at string)) {
	t.Helper()
	var document yaml.Node
	require.NoError(t, yaml.Unmarshal(openAPI, &document))
	var walk func(n *yaml.Node, at string)
	walk = func(n *yaml.Node, at string) {
		visit(n, at)
		for i, child := range n.Content {
			switch {
			case n.Kind != yaml.MappingNode:
				walk(child, at)
			case i%2 == 0:
				visit(child, at+"."+child.Value+" (key)")
			case n.Content[i-1].Value != "example" && n.Content[i-1].Value != "examples":
				walk(child, at+"."+n.Content[i-1].Value)
			}
		}
	}
	walk(&document, "")
}
