package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// place is where a name stands.
type place struct {
	File  string `json:"file"`
	Start int    `json:"start"`
}

// target is a definition.
type target struct {
	place
	Scope string `json:"scope"`
	Name  string `json:"name"`
	Line  int    `json:"line"`
}

// use is a line of either program: a name and what it means, or a definition.
type use struct {
	target
	Definition bool     `json:"definition"`
	Qualifier  string   `json:"qualifier"`
	Role       string   `json:"role"`
	How        string   `json:"how"`
	To         []target `json:"to"`
}

func readUses(name string, each func(*use)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		var u use
		if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		each(&u)
	}
	return lines.Err()
}

// variant names definitions that a build, a platform or an overload chooses among: a front end tells of one of them.
type variant struct{ folder, scope, name string }

func (t *target) variant() variant { return variant{path.Dir(t.File), t.Scope, t.Name} }

// linkScore counts references. needed are those that the front end ties to a definition of the tree; found those of them
// that are tied to it too; edges and wrong count the definitions that references marked as resolved are tied to, where
// the front end knows the name that refers.
type linkScore struct {
	needed, found, edges, wrong int
	// missed counts what was needed and not found by role and by what became of it.
	missed       map[string]int
	lost, astray []string
}

// compareLinks holds the links of references against those of the front end. Files that the front end has nothing of do
// not count.
func compareLinks(w io.Writer, oracleFile, linksFile string, show int) error {
	want := map[place]*use{}
	files := map[string]bool{}
	err := readUses(oracleFile, func(u *use) {
		want[u.place] = u
		files[u.File] = true
	})
	if err != nil {
		return err
	}
	definitions, links := map[place]target{}, map[place]*use{}
	err = readUses(linksFile, func(u *use) {
		if u.Definition {
			definitions[u.place] = u.target
		} else if files[u.File] {
			links[u.place] = u
		}
	})
	if err != nil {
		return err
	}
	s := &linkScore{missed: map[string]int{}}
	for at, u := range want {
		s.judge(at, u, links[at], definitions)
	}
	s.write(w, len(files), show)
	return nil
}

func (s *linkScore) judge(at place, want, got *use, definitions map[place]target) {
	right := map[variant]bool{}
	itself := false
	for _, t := range want.To {
		if d, ok := definitions[t.place]; ok {
			right[d.variant()] = true
			if d.Name == "constructor" || d.Name == "__init__" { // a call of the class
				class := d
				class.Scope, class.Name = "", d.Scope
				if i := strings.LastIndexByte(d.Scope, '.'); i >= 0 {
					class.Scope, class.Name = d.Scope[:i], d.Scope[i+1:]
				}
				right[class.variant()] = true
			}
			itself = itself || t.place == at
		}
	}
	hit := false
	if got != nil && got.How == "resolved" {
		for _, t := range got.To {
			s.edges++
			if right[t.variant()] {
				hit = true
				continue
			}
			s.wrong++
			s.astray = append(s.astray, fmt.Sprintf("%s:%d %s %s.%s -> %s:%d %s.%s, not %v", at.File, got.Line, got.Role, got.Qualifier,
				got.Name, t.File, t.Line, t.Scope, t.Name, want.To))
		}
	}
	if len(right) == 0 || itself {
		return
	}
	s.needed++
	if hit {
		s.found++
		return
	}
	what := "no reference"
	if got != nil {
		what = got.How + " " + got.Role
		switch got.Qualifier {
		case "":
		case "?":
			what += " ?"
		default:
			what += " q"
		}
	}
	s.missed[what]++
	line := 0
	qualifier := ""
	if got != nil {
		line, qualifier = got.Line, got.Qualifier
	}
	s.lost = append(s.lost, fmt.Sprintf("%s:%d(@%d) %s %s.%s -> %v", at.File, line, at.Start, what, qualifier, want.Name, want.To))
}

func (s *linkScore) write(w io.Writer, files, show int) {
	fmt.Fprintf(w, "links: %d files, %d references to definitions, resolved %.4f; %d edges, right %.4f\n", files, s.needed,
		ratio(s.found, s.needed), s.edges, 1-ratio(s.wrong, s.edges))
	var kinds []string
	for k := range s.missed {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b string) int { return s.missed[b] - s.missed[a] })
	for _, k := range kinds {
		fmt.Fprintf(w, "  %.4f missed: %s\n", ratio(s.missed[k], s.needed), k)
	}
	for name, list := range map[string][]string{"lost": s.lost, "wrong": s.astray} {
		slices.Sort(list)
		step := max(1, len(list)/max(1, show))
		for i := 0; i < len(list) && show > 0; i += step {
			fmt.Fprintln(w, " ", name, list[i])
		}
	}
}
