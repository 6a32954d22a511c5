package main

import (
	"path/filepath"
)

// repositoryOf is the root of the Git repository, work tree or submodule that a folder, a path without symbolic links, is in;
// empty if it is in none.
func repositoryOf(dir string) string {
	for !exists(filepath.Join(dir, ".git")) {
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// inRepository gives paths from the root of the repository that a file is in, with slashes, as Git knows them: without
// symbolic links to folders. They are empty outside of repositories.
func inRepository() func(file string) string {
	return func(file string) string {
		file, err := filepath.Abs(file)
		if err != nil {
			return ""
		}
		folder, err := filepath.EvalSymlinks(filepath.Dir(file))
		if err != nil {
			return ""
		}
		root := repositoryOf(folder)
		if root == "" {
			return ""
		}
		rel, err := filepath.Rel(root, filepath.Join(folder, filepath.Base(file)))
		if err != nil {
			return ""
		}
		return filepath.ToSlash(rel)
	}
}
