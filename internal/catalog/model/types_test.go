package model

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
)

var (
	typeRow = regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| [^|]+ \\| ([^|]+) \\| ([^|]*)\\|$")
	quoted  = regexp.MustCompile("`([a-zA-Z0-9]+)`")
	digits  = regexp.MustCompile(`\d+`)
)

// The table of types in docs/catalog.md has the types, bounds and options of the table here.
func TestTypesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/catalog.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| type | Go parameter | most bytes | own options |")
	table, _, _ = strings.Cut(table, "\n\n")
	seen := 0
	for _, row := range typeRow.FindAllStringSubmatch(table, -1) {
		bounds := digits.FindAllString(row[2], -1)
		var own []string
		for _, k := range optionKeys(&catalog.Param{}) {
			if strings.Contains(row[3], "`"+k.key+"`") || strings.Contains(row[3], "`"+k.key+":") {
				own = append(own, k.key)
			}
		}
		options := strings.Join(own, " ")
		for i, name := range quoted.FindAllStringSubmatch(row[1], -1) {
			bound := 0
			if len(bounds) > 0 {
				bound, _ = strconv.Atoi(bounds[min(i, len(bounds)-1)])
			}
			known, ok := paramTypes[name[1]]
			if !ok || known.maxBytes != bound || known.options != options {
				t.Errorf("%s is documented with %d bytes and options %q, and has %d and %q", name[1], bound, options, known.maxBytes, known.options)
			}
			seen++
		}
	}
	if seen != len(paramTypes) {
		t.Errorf("%d types are documented, there are %d", seen, len(paramTypes))
	}
}
