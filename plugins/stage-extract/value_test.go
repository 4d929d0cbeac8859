package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repox-dev/repox/sdk/model"
)

// things are types for paths to lead to, each with a method of its own name in lower case.
const things = `
kind class Key
method Key.key
kind class Item
method Item.item
`

func TestMembersOfValuesAreFollowedToTheirTypes(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string // the one definition, empty for none
	}{
		"a field":                          {"kind class A\nfield A.it Item\non A.it item", "Item.item"},
		"a field of a field":               {"kind class A\nkind class B\nfield A.b B\nfield B.it Item\non A.b.it item", "Item.item"},
		"a variable":                       {"field it Item\non it item", "Item.item"},
		"what a function gives":            {"def make\nfield make Item\non make item", "Item.item"},
		"a member that the type lacks":     {"kind class A\nfield A.it Item\non A.it key", ""},
		"a field that the type lacks":      {"kind class A\nfield A.it Item\non A.other item", ""},
		"nothing is known of the value":    {"on nowhere item", ""},
		"nothing is known of the field":    {"kind class A\nfield A.it\non A.it item", ""},
		"another name of a type":           {"kind type T\nfield T Item\non T item", "Item.item"},
		"a type that is made like a list":  {"kind type Items\nfield Items <Item>\non Items.! item", "Item.item"},
		"which keeps its own methods":      {"kind type Items\nfield Items <Item>\nmethod Items.item\non Items item", "Items.item"},
		"a base":                           {"kind class A\nbase A Item\non A item", "Item.item"},
		"the second base":                  {"kind class A\nbase A Key\nbase A Item\non A item", "Item.item"},
		"its own member hides the base's":  {"kind class A\nbase A Item\nmethod A.item\non A item", "A.item"},
		"of whatever type it is":           {"kind class A\nkind class B\nbase A B\nfield B.it Item\nfield A.it\non A.it item", ""},
		"as its base":                      {"kind class A\nbase A Item\nmethod A.item\non A.^ item", "Item.item"},
		"without a base":                   {"kind class A\nmethod A.item\non A.^ item", ""},
		"a base that stands for its field": {"kind class A\nbase A Item\non A.Item item", "Item.item"},
		"the type that was asked":          {"kind class B\nfield B.me @\nkind class A\nbase A B\nmethod A.item\non A.me item", "A.item"},
		"the type itself":                  {"kind class B\nfield B.me @\nmethod B.item\non B.me.me item", "B.item"},
		"what a list holds":                {"field all List<Item>\non all.! item", "Item.item"},
		"what a list without a name holds": {"on <Item>.! item", "Item.item"},
		"a list is not what it holds":      {"field all <Item>\non all item", ""},
		"a value that holds nothing known": {"field it Item\non it.! item", "Item.item"},
		"a list of lists":                  {"field all <<Item>>\non all.!.! item", "Item.item"},
		"is a list once":                   {"field all <<Item>>\non all.! item", ""},
		"a step into what it holds":        {"field all List<Item>\non all.next! item", "Item.item"},
		"unless it has such a member": {
			"kind class List\ndef List.next\nfield List.next Key\nfield all List<Item>\non all.next! key", "Key.key"},
		"the first of a tuple":           {"field pair <Key,Item>\non pair.0 key", "Key.key"},
		"the second of a tuple":          {"field pair <Key,Item>\non pair.1 item", "Item.item"},
		"no third of a tuple":            {"field pair <Key,Item>\non pair.2 item", ""},
		"a tuple holds no one thing":     {"field pair <Key,Item>\non pair.! item", ""},
		"an unknown part of a tuple":     {"field pair <,Item>\non pair.0 item", ""},
		"beside an unknown part":         {"field pair <,Item>\non pair.1 item", "Item.item"},
		"commas inside of a part":        {"field pair <<Key,Key>,Item>\non pair.1 item", "Item.item"},
		"a list of tuples":               {"field all <<Key,Item>>\non all.!.1 item", "Item.item"},
		"a list has no elements by name": {"field all <Item>\non all.0 item", ""},
		"a numbered field":               {"kind class P\nfield P.0 Key\nfield P.1 Item\non P.1 item", "Item.item"},
		"a number that is too large":     {"field pair <Key,Item>\non pair.99999999999999999999 item", ""},
	} {
		t.Run(name, func(t *testing.T) { checkOne(t, things+c.text, c.want) })
	}
}

// checkOne ties the only reference of a file, to a definition of the file or to nothing.
func checkOne(t *testing.T, text, want string) {
	t.Helper()
	if want == "" {
		checkEdges(t, "python", []facts{{"a.py", text}}, nil, 1)
		return
	}
	checkEdges(t, "python", []facts{{"a.py", text}}, []string{"a.py -> a.py " + want}, 0)
}

func TestPathsThatLeadInCirclesEnd(t *testing.T) {
	for name, text := range map[string]string{
		"a type that is its own base":      "kind class A\nbase A A\non A m\ndef m",
		"bases of each other":              "kind class A\nbase A B\nkind class B\nbase B A\non A m",
		"asked for as its base":            "kind class A\nbase A B\nkind class B\nbase B A\non A.^.^ m",
		"a variable of its own type":       "field x x\non x m",
		"variables of each other's type":   "field x y\nfield y x\non x m",
		"fields of each other's type":      "kind class A\nfield A.x A.y\nfield A.y A.x\non A.x m",
		"a type that is its other name":    "kind type A\nfield A B\nkind type B\nfield B A\non A m",
		"a type that holds itself":         "kind type A\nfield A <A>\non A.!.!.!.! m",
		"a function that gives what it is": "def f\nfield f f.g\non f m",
	} {
		t.Run(name, func(t *testing.T) { checkOne(t, text, "") })
	}
}

func TestTheAnswerDoesNotDependOnWhatWasAskedBefore(t *testing.T) {
	var chain strings.Builder
	chain.WriteString("kind class T\nmethod T.m\n")
	const length = maxPathDepth + 5
	for i := range length {
		fmt.Fprintf(&chain, "field x%d x%d\n", i, i+1)
	}
	fmt.Fprintf(&chain, "field x%d T\n", length)
	edges := func(order []int) (tied uint64, unresolved uint64) {
		var b strings.Builder
		b.WriteString(chain.String())
		for _, i := range order {
			fmt.Fprintf(&b, "on x%d m\n", i)
		}
		r := &repo{t: t}
		r.file("a.py", "python", model.ClassSource, b.String())
		g, _ := r.run()
		for _, n := range g.EdgeCount {
			tied += uint64(n)
		}
		return tied, g.Unresolved
	}
	var up, down []int
	for i := range length + 1 {
		up = append(up, i)
	}
	down = slices.Clone(up)
	slices.Reverse(down)
	tiedUp, missedUp := edges(up)
	tiedDown, missedDown := edges(down)
	if tiedUp != tiedDown || missedUp != missedDown {
		t.Errorf("%d tied and %d not in one order, %d and %d in the other", tiedUp, missedUp, tiedDown, missedDown)
	}
	if tiedUp == 0 || missedUp == 0 {
		t.Errorf("%d tied and %d not, want some of each: near ones are found, far ones given up", tiedUp, missedUp)
	}
}

func TestValuesAreFollowedIntoOtherFiles(t *testing.T) {
	for name, c := range map[string]struct {
		language string
		files    []facts
		want     string
	}{
		"the type of a field is imported": {"python", []facts{
			{"a.py", "import b B -> 1\non B.it item"}, {"b.py", "import c Item -> 2\nkind class B\nfield B.it Item"},
			{"c.py", "kind class Item\nmethod Item.item"}}, "a.py -> c.py Item.item"},
		"a base is imported": {"typescript", []facts{
			{"a.ts", "kind class A\nimport ./b B -> 1\nbase A B\non A item"}, {"b.ts", "kind class B\nmethod B.item"}}, "a.ts -> b.ts B.item"},
		"the base of the imported type": {"python", []facts{
			{"a.py", "import b B -> 1\non B.^ item"}, {"b.py", "import c C -> 2\nkind class B\nbase B C\nmethod B.item"},
			{"c.py", "kind class C\nmethod C.item"}}, "a.py -> c.py C.item"},
		"another file of the package": {"go", []facts{
			{"p/a.go", "package p\non make item"}, {"p/b.go", "package p\ndef make\nfield make Item"},
			{"p/c.go", "package p\nkind struct Item\nmethod Item.item"}}, "p/a.go -> p/c.go Item.item"},
		"a variable of a module": {"python", []facts{
			{"a.py", "import b * as b -> 1\non b.it item"}, {"b.py", "field it Item\nkind class Item\nmethod Item.item"}}, "a.py -> b.py Item.item"},
		"what a module imports": {"python", []facts{
			{"a.py", "import b * as b -> 1\non b.Item item"}, {"b.py", "import c Item -> 2"}, {"c.py", "kind class Item\nmethod Item.item"}},
			"a.py -> c.py Item.item"},
		"a module that is named in full": {"python", []facts{
			{"a.py", "import pkg.mod -> 1\non pkg.mod.Item item"}, {"pkg/mod.py", "kind class Item\nmethod Item.item"}}, "a.py -> pkg/mod.py Item.item"},
		"a module that is imported by name": {"python", []facts{
			{"a.py", "import pkg mod -> 1 2\non mod.Item item"}, {"pkg/__init__.py", "def other"}, {"pkg/mod.py", "kind class Item\nmethod Item.item"}},
			"a.py -> pkg/mod.py Item.item"},
		"a default export": {"typescript", []facts{
			{"a.ts", "import ./b default as D -> 1\non D.it item"}, {"b.ts", "kind class default\nfield default.it Item\nkind class Item\nmethod Item.item"}},
			"a.ts -> b.ts Item.item"},
		"everything of a module": {"python", []facts{
			{"a.py", "import b * -> 1\non Item item"}, {"b.py", "kind class Item\nmethod Item.item"}}, "a.py -> b.py Item.item"},
		"a name of the file hides an imported one": {"python", []facts{
			{"a.py", "import b Item -> 1\nkind class Item\nmethod Item.item\non Item item"}, {"b.py", "kind class Item\nmethod Item.item"}},
			"a.py -> a.py Item.item"},
		"a type given members by another file": {"rust", []facts{
			{"src/t.rs", "kind struct T"}, {"src/imp.rs", "import crate::t T -> 0\nmethod T.item"}, {"src/a.rs", "import crate::t T -> 0\non T item"}},
			"src/a.rs -> src/imp.rs T.item"},
		"but not to another type of the name": {"rust", []facts{
			{"src/t.rs", "kind struct T"}, {"src/imp.rs", "import crate::u T -> 3\nmethod T.item"}, {"src/a.rs", "import crate::t T -> 0\non T item"},
			{"src/u.rs", "kind struct T"}}, ""},
		"what comes from outside": {"python", []facts{
			{"a.py", "import outside Item\nfield it Item\non it item"}, {"b.py", "kind class Item\nmethod Item.item"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want == "" {
				checkEdges(t, c.language, c.files, nil, 1)
				return
			}
			checkEdges(t, c.language, c.files, []string{c.want}, 0)
		})
	}
}

func TestWhoAskedFirstDoesNotMatter(t *testing.T) {
	r := &repo{t: t}
	// The module m lets only those below it name Item, and c does so in their place.
	r.file("src/m/below.rs", "rust", model.ClassSource, "import crate::c get -> 1\non get item")
	r.file("src/c.rs", "rust", model.ClassSource, "import crate m -> 2\nfield get m.Item\ndef get")
	r.file("src/m.rs", "rust", model.ClassSource, "hidden struct Item\nmethod Item.item")
	r.file("src/z.rs", "rust", model.ClassSource, "import crate::c get -> 1\non get item")
	if g, _ := r.run(); len(g.EdgeTo) != 0 || g.Unresolved != 2 {
		t.Errorf("edges %v", r.edges(g))
	}
}

// Packs are strangers' programs: whatever a path is made of, it leads somewhere or nowhere.
var oddPaths = []string{
	"<", ">", "<>", "<<", "<>>", "Item<", "Item<Key", "Item>", "List<Item", "<Item,", "<,>.0", "<Key,Item>.-1", ".", "..", ".Item", "Item.", "Item..item",
	"!", "!!", ".!", "Item.!.!.!", "@", "@.^", "^", "Item.^.^", "@@", "Item!", "Item!<", "?", " ", "Item.<Key>", "Item.!<", "\xff", "Item.0", "0", "ключ.!",
}

func TestMalformedPathsLeadNowhere(t *testing.T) {
	for _, path := range oddPaths {
		if strings.HasPrefix(path, "Item") || strings.Contains(path, " ") {
			continue // these may be read as the type with something behind it
		}
		r := &repo{t: t}
		r.file("a.py", "python", model.ClassSource, things+"on "+path+" item")
		if g, _ := r.run(); len(g.EdgeTo) != 0 {
			t.Errorf("path %q leads to %v", path, r.edges(g))
		}
	}
}

func FuzzPath(f *testing.F) {
	for _, path := range oddPaths {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if strings.ContainsAny(path, " \r\n") {
			t.Skip("the facts of the test are words and lines")
		}
		r := &repo{t: t}
		r.file("a.py", "python", model.ClassSource, things+"kind class A\nbase A Item\nfield A.it "+path+"\nfield it "+path+
			"\nfield pair <"+path+","+path+">\non "+path+" item\non A.it item\non it.! item\non pair.1 item")
		r.run()
	})
}

func TestAngles(t *testing.T) {
	for _, c := range []struct {
		path, inner, rest string
		ok                bool
	}{
		{"<Item>", "Item", "", true},
		{"<Item>.!", "Item", ".!", true},
		{"<List<Item>>.0", "List<Item>", ".0", true},
		{"<>x", "", "x", true},
		{"<Item", "", "", false},
		{"<List<Item>", "", "", false},
		{"", "", "", false},
	} {
		inner, rest, ok := angles(c.path)
		if inner != c.inner || rest != c.rest || ok != c.ok {
			t.Errorf("angles(%q) = %q, %q, %t; want %q, %q, %t", c.path, inner, rest, ok, c.inner, c.rest, c.ok)
		}
	}
}

func TestHeldParts(t *testing.T) {
	for held, want := range map[string][]string{
		"":                 {""},
		"Item":             {"Item"},
		"Key,Item":         {"Key", "Item"},
		"<Key,Key>,Item":   {"<Key,Key>", "Item"},
		"Map<Key,Item>,,x": {"Map<Key,Item>", "", "x"},
		"<Key,Item":        {"<Key,Item"},
		"Key>,Item":        {"Key>,Item"}, // unbalanced: not split
	} {
		if diff := cmp.Diff(want, heldParts(held)); diff != "" {
			t.Errorf("parts of %q differ (-want +got):\n%s", held, diff)
		}
	}
}
