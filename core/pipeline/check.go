package pipeline

import (
	"path/filepath"

	"github.com/repox-dev/repox/core/diag"
)

// supportedVersion is the only version of the file's form so far.
const supportedVersion = 1

// check reads the whole tree and notes every mistake in it.
func (l *loader) check(tree *node) *Pipeline {
	p := &Pipeline{Verify: VerifyWarn, Cache: true, tree: tree, Source: Source{Path: "."}}
	l.knownKeys(tree, topKeys)
	for _, f := range tree.fields {
		switch f.name {
		case "source":
			l.checkSource(&p.Source, f.value)
		case "languages":
			var known bool
			p.Languages, known = l.items(f.value, true)
			l.packsUnknown = !known
		case "stages":
			p.Stages, l.chainKnown = l.items(f.value, false)
		case "verify":
			if v, ok := l.enum(f.value, keySpecs["verify"].values); ok {
				p.Verify = Verify(v)
			}
		case "cache":
			if v, ok := l.boolean(f.value); ok {
				p.Cache = v
			}
		case "limits":
			l.checkLimits(&p.Limits, f.value)
		case "allow_unredacted":
			v, ok := l.boolean(f.value)
			p.AllowUnredacted = v || !ok
			if v {
				l.diags.Warnf(f.key.place(), "allow_unredacted lets secrets of the repository leave this program")
			}
		}
	}
	// Where the stages should have come from another file, that has been told.
	if tree.field("stages") == nil && tree.field("extends") == nil {
		l.errorf(tree, "the pipeline has no stages; list them, or use `extends: map`")
	}
	return p
}

// knownKeys notes keys that are none, with the nearest one that is.
func (l *loader) knownKeys(n *node, keys []*keySpec) {
	for _, f := range n.fields {
		if findKey(keys, f.name) == nil {
			l.unknown(f.key, "key", f.name, keyNames(keys))
		}
	}
}

func (l *loader) unknown(at *node, what, name string, valid []string) {
	d := l.errorf(at, "unknown %s %s", what, quote(name))
	d.Suggestion = diag.Nearest(name, valid)
	if d.Suggestion == "" && len(valid) > 0 {
		d.Message += "; " + plural(what) + " here: " + list(valid)
	}
}

func plural(what string) string {
	return what + "s"
}

func list(words []string) string {
	const most = 12
	out := ""
	for i, w := range words {
		if i == most {
			return out + ", …"
		}
		if i > 0 {
			out += ", "
		}
		out += w
	}
	return out
}

// checkVersion looks at the version of one file: each has its own.
func (l *loader) checkVersion(tree *node) {
	f := tree.field("version")
	if f == nil {
		l.errorf(tree, "the version of the file is missing; begin with `version: 1`")
		return
	}
	v, ok := l.integer(f.value)
	if ok && v != supportedVersion {
		l.errorf(f.value, "version %d is not supported; this program reads version %d, so a newer file needs a newer repox", v, supportedVersion)
	}
}

// mapping notes if n is none. An empty value counts as an empty mapping.
func (l *loader) mapping(n *node, keys []*keySpec) bool {
	if n.kind == nullNode {
		return false
	}
	if n.kind != mappingNode {
		l.mismatch(n, "a mapping")
		return false
	}
	l.knownKeys(n, keys)
	return true
}

func (l *loader) checkSource(s *Source, n *node) {
	if !l.mapping(n, keySpecs["source"].keys) {
		return
	}
	for _, f := range n.fields {
		switch f.name {
		case "path":
			if v, ok := l.str(f.value); ok {
				s.Path = v
				if !filepath.IsAbs(v) {
					s.Path = filepath.Join(f.value.doc.dir, v)
				}
			}
		case "include":
			s.Include, _ = l.strs(f.value)
		case "exclude":
			s.Exclude, _ = l.strs(f.value)
		case "rev":
			s.Rev, _ = l.str(f.value)
		case "max_file_bytes":
			s.MaxFileBytes, _ = l.size(f.value)
		}
	}
}

func (l *loader) checkLimits(limits *Limits, n *node) {
	if !l.mapping(n, keySpecs["limits"].keys) {
		return
	}
	for _, f := range n.fields {
		limit := &limits.File
		if f.name == "stage" {
			limit = &limits.Stage
		} else if f.name != "file" {
			continue
		}
		if !l.mapping(f.value, limitKeys) {
			continue
		}
		for _, g := range f.value.fields {
			switch g.name {
			case "time":
				limit.Time, _ = l.duration(g.value)
			case "memory":
				limit.Memory, _ = l.size(g.value)
			}
		}
	}
}
