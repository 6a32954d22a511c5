package catalog

import (
	"os"

	"github.com/event-gen/event-gen/internal/diag"
)

// Configuration is the file event-gen.yaml of a module.
type Configuration struct {
	File string
	// Catalogs are the files and folders that stand for the module, relative to the configuration's folder.
	Catalogs []Scalar
}

// ReadConfiguration reads a configuration as strictly as a catalog.
func ReadConfiguration(path string) (*Configuration, diag.Findings) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Unreadable(path, err)
	}
	defer f.Close()
	data, findings := readText(path, f)
	if len(findings) > 0 {
		return nil, findings
	}
	return readConfiguration(path, data)
}

func readConfiguration(path string, data []byte) (*Configuration, diag.Findings) {
	config := &Configuration{File: path}
	for i, c := range split(data) {
		d := parse(path, c)
		switch {
		case len(d.findings) > 0:
		case d.root == nil && i == 0:
			d.findings.Errorf(d.at(1, 1), "EV001", "expected a %s, found an empty file", KindConfiguration)
		case d.root != nil && i > 0:
			d.reject(d.root, "a second document; a configuration is one")
		case d.root != nil:
			d.configuration(config)
		}
		if len(d.findings) > 0 {
			return nil, d.findings
		}
	}
	return config, nil
}

func (d *document) configuration(c *Configuration) {
	if !d.expect(d.header("apiVersion"), d.header("kind"), KindConfiguration) {
		return
	}
	d.mapping(d.root, "a "+KindConfiguration, []field{
		{"apiVersion", true, ignore},
		{"kind", true, ignore},
		{"catalogs", true, d.texts(&c.Catalogs)},
	})
}
