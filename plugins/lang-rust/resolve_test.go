package langrust

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
	"github.com/repox-dev/repox/sdk/tag"
)

// workspace is a repository of several packages.
var workspace = map[string]string{
	"Cargo.toml": "[workspace]\nmembers = ['a', 'b-lib']\n\n[workspace.dependencies]\nb-lib = { path = 'b-lib' }\n" +
		"short = { path = 'renamed', package = 'long-name' }\n[workspace.package]\nedition = '2021'\n" +
		"[patch.crates-io]\nodd = { path = 'oddly' }\n",
	"a/Cargo.toml": "[package]\nname = 'a-tool'\n\n[dependencies]\nb-lib.workspace = true\nshort.workspace = true\n" +
		"serde = '1'\nbought = '1'\nnamesake = '1'\n" +
		"[dev-dependencies]\nother = { path = '../renamed', package = 'long-name' }\n" +
		"[target.'cfg(unix)'.dependencies]\nodd = '1'\n",
	"a/src/lib.rs":             "",
	"a/src/main.rs":            "",
	"a/src/shelf.rs":           "",
	"a/src/shelf/book.rs":      "",
	"a/src/shelf/deep/mod.rs":  "",
	"a/src/shelf/deep/leaf.rs": "",
	"a/src/old/mod.rs":         "",
	"a/src/old/part.rs":        "",
	"a/src/bin/extra.rs":       "",
	"a/src/inline/file.rs":     "",
	"a/src/odd_place.rs":       "",
	"a/tests/it.rs":            "",
	"a/tests/both.rs":          "",
	"a/tests/serde.rs":         "",
	"a/tests/common/mod.rs":    "",
	"b-lib/Cargo.toml":         "[package]\nname = 'b-lib'\n[lib]\npath = 'lib/root.rs'\n",
	"b-lib/lib/root.rs":        "",
	"b-lib/lib/item.rs":        "",
	"renamed/Cargo.toml":       "[package]\nname = 'long-name'\n",
	"renamed/src/lib.rs":       "",
	"oddly/Cargo.toml":         "[package]\nname = 'odd'\n[lib]\nname = 'not_odd'\n",
	"oddly/src/lib.rs":         "",
	"namesake/Cargo.toml":      "[package]\nname = 'namesake'\n",
	"namesake/src/lib.rs":      "",
	"vendor/bought/Cargo.toml": "[package]\nname = 'bought'\n",
	"vendor/bought/src/lib.rs": "",
	"listed/Cargo.toml": "[package]\nname = 'listed'\nedition.workspace = true\nautotests = false\nbuild = 'make/it.rs'\n" +
		"[[test]]\nname = 'suite'\n",
	"listed/src/lib.rs":        "",
	"listed/src/part.rs":       "",
	"listed/src/part/inner.rs": "",
	"listed/make/it.rs":        "",
	"listed/make/step.rs":      "",
	"listed/tests/first.rs":    "",
	"listed/tests/suite.rs":    "",
	"listed/tests/util.rs":     "",
	"broken/Cargo.toml":        "[package",
	"broken/src/lib.rs":        "",
	"broken/src/m.rs":          "",
}

// uses are sources whose last import leads from a file of the workspace to another, or nowhere.
var uses = []struct{ name, from, source, want string }{
	{"a module file", "a/src/lib.rs", "mod shelf;", "a/src/shelf.rs"},
	{"a module folder", "a/src/lib.rs", "mod old;", "a/src/old/mod.rs"},
	{"a module of a module", "a/src/shelf.rs", "mod book;", "a/src/shelf/book.rs"},
	{"a module of a module folder", "a/src/old/mod.rs", "mod part;", "a/src/old/part.rs"},
	{"a module below an inline one", "a/src/lib.rs", "mod inline {\n mod file;\n}", "a/src/inline/file.rs"},
	{"a module at a path", "a/src/lib.rs", "#[path = \"odd_place.rs\"]\nmod other;", "a/src/odd_place.rs"},
	{"an item by its crate", "a/src/shelf/book.rs", "use crate::old::part::Thing;", "a/src/old/part.rs"},
	{"a module by its crate", "a/src/shelf/book.rs", "use crate::old::part;", "a/src/old/part.rs"},
	{"the root of the crate", "a/src/shelf/book.rs", "use crate::Thing;", "a/src/lib.rs"},
	{"the crate of a program", "a/src/main.rs", "use crate::Thing;", "a/src/main.rs"},
	{"the parent", "a/src/shelf/book.rs", "use super::Thing;", "a/src/shelf.rs"},
	{"a sibling", "a/src/shelf/book.rs", "use super::deep::leaf::Thing;", "a/src/shelf/deep/leaf.rs"},
	{"the parent's parent", "a/src/shelf/deep/leaf.rs", "use super::super::*;", "a/src/shelf.rs"},
	{"the root by super", "a/src/shelf.rs", "use super::*;", "a/src/lib.rs"},
	{"the file itself by super", "a/src/shelf.rs", "mod tests {\n use super::*;\n}", "a/src/shelf.rs"},
	{"out of an inline module", "a/src/shelf.rs", "mod tests {\n use super::super::old::Thing;\n}", "a/src/old/mod.rs"},
	{"self", "a/src/shelf.rs", "use self::book::Book;", "a/src/shelf/book.rs"},
	{"a module of the file", "a/src/shelf.rs", "use book::{self};", "a/src/shelf/book.rs"},
	{"an inline module of the file", "a/src/shelf.rs", "mod m {\n pub struct T;\n}\nuse m::T;", "a/src/shelf.rs"},
	{"a renamed item", "a/src/shelf.rs", "use crate::old::part as p;", "a/src/old/part.rs"},
	{"the package's own library", "a/tests/it.rs", "use a_tool::shelf::Shelf;", "a/src/shelf.rs"},
	{"a program uses the library", "a/src/bin/extra.rs", "use a_tool::Thing;", "a/src/lib.rs"},
	{"a module of a test", "a/tests/it.rs", "mod common;", "a/tests/common/mod.rs"},
	{"a member of the workspace", "a/src/lib.rs", "use b_lib::item::Item;", "b-lib/lib/item.rs"},
	{"everything of a member", "a/src/lib.rs", "pub use b_lib::*;", "b-lib/lib/root.rs"},
	{"a crate under another name", "a/src/lib.rs", "use short::X;", "renamed/src/lib.rs"},
	{"a crate under another name for tests", "a/tests/it.rs", "use other::X;", "renamed/src/lib.rs"},
	{"a version that is patched", "a/src/lib.rs", "use odd::X;", "oddly/src/lib.rs"},
	{"a version that is vendored", "a/src/lib.rs", "use bought::X;", "vendor/bought/src/lib.rs"},
	{"a version that has a namesake", "a/src/lib.rs", "use namesake::X;", ""},
	{"a module of a listed test", "listed/tests/suite.rs", "mod first;", "listed/tests/first.rs"},
	{"the crate of a listed test", "listed/tests/first.rs", "use crate::util::x;", "listed/tests/util.rs"},
	{"a module that is a target too", "a/tests/it.rs", "mod both;", "a/tests/both.rs"},
	{"an item of such a module", "a/tests/it.rs", "use crate::both::X;", "a/tests/both.rs"},
	{"a target by the name of a dependency", "a/tests/it.rs", "use serde::X;", ""},
	{"a module of a build script", "listed/make/it.rs", "mod step;", "listed/make/step.rs"},
	{"no paths of 2015", "listed/src/part/inner.rs", "use part::X;", ""},
	{"a library's own name in itself", "listed/src/part.rs", "use listed::X;", ""},
	{"variants", "a/src/shelf.rs", "enum Shape { A }\nuse Shape::*;", "a/src/shelf.rs"},
	{"a name that another use brings in", "a/src/lib.rs", "use crate::shelf;\nuse shelf::book::*;", "a/src/shelf/book.rs"},
	{"a name that another use gives", "a/tests/it.rs", "use a_tool::shelf as s;\nuse s::book::B;", "a/src/shelf/book.rs"},
	{"an extern crate", "a/src/lib.rs", "extern crate b_lib as b;", "b-lib/lib/root.rs"},
	{"a leading ::", "a/src/lib.rs", "use ::b_lib::X;", "b-lib/lib/root.rs"},
	{"a crate of the registry", "a/src/lib.rs", "use serde::Serialize;", ""},
	{"a package that is no dependency", "b-lib/lib/root.rs", "use a_tool::X;", ""},
	{"the standard library", "a/src/lib.rs", "use std::io;", ""},
	{"above the root", "a/src/lib.rs", "use super::x;", ""},
	{"paths of 2015", "a/src/shelf/book.rs", "use old::part::Thing;", "a/src/old/part.rs"},
	{"without a manifest", "broken/src/lib.rs", "mod m;", "broken/src/m.rs"},
}

func TestUsesLeadToFiles(t *testing.T) {
	repo, numbers := packtest.Repository(New(), workspace)
	resolve, err := resolve(context.Background(), repo)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range uses {
		t.Run(tt.name, func(t *testing.T) {
			f, err := packtest.Extract(New(), tt.from, []byte(tt.source))
			if err != nil || len(f.Imports) == 0 {
				t.Fatalf("imports %v, error %v", f, err)
			}
			imp := f.Imports[len(f.Imports)-1]
			got := resolve(numbers[tt.from], imp)
			var want []uint32
			if tt.want != "" {
				want = []uint32{numbers[tt.want]}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q in %s (%+v) leads to %v, want %v (%s)", tt.source, tt.from, imp, got, want, tt.want)
			}
		})
	}
}

func TestUseTreesAreTakenApart(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a", "a []"},
		{"a as b", "a [* as b]"},
		{"::a::b", "a [b]"},
		{"a::{self as s, b::{c, d::*,},}", "a [self as s] a::b [c] a::b::d [*]"},
		{"{a::b, c as _}", "a [b] c [* as _]"},
		{"a::{}", ""},
		{"r#type::/* { */r#fn // x\n", "type [fn]"},
		{"a::{b", "a [b]"},
		{"größe::개", "größe [개]"},
		{"*", " [*]"},
	}
	for _, tt := range tests {
		var got []string
		for _, i := range readUse(nil, tt.text, 0) {
			got = append(got, i.Module+" ["+strings.Join(i.Names, ",")+"]")
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, g, tt.want)
		}
	}
}

func TestTypesGiveScopes(t *testing.T) {
	tests := []struct{ scope, want string }{
		{"a.b", "a.b"},
		{"&'a mut a::Foo<T>", "Foo"},
		{"outer.[Foo; N].inner", "outer.Foo.inner"},
		{"Box<dyn Fn(A) -> B>", "Box"},
		{"dyn a::Tr + Send", "Tr"},
		{"*const r#type", "type"},
		{"()", ""},
		{"<A as B>::C", "C"},
		{"for<'a> fn(&'a A)", "A"},
		{"m.Foo<{ 1.5 }>", "m.Foo"},
		{"a::/* <b> */Foo", "Foo"},
	}
	for _, tt := range tests {
		if got := (scopeNames{}).of(tt.scope); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.scope, got, tt.want)
		}
	}
}

func TestUnusedLocalBindsNothing(t *testing.T) {
	f, err := packtest.Extract(New(), "x.rs", []byte("mod m {\n use super::a;\n mod n;\n}"))
	if err != nil {
		t.Fatal(err)
	}
	want := []tag.Import{
		{Module: "super", Names: []string{"a"}, Local: "self::", Row: 1},
		{Module: "n", Names: []string{"self"}, Local: "self::m::n", Row: 2},
	}
	if !slices.EqualFunc(f.Imports, want, func(a, b tag.Import) bool {
		return a.Module == b.Module && a.Local == b.Local && a.Row == b.Row && slices.Equal(a.Names, b.Names)
	}) {
		t.Errorf("got %+v, want %+v", f.Imports, want)
	}
}
