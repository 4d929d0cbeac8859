package packtest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/fixture"
	"github.com/repox-dev/repox/sdk/tag"
)

// Fuzz gives a pack any bytes as a file of each of its extensions: it must neither crash nor hang, must keep positions inside
// the file, and must give the same answer twice. The seeds are the pack's fixtures, whole and cut off.
func Fuzz(f *testing.F, p *sdk.Pack) {
	var extensions []string
	for _, l := range p.Languages {
		extensions = append(extensions, l.Extensions...)
	}
	if len(extensions) == 0 {
		f.Fatal("the pack has no extensions")
	}
	files, err := fixtures(p)
	if err != nil {
		f.Fatal(err)
	}
	for i, x := range files {
		if strings.HasSuffix(x.Path, fixture.SourceSuffix) {
			f.Add(x.Content, uint8(i))
			f.Add(x.Content[:len(x.Content)/2], uint8(i))
			f.Add(bytes.ReplaceAll(x.Content, []byte("\n"), []byte("\r")), uint8(i))
		}
	}
	for i, s := range []string{"", "\x00", "\xef\xbb\xbf\n", "((((((", "}}}}}}", "\"\\", "/*", "\xff\xfe\x00"} {
		f.Add([]byte(s), uint8(i))
	}
	l, err := open(p, fixture.Limits())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(l.extractor.Close)
	f.Fuzz(func(t *testing.T, content []byte, extension uint8) {
		name := "fuzz" + extensions[int(extension)%len(extensions)]
		src := sdk.Source{Path: name, Language: language(p, name), Content: content}
		tags, imports, err := l.one(context.Background(), src)
		if err != nil {
			var skip *sdk.SkipError
			if !errors.As(err, &skip) {
				t.Fatal(err)
			}
			return
		}
		got, err := tag.Decode(tags, imports)
		if err != nil {
			t.Fatal(err)
		}
		if err := fixture.CheckPlaces(content, got); err != nil {
			t.Fatal(err)
		}
		first, second := bytes.Clone(tags), bytes.Clone(imports)
		tags, imports, err = l.one(context.Background(), src)
		if err != nil || !bytes.Equal(tags, first) || !bytes.Equal(imports, second) {
			t.Fatalf("not the same answer twice (error %v)", err)
		}
	})
}
