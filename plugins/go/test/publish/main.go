// SPDX-License-Identifier: BSD-3-Clause

// publish adds a module to a folder that GOPROXY=file://PROXY serves.
//
//	publish FROM PATH VERSION PROXY
//
// FROM is the folder of the module, and its go.mod must have this path. Modules in folders below
// it are left out.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 5 {
		log.Fatal("usage: publish FROM PATH VERSION PROXY")
	}
	if err := publish(os.Args[1], module.Version{Path: os.Args[2], Version: os.Args[3]}, os.Args[4]); err != nil {
		log.Fatal(err)
	}
}

// publish writes the four files that the protocol of proxies has for a version.
func publish(from string, m module.Version, proxy string) error {
	if err := module.Check(m.Path, m.Version); err != nil {
		return err
	}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	folder := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return err
	}
	info, err := json.Marshal(map[string]any{"Version": m.Version, "Time": time.Now().UTC()})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{".mod": mod, ".info": info} {
		if err := os.WriteFile(filepath.Join(folder, m.Version+name), content, 0o666); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(folder, m.Version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(archive, m, from); err != nil {
		return fmt.Errorf("%s: %w", archive.Name(), err)
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return addToList(filepath.Join(folder, "list"), m.Version)
}

// addToList adds a version to the list of versions, unless it is there.
func addToList(list, version string) error {
	versions, err := os.ReadFile(list)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if slices.Contains(strings.Fields(string(versions)), version) {
		return nil
	}
	return os.WriteFile(list, append(versions, version+"\n"...), 0o666)
}
