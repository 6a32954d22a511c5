package model

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model/sources"
)

// factsVersion changes whenever facts are found in another way, or look otherwise.
const factsVersion = "facts-1"

// factsAge is how long facts are kept.
const factsAge = 30 * 24 * time.Hour

// cache keeps facts of types in a folder, one file a type, under what they depend on: the module's version, or the text of
// its files. Whatever is wrong with the folder or a file of it, the facts are found anew.
type cache struct {
	dir  string
	tree *sources.Tree
	// fresh: what is kept is not looked at, but replaced.
	fresh bool
	load  resolver
}

// cached puts a cache before a resolver, where that is possible.
func cached(dir, root string, fresh bool, load resolver) resolver {
	tree, err := sources.Open(root)
	if dir == "" || err != nil {
		return load
	}
	return &cache{dir: filepath.Join(dir, factsVersion), tree: tree, fresh: fresh, load: load}
}

func (c *cache) resolve(ctx context.Context, wants []want) (map[want]typeFacts, diag.Findings) {
	known := map[want]typeFacts{}
	var missing []want
	for _, w := range wants {
		if f, ok := c.read(w); ok && !c.fresh {
			known[w] = f
		} else {
			missing = append(missing, w)
		}
	}
	found, findings := c.load.resolve(ctx, missing)
	for w, f := range found {
		known[w] = f
		c.write(w, f)
	}
	if len(found) > 0 {
		c.trim()
	}
	return known, findings
}

// entry is a file of the cache.
type entry struct {
	Sum   string // of Facts, in hexadecimal digits
	Facts json.RawMessage
}

// path is the file for the facts of a type; empty if they can't be kept.
func (c *cache) path(w want) string {
	key, ok := c.tree.Key(w.path)
	if !ok {
		return ""
	}
	return filepath.Join(c.dir, checksum([]byte(key+"\n"+w.String()+"\n"+w.output))+".json")
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (c *cache) read(w want) (f typeFacts, ok bool) {
	data, err := os.ReadFile(c.path(w))
	if err != nil {
		return f, false
	}
	var e entry
	if json.Unmarshal(data, &e) != nil || checksum(e.Facts) != e.Sum {
		return f, false
	}
	return f, json.Unmarshal(e.Facts, &f) == nil
}

// write keeps facts that are sure. A cache that can't be written to is none.
func (c *cache) write(w want, f typeFacts) {
	path := c.path(w)
	if path == "" || f.Problem != "" || f.Unsure {
		return
	}
	facts, err := json.Marshal(f)
	if err != nil {
		return
	}
	data, err := json.Marshal(entry{Sum: checksum(facts), Facts: facts})
	if err != nil || os.MkdirAll(c.dir, 0o755) != nil {
		return
	}
	temporary := path + "." + rand.Text()
	if os.WriteFile(temporary, data, 0o644) != nil || os.Rename(temporary, path) != nil {
		os.Remove(temporary)
	}
}

// trim removes what is old.
func (c *cache) trim() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > factsAge {
			os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
}
