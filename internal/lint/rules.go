package lint

// Rules gives all rules, by id.
func Rules() []*Rule {
	return []*Rule{
		wireNameLength,
		duplicateEvent,
		controllerName,
		eventType,
		similarReasons,
		reasonWithBothTypes,
		sharedReason,
		camelCase,
		unusedParam,
		leftoverVerb,
		controlCharacter,
		optionalWithoutPrefix,
		touchingPlaceholders,
	}
}
