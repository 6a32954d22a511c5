package main

import (
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"time"
)

// publish prints the report, and writes it and its picture, if a file is given.
func (s *soak) publish(file string) error {
	picture := strings.TrimSuffix(file, filepath.Ext(file)) + ".svg"
	text := s.report(filepath.Base(picture))
	fmt.Print("\n", text)
	if file == "" {
		return nil
	}
	if err := os.WriteFile(picture, []byte(s.picture()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

func (s *soak) report(picture string) string {
	var b strings.Builder
	found := s.findings.list()
	fmt.Fprintf(&b, `# A soak of %v

Written by `+"`make soak FOR=%v SEED=%d`"+`. The example operator and a broadcaster record on a real kube-apiserver and etcd, through proxies that
make trouble. Load: %d objects in %d namespaces, %d occurrences a second and floods beside. %d processors, %s.

**%s**

![Over time: occurrences a second, pending occurrences, the longest wait of healthy namespaces, goroutines, heap; troubles as bands.](%s)

## The account

%s
## What was checked

| check | times | largest value | findings |
| --- | ---: | ---: | ---: |
`, s.length, s.length, s.seed, objects, namespaces, int(hotPerSecond+warmPerSecond+coldPerSecond), goruntime.NumCPU(), goruntime.Version(),
		verdict(found), picture, s.accounts)
	kinds := map[string]string{"the account": "account", "stored counts": "stored", "goroutines of the broadcaster": "goroutines", "heap, MB": "heap",
		"the wait of healthy namespaces, s": "wait", "failed tries of a pending event of a healthy namespace": "tries", "the operator's account": "operator"}
	for _, name := range s.checks.order {
		count := ""
		if kind := kinds[name]; kind != "" {
			count = fmt.Sprint(s.findings.count(kind))
		}
		fmt.Fprintf(&b, "| %s | %d | %.6g | %s |\n", name, s.checks.n[name], s.checks.most[name], count)
	}
	fmt.Fprintf(&b, "\nThe largest value of an account is what was pending.\n\n## Troubles\n\n| trouble | times | seconds in all | not made |\n| --- | ---: | ---: | ---: |\n")
	for _, kind := range slices.Concat(ofServer, ofPrograms, ofNamespaces) {
		times, failed, lasted := 0, 0, time.Duration(0)
		for _, t := range s.troubles.list() {
			if t.name == kind.name {
				times++
				lasted += t.to.Sub(t.from)
				if t.failed != "" {
					failed++
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %.0f | %d |\n", kind.name, times, lasted.Seconds(), failed)
	}
	fmt.Fprint(&b, "\nThe operator ended:\n\n")
	for _, how := range sortedKeys(s.operator.ends) {
		fmt.Fprintf(&b, "- %d times by %s\n", s.operator.ends[how], how)
	}
	if len(found) > 0 {
		fmt.Fprint(&b, "\n## Findings\n\n")
		for _, f := range found {
			fmt.Fprintf(&b, "- %v, %s: %s\n", f.at, f.kind, f.text)
		}
	}
	return b.String()
}

func verdict(found []finding) string {
	if len(found) == 0 {
		return "Nothing was found: nothing is lost beyond the causes below."
	}
	return fmt.Sprintf("%d findings, listed at the end.", len(found))
}
