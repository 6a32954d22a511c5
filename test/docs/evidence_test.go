package docs

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// docs/evidence.md has the sums of the tables in docs/evidence.
func TestEvidenceSums(t *testing.T) {
	page := read(t, "docs/evidence.md")
	calls := table(t, "docs/evidence/calls.csv")
	judged := table(t, "docs/evidence/rules.csv")
	migrated := table(t, "docs/evidence/migrated.csv")
	for _, want := range [][]string{
		{rows(calls), sum(t, calls, "calls of a recorder"), sum(t, calls, "calls of a wrapper"), sum(t, calls, "known"), sum(t, calls, "findings"),
			sum(t, judged, "judged"), sum(t, judged, "false")},
		{rows(migrated), sum(t, migrated, "calls"), sum(t, migrated, "equal"), sum(t, migrated, "equal except"), sum(t, migrated, "left")},
	} {
		if line := "| " + strings.Join(want, " | ") + " |"; !strings.Contains(page, line) {
			t.Errorf("docs/evidence.md lacks the sums of its tables:\n%s", line)
		}
	}
}

// Each finding of docs/evidence/calls.csv is one of a rule, and rules.csv has as many of each rule.
func TestEvidenceRules(t *testing.T) {
	byRule := map[string]int{}
	for _, row := range table(t, "docs/evidence/calls.csv") {
		all := 0
		for part := range strings.SplitSeq(row["by rule"], ", ") {
			if rule, count, found := strings.Cut(part, " "); found {
				n := number(t, count)
				byRule[rule] += n
				all += n
			}
		}
		if all != number(t, row["findings"]) {
			t.Errorf("%s: %s findings, but %d by rule", row["repository"], row["findings"], all)
		}
	}
	for _, row := range table(t, "docs/evidence/rules.csv") {
		if n := byRule[row["rule"]]; n != number(t, row["findings"]) {
			t.Errorf("%s: %s findings in rules.csv, %d in calls.csv", row["rule"], row["findings"], n)
		}
		delete(byRule, row["rule"])
	}
	if len(byRule) > 0 {
		t.Errorf("rules.csv lacks rules of calls.csv: %v", byRule)
	}
}

// table returns the rows of a CSV file by the names in its first line.
func table(t *testing.T, path string) (list []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(read(t, path))).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		list = append(list, row)
	}
	return list
}

func rows(table []map[string]string) string { return thousands(len(table)) }

func sum(t *testing.T, table []map[string]string, column string) string {
	t.Helper()
	n := 0
	for _, row := range table {
		n += number(t, row[column])
	}
	return thousands(n)
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Errorf("%q is no number", s)
	}
	return n
}

// thousands writes a number as the pages do: 1,234.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
