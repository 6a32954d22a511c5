package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/plumbing/format"
)

type completion = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective)

var severityNames = words("error", "warning", "info")

// flagCompletions maps names of flags to the completions of their values. A key with a command's
// name before it is for that command only.
var flagCompletions = map[string]completion{
	"catalog":     catalogFiles,
	"category":    words("GO", "WIRE", "ALL"),
	"docs format": words("markdown", "html"),
	"fail-on":     severityNames,
	"format":      words(format.Names...),
	"rbac":        words("auto", "core", "events", "none"),
	"resolve":     words("auto", "always", "never"),
	"rule":        ruleList,
	"show":        severityNames,
}

// argumentCompletions maps names of commands to the completions of their arguments.
var argumentCompletions = map[string]completion{
	"breaking": catalogFiles,
	"docs":     catalogFiles,
	"explain":  ruleName,
	"generate": catalogFiles,
	"lint":     catalogFiles,
	"rules":    cobra.NoFileCompletions,
	"schema":   cobra.NoFileCompletions,
	"version":  cobra.NoFileCompletions,
}

// registerCompletions registers the completions of arguments and flags.
func registerCompletions(root *cobra.Command) error {
	for _, cmd := range root.Commands() {
		if complete, known := argumentCompletions[cmd.Name()]; known {
			cmd.ValidArgsFunction = complete
		}
		for flag, complete := range flagCompletions {
			if own, known := flagCompletions[cmd.Name()+" "+flag]; known {
				complete = own
			}
			if cmd.Flags().Lookup(flag) == nil {
				continue
			}
			if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
				return fmt.Errorf("%s --%s: %w", cmd.Name(), flag, err)
			}
		}
	}
	return nil
}

func words(list ...string) completion {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
}

// catalogFiles completes the names of YAML files and of folders.
func catalogFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// ruleName completes the id of a rule, typed in either case, and shows the rule's name.
func ruleName(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return startingWith("", word, allRules()), cobra.ShellCompDirectiveNoFileComp
}

// ruleList completes the last id of a comma-separated list. It proposes no id that the list has
// already.
func ruleList(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	i := strings.LastIndex(word, ",") + 1
	taken := strings.Split(strings.ToUpper(word[:i]), ",")
	rules := slices.DeleteFunc(lintRules(), func(r format.Rule) bool { return slices.Contains(taken, r.ID) })
	return startingWith(word[:i], word[i:], rules), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// startingWith returns the completions of word by ids of rules, with their names as descriptions.
// before is the text of the argument before the word.
func startingWith(before, word string, rules []format.Rule) []string {
	var found []string
	for _, r := range rules {
		if strings.HasPrefix(r.ID, strings.ToUpper(word)) {
			found = append(found, cobra.CompletionWithDesc(before+r.ID, r.Name))
		}
	}
	return found
}
