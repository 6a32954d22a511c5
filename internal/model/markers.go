package model

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// packageMarkers are the markers of an API package: +groupName and +versionName, in doc.go or groupversion_info.go.
type packageMarkers struct {
	group    string
	hasGroup bool
	version  string
}

func readMarkers(dir string) packageMarkers {
	var m packageMarkers
	entries, _ := os.ReadDir(dir) // the type load reports an error
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			continue // the type load reports it
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				m.read(c.Text)
			}
		}
	}
	return m
}

func (m *packageMarkers) read(comment string) {
	text := strings.TrimSpace(strings.TrimPrefix(comment, "//"))
	if group, ok := strings.CutPrefix(text, "+groupName="); ok {
		m.group, m.hasGroup = strings.TrimSpace(group), true
	}
	if version, ok := strings.CutPrefix(text, "+versionName="); ok {
		m.version = strings.TrimSpace(version)
	}
}

var isVersion = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`).MatchString

// versionOf is the API version of a package: what its marker says, else its name or the end of its path.
func versionOf(marker string, pkg *typePackage) string {
	for _, v := range []string{marker, pkg.name, path.Base(pkg.path)} {
		if v != "" && (v == marker || isVersion(v)) {
			return v
		}
	}
	return ""
}

// clusterScoped reports whether a marker before a type gives it the scope of clusters.
func clusterScoped(comments []string) bool {
	return slices.ContainsFunc(comments, func(line string) bool {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "+genclient:nonNamespaced") {
			return true
		}
		options, ok := strings.CutPrefix(line, "+kubebuilder:resource:")
		return ok && slices.ContainsFunc(strings.Split(options, ","), func(o string) bool {
			return strings.TrimSpace(o) == "scope=Cluster"
		})
	})
}
