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

// flagCompletions complete the values of flags, by the flag's name. The command's name precedes the
// name of a flag that differs in one command.
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

// argumentCompletions complete the arguments of commands.
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

// teach registers the completions of arguments and flags.
func teach(root *cobra.Command) error {
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

// catalogFiles completes YAML files, and the folders on the way to them.
func catalogFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// ruleName completes the id of a rule, in whatever case it is begun, and shows its name.
func ruleName(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return startingWith("", word, allRules()), cobra.ShellCompDirectiveNoFileComp
}

// ruleList completes the last id of a list with commas. An id that is in it already is left out.
func ruleList(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	i := strings.LastIndex(word, ",") + 1
	taken := strings.Split(strings.ToUpper(word[:i]), ",")
	rules := slices.DeleteFunc(lintRules(), func(r format.Rule) bool { return slices.Contains(taken, r.ID) })
	return startingWith(word[:i], word[i:], rules), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// startingWith returns the rules whose id starts with a word, each after the text before the word
// and with its name as description.
func startingWith(before, word string, rules []format.Rule) []string {
	var found []string
	for _, r := range rules {
		if strings.HasPrefix(r.ID, strings.ToUpper(word)) {
			found = append(found, cobra.CompletionWithDesc(before+r.ID, r.Name))
		}
	}
	return found
}
