#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena.h"
#include "tsapi.h"

enum { ERROR_SYMBOL = 0xffff, MAX_DEPTH = 12, CHECK_EVERY = 4096, MAX_LISTS = 64, MAX_KEPT = 4096 };

// UNKNOWN_FIELD marks a child whose field nobody has asked for.
enum { UNKNOWN_FIELD = 0xffff };

// child is a child of a node under examination.
typedef struct {
  TSNode node;
  uint16_t symbol, field;
} child;

// frame is a matched node of a pattern on its way from the root, with the children that the next step may take.
typedef struct {
  TSNode node;
  uint32_t first, count, next; // children in the worker's array
  bool loaded, fields;
} frame;

// list is where the children of a node lie in the worker's array. Patterns of one root look at the same nodes.
typedef struct {
  const void *id;
  uint32_t first, count;
  bool fields; // those of the children are known
} list;

struct rx_worker {
  rx_arena *arena;
  uint64_t max_bytes, deadline;
  int outcome;

  const char *text;
  uint32_t length;
  const rx_program *program;

  rx_capture *captures;
  uint32_t count, room;
  uint32_t matches;

  child *children;
  uint32_t child_count, child_room;
  list lists[MAX_LISTS]; // of the root under examination
  uint32_t list_count;
  TSTreeCursor scratch;
  frame frames[MAX_DEPTH];
  TSNode matched[MAX_DEPTH * 4];
};

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// over tells whether the file has used up its time or memory.
static bool over(rx_worker *w) {
  if (w->deadline && now() > w->deadline) w->outcome = RX_TIMEOUT;
  if (w->max_bytes && rx_arena_used(w->arena) > w->max_bytes) w->outcome = RX_TOO_LARGE;
  return w->outcome != RX_OK;
}

static bool parse_progress(TSParseState *s) { return over(s->payload); }
static bool query_progress(TSQueryCursorState *s) { return over(s->payload); }

static const char *read_text(void *payload, uint32_t byte, TSPoint position, uint32_t *length) {
  (void)position;
  rx_worker *w = payload;
  *length = byte < w->length ? w->length - byte : 0;
  return w->text + (byte < w->length ? byte : w->length);
}

static void emit(rx_worker *w, uint16_t pattern, uint16_t capture, TSNode n) {
  if (w->count == w->room) {
    w->room = w->room ? w->room * 2 : 4096;
    w->captures = realloc(w->captures, w->room * sizeof(rx_capture));
    if (!w->captures) abort();
  }
  rx_capture *c = &w->captures[w->count++];
  c->match = w->matches;
  c->pattern = pattern;
  c->capture = capture;
  c->start = ts_node_start_byte(n);
  c->end = ts_node_end_byte(n);
  c->start_row = ts_node_start_point(n).row;
  c->end_row = ts_node_end_point(n).row;
}

static void emit_body(rx_worker *w, uint16_t pattern, TSNode n) {
  if (!w->program->body_field) return;
  TSNode body = ts_node_child_by_field_id(n, w->program->body_field);
  if (!ts_node_is_null(body)) emit(w, pattern, RX_BODY, body);
}

// known finds the children of a node that were loaded for another pattern, with their fields if these are wanted.
static bool known(rx_worker *w, frame *f, bool fields) {
  for (uint32_t i = 0; i < w->list_count; i++) {
    const list *l = &w->lists[i];
    if (l->id == f->node.id && (l->fields || !fields)) {
      f->first = l->first;
      f->count = l->count;
      return true;
    }
  }
  return false;
}

// load_children gives a frame the children of its node. Fields are looked up only where a step names one: they cost more
// than all the rest.
static void load_children(rx_worker *w, frame *f, bool fields) {
  f->loaded = true;
  f->fields = fields;
  if (known(w, f, fields)) return;
  f->first = w->child_count;
  f->count = 0;
  ts_tree_cursor_reset(&w->scratch, f->node);
  if (!ts_tree_cursor_goto_first_child(&w->scratch)) return;
  do {
    if (w->child_count == w->child_room) {
      w->child_room = w->child_room ? w->child_room * 2 : 256;
      w->children = realloc(w->children, w->child_room * sizeof(child));
      if (!w->children) abort();
    }
    child *c = &w->children[w->child_count++];
    c->node = ts_tree_cursor_current_node(&w->scratch);
    c->symbol = ts_node_symbol(c->node);
    c->field = fields ? ts_tree_cursor_current_field_id(&w->scratch) : UNKNOWN_FIELD;
    f->count++;
  } while (ts_tree_cursor_goto_next_sibling(&w->scratch));
  if (w->list_count < MAX_LISTS) w->lists[w->list_count++] = (list){f->node.id, f->first, f->count, fields};
}

static bool fits(const rx_step *s, const child *c) {
  if (s->field && s->field != c->field) return false;
  if (s->flags & RX_ANY) return true;
  if (s->flags & RX_NAMED) return ts_node_is_named(c->node);
  return s->symbol == c->symbol;
}

static void emit_match(rx_worker *w, const rx_pattern *p) {
  const rx_step *steps = w->program->steps + p->first;
  w->matches++;
  for (uint32_t i = 0; i < p->count; i++) {
    for (int k = 0; k < steps[i].captures; k++) emit(w, p->pattern, steps[i].capture[k], w->matched[i]);
    if (steps[i].flags & RX_WANT_BODY) emit_body(w, p->pattern, w->matched[i]);
  }
}

// forget drops the children that were loaded since there were mark of them: a root can have millions below it.
static void forget(rx_worker *w, uint32_t mark) {
  w->child_count = mark;
  while (w->list_count > 0 && w->lists[w->list_count - 1].first >= mark) w->list_count--;
}

// match_from tries every way to take steps i and later among the children of the nodes matched so far.
static void match_from(rx_worker *w, const rx_pattern *p, uint32_t i) {
  if (i == p->count) {
    emit_match(w, p);
    return;
  }
  const rx_step *s = &w->program->steps[p->first + i];
  frame *parent = &w->frames[s->depth - 1], *own = &w->frames[s->depth];
  // Field by field: a copy of a struct waits for what was just written into it.
  const uint32_t first = parent->first, count = parent->count, next = parent->next, mark = w->child_count;
  const bool loaded = parent->loaded, fields = parent->fields;
  if (!loaded || (s->field && !fields)) load_children(w, parent, s->field != 0);
  const uint32_t begin = parent->first, end = begin + parent->count;
  for (uint32_t k = begin + next; k < end; k++) {
    const child *c = &w->children[k]; // the array may move below
    if (!fits(s, c)) continue;
    parent->next = k - begin + 1;
    own->node = w->matched[i] = c->node;
    own->next = 0;
    own->loaded = own->fields = false;
    match_from(w, p, i + 1);
  }
  parent->first = first;
  parent->count = count;
  parent->next = next;
  parent->loaded = loaded;
  parent->fields = fields;
  if (w->child_count - mark > MAX_KEPT) forget(w, mark);
}

// match_root tries the patterns whose root has the symbol of n.
static void match_root(rx_worker *w, TSNode n, uint32_t first, uint32_t count) {
  w->child_count = 0;
  w->list_count = 0;
  w->matched[0] = n;
  frame *root = &w->frames[0];
  root->node = n;
  root->loaded = root->fields = false;
  root->next = 0;
  for (uint32_t i = 0; i < count; i++) {
    const rx_pattern *p = &w->program->patterns[first + i];
    match_from(w, p, 1);
  }
}

static void visit(rx_worker *w, TSNode n, bool errors) {
  const rx_program *p = w->program;
  uint16_t symbol = ts_node_symbol(n);
  if (symbol < p->symbols) {
    if (p->symbol_count[symbol]) match_root(w, n, p->symbol_first[symbol], p->symbol_count[symbol]);
    if (p->symbol_flags[symbol] & 1) {
      w->matches++;
      emit(w, 0, RX_COMMENT, n);
    }
  }
  if (errors && (symbol == ERROR_SYMBOL || ts_node_is_missing(n))) {
    w->matches++;
    emit(w, 0, RX_ERROR, n);
  }
}

// walk visits every node of the tree once, without recursion: trees can be deeper than a C stack.
static void walk(rx_worker *w, TSNode root) {
  bool errors = ts_node_has_error(root);
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  w->scratch = ts_tree_cursor_new(root);
  uint32_t steps = 0;
  for (;;) {
    visit(w, ts_tree_cursor_current_node(&cursor), errors);
    if (++steps % CHECK_EVERY == 0 && over(w)) return;
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) return;
    }
  }
}

// run_query is the general engine, for queries with features that the patterns lack.
static void run_query(rx_worker *w, TSNode root) {
  TSQueryCursor *cursor = ts_query_cursor_new();
  TSQueryCursorOptions options = {.payload = w, .progress_callback = query_progress};
  ts_query_cursor_exec_with_options(cursor, w->program->query, root, &options);
  TSQueryMatch m;
  while (ts_query_cursor_next_match(cursor, &m)) {
    w->matches++;
    for (uint16_t i = 0; i < m.capture_count; i++) {
      uint16_t capture = (uint16_t)m.captures[i].index;
      emit(w, m.pattern_index, capture, m.captures[i].node);
      if (w->program->capture_flags[capture] & 1) emit_body(w, m.pattern_index, m.captures[i].node);
    }
  }
}

int rx_extract(rx_worker *w, const rx_program *p, const char *text, uint32_t length, uint64_t nanos,
               rx_capture **captures, uint32_t *count) {
  w->text = text;
  w->length = length;
  w->program = p;
  w->outcome = RX_OK;
  w->count = 0;
  w->matches = 0;
  w->deadline = nanos ? now() + nanos : 0;
  rx_arena_enter(w->arena);
  // The parser is made anew for each file: it is cheap next to a file, and its memory goes with the arena's.
  TSParser *parser = ts_parser_new();
  TSTree *tree = NULL;
  if (ts_parser_set_language(parser, p->language)) {
    TSInput input = {.payload = w, .read = read_text};
    TSParseOptions options = {.payload = w, .progress_callback = parse_progress};
    tree = ts_parser_parse_with_options(parser, NULL, input, options);
  }
  if (tree) {
    TSNode root = ts_tree_root_node(tree);
    if (p->query) run_query(w, root);
    walk(w, root);
  } else if (w->outcome == RX_OK) {
    w->outcome = RX_FAILED;
  }
  // Grammars with a scanner of their own may hold memory of the C library; only deleting the parser frees that.
  ts_parser_delete(parser);
  rx_arena_leave();
  w->text = NULL;
  *captures = w->captures;
  *count = w->count;
  return w->outcome;
}

rx_worker *rx_worker_new(uint64_t max_bytes) {
  rx_worker *w = calloc(1, sizeof(rx_worker));
  if (!w) abort();
  w->arena = rx_arena_new();
  w->max_bytes = max_bytes;
  return w;
}

void rx_worker_delete(rx_worker *w) {
  if (!w) return;
  rx_arena_delete(w->arena);
  free(w->captures);
  free(w->children);
  free(w);
}

bool rx_linked(void) {
  if (!ts_set_allocator || !ts_parser_new || !ts_parser_parse_with_options || !ts_tree_cursor_new || !ts_query_new) return false;
  rx_arena_install();
  return true;
}

// ABI versions that the library of go-tree-sitter v0.25 reads.
enum { MIN_ABI = 13, MAX_ABI = 15 };

bool rx_usable(const void *language) {
  uint32_t v = ts_language_abi_version(language);
  return v >= MIN_ABI && v <= MAX_ABI;
}

uint16_t rx_symbol(const void *language, const char *name, uint32_t length, bool named) {
  return ts_language_symbol_for_name(language, name, length, named);
}

uint16_t rx_field(const void *language, const char *name, uint32_t length) {
  return ts_language_field_id_for_name(language, name, length);
}

uint32_t rx_symbol_count(const void *language) { return ts_language_symbol_count(language); }

const char *rx_symbol_name(const void *language, uint16_t symbol) { return ts_language_symbol_name(language, symbol); }

bool rx_is_supertype(const void *language, uint16_t symbol) {
  enum { SUPERTYPE = 2 };
  return ts_language_symbol_type(language, symbol) == SUPERTYPE;
}

void *rx_query_new(const void *language, const char *text, uint32_t length, uint32_t *offset, int *kind) {
  return ts_query_new(language, text, length, offset, kind);
}

uint32_t rx_query_capture_count(const void *query) { return ts_query_capture_count(query); }

const char *rx_query_capture_name(const void *query, uint32_t i, uint32_t *length) {
  return ts_query_capture_name_for_id(query, i, length);
}
