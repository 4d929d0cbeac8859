package treesitter

import (
	"strings"
	"testing"
)

// Notations as the packs have them, in short.
var (
	goLike     = &Notation{Results: true}
	rustLike   = &Notation{Transparent: Words("Box Arc"), Keyed: Words("HashMap"), Holds: Words("unwrap clone iter"), Tokens: true}
	pythonLike = &Notation{Transparent: Words("Optional"), Keyed: Words("dict"), Holds: Words("pop"), Super: "super"}
	tsLike     = &Notation{Transparent: Words("Readonly"), Keyed: Words("Map"), Holds: Words("get"), Self: "this", Super: "super"}
)

func TestTypePath(t *testing.T) {
	for _, c := range []struct {
		notation   *Notation
		text, want string
	}{
		{goLike, "*http.Client", "http.Client"},
		{goLike, "[]*Node", "<Node>"},
		{goLike, "[4]Node", "<Node>"},
		{goLike, "map[string]*Node", "<Node>"},
		{goLike, "chan Node", "Node"},
		{goLike, "<-chan Node", "Node"},
		{goLike, "(n *Node, err error)", "Node"},
		{goLike, "(Node, error)", "Node"},
		{goLike, "func(a int) Node", ""},
		{goLike, "struct{ a int }", ""},
		{goLike, "List[Node]", "List<Node>"},
		{rustLike, "&'a mut Box<dyn Shape + Send>", "Shape"},
		{rustLike, "-> Result<Vec<Item>, Error>", "Result<Vec<Item>>"},
		{rustLike, "impl Future<Output = Item>", "Future<Item>"},
		{rustLike, "HashMap<String, Vec<Item>>", "HashMap<Vec<Item>>"},
		{rustLike, "(Sender<T>, Receiver<T>)", "<Sender<T>,Receiver<T>>"},
		{rustLike, "Vec<(Key, Item)>", "Vec<<Key,Item>>"},
		{rustLike, "()", ""},
		{rustLike, "Option<Self>", "Option<@>"},
		{rustLike, "[Item; 4]", "<Item>"},
		{rustLike, "crate::sync::Mutex<Item>", "crate.sync.Mutex<Item>"},
		{pythonLike, `"Node"`, "Node"},
		{pythonLike, "Optional[Node]", "Node"},
		{pythonLike, "dict[str, list[Node]]", "dict<list<Node>>"},
		{pythonLike, "None | Node", "Node"},
		{pythonLike, "Node | None", "Node"},
		{pythonLike, "Node | Leaf", ""},
		{tsLike, ": Promise<Node[]>", "Promise<<Node>>"},
		{tsLike, ": (a: Node) => void", ""},
		{tsLike, ": Readonly<Map<string, Node>>", "Map<Node>"},
		{tsLike, "Node | undefined", "Node"},
		{tsLike, "typeof node", ""},
		{goLike, "", ""},
		{goLike, strings.Repeat("*", longestPath+1) + "T", ""},
		{rustLike, strings.Repeat("Vec<", 20) + "T", "Vec<Vec<Vec<Vec<Vec<Vec>>>>>"},
	} {
		if got := c.notation.TypePath(c.text); got != c.want {
			t.Errorf("the path to the type %q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestValuePath(t *testing.T) {
	for _, c := range []struct {
		notation   *Notation
		text, want string
	}{
		{goLike, "&http.Client{Timeout: 3}", "http.Client"},
		{goLike, "make(map[string]*Node, 3)", "<Node>"},
		{goLike, "new(Node)", "Node"},
		{goLike, "[]Node{{1}, {2}}", "<Node>"},
		{goLike, "x.(*Node).Next", "Node.Next"},
		{goLike, "nodes[0].Next()", "nodes.!.Next"},
		{goLike, "a + b", ""},
		{goLike, `strings.Repeat("a)", 3).x`, "strings.Repeat.x"},
		{rustLike, "self.inner.clone()", "self.inner.clone!"},
		{rustLike, "Self::new(a, b)?", "@.new.!"},
		{rustLike, "pair.0.len()", "pair.0.len"},
		{rustLike, "(Key::new(), Item::new())", "<Key.new,Item.new>"},
		{rustLike, "items.iter().map::<Item>(f)", "items.iter!.map"},
		{rustLike, "x as Item", "Item"},
		{rustLike, "if a { b } else { c }", ""},
		{rustLike, "rx.recv().await.unwrap()", "rx.recv.unwrap!"},
		{pythonLike, "await client.get(url)", "client.get.!"},
		{pythonLike, "super().run()", "@.^.run"},
		{pythonLike, "[Node(), Node()]", "<Node>"},
		{pythonLike, "lambda: 3", ""},
		{pythonLike, "3.5", ""},
		{tsLike, "new Node(a).next", "Node.next"},
		{tsLike, "this.nodes?.get(key)!.next", "@.nodes.get!.next"},
		{tsLike, "f(a", "f"},
		{tsLike, "", ""},
	} {
		if got := c.notation.ValuePath(c.text); got != c.want {
			t.Errorf("the path to the type of %q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestValueBefore(t *testing.T) {
	for text, want := range map[string]string{
		"x.y":                    "x.y",
		"let a = b.c(d, e)[0]":   "b.c(d, e)[0]",
		"a + m::N::new()":        "m::N::new()",
		"(":                      "",
		"f(" + `"` + ")":         "",
		strings.Repeat("a", 300): strings.Repeat("a", 200),
	} {
		if got := valueBefore([]byte(text), len(text)); got != want {
			t.Errorf("before the end of %q stands %q, want %q", text, got, want)
		}
	}
}

// FuzzPaths holds for any text: a path comes to an end, and its angle brackets are balanced.
func FuzzPaths(f *testing.F) {
	for _, s := range []string{"a.b(c)[d]", "Vec<(A, B)>", "&'a mut T", "(a, (b, c)).0", "x as Y<Z>", "f::<T>()", "map[string][]T", "'", `"`, "<", ">", "a<b>c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range []*Notation{goLike, rustLike, pythonLike, tsLike} {
			for _, path := range []string{n.TypePath(text), n.ValuePath(text), n.ValuePath(valueBefore([]byte(text), len(text)))} {
				depth := 0
				for i := range len(path) {
					switch path[i] {
					case '<':
						depth++
					case '>':
						depth--
					}
					if depth < 0 {
						break
					}
				}
				if depth != 0 {
					t.Errorf("the path of %q is %q", text, path)
				}
			}
		}
	})
}
