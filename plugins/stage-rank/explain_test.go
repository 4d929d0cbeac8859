package rank

import (
	"context"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

// shop is a small repository: main and a test use the cart, which uses its own check.
func shop() *world {
	w := newWorld()
	w.file("cart/cart.go", model.ClassSource)
	cart := w.def("", "Cart", true)
	add := w.def("Cart", "Add", true)
	check := w.def("", "check", false)
	w.edge(0, check, 1)
	test := w.file("cart/cart_test.go", model.ClassTest)
	w.edge(test, add, 5)
	main := w.file("main.go", model.ClassSource)
	w.def("", "main", false)
	w.edge(main, cart, 3)
	w.edge(main, add, 1)
	w.file("gen.go", model.ClassGenerated)
	w.def("", "Gen", true)
	g := &w.graph
	g.FileResolved, g.FileGuessed, g.FileUnresolved = []uint32{1, 5, 4, 0}, []uint32{0, 0, 1, 0}, []uint32{7, 0, 0, 0}
	return w
}

func TestAFileIsExplained(t *testing.T) {
	_, s := shop().run(t, `{"explain":"cart.go","focus":"the `+"`Add`"+` of a cart in cart/cart.go"}`)
	x := s.Explanation
	if len(s.Files) > 0 || x == nil || string(x.Path) != "cart/cart.go" || x.Rank != 1 || x.Files != 2 || x.Resolved != 1 || x.Unresolved != 7 {
		t.Fatalf("got %v", s)
	}
	if len(x.Users) != 2 || string(x.Users[0].Path) != "main.go" || x.Users[0].Resolved != 4 || x.Users[0].Score <= x.Users[1].Score ||
		x.UsersTotal != 2 || x.UsedResolved != 9 || x.UsedGuessed != 0 {
		t.Errorf("users are %v", x.Users)
	}
	// What all users bring is a part of the score, and no more than that.
	if sum := x.Users[0].Score + x.Users[1].Score; sum <= 0 || sum > x.Score {
		t.Errorf("users bring %v of %v", sum, x.Score)
	}
	got := []*model.FocusHit(x.Focus)
	want := []*model.FocusHit{
		{Kind: "path", Text: "cart/cart.go", Where: "cart/cart.go"}, {Kind: "word", Text: "cart", Where: "cart/cart.go"},
		{Kind: "word", Text: "cart", Where: "Cart"}, {Kind: "identifier", Text: "Add", Where: "Cart.Add"},
	}
	if diff := gocmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("focus differs (-want +got):\n%s", diff)
	}
}

func TestADefinitionIsExplained(t *testing.T) {
	for _, asked := range []string{"cart/cart.go:Cart.Add", "cart/cart.go:Add", "cart/cart.go:Cart::Add"} {
		_, s := shop().run(t, `{"explain":"`+asked+`"}`)
		x := s.Explanation
		if len(x.Definitions) != 1 || x.Definitions[0].Name != "Add" || x.Definitions[0].Users != 2 || x.Definitions[0].Resolved != 6 || x.UsersTotal != 2 {
			t.Errorf("%s gives %v", asked, x)
		}
		for _, u := range x.Users {
			if len(u.Names) != 1 || u.Names[0] != "Cart.Add" {
				t.Errorf("%s is referred to as %v", asked, u.Names)
			}
		}
	}
}

func TestWhatIsHiddenIsExplained(t *testing.T) {
	_, s := shop().run(t, `{"explain":"gen.go"}`)
	if x := s.Explanation; x.Rank != 0 || x.Class != "generated" {
		t.Errorf("got %v", x)
	}
}

func TestWhatCannotBeExplained(t *testing.T) {
	for asked, want := range map[string]string{
		"nowhere.go":        "no file nowhere.go was read",
		"cart/cart.go:Gone": `defines no "Gone"; it defines Cart, Cart.Add, check`,
		"x.go":              "several files may be meant; say which of a/x.go, b/x.go",
	} {
		w := shop()
		w.file("a/x.go", model.ClassSource)
		w.file("b/x.go", model.ClassSource)
		w.graph.FileResolved, w.graph.FileGuessed, w.graph.FileUnresolved = nil, nil, nil
		m, err := sdk.NewModel(map[string]proto.Message{model.SectionFiles: &w.files, model.SectionGraph: &w.graph})
		if err != nil {
			t.Fatal(err)
		}
		c, err := sdk.NewConfig(New().Options, []byte(`{"explain":"`+asked+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := run(context.Background(), c, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", asked, err)
		}
	}
}

func TestASelectionSaysWhoRefersToAFile(t *testing.T) {
	_, s := shop().run(t, `{}`)
	for _, f := range s.Files {
		if string(f.Path) != "cart/cart.go" {
			continue
		}
		if f.UsersTotal != 2 || len(f.Users) != 2 || string(f.Users[0].Path) != "main.go" || f.Unresolved != 7 {
			t.Errorf("got %v", f)
		}
		return
	}
	t.Error("the file is not in the selection")
}
