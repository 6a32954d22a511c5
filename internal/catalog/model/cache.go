package model

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/catalog/model/sources"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// factsVersion changes whenever facts are found in another way, or look otherwise.
const factsVersion = "facts-4"

// factsAge is how long facts are kept.
const factsAge = 30 * 24 * time.Hour

// cache keeps facts of types in a folder, one file for each type. The key is the version of the type's module, or the text of its
// files. If anything is wrong with the folder or a file, the facts are found anew.
type cache struct {
	dir  string
	tree *sources.Tree
	// fresh: entries are not read, but replaced.
	fresh bool
	load  resolver
}

// cached puts a cache before a resolver, if that is possible.
func cached(dir, root string, fresh bool, load resolver) resolver {
	tree, err := sources.Open(root)
	if dir == "" || err != nil {
		return load
	}
	return &cache{dir: filepath.Join(dir, factsVersion), tree: tree, fresh: fresh, load: load}
}

func (c *cache) resolve(ctx context.Context, wants []want) (facts, diag.Findings) {
	known := facts{}
	var missing []want
	for _, w := range wants {
		if f, ok := c.read(w); ok && !c.fresh {
			known[w] = f
		} else {
			missing = append(missing, w)
		}
	}
	found, findings := c.load.resolve(ctx, missing)
	maps.Copy(known, found)
	if ctx.Err() == nil {
		c.keep(ctx, found)
	}
	return known, findings
}

// entry is a file of the cache.
type entry struct {
	// Of names the type, and everything that its facts depend on. The file's name is made of it; an entry under another name is void.
	Of    string
	Sum   string // of Facts, in hexadecimal digits
	Facts json.RawMessage
}

// of returns everything that the facts of a type depend on. If no module has the type, that is go.mod.
func (c *cache) of(w want) string {
	keys := each(w.paths(), func(path string) string {
		if key, ok := c.tree.Key(path); ok {
			return key
		}
		return c.tree.Absent(path)
	})
	return fmt.Sprintf("%s %s for %q", strings.Join(keys, " "), w.encode(), w.output)
}

// name returns the file for an entry.
func name(of string) string { return checksum([]byte(of)) + ".json" }

func checksum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func (c *cache) read(w want) (f typeFacts, ok bool) {
	of := c.of(w)
	data, err := os.ReadFile(filepath.Join(c.dir, name(of)))
	if err != nil {
		return f, false
	}
	var e entry
	if json.Unmarshal(data, &e) != nil || e.Of != of || checksum(e.Facts) != e.Sum {
		return f, false
	}
	return f, json.Unmarshal(e.Facts, &f) == nil
}

// keep writes the facts that are sure, and removes old entries. A cache that can't be written is skipped.
func (c *cache) keep(ctx context.Context, found facts) {
	var changes []disk.Change
	for w, f := range found {
		if f.Unsure || f.Fleeting {
			continue
		}
		of := c.of(w)
		facts, err := json.Marshal(f)
		if err != nil {
			continue
		}
		data, err := json.Marshal(entry{Of: of, Sum: checksum(facts), Facts: facts})
		if err == nil {
			changes = append(changes, disk.Change{Path: name(of), Root: c.dir, Name: name(of), Content: data})
		}
	}
	if len(changes) == 0 || disk.MakeFolder(c.dir) != nil {
		return
	}
	changes = append(changes, c.old()...)
	if disk.Apply(ctx, changes) == nil {
		return
	}
	for _, change := range changes { // one by one, because a single one that can't be written stops them all
		_ = disk.Apply(ctx, []disk.Change{change})
	}
}

// old returns the removals of entries older than factsAge.
func (c *cache) old() []disk.Change {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil
	}
	var changes []disk.Change
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > factsAge {
			changes = append(changes, disk.Change{Path: e.Name(), Root: c.dir, Name: e.Name(), Remove: true})
		}
	}
	return changes
}
