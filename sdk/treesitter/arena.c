#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tsapi.h"

// Blocks up to 512 bytes come in steps of 16, larger ones in powers of two. A freed block goes to the list of its
// class. Each block is preceded by its class, 0 for blocks of the C library, which may be freed while an arena is
// entered and the other way round.
enum { SMALL = 32, CLASSES = 96 };
enum { HEADER = 8, FIRST_CHUNK = 1 << 20, KEEP = 16 << 20 };

typedef struct chunk {
  struct chunk *next;
  size_t size;
} chunk;

struct rx_arena {
  chunk *chunks; // the one in use first
  char *at, *end;
  size_t used;
  void *free[CLASSES];
};

static __thread rx_arena *current;

static int class_of(size_t n) {
  if (n <= 512) return n ? (int)((n + 15) >> 4) : 1;
  return SMALL + (64 - __builtin_clzll((unsigned long long)n - 1)) - 9;
}

static size_t class_size(int c) { return c <= SMALL ? (size_t)c << 4 : (size_t)1 << (c - SMALL + 9); }

static void out_of_memory(void) {
  fputs("tree-sitter: out of memory\n", stderr);
  abort();
}

static void *checked(void *p) {
  if (!p) out_of_memory();
  return p;
}

static uint64_t *header(void *p) { return (uint64_t *)((char *)p - HEADER); }

static void grow(rx_arena *a, size_t need) {
  size_t size = a->chunks ? a->chunks->size * 2 : FIRST_CHUNK;
  if (size > KEEP) size = KEEP;
  if (size < need + sizeof(chunk)) size = need + sizeof(chunk);
  chunk *c = checked(malloc(size));
  c->size = size;
  c->next = a->chunks;
  a->chunks = c;
  a->at = (char *)(c + 1);
  a->end = (char *)c + size;
}

static void *take(rx_arena *a, int c) {
  void *p = a->free[c];
  if (p) {
    memcpy(&a->free[c], p, sizeof(void *));
    return p;
  }
  size_t size = class_size(c) + HEADER;
  if ((size_t)(a->end - a->at) < size) grow(a, size);
  char *block = a->at;
  a->at += size;
  a->used += size;
  p = block + HEADER;
  *header(p) = (uint64_t)c;
  return p;
}

static void *arena_malloc(size_t n) {
  if (current) return take(current, class_of(n));
  char *block = checked(malloc(n + HEADER));
  void *p = block + HEADER;
  *header(p) = 0;
  return p;
}

static void *arena_calloc(size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) out_of_memory();
  return memset(arena_malloc(bytes), 0, bytes);
}

static void arena_free(void *p) {
  if (!p) return;
  uint64_t c = *header(p);
  if (c == 0) {
    free(header(p));
  } else if (current) {
    memcpy(p, &current->free[c], sizeof(void *));
    current->free[c] = p;
  }
}

static void *arena_realloc(void *p, size_t n) {
  if (!p) return arena_malloc(n);
  uint64_t c = *header(p);
  if (c == 0) {
    char *block = checked(realloc(header(p), n + HEADER));
    return block + HEADER;
  }
  size_t size = class_size((int)c);
  if (n <= size) return p;
  void *q = arena_malloc(n);
  memcpy(q, p, size);
  arena_free(p);
  return q;
}

void rx_arena_install(void) { ts_set_allocator(arena_malloc, arena_calloc, arena_realloc, arena_free); }

rx_arena *rx_arena_new(void) { return checked(calloc(1, sizeof(rx_arena))); }

// reset forgets every block, and keeps the chunk in use unless it is a large one.
static void reset(rx_arena *a) {
  chunk *keep = a->chunks;
  if (keep) {
    for (chunk *c = keep->next; c;) {
      chunk *next = c->next;
      free(c);
      c = next;
    }
    keep->next = NULL;
    if (keep->size > KEEP) {
      free(keep);
      keep = NULL;
    }
  }
  a->chunks = keep;
  a->at = keep ? (char *)(keep + 1) : NULL;
  a->end = keep ? (char *)keep + keep->size : NULL;
  a->used = 0;
  memset(a->free, 0, sizeof(a->free));
}

void rx_arena_delete(rx_arena *a) {
  if (!a) return;
  reset(a);
  free(a->chunks);
  free(a);
}

void rx_arena_enter(rx_arena *a) {
  reset(a);
  current = a;
}

void rx_arena_leave(void) { current = NULL; }

size_t rx_arena_used(const rx_arena *a) { return a->used; }
