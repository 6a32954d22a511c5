package catalog

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

// Every text that Kubernetes' YAML reader turns into something else is reported.
func TestPlainScalars(t *testing.T) {
	seed.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(
			rapid.StringMatching(`[-+.0-9][0-9a-fA-FxXobe_.:+-]{0,11}`),
			rapid.StringMatching(`[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z| ?[-+][0-9]{1,2})?)?`),
			rapid.StringMatching(`\.?([yYnNoOtTfF~=]|[yY]es|[oO](n|ff|FF)|[nN](o|ull|ULL|aN)|TRUE|False|[iI](nf|NF)|<<)`),
		).Draw(t, "word")
		var value any
		if err := yaml.Unmarshal([]byte("v: "+word), &value); err != nil {
			return
		}
		plain, isText := value.(map[string]any)["v"].(string)
		_, findings := Read("f.yaml", strings.NewReader(head+"  - {message: \"a\", reason: "+word+"}\n"))
		if (!isText || plain != word) && len(findings) == 0 {
			became, _ := json.Marshal(value)
			t.Fatalf("%q becomes %s, and nothing is said", word, became)
		}
	})
}
