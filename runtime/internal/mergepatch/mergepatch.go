// Package mergepatch applies JSON merge patches (RFC 7386) to objects, so that tests can compare what a patch does with
// what it should do. Nothing outside of tests needs it.
package mergepatch

import "encoding/json"

// Apply returns the object as the patch leaves it.
func Apply[T any](object T, patch []byte) (result T, err error) {
	before, err := json.Marshal(object)
	if err != nil {
		return result, err
	}
	var target, change map[string]any
	if err := json.Unmarshal(before, &target); err != nil {
		return result, err
	}
	if err := json.Unmarshal(patch, &change); err != nil {
		return result, err
	}
	merge(target, change)
	after, err := json.Marshal(target)
	if err != nil {
		return result, err
	}
	return result, json.Unmarshal(after, &result)
}

func merge(target, change map[string]any) {
	for key, value := range change {
		inner, isObject := value.(map[string]any)
		switch old, wasObject := target[key].(map[string]any); {
		case value == nil:
			delete(target, key)
		case isObject && wasObject:
			merge(old, inner)
		default:
			target[key] = value
		}
	}
}
