package sdk

import (
	"context"
	"io/fs"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

// Pack teaches repox a language. It is a value; the functions in it are called as follows:
//
//  1. NewExtractor is called once for each worker after the pack is opened, with the configuration.
//  2. Extract is called by one worker at a time on each extractor, for many files, in any order.
//  3. Resolve is called when all files are extracted, at most once for each run; it may be nil.
//  4. The extractors' Close is called when the pack is closed or recycled.
type Pack struct {
	// Name is lang- and the language, such as lang-toml.
	Name    string
	Version string
	// Doc is one sentence.
	Doc       string
	Languages []Language
	// Manifests are globs on the base names (with slashes, on the ends of the paths) of the files that Resolve wants to
	// read.
	Manifests []string
	// Kinds are the kinds of tags that the pack finds: definition.KIND, reference.ROLE, import.FORM (see sdk/fixture).
	// Verification wants a fixture for each, and none besides.
	Kinds   []string
	Options []Option
	// NewExtractor makes the extractor of one worker. Faults of the configuration are *ConfigError.
	NewExtractor func(Config) (Extractor, error)
	// Resolve prepares for tying imports to files of the repository. Without it every import leads outside.
	Resolve func(ctx context.Context, repo *Repository) (Resolver, error)
	// Fixtures holds sources and the tags expected of them; see sdk/packtest.
	Fixtures fs.FS
}

// Language says which files are of a language.
type Language struct {
	Name string
	// Extensions with their dot, in lower case.
	Extensions []string
	// Filenames are whole base names.
	Filenames []string
	// TestPatterns are globs on the base name, or with a slash on the path, of files that hold tests.
	TestPatterns []string
	// Grammar names the grammar and its version, for people.
	Grammar string
}

// Source is one file to extract.
type Source struct {
	// Path is relative to the repository's root. It need not be UTF-8.
	Path     string
	Language string
	// Content is UTF-8 as far as the file is, without a byte order mark; it must not be changed or kept.
	Content []byte
}

// Extractor finds the tags of files, one at a time. The file it returns is used only until the next call.
type Extractor interface {
	Extract(ctx context.Context, src Source) (*tag.File, error)
	Close()
}

// ExtractFunc is an Extractor without state.
type ExtractFunc func(ctx context.Context, src Source) (*tag.File, error)

// Extract calls f.
func (f ExtractFunc) Extract(ctx context.Context, src Source) (*tag.File, error) { return f(ctx, src) }

// Close does nothing.
func (f ExtractFunc) Close() {}

// SkipError says that a file gives no tags for a reason that lies in the file. The host counts the file as skipped with
// this code and goes on. Any other error of an extractor is reported with code "failed".
type SkipError struct {
	// Code is timeout, too_complex, unsupported or a word of the pack's own.
	Code    string
	Message string
}

func (e *SkipError) Error() string { return e.Message }

// Resolver gives the file numbers that an import of a file leads to, nil if it leads out of the repository. Answers
// that are the same slice are stored once, so a resolver should hand out shared slices.
type Resolver func(file uint32, imp tag.Import) []uint32

// Repository is what Resolve knows of the repository.
type Repository struct {
	// Files are the files of the pack's languages.
	Files []RepositoryFile
	// Manifests holds the content of each manifest by its path.
	Manifests map[string][]byte
}

// RepositoryFile is a file that an import may lead to.
type RepositoryFile struct {
	File uint32
	Path string
}

// Folder gives a folder of an embedded file system, for Pack.Fixtures. It panics if there is none: the program would not
// have been built right.
func Folder(fsys fs.FS, name string) fs.FS {
	inner, err := fs.Sub(fsys, name)
	if err == nil {
		_, err = fs.Stat(inner, ".")
	}
	if err != nil {
		panic(err)
	}
	return inner
}

func (p *Pack) component() *pluginv1.Component {
	info := &pluginv1.PackInfo{Manifests: p.Manifests, Kinds: p.Kinds}
	for _, l := range p.Languages {
		info.Languages = append(info.Languages, &pluginv1.Language{
			Name: l.Name, Extensions: l.Extensions, Filenames: l.Filenames, TestPatterns: l.TestPatterns, Grammar: l.Grammar,
		})
	}
	c := &pluginv1.Component{Name: p.Name, Version: p.Version, Doc: p.Doc, Pack: info}
	for _, o := range p.Options {
		c.Options = append(c.Options, o.describe())
	}
	return c
}

func (p *Pack) options() []Option { return p.Options }
