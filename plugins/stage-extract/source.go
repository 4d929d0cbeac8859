package extract

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/tag"
)

// source is a file with tags.
type source struct {
	file     uint32 // index into the section files
	path     string
	language string
	test     bool
	// votes: the references of the file count.
	votes bool
	// tags are encoded: the columns of all files would fill the memory, and most are needed once. See decoded.
	tags    []byte
	pkg     string
	imports []tag.Import // until they are bound
	targets []uint32
	// unit numbers the files whose top-level names see each other.
	unit uint32
	// first is the number of the file's first definition in the table, which has defs of them.
	first, defs uint32
	// definitions are those of the file until the table has them.
	definitions []definition
	names       bindings
	// crate is the folder of the crate that a Rust file belongs to, counted from 1; 0 where nothing tells.
	crate uint32

	membersOnce sync.Once
	members     map[memberName][]string
}

// decode reads the tags of all files, in the order of the files whatever order they came in. Tags that cannot be read
// are a limitation of that file.
func decode(ctx context.Context, files *model.Files, set *model.TagSet, all bool) ([]*source, []*model.Finding, error) {
	chunks, err := inFileOrder(files, set)
	if err != nil {
		return nil, nil, err
	}
	sources := make([]*source, len(chunks))
	faults := make([]*model.Finding, len(chunks))
	err = inParallel(ctx, len(chunks), func() func(int) {
		d := &decoded{}
		return func(i int) {
			f := files.Files[chunks[i].File]
			s := &source{
				file: chunks[i].File, path: string(f.Path), language: f.Language, targets: chunks[i].Targets,
				test: f.Class == model.ClassTest, votes: all || !hidden(f.Class),
			}
			if err := s.read(chunks[i], d); err != nil {
				faults[i] = &model.Finding{Kind: model.FindingLimitation, Code: "bad_tags", Message: err.Error(), Path: f.Path}
				return
			}
			sources[i], faults[i] = s, partlyParsed(s.path, d.tags.Errors)
		}
	})
	sources = slices.DeleteFunc(sources, func(s *source) bool { return s == nil })
	faults = slices.DeleteFunc(faults, func(f *model.Finding) bool { return f == nil })
	return sources, faults, err
}

func inFileOrder(files *model.Files, set *model.TagSet) ([]*model.FileTags, error) {
	chunks := slices.Clone(set.Files)
	slices.SortStableFunc(chunks, func(a, b *model.FileTags) int { return cmp.Compare(a.File, b.File) })
	for i, c := range chunks {
		if int(c.File) >= len(files.Files) {
			return nil, fmt.Errorf("read tags: they name file %d of %d", c.File, len(files.Files))
		}
		if i > 0 && chunks[i-1].File == c.File {
			return nil, fmt.Errorf("read tags: file %d comes twice", c.File)
		}
	}
	return chunks, nil
}

func (s *source) read(c *model.FileTags, d *decoded) (err error) {
	s.tags = c.Tags
	if err := d.decode(s); err != nil {
		return err
	}
	s.pkg = d.tags.Strings[d.tags.Package]
	s.defs = uint32(len(d.tags.DefName))
	s.definitions = d.definitions()
	s.imports, err = tag.DecodeImports(c.Imports)
	return err
}

func (s *source) packageName() string { return s.pkg }

func (s *source) folder() string {
	if i := strings.LastIndexByte(s.path, '/'); i >= 0 {
		return s.path[:i]
	}
	return ""
}

// stem is the name by which other files know a module that lies in s: its base name up to the first dot or, for the
// file that stands for its folder, the folder's name.
func (s *source) stem() string {
	folder := s.folder()
	base := strings.TrimPrefix(s.path[len(folder):], "/")
	name, _, _ := strings.Cut(base, ".")
	if name == "__init__" || name == "index" || base == "mod.rs" {
		return folder[strings.LastIndexByte(folder, '/')+1:]
	}
	return name
}

func hidden(c model.Class) bool {
	return c == model.ClassGenerated || c == model.ClassVendored || c == model.ClassMinified
}

// inParallel calls a function for each number below n on several goroutines, each with a function of its own from make,
// and waits for them. What they do must not depend on their order.
func inParallel(ctx context.Context, n int, make func() func(int)) error {
	const step = 16
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+step-1)/step) {
		wg.Go(func() {
			do := make()
			for ctx.Err() == nil {
				end := int(next.Add(step))
				for i := end - step; i < min(end, n); i++ {
					do(i)
				}
				if end >= n {
					return
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
