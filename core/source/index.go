package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// tracked is an entry of git's index; path starts at top.
type tracked struct {
	path string
	// submodule is set for an entry that stands for a commit of another repository.
	submodule bool
	// absent is set for a file that the user chose not to check out.
	absent bool
}

// askIndex lets git list the index below a directory; prefix is that directory from top.
func (g *gitTool) askIndex(ctx context.Context, dir, prefix string) ([]tracked, error) {
	out, err := g.output(ctx, dir, "ls-files", "-z", "-s", "-t")
	if err != nil {
		return nil, err
	}
	list := make([]tracked, 0, bytes.Count(out, []byte{0}))
	// One string for all, of which the paths are parts.
	for text := string(out); text != ""; {
		var line string
		line, text, _ = strings.Cut(text, "\x00")
		// "H 100644 <object> 0\t<path>"
		info, path, ok := strings.Cut(line, "\t")
		if !ok || len(info) < 8 {
			return nil, fmt.Errorf("git ls-files: unexpected line %q", line)
		}
		list = append(list, tracked{path: prefix + path, absent: info[0] == 'S', submodule: info[2:8] == "160000"})
	}
	return tidyTracked(list), nil
}

// tidyTracked sorts, and makes one of the up to three entries of a path in conflict.
func tidyTracked(list []tracked) []tracked {
	byPath := func(a, b tracked) int { return cmp.Compare(a.path, b.path) }
	if !slices.IsSortedFunc(list, byPath) {
		slices.SortFunc(list, byPath)
	}
	return slices.CompactFunc(list, func(a, b tracked) bool { return a.path == b.path })
}

var errIndex = errors.New("index is of a kind that only git can read")

// maxIndexBytes bounds the index that is read without git.
const maxIndexBytes = 1 << 30

// readIndex reads the index without git.
func readIndex(r *repo) ([]tracked, error) {
	if r.blocked != "" {
		return nil, errors.New(r.blocked)
	}
	data, err := readFileLimit(filepath.Join(r.gitDir, "index"), maxIndexBytes)
	if err != nil {
		if isGone(err) {
			return nil, nil
		}
		return nil, err
	}
	// The repository alone decides on its kind of object id.
	var own gitConfig
	own.readFile(filepath.Join(r.commonDir, "config"), 0)
	return parseIndex(data, own.sha256)
}

// parseIndex understands versions 2 to 4. A split index has its entries in another file and a sparse one names
// directories in place of files; both are left to git.
func parseIndex(data []byte, sha256 bool) ([]tracked, error) {
	hash := 20
	if sha256 {
		hash = 32
	}
	if len(data) < 12+hash || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, errIndex
	}
	p := &indexParser{data: data[:len(data)-hash], pos: 12, hash: hash, version: version}
	list := make([]tracked, 0, min(int(count), len(data)/indexStatLen))
	for range count {
		t, ok := p.entry()
		if !ok {
			return nil, errIndex
		}
		list = append(list, t)
	}
	if p.foreignExtension() {
		return nil, errIndex
	}
	return tidyTracked(list), nil
}

type indexParser struct {
	data      []byte
	pos, hash int
	version   uint32
	path      string
}

// The fixed part of an entry holds ten words of file status, then the object id, then flags.
const (
	indexModeAt  = 24
	indexStatLen = 40
)

func (p *indexParser) entry() (tracked, bool) {
	start := p.pos
	p.pos += indexStatLen + p.hash + 2
	if p.pos+2 > len(p.data) {
		return tracked{}, false
	}
	t := tracked{submodule: binary.BigEndian.Uint32(p.data[start+indexModeAt:])&0xf000 == 0xe000}
	if flags := binary.BigEndian.Uint16(p.data[p.pos-2:]); flags&0x4000 != 0 {
		t.absent = binary.BigEndian.Uint16(p.data[p.pos:])&0x4000 != 0
		p.pos += 2
	}
	keep := 0
	if p.version == 4 {
		strip, ok := p.varint()
		if !ok || strip > len(p.path) {
			return t, false
		}
		keep = len(p.path) - strip
	}
	end := bytes.IndexByte(p.data[p.pos:], 0)
	if end < 0 {
		return t, false
	}
	p.path = p.path[:keep] + string(p.data[p.pos:p.pos+end])
	p.pos += end + 1
	if p.version < 4 {
		// Entries are padded with one to eight zero bytes.
		p.pos = start + (p.pos-start+7)/8*8
	}
	t.path = p.path
	return t, p.pos <= len(p.data)
}

// varint reads git's variable-length number, in which each further byte also adds one.
func (p *indexParser) varint() (int, bool) {
	n := 0
	for i := 0; p.pos < len(p.data) && i < 5; i++ {
		c := p.data[p.pos]
		p.pos++
		n = n<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return n, true
		}
		n++
	}
	return 0, false
}

// foreignExtension looks for the two extensions that change what the entries mean.
func (p *indexParser) foreignExtension() bool {
	for p.pos+8 <= len(p.data) {
		name := string(p.data[p.pos : p.pos+4])
		if name == "link" || name == "sdir" {
			return true
		}
		p.pos += 8 + int(binary.BigEndian.Uint32(p.data[p.pos+4:]))
	}
	return false
}
