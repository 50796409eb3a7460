package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// contractTexts returns the summaries and descriptions of the contract, without those in its examples.
func contractTexts(tree fs.FS) ([]passage, error) {
	raw, err := fs.ReadFile(tree, contractPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	var node yaml.Node
	if err := yaml.Unmarshal(raw, &node); err != nil {
		return nil, fmt.Errorf("parse the contract: %w", err)
	}
	return textsOf(&node, false), nil
}

// textsOf walks the contract. Below "properties" the keys are names of fields.
func textsOf(node *yaml.Node, names bool) []passage {
	var out []passage
	if node.Kind != yaml.MappingNode {
		for _, child := range node.Content {
			out = append(out, textsOf(child, false)...)
		}
		return out
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i].Value, node.Content[i+1]
		switch {
		case names:
			out = append(out, textsOf(value, false)...)
		case key == "example" || key == "examples":
		case value.Kind == yaml.ScalarNode && slices.Contains([]string{"summary", "description"}, key):
			out = append(out, passage{contractPath, value.Line, prose(strings.TrimSpace(value.Value))})
		default:
			out = append(out, textsOf(value, key == "properties")...)
		}
	}
	return out
}
