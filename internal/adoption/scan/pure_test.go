package scan

import "testing"

// TestPureFunctions: texts stay known through functions that only compute a text. An unknown part
// stays unknown.
func TestPureFunctions(t *testing.T) {
	var all []spelling
	for reason, known := range map[string]string{
		// Functions of package strings.
		`strings.Title(scaled)`:                                 "Scaled",
		`strings.Title(strings.ToLower("SCALED"))`:              "Scaled",
		`strings.ToUpper("s") + "caled"`:                        "Scaled",
		`strings.TrimSpace("\tScaled\n")`:                       "Scaled",
		`strings.TrimPrefix("ReasonScaled", "Reason")`:          "Scaled",
		`strings.TrimSuffix("ScaledReason", "Reason")`:          "Scaled",
		`strings.ReplaceAll("Scale-Up", "-", "")`:               "ScaleUp",
		`(strings.Title)(scaled)`:                               "Scaled",
		`strings.Title(text)`:                                   "?strings.Title(text)",
		`strings.TrimPrefix("Scaled", text)`:                    `?strings.TrimPrefix("Scaled", text)`,
		`strings.Map(func(r rune) rune { return 'x' }, scaled)`: "?strings.Map((func(r rune) rune literal), scaled)",
		// golang.org/x/text/cases.
		`cases.Title(language.English).String("notReady")`:                "Notready",
		`cases.Title(language.English, cases.NoLower).String("notReady")`: "NotReady",
		`cases.Title(language.Turkish).String("install")`:                 `?cases.Title(language.Turkish).String("install")`,
		`cases.Title(language.English, cases.Compact).String(scaled)`:     "?cases.Title(language.English, cases.Compact).String(scaled)",
		`cases.Fold().String(scaled)`:                                     "?cases.Fold().String(scaled)",
		// fmt.
		`fmt.Sprint("Scaled")`:                         "Scaled",
		`fmt.Sprintf("Is%t", true)`:                    "Istrue",
		`fmt.Sprintf("%s%s", "Scale", "Up")`:           "ScaleUp",
		`fmt.Sprintf("%[2]s%[1]s", "Up", "Scale")`:     "ScaleUp",
		`fmt.Sprintf("Phase%d", 2)`:                    "Phase2",
		`fmt.Sprintf("%.5s", "ScaleUp")`:               "Scale",
		`fmt.Sprintf("%s%%", "A")`:                     "A%",
		`fmt.Sprintf("Scaled%s", text)`:                "Scaled?text",
		`fmt.Sprintf(text, "Scaled")`:                  `?fmt.Sprintf(text, "Scaled")`,
		`fmt.Sprintf("Scaled", text)`:                  `?fmt.Sprintf("Scaled", text)`,
		`fmt.Sprintf("%s%s", []any{"Scale", "Up"}...)`: `?[]any{…}?[]any{…}`,
		`fmt.Sprintf("%*d", 3, 1)`:                     "?1",
		// Slices of texts.
		`scaled[3:]`:  "led",
		`scaled[1:3]`: "ca",
		`strings.ToUpper(scaled[:1]) + scaled[1:]`: "Scaled",
		`scaled[n:]`: "?scaled[n:]",
		// Numbers.
		`"Phase" + strconv.Itoa(2)`: "Phase2",
		`"Phase" + strconv.Itoa(n)`: "Phase?strconv.Itoa(n)",
	} {
		all = append(all, statement("event("+reason+")", known))
	}
	checkSpellings(t, all)
}
