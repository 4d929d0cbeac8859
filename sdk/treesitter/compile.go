//go:build cgo

package treesitter

// #include <stdlib.h>
// #include "engine.h"
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// Bounds of what the pattern matcher takes; see engine.c.
const (
	maxDepth    = 12
	maxSteps    = 48
	maxCaptures = 3
	errorSymbol = 0xffff
)

// program is a compiled query. It lives as long as the process: packs compile each query once.
type program struct {
	c        C.rx_program
	captures []captureInfo
	// predicates by pattern number; most patterns have none.
	predicates [][]predicate
	// general tells that tree-sitter's own engine runs the query.
	general bool
}

// compile checks a query against its grammar and prepares it. Faults of the query are *QueryError.
func compile(spec Spec) (*program, error) {
	if spec.Language == nil {
		return nil, errors.New("tree-sitter: the grammar is missing")
	}
	if !bool(C.rx_usable(spec.Language)) {
		return nil, errors.New("tree-sitter: the grammar was generated for another version of the library; use a grammar with ABI 13 to 15")
	}
	patterns, err := readQuery(spec.Query)
	if err != nil {
		return nil, err
	}
	k := &compiler{spec: spec, table: &captureTable{}}
	p := &program{}
	var compiled []compiledPattern
	for number, pat := range patterns {
		p.predicates = append(p.predicates, pat.predicates)
		vs := variants(pat)
		if vs == nil {
			p.general = true
			continue
		}
		for _, v := range vs {
			steps, special, err := k.steps(v.root)
			if err != nil {
				return nil, err
			}
			if special {
				p.general = true
			}
			compiled = append(compiled, compiledPattern{steps: steps, number: number, spare: v.spare})
		}
	}
	if p.general {
		compiled = nil
		k.table = &captureTable{}
		if err := p.compileGeneral(spec, k.table); err != nil {
			return nil, err
		}
	}
	p.captures = k.table.infos
	p.lay(spec, compiled, k)
	return p, nil
}

type compiledPattern struct {
	steps  []C.rx_step
	number int
	spare  bool
}

type compiler struct {
	spec  Spec
	table *captureTable
}

// steps flattens a pattern; special tells that only the general engine can run it.
func (k *compiler) steps(root *queryNode) (steps []C.rx_step, special bool, err error) {
	var add func(n *queryNode, depth int) error
	add = func(n *queryNode, depth int) error {
		s, err := k.step(n, depth)
		if err != nil {
			return err
		}
		special = special || s == nil || depth >= maxDepth-1 || len(steps) >= maxSteps
		if special {
			return nil
		}
		steps = append(steps, *s)
		for _, c := range n.children {
			if err := add(c, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	err = add(root, 0)
	if len(steps) > 0 && steps[0].flags&(C.RX_ANY|C.RX_NAMED) != 0 {
		special = true // a pattern without a root symbol would be tried on every node
	}
	return steps, special, err
}

// step compiles one node; nil without an error needs the general engine.
func (k *compiler) step(n *queryNode, depth int) (*C.rx_step, error) {
	s := &C.rx_step{depth: C.uint16_t(depth)}
	switch n.kind {
	case anyNode:
		s.flags = C.RX_ANY
	case anyNamedNode:
		s.flags = C.RX_NAMED
	default:
		symbol, err := k.symbol(n)
		if err != nil {
			return nil, err
		}
		if symbol != errorSymbol && bool(C.rx_is_supertype(k.spec.Language, symbol)) {
			return nil, nil
		}
		s.symbol = symbol
	}
	if n.field != "" {
		s.field = k.field(n.field)
		if s.field == 0 {
			return nil, queryFault(k.spec.Query, n.offset, fmt.Sprintf("the grammar has no field %q", n.field))
		}
	}
	if len(n.captures) > maxCaptures {
		return nil, nil
	}
	for i, name := range n.captures {
		number := k.table.number(name)
		s.capture[i] = C.uint16_t(number)
		s.captures++
		if k.table.infos[number].meaning == meansDefinition {
			s.flags |= C.RX_WANT_BODY
		}
	}
	return s, nil
}

func (k *compiler) symbol(n *queryNode) (C.uint16_t, error) {
	if n.kind == namedNode && n.name == "ERROR" {
		return errorSymbol, nil
	}
	name := C.CString(n.name)
	defer C.free(unsafe.Pointer(name))
	symbol := C.rx_symbol(k.spec.Language, name, C.uint32_t(len(n.name)), C.bool(n.kind == namedNode))
	if symbol == 0 {
		what := "node type"
		if n.kind == tokenNode {
			what = "token"
		}
		return 0, queryFault(k.spec.Query, n.offset, fmt.Sprintf("the grammar has no %s %q", what, n.name))
	}
	return symbol, nil
}

func (k *compiler) field(field string) C.uint16_t {
	name := C.CString(field)
	defer C.free(unsafe.Pointer(name))
	return C.rx_field(k.spec.Language, name, C.uint32_t(len(field)))
}

// compileGeneral hands the query to tree-sitter's engine, which numbers the captures by itself.
func (p *program) compileGeneral(spec Spec, table *captureTable) error {
	text := C.CString(spec.Query)
	defer C.free(unsafe.Pointer(text))
	var offset C.uint32_t
	var kind C.int
	q := C.rx_query_new(spec.Language, text, C.uint32_t(len(spec.Query)), &offset, &kind)
	if q == nil {
		return queryFault(spec.Query, int(offset), queryErrorText(int(kind)))
	}
	p.c.query = q
	for i := range uint32(C.rx_query_capture_count(q)) {
		var n C.uint32_t
		name := C.rx_query_capture_name(q, C.uint32_t(i), &n)
		table.number(C.GoStringN(name, C.int(n)))
	}
	return nil
}

func queryErrorText(kind int) string {
	texts := []string{"", "syntax error", "the grammar has no such node type", "the grammar has no such field",
		"no such capture", "this pattern can never match", "the grammar's version does not fit"}
	if kind > 0 && kind < len(texts) {
		return texts[kind]
	}
	return "the query is not valid"
}

// lay puts the program into C memory, where it stays.
func (p *program) lay(spec Spec, compiled []compiledPattern, k *compiler) {
	symbols := int(C.rx_symbol_count(spec.Language))
	slices.SortStableFunc(compiled, func(a, b compiledPattern) int { return cmp.Compare(a.steps[0].symbol, b.steps[0].symbol) })
	first := make([]C.uint16_t, symbols)
	count := make([]C.uint16_t, symbols)
	var steps []C.rx_step
	var pats []C.rx_pattern
	for i, c := range compiled {
		if s := int(c.steps[0].symbol); s < symbols {
			if count[s] == 0 {
				first[s] = C.uint16_t(i)
			}
			count[s]++
		}
		pat := C.rx_pattern{first: C.uint32_t(len(steps)), count: C.uint32_t(len(c.steps)), pattern: C.uint16_t(c.number)}
		if c.spare {
			pat.pattern |= C.RX_SPARE
		}
		pats = append(pats, pat)
		steps = append(steps, c.steps...)
	}
	captureFlags := make([]C.uint8_t, len(p.captures))
	for i, info := range p.captures {
		if info.meaning == meansDefinition {
			captureFlags[i] = 1
		}
	}
	p.c.language = spec.Language
	p.c.steps = (*C.rx_step)(inC(steps))
	p.c.patterns = (*C.rx_pattern)(inC(pats))
	p.c.symbol_first = (*C.uint16_t)(inC(first))
	p.c.symbol_count = (*C.uint16_t)(inC(count))
	p.c.symbol_flags = (*C.uint8_t)(inC(commentFlags(spec, symbols)))
	p.c.symbols = C.uint32_t(symbols)
	p.c.body_field = k.field("body")
	p.c.capture_flags = (*C.uint8_t)(inC(captureFlags))
}

func commentFlags(spec Spec, symbols int) []C.uint8_t {
	flags := make([]C.uint8_t, symbols)
	for i := range flags {
		name := C.GoString(C.rx_symbol_name(spec.Language, C.uint16_t(i)))
		comment := slices.Contains(spec.Comments, name)
		if len(spec.Comments) == 0 {
			comment = name == "comment" || strings.HasSuffix(name, "_comment")
		}
		if comment {
			flags[i] = 1
		}
	}
	return flags
}

// inC copies a slice into C memory.
func inC[T any](s []T) unsafe.Pointer {
	var zero T
	size := uintptr(len(s)) * unsafe.Sizeof(zero)
	p := C.malloc(C.size_t(size + 1))
	copy(unsafe.Slice((*T)(p), len(s)), s)
	return p
}

func (p *program) captureInfos() []captureInfo { return p.captures }

func (p *program) predicatesOf(pattern uint16) []predicate { return p.predicates[pattern&^spare] }
