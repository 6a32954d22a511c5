package migrate

import "testing"

// TestTidyImports holds that imports come and go as with goimports, and that all other lines stay.
func TestTidyImports(t *testing.T) {
	const head = "package p\n\n"
	tests := []struct {
		name, old, text, want string
		add                   map[string]string
	}{
		{
			name: "beside the one most like it",
			old:  head + "import (\n\t\"fmt\"\n\n\t\"example.com/a/api\"\n\t\"k8s.io/api\" // kept\n)\n\nfunc f() { fmt.Println(api.X) }\n",
			text: head + "import (\n\t\"fmt\"\n\n\t\"example.com/a/api\"\n\t\"k8s.io/api\" // kept\n)\n\nfunc f() { fmt.Println(api.X, ev.Y) }\n",
			add:  map[string]string{"example.com/a/internal/ev": "ev"},
			want: head + "import (\n\t\"fmt\"\n\n\t\"example.com/a/api\"\n\t\"example.com/a/internal/ev\"\n\t\"k8s.io/api\" // kept\n)\n\nfunc f() { fmt.Println(api.X, ev.Y) }\n",
		},
		{
			name: "the last use goes",
			old:  head + "import (\n\t\"fmt\"\n\n\tcorev1 \"k8s.io/api/core/v1\" // why\n)\n\nfunc f() { fmt.Println(corev1.X) }\n",
			text: head + "import (\n\t\"fmt\"\n\n\tcorev1 \"k8s.io/api/core/v1\" // why\n)\n\nfunc f() { fmt.Println(1) }\n",
			want: head + "import (\n\t\"fmt\"\n)\n\nfunc f() { fmt.Println(1) }\n",
		},
		{
			name: "one without parentheses",
			old:  head + "import \"fmt\"\n\nfunc f() { fmt.Println(1) }\n",
			text: head + "import \"fmt\"\n\nfunc f() { ev.Y() }\n",
			add:  map[string]string{"example.com/ev": "ev"},
			want: head + "import \"example.com/ev\"\n\nfunc f() { ev.Y() }\n",
		},
		{
			name: "the standard library has a group of its own",
			old:  head + "import (\n\t\"k8s.io/api\"\n)\n\nvar x = api.X\n",
			text: head + "import (\n\t\"k8s.io/api\"\n)\n\nvar x = fmt.Sprint(api.X)\n",
			add:  map[string]string{"fmt": "fmt"},
			want: head + "import (\n\t\"fmt\"\n\n\t\"k8s.io/api\"\n)\n\nvar x = fmt.Sprint(api.X)\n",
		},
		{
			name: "which stands before what else comes",
			old:  head + "import (\n\t\"k8s.io/api\"\n)\n\nvar x = api.X\n",
			text: head + "import (\n\t\"k8s.io/api\"\n)\n\nvar x = fmt.Sprint(api.X, ev.Y)\n",
			add:  map[string]string{"fmt": "fmt", "example.com/ev": "ev"},
			want: head + "import (\n\t\"fmt\"\n\n\t\"example.com/ev\"\n\t\"k8s.io/api\"\n)\n\nvar x = fmt.Sprint(api.X, ev.Y)\n",
		},
		{
			name: "all others have a group after it",
			old:  head + "import (\n\t\"fmt\"\n)\n\nvar x = fmt.Sprint(1)\n",
			text: head + "import (\n\t\"fmt\"\n)\n\nvar x = fmt.Sprint(ev.X)\n",
			add:  map[string]string{"example.com/ev": "ev"},
			want: head + "import (\n\t\"fmt\"\n\n\t\"example.com/ev\"\n)\n\nvar x = fmt.Sprint(ev.X)\n",
		},
		{
			name: "an unused one was unused before",
			old:  head + "import _ \"embed\"\n\nvar x int\n",
			text: head + "import _ \"embed\"\n\nvar y int\n",
			want: head + "import _ \"embed\"\n\nvar y int\n",
		},
		{
			name: "other lines are not formatted",
			old:  head + "import \"fmt\"\nvar  x = fmt.Sprint()\n",
			text: head + "import \"fmt\"\nvar  x = fmt.Sprint(ev.X)\n",
			add:  map[string]string{"example.com/ev": "ev"},
			want: head + "import (\n\t\"fmt\"\n\n\t\"example.com/ev\"\n)\nvar  x = fmt.Sprint(ev.X)\n",
		},
		{
			name: "a package without imports",
			old:  "package p // why\n\nvar x = 1\n",
			text: "package p // why\n\nvar x = ev.X\n",
			add:  map[string]string{"example.com/a-ev": "ev"},
			want: "package p // why\n\nimport ev \"example.com/a-ev\"\n\nvar x = ev.X\n",
		},
		{
			name: "the last import goes",
			old:  head + "import \"fmt\" // why\n\nvar x = fmt.Sprint()\n",
			text: head + "import \"fmt\" // why\n\nvar x = 1\n",
			want: head + "var x = 1\n",
		},
		{
			name: "what is asked for is not used",
			old:  head + "var x int\n", text: head + "var y int\n", want: head + "var y int\n", add: map[string]string{"fmt": "fmt"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tidyImports([]byte(tt.old), []byte(tt.text), tt.add)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestApply: edits are made in their order. An edit inside of a removed text is not made.
func TestApply(t *testing.T) {
	got := string(apply([]byte("abcdef"), []Edit{{4, 5, "E"}, {0, 0, ">"}, {1, 4, ""}, {2, 3, "no"}}))
	if want := ">aEf"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLowerFirst(t *testing.T) {
	for name, want := range map[string]string{"PullFailed": "pullFailed", "PVCBound": "pvcBound", "OOM": "oom", "A": "a"} {
		if got := lowerFirst(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
