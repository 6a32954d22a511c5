package lint

// Rules gives all rules, by id.
func Rules() []*Rule {
	return []*Rule{
		syntaxRule,
		yamlTrap,
		wireNameLength,
		duplicateEvent,
		controllerName,
		eventType,
		goNames,
		similarReasons,
		reasonWithBothTypes,
		unknownType,
		sharedReason,
		camelCase,
		typeAgainstReason,
		tooLong,
		undeclaredPlaceholder,
		unusedParam,
		leftoverVerb,
		secondUnbounded,
		controlCharacter,
		sensitiveElsewhere,
		alikeNeighbours,
		optionalWithoutPrefix,
		touchingPlaceholders,
		tooManyParams,
		bareSecret,
		reservedAnnotation,
		everNewKey,
		lostInSeries,
		inconsistentLimits,
		intentAndDeed,
		errorInDefaultKey,
		pointlessLimit,
		unusedLimit,
		undocumented,
		withoutRunbook,
		deprecatedWithoutReplacement,
		leftover,
		uselessSuppression,
		replacedByDeprecated,
		removedBeforeSince,
		unfinishedText,
		runbookNoURL,
	}
}

// ruleOf is the rule of an id; nil if there is none.
func ruleOf(id string) *Rule {
	for _, rule := range allRules {
		if rule.ID == id {
			return rule
		}
	}
	return nil
}

// allRules is filled at the start, because a rule of the list asks for it.
var allRules []*Rule

func init() { allRules = Rules() }
