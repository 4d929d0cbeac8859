package source

import "strings"

// glob is a compiled pattern of an ignore or attributes file. Matching takes time proportional to pattern times text
// whatever the pattern, because the files come from strangers.
type glob struct {
	ops []globOp
	// wild counts the ops that match a varying number of bytes, and at is the place of the first.
	wild, at int
	// never is set for a pattern that git accepts but that can match nothing, such as one with an open bracket.
	never bool
	fold  bool
}

type opKind uint8

const (
	opByte opKind = iota
	// opSet matches one byte of a set; "?" is the set of all bytes that it may match.
	opSet
	// opStar matches any bytes but slashes, opDeep matches slashes too.
	opStar
	opDeep
	// opDirs matches nothing or whole directories with their slash; an opDirsBody always follows it.
	opDirs
	opDirsBody
)

type globOp struct {
	kind opKind
	c    byte
	set  *byteSet
}

type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) remove(c byte)   { s[c>>6] &^= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

// compileGlob reads a pattern. With paths set, the text is a path and only ** crosses its slashes; otherwise it is a
// single name. With fold set, case does not count.
func compileGlob(pattern string, paths, fold bool) glob {
	g := glob{fold: fold}
	for i := 0; i < len(pattern) && !g.never; {
		switch c := pattern[i]; c {
		case '\\':
			if i++; i == len(pattern) {
				g.never = true
				break
			}
			// An escaped capital stays a capital: git does not fold it.
			g.ops = append(g.ops, globOp{kind: opByte, c: pattern[i]})
			i++
		case '?':
			set := &byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
			if paths {
				set.remove('/')
			}
			g.ops = append(g.ops, globOp{kind: opSet, set: set})
			i++
		case '*':
			i = g.star(pattern, i, paths)
		case '[':
			set, next, ok := parseSet(pattern, i+1, fold)
			if !ok {
				g.never = true
				break
			}
			if paths {
				set.remove('/')
			}
			g.ops = append(g.ops, globOp{kind: opSet, set: set})
			i = next
		default:
			g.ops = append(g.ops, globOp{kind: opByte, c: foldByte(c, fold)})
			i++
		}
	}
	g.at = -1
	for i, op := range g.ops {
		if op.kind >= opStar {
			if g.wild++; g.at < 0 {
				g.at = i
			}
		}
	}
	return g
}

// star reads the run of stars at i and gives the place after it.
func (g *glob) star(pattern string, i int, paths bool) int {
	end := i
	for end < len(pattern) && pattern[end] == '*' {
		end++
	}
	rest := pattern[end:]
	kind := opStar
	if paths && end-i > 1 && (i == 0 || pattern[i-1] == '/') {
		switch {
		case strings.HasPrefix(rest, "/"):
			g.ops = append(g.ops, globOp{kind: opDirs}, globOp{kind: opDirsBody})
			return end + 1
		case rest == "", strings.HasPrefix(rest, `\/`):
			kind = opDeep
		}
	}
	g.ops = append(g.ops, globOp{kind: kind})
	return end
}

func foldByte(c byte, fold bool) byte {
	if fold && 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// accepts tells whether the op, one that matches exactly one byte, matches c. Sets are folded when they are made.
func (op *globOp) accepts(c byte, fold bool) bool {
	if op.kind == opSet {
		return op.set.has(c)
	}
	return op.c == foldByte(c, fold)
}

// match tells whether the pattern matches the whole text.
func (g *glob) match(text string) bool {
	if g.never {
		return false
	}
	switch {
	case g.wild == 0:
		return len(text) == len(g.ops) && g.matchFixed(g.ops, text)
	case g.wild == 1:
		return g.matchAround(text)
	}
	return g.simulate(text)
}

func (g *glob) matchFixed(ops []globOp, text string) bool {
	for i := range ops {
		if !ops[i].accepts(text[i], g.fold) {
			return false
		}
	}
	return true
}

// matchAround matches a pattern with a single star: what stands before it, what stands after it, and the gap.
func (g *glob) matchAround(text string) bool {
	before, after := g.ops[:g.at], g.ops[g.at+1:]
	gap := len(text) - len(after)
	if gap < len(before) || !g.matchFixed(before, text) || !g.matchFixed(after, text[gap:]) {
		return false
	}
	return g.ops[g.at].kind == opDeep || strings.IndexByte(text[len(before):gap], '/') < 0
}

// simulate follows all ways to match at once: live[i] says that ops[i:] is still to be matched.
func (g *glob) simulate(text string) bool {
	n := len(g.ops)
	var small [2][64]bool
	live, next := small[0][:], small[1][:]
	if n >= len(live) {
		live, next = make([]bool, n+1), make([]bool, n+1)
	}
	live, next = live[:n+1], next[:n+1]
	g.enter(live, 0)
	for i := 0; i < len(text); i++ {
		clear(next)
		alive := false
		for s := range n {
			if live[s] && g.step(next, s, text[i]) {
				alive = true
			}
		}
		if !alive {
			return false
		}
		live, next = next, live
	}
	return live[n]
}

// enter marks a state and those that are reached from it without reading.
func (g *glob) enter(live []bool, s int) {
	for ; !live[s]; s++ {
		live[s] = true
		if s == len(g.ops) {
			return
		}
		switch g.ops[s].kind {
		case opStar, opDeep:
		case opDirs:
			live[s+1] = true
			s++
		default:
			return
		}
	}
}

// step reads one byte in a state and tells whether any state follows.
func (g *glob) step(next []bool, s int, c byte) bool {
	switch op := &g.ops[s]; op.kind {
	case opStar:
		if c == '/' {
			return false
		}
		g.enter(next, s)
	case opDeep:
		g.enter(next, s)
	case opDirs:
		return false
	case opDirsBody:
		next[s] = true
		if c == '/' {
			g.enter(next, s+1)
		}
	default:
		if !op.accepts(c, g.fold) {
			return false
		}
		g.enter(next, s+1)
	}
	return true
}
