package extract

import "testing"

func TestWhatANameCanMeanDependsOnItsUse(t *testing.T) {
	for name, c := range map[string]struct {
		language   string
		files      []facts
		want       []string
		unresolved uint64
	}{
		"a macro is not the function of its name": {"rust", []facts{
			{"src/lib.rs", "kind macro run"}, {"src/a.rs", "def run\nrole macro run"}}, []string{"src/a.rs -> src/lib.rs run"}, 0},
		"nor the other way around": {"rust", []facts{
			{"src/lib.rs", "kind macro run\nimport crate::a run -> 1\nref run"}, {"src/a.rs", "def run"}}, []string{"src/lib.rs -> src/a.rs run"}, 0},
		"whichever of them an import brings in": {"rust", []facts{
			{"src/lib.rs", "import crate::a run -> 1\nrole macro run"}, {"src/a.rs", "method x.y\ndef run\nkind macro run"}, {"src/b.rs", "import crate::a run -> 1\nref run"}},
			[]string{"src/lib.rs -> src/a.rs run", "src/b.rs -> src/a.rs run"}, 0},
		"a function that the compiler runs as a macro": {"rust", []facts{
			{"src/lib.rs", "import derive run -> 1\nrole macro run"}, {"derive/src/lib.rs", "def run"}}, []string{"src/lib.rs -> derive/src/lib.rs run"}, 0},
		"a macro of the file comes first": {"rust", []facts{
			{"src/lib.rs", "kind macro m"}, {"src/a.rs", "kind macro m\nrole macro m"}}, []string{"src/a.rs -> src/a.rs m"}, 0},
		"then what is imported": {"rust", []facts{
			{"src/lib.rs", "kind macro m"}, {"src/a.rs", "import crate::b m -> 2\nrole macro m"}, {"src/b.rs", "kind macro m"}},
			[]string{"src/a.rs -> src/b.rs m"}, 0},
		"a macro is known all over its crate": {"rust", []facts{
			{"one/src/lib.rs", "def other"}, {"one/src/macros.rs", "kind macro m"}, {"one/src/deep/a.rs", "role macro m"}},
			[]string{"one/src/deep/a.rs -> one/src/macros.rs m"}, 0},
		"but not in another": {"rust", []facts{
			{"one/src/lib.rs", "kind macro m"}, {"two/src/lib.rs", "role macro m"}}, nil, 1},
		"an exported macro stands at the root of its crate": {"rust", []facts{
			{"one/src/lib.rs", "def other"}, {"one/src/macros.rs", "kind macro m"}, {"two/src/lib.rs", "import one m -> 0\nrole macro m"}},
			[]string{"two/src/lib.rs -> one/src/macros.rs m"}, 0},
		"even with the crate before it": {"rust", []facts{
			{"one/src/lib.rs", "def other"}, {"one/src/macros.rs", "kind macro m"}, {"two/src/lib.rs", "import one -> 0\nref one::m"}},
			[]string{"two/src/lib.rs -> one/src/macros.rs m"}, 0},
		"a private one does not": {"rust", []facts{
			{"one/src/lib.rs", "def other"}, {"one/src/macros.rs", "hidden macro m"}, {"two/src/lib.rs", "import one m -> 0\nrole macro m"}},
			nil, 1},
		"nothing calls a module": {"rust", []facts{
			{"src/lib.rs", "kind module run\nimport crate::a run -> 1\nref run"}, {"src/a.rs", "def run"}}, []string{"src/lib.rs -> src/a.rs run"}, 0},
		"so a call without a function means nothing": {"rust", []facts{
			{"src/lib.rs", "kind module run\nref run"}}, nil, 1},
		"other uses do mean it": {"rust", []facts{
			{"src/lib.rs", "kind module run\nrole read run"}}, []string{"src/lib.rs -> src/lib.rs run"}, 0},
		"a function beside a module of its name is called": {"rust", []facts{
			{"src/lib.rs", "kind module run\ndef run\nref run"}}, []string{"src/lib.rs -> src/lib.rs run"}, 0},
		"a type in a trait is no name by itself": {"rust", []facts{
			{"src/lib.rs", "trait Iter\nkind type Iter.Item\nrole type Item"}}, nil, 1},
		"one that is imported is meant": {"rust", []facts{
			{"src/lib.rs", "import crate::a Item -> 1\ntrait Iter\nkind type Iter.Item\nrole type Item"}, {"src/a.rs", "kind struct Item"}},
			[]string{"src/lib.rs -> src/a.rs Item"}, 0},
		"of its trait it is a member": {"rust", []facts{
			{"src/lib.rs", "trait Iter\nkind type Iter.Item\nref Iter::Item"}}, []string{"src/lib.rs -> src/lib.rs Iter.Item"}, 0},
		"a type in a function is a name by itself": {"rust", []facts{
			{"src/lib.rs", "open outer\nkind type outer.Item\nrole type Item"}}, []string{"src/lib.rs -> src/lib.rs outer.Item"}, 0},
		"of two bindings the one without another name counts": {"typescript", []facts{
			{"a.ts", "import ./b g as f -> 1\nimport ./c f -> 2\nref f"}, {"b.ts", "def g"}, {"c.ts", "def f"}}, []string{"a.ts -> c.ts f"}, 0},
		"in any order": {"typescript", []facts{
			{"a.ts", "import ./c f -> 2\nimport ./b g as f -> 1\nref f"}, {"b.ts", "def g"}, {"c.ts", "def f"}}, []string{"a.ts -> c.ts f"}, 0},
		"the other one if it leads nowhere": {"typescript", []facts{
			{"a.ts", "import ./b g as f -> 1\nimport ./c f -> 2\nref f"}, {"b.ts", "def g"}, {"c.ts", "def other"}}, []string{"a.ts -> b.ts g"}, 0},
	} {
		t.Run(name, func(t *testing.T) { checkEdges(t, c.language, c.files, c.want, c.unresolved) })
	}
}
