package tags

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

// testWindow is small, so that few files need several.
const testWindow = 16

// many is more files than fit into one window.
func many(t *testing.T) *inventory.Inventory {
	t.Helper()
	files := map[string]string{}
	for i := range 2*testWindow + 10 {
		files[fmt.Sprintf("%05d.f", i)] = fmt.Sprintf("N%d", i)
		if i%3 == 0 {
			files[fmt.Sprintf("%05d.txt", i)] = "no language"
		}
	}
	return stock(t, files)
}

func gatherLines(t *testing.T, inv *inventory.Inventory, p Pack) (lines []string, findings []*model.Finding, warnings []string) {
	t.Helper()
	findings, err := stream(context.Background(), newCollection(inv, nil, func(err error) { warnings = append(warnings, err.Error()) }), []Pack{p}, testWindow, func(f *Facts) error {
		if f.Entry != &inv.Entries[f.Number] {
			t.Errorf("%s has number %d", f.Entry.File.Path, f.Number)
		}
		if f.Result.Skip != nil {
			lines = append(lines, f.Entry.File.Path+" skipped "+f.Result.Skip.Code)
			return nil
		}
		file, err := tag.Decode(f.Result.Tags, f.Result.Imports)
		if err != nil {
			return err
		}
		targets := 0
		for _, set := range f.Targets {
			targets += len(set)
		}
		lines = append(lines, fmt.Sprintf("%s %s %d", f.Entry.File.Path, file.Definitions[0].Name, targets))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, findings, warnings
}

func TestStreamGivesEachFileOnceInOrder(t *testing.T) {
	inv := many(t)
	f := &fakePack{skip: map[string]string{"00007.f": "timeout"}}
	lines, findings, _ := gatherLines(t, inv, f.pack("a"))
	n := 2*testWindow + 10
	if len(lines) != n || len(findings) > 0 {
		t.Fatalf("%d lines, findings %v", len(lines), findings)
	}
	for i, l := range lines {
		want := fmt.Sprintf("%05d.f N%d %d", i, i, n)
		if i == 7 {
			want = "00007.f skipped timeout"
		}
		if l != want {
			t.Fatalf("line %d: %q, want %q", i, l, want)
		}
	}
	if f.starts != 1 || f.streams != 1 {
		t.Errorf("%d starts, %d resolve streams, want one of each", f.starts, f.streams)
	}
}

func TestStreamOpensABrokenResolveStreamOnceMore(t *testing.T) {
	inv := many(t)
	f := &fakePack{breaks: 1}
	lines, findings, _ := gatherLines(t, inv, f.pack("a"))
	if len(findings) > 0 || f.streams != 2 {
		t.Fatalf("findings %v, %d streams, want none and 2", findings, f.streams)
	}
	for _, l := range lines {
		if !strings.HasSuffix(l, fmt.Sprint(" ", len(lines))) {
			t.Fatalf("%q lacks its targets", l)
		}
	}
}

func TestStreamGoesOnWithoutAResolverThatKeepsFailing(t *testing.T) {
	inv := many(t)
	f := &fakePack{resolve: errors.New("out of order")}
	lines, findings, warnings := gatherLines(t, inv, f.pack("a"))
	if len(findings) != 1 || len(warnings) != 1 || !strings.Contains(findings[0].Message, "out of order") {
		t.Fatalf("findings %v, warnings %v", findings, warnings)
	}
	if len(lines) != 2*testWindow+10 || !strings.HasSuffix(lines[0], " 0") {
		t.Fatalf("%d lines, first %q", len(lines), lines[0])
	}
	if f.streams != 2 {
		t.Errorf("%d streams, want 2: a pack that failed twice is not asked again", f.streams)
	}
}

func TestStreamGathersNoMoreThanTheNextWindow(t *testing.T) {
	inv := many(t)
	var extracted atomic.Int64
	f := &fakePack{}
	p := f.pack("a")
	p.Start = func(context.Context) (Running, error) { return counting{f, &extracted}, nil }
	seen := 0
	_, err := stream(context.Background(), newCollection(inv, nil, func(error) {}), []Pack{p}, testWindow, func(facts *Facts) error {
		if ahead, limit := int(extracted.Load()), (facts.Number/testWindow+2)*testWindow; ahead > limit {
			t.Fatalf("%d files extracted at file %d, want at most %d", ahead, facts.Number, limit)
		}
		seen++
		return nil
	})
	if err != nil || seen != 2*testWindow+10 {
		t.Fatalf("error %v after %d files", err, seen)
	}
}

// counting counts the files that a pack was asked for.
type counting struct {
	*fakePack
	n *atomic.Int64
}

func (c counting) Extract(ctx context.Context, files []*pluginv1.SourceFile, emit func(*pluginv1.FileResult)) error {
	c.n.Add(int64(len(files)))
	return c.fakePack.Extract(ctx, files, emit)
}

func TestStreamEndsWithTheReader(t *testing.T) {
	inv := many(t)
	f := &fakePack{}
	stop := errors.New("enough")
	seen := 0
	_, err := stream(context.Background(), newCollection(inv, nil, func(error) {}), []Pack{f.pack("a")}, testWindow, func(*Facts) error {
		seen++
		return stop
	})
	if !errors.Is(err, stop) || seen != 1 {
		t.Fatalf("error %v after %d files", err, seen)
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	inv := many(t)
	f := &fakePack{}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := stream(ctx, newCollection(inv, nil, func(error) {}), []Pack{f.pack("a")}, testWindow, func(*Facts) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

func TestAPackThatIsSilentCostsItsEdges(t *testing.T) {
	inv := stock(t, map[string]string{"a.f": "A"})
	f := &fakePack{hangs: true}
	c := newCollection(inv, nil, func(error) {})
	c.patience = time.Millisecond
	files := 0
	findings, err := stream(context.Background(), c, []Pack{f.pack("a")}, testWindow, func(*Facts) error { files++; return nil })
	if err != nil || files != 1 || len(findings) != 1 || !strings.Contains(findings[0].Message, "no answer within 1ms") {
		t.Errorf("%d files, findings %v, error %v", files, findings, err)
	}
}

func TestAPackThatCannotWorkCostsItsFiles(t *testing.T) {
	inv := stock(t, map[string]string{"a.f": "A", "b.f": "B"})
	lost := (&fakePack{}).pack("lost")
	lost.Start = func(context.Context) (Running, error) {
		return nil, &UnusableError{Pack: "lang-lost", Err: errors.New("no query")}
	}
	t.Run("beside another", func(t *testing.T) {
		for i := range inv.Entries {
			inv.Entries[i].Language = []string{"fake", "other"}[i]
		}
		other := (&fakePack{}).pack("other")
		other.Languages = []string{"other"}
		files := 0
		findings, err := stream(context.Background(), newCollection(inv, nil, func(error) {}), []Pack{lost, other}, 1, func(*Facts) error { files++; return nil })
		if err != nil || files != 1 || len(findings) != 1 || findings[0].Message != "no query; its files gave no tags" {
			t.Errorf("%d files, findings %v, error %v", files, findings, err)
		}
		r, err := Collect(context.Background(), inv, []Pack{lost, other}, nil, func(error) {})
		if err != nil || len(r.Set.Files) != 1 || len(r.Findings) != 1 || !r.Unsettled {
			t.Errorf("result %+v, error %v", r, err)
		}
	})
	t.Run("alone", func(t *testing.T) {
		for i := range inv.Entries {
			inv.Entries[i].Language = "fake"
		}
		_, err := stream(context.Background(), newCollection(inv, nil, func(error) {}), []Pack{lost}, 1, func(*Facts) error { return nil })
		_, err2 := Collect(context.Background(), inv, []Pack{lost}, nil, func(error) {})
		for _, err := range []error{err, err2} {
			var u *UnusableError
			if !errors.As(err, &u) {
				t.Errorf("error %v", err)
			}
		}
	})
}
