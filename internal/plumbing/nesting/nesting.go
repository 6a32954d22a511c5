// Package nesting bounds how deep YAML is nested.
package nesting

import "go.yaml.in/yaml/v3"

// Most is the number of lists and mappings that can stand in each other.
const Most = 100

// TooDeep returns the first node of a document that Most others surround, or nil.
func TooDeep(n *yaml.Node) *yaml.Node { return below(n, 0) }

func below(n *yaml.Node, depth int) *yaml.Node {
	if depth > Most {
		return n
	}
	for _, child := range n.Content {
		if found := below(child, depth+1); found != nil {
			return found
		}
	}
	return nil
}
