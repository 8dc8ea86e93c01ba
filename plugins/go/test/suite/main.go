// SPDX-License-Identifier: BSD-3-Clause

// suite copies the tests of a Go package, except those that a list names.
//
//	suite LIST FROM TO
//
// Each line of LIST has a name and the reason why it is left out. The name is that of a file,
// of a function or variable that a file declares, or of an option. An option removes the
// elements of [][]Option literals that mention it. It is an error if a name is in none of the
// files, or if a name has no reason. suite prints each test that is left out, with the reason.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

type list struct {
	reason map[string]string
	met    map[string]bool
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: suite LIST FROM TO")
	}
	left, err := readList(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(os.Args[2], "*_test.go"))
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files {
		if err := left.copy(file, os.Args[3]); err != nil {
			log.Fatal(err)
		}
	}
	for name := range left.reason {
		if !left.met[name] {
			log.Fatalf("%s: %s is nowhere in %s", os.Args[1], name, os.Args[2])
		}
	}
}

func readList(name string) (*list, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	left := &list{reason: map[string]string{}, met: map[string]bool{}}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		item, reason, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("%s: no reason for %s", name, item)
		}
		left.reason[item] = strings.TrimSpace(reason)
	}
	return left, nil
}

// meet returns whether the list names it.
func (l *list) meet(name string) bool {
	_, listed := l.reason[name]
	l.met[name] = l.met[name] || listed
	return listed
}

func (l *list) copy(file, to string) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, source, parser.ParseComments)
	if err != nil {
		return err
	}
	if base := path.Base(file); l.meet(base) {
		for _, decl := range tree.Decls {
			tell(decl, l.reason[base])
		}
		return nil
	}
	var cuts []ast.Node
	for _, decl := range tree.Decls {
		for _, name := range names(decl) {
			if l.meet(name) {
				tell(decl, l.reason[name])
				cuts = append(cuts, decl)
			}
		}
	}
	cuts = append(cuts, l.options(tree, cuts)...)
	kept, err := without(source, files, cuts)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, path.Base(file)), kept, 0o666)
}

// names returns what a declaration declares. Of a group it looks only at the first one.
func names(decl ast.Decl) []string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		if spec, ok := d.Specs[0].(*ast.ValueSpec); ok {
			return []string{spec.Names[0].Name}
		}
	}
	return nil
}

// options finds the elements of [][]Option literals that mention something on the list, outside
// of the parts that are cut anyway.
func (l *list) options(tree *ast.File, cuts []ast.Node) []ast.Node {
	var found []ast.Node
	ast.Inspect(tree, func(node ast.Node) bool {
		literal, ok := node.(*ast.CompositeLit)
		if ok && isOptionSets(literal.Type) {
			for _, element := range literal.Elts {
				if l.mentions(element) {
					found = append(found, element)
				}
			}
		}
		return !slices.Contains(cuts, node)
	})
	return found
}

func isOptionSets(t ast.Expr) bool {
	outer, ok := t.(*ast.ArrayType)
	if !ok {
		return false
	}
	inner, ok := outer.Elt.(*ast.ArrayType)
	if !ok {
		return false
	}
	name, ok := inner.Elt.(*ast.Ident)
	return ok && name.Name == "Option"
}

func (l *list) mentions(element ast.Expr) bool {
	mentioned := false
	ast.Inspect(element, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && l.meet(name.Name) {
			mentioned = true
		}
		return true
	})
	return mentioned
}

// tell prints the declaration if it is a test.
func tell(decl ast.Decl, reason string) {
	for _, name := range names(decl) {
		if strings.HasPrefix(name, "Test") && name != "TestMain" || strings.HasPrefix(name, "Example") {
			fmt.Printf("left out: %s (%s)\n", name, reason)
		}
	}
}

// without removes nodes from the source, and the imports that nothing uses after that.
func without(source []byte, files *token.FileSet, cuts []ast.Node) ([]byte, error) {
	source = cut(source, files, cuts)
	files = token.NewFileSet()
	tree, err := parser.ParseFile(files, "", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(tree, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	var unused []ast.Node
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(imported, "/v2")
		if !used[path.Base(name)] {
			unused = append(unused, spec)
		}
	}
	return format.Source(cut(source, files, unused))
}

// cut removes nodes, with the comments above them and the commas behind them.
func cut(source []byte, files *token.FileSet, nodes []ast.Node) []byte {
	slices.SortFunc(nodes, func(a, b ast.Node) int { return cmp.Compare(b.Pos(), a.Pos()) })
	for _, node := range nodes {
		from := node.Pos()
		if f, ok := node.(*ast.FuncDecl); ok && f.Doc != nil {
			from = f.Doc.Pos()
		}
		to := files.Position(node.End()).Offset
		if source[to] == ',' {
			to++
		}
		source = slices.Delete(source, files.Position(from).Offset, to)
	}
	return source
}
