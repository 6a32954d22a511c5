package scan

import "testing"

// TestPureFunctions: texts stay known through functions that only compute a text. An unknown part
// stays unknown.
func TestPureFunctions(t *testing.T) {
	var all []spelling
	for reason, known := range map[string]string{
		// Functions of package strings.
		`strings.Title(scaled)`:                                 "Scaled",
		`strings.Title("scaled" + "Up")`:                        "ScaledUp",
		`strings.Title(strings.ToLower("SCALED"))`:              "Scaled",
		`strings.ToUpper(scaled)`:                               "SCALED",
		`strings.ToUpper("s") + "caled"`:                        "Scaled",
		`strings.TrimSpace("\tScaled\n")`:                       "Scaled",
		`strings.TrimSpace(" " + strings.Title(scaled) + " ")`:  "Scaled",
		`strings.TrimPrefix("ReasonScaled", "Reason")`:          "Scaled",
		`strings.TrimSuffix("ScaledReason", "Reason")`:          "Scaled",
		`strings.ReplaceAll("Scale-Up", "-", "")`:               "ScaleUp",
		`string(strings.Title(scaled))`:                         "Scaled",
		`(strings.Title)(scaled)`:                               "Scaled",
		`strings.Title(text)`:                                   "?strings.Title(text)",
		`strings.ToUpper(pod.Name)`:                             "?strings.ToUpper(pod.Name)",
		`strings.TrimSpace(names[n])`:                           "?strings.TrimSpace(names[n])",
		`strings.TrimPrefix("Scaled", text)`:                    `?strings.TrimPrefix("Scaled", text)`,
		`strings.Map(func(r rune) rune { return 'x' }, scaled)`: "?strings.Map((func(r rune) rune literal), scaled)",
		// golang.org/x/text/cases.
		`cases.Title(language.English).String(scaled)`:                       "Scaled",
		`cases.Title(language.Und).String("scaled up")`:                      "Scaled Up",
		`cases.Title(language.English).String("notReady")`:                   "Notready",
		`cases.Title(language.English, cases.NoLower).String("notReady")`:    "NotReady",
		`cases.Title(language.AmericanEnglish, cases.NoLower).String("oOM")`: "OOM",
		`cases.Title(language.Turkish).String("install")`:                    `?cases.Title(language.Turkish).String("install")`,
		`cases.Title(language.Make("tr")).String("install")`:                 `?cases.Title(language.Make("tr")).String("install")`,
		`cases.Title(language.English, cases.Compact).String(scaled)`:        "?cases.Title(language.English, cases.Compact).String(scaled)",
		`cases.Fold().String(scaled)`:                                        "?cases.Fold().String(scaled)",
		`cases.Title(language.English).String(text)`:                         "?cases.Title(language.English).String(text)",
		// fmt.
		`fmt.Sprintf("Scaled")`:                            "Scaled",
		`fmt.Sprintf("%s", "Scaled")`:                      "Scaled",
		`fmt.Sprintf("%s%s", "Scale", "Up")`:               "ScaleUp",
		`fmt.Sprintf("%[2]s%[1]s", "Up", "Scale")`:         "ScaleUp",
		`fmt.Sprintf("Phase%d", 2)`:                        "Phase2",
		`fmt.Sprintf("Is%t", true)`:                        "Istrue",
		`fmt.Sprintf("%vFailed", strings.Title("scale"))`:  "ScaleFailed",
		`fmt.Sprintf("%.5s", "ScaleUp")`:                   "Scale",
		`fmt.Sprintf("%sFailed", corev1.PodPending)`:       "PendingFailed",
		`fmt.Sprintf("%s", fmt.Sprintf("%sUp", "Scale"))`:  "ScaleUp",
		`fmt.Sprint("Scaled")`:                             "Scaled",
		`fmt.Sprintf("%s%%", "A")`:                         "A%",
		`fmt.Sprintf("Scaled%s", text)`:                    "Scaled?text",
		`fmt.Sprintf("%sFailed", pod.Name)`:                "?pod.NameFailed",
		`fmt.Sprintf("Phase%d", n)`:                        "Phase?n",
		`fmt.Sprintf(text, "Scaled")`:                      `?fmt.Sprintf(text, "Scaled")`,
		`fmt.Sprintf("Scaled", text)`:                      `?fmt.Sprintf("Scaled", text)`,
		`fmt.Sprintf(text)`:                                "?fmt.Sprintf(text)",
		`fmt.Sprintf("%s%s", []any{"Scale", "Up"}...)`:     `?[]any{…}?[]any{…}`,
		`fmt.Sprintf("%*d", 3, 1)`:                         "?1",
		`fmt.Sprintf("%s", []string{"Scale", "Up"})`:       "?[]string{…}",
		`fmt.Sprintf("%v", struct{ reason string }{"Up"})`: "?struct{reason string}{…}",
		// strings.Join.
		// Slices of texts.
		`scaled[3:]`:  "led",
		`scaled[:3]`:  "sca",
		`scaled[1:3]`: "ca",
		`scaled[:]`:   "scaled",
		`strings.ToUpper(scaled[:1]) + scaled[1:]`:     "Scaled",
		`strings.ToUpper(scaled[0:1]) + scaled[1:]`:    "Scaled",
		`fmt.Sprintf("%s", strings.Title(scaled[:5]))`: "Scale",
		`scaled[n:]`:         "?scaled[n:]",
		`scaled[:len(text)]`: "?scaled[:len(text)]",
		`pod.Name[:1]`:       "?pod.Name[:1]",
		`text[1:]`:           "?text[1:]",
		// Numbers.
		`"Phase" + strconv.Itoa(2)`: "Phase2",
		`"Phase" + strconv.Itoa(n)`: "Phase?strconv.Itoa(n)",
	} {
		all = append(all, statement("event("+reason+")", known))
	}
	checkSpellings(t, all)
}
