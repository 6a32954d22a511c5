package model

import "testing"

func TestCamel(t *testing.T) {
	tests := []struct{ in, lower, upper string }{
		{"CronJob", "cronJob", "CronJob"},
		{"HTTPRoute", "httpRoute", "HTTPRoute"},
		{"PVC", "pvc", "PVC"},
		{"CSIDriver", "csiDriver", "CSIDriver"},
		{"VMs", "vms", "VMs"},
		{"X", "x", "X"},
		{"already", "already", "Already"},
		{"cert-manager.io", "cert-manager.io", "CertManagerIo"},
		{"very angry", "very angry", "VeryAngry"},
		{"5xx", "5xx", "5xx"},
		{"élan", "élan", "Élan"},
		{"", "", ""},
	}
	for _, tt := range tests {
		if got := lowerCamel(tt.in); got != tt.lower {
			t.Errorf("lowerCamel(%q) is %q, want %q", tt.in, got, tt.lower)
		}
		if got := upperCamel(tt.in); got != tt.upper {
			t.Errorf("upperCamel(%q) is %q, want %q", tt.in, got, tt.upper)
		}
	}
}
