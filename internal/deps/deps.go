// Package deps holds the module requirements in place while packages are being written; it goes away.
package deps

import (
	_ "github.com/dave/jennifer/jen"
	_ "github.com/go-logr/logr"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/rogpeppe/go-internal/goproxytest"
	_ "github.com/spf13/cobra"
	_ "go.uber.org/goleak"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/tools/go/packages"
	_ "golang.org/x/mod/modfile"
	_ "k8s.io/api/events/v1"
	_ "k8s.io/client-go/kubernetes"
	_ "k8s.io/client-go/tools/clientcmd"
	_ "k8s.io/gengo/v2/generator"
	_ "k8s.io/gengo/v2/parser"
	_ "k8s.io/gengo/v2/types"
	_ "pgregory.net/rapid"
	_ "sigs.k8s.io/yaml"
	_ "k8s.io/client-go/tools/record"
	_ "k8s.io/client-go/tools/events"
	_ "k8s.io/utils/ptr"
)
