// The C side of package treesitter: one call for each file, from source bytes to a flat array of captures.
#ifndef REPOX_ENGINE_H
#define REPOX_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

// Captures that the engine makes by itself, beside those that the query names.
enum {
  RX_COMMENT = 0xfff0, // a comment
  RX_ERROR = 0xfff1,   // a piece that could not be parsed, or a token that the parser had to add
  RX_BODY = 0xfff2,    // the body of the node captured just before
};

enum { RX_SPARE = 0x8000 };

// Outcomes of rx_extract.
enum {
  RX_OK = 0,
  RX_TIMEOUT = 1,    // the time limit passed
  RX_TOO_LARGE = 2,  // the memory limit passed
  RX_FAILED = 3,     // the parser gave no tree
};

// rx_capture is one captured node. Captures of one match stand together and share its number.
typedef struct {
  uint32_t match;
  uint16_t pattern; // as in rx_pattern
  uint16_t capture;
  uint32_t start, end;
  uint32_t start_row, end_row;
} rx_capture;

// rx_step is one node of a pattern, in the order of reading; depth counts from 0 at the pattern's root.
typedef struct {
  uint16_t symbol;
  uint16_t field;    // 0 for any
  uint16_t depth;
  uint16_t captures; // how many of the pattern's captures are on this step
  uint16_t flags;
  uint16_t capture[3];
} rx_step;

enum {
  RX_ANY = 1,   // any node
  RX_NAMED = 2, // any named node
  RX_WANT_BODY = 4,
};

// rx_pattern is a slice of the steps; patterns are sorted by the symbol of their root.
typedef struct {
  uint32_t first, count;
  uint16_t pattern; // its number in the query; RX_SPARE marks a variant without optional nodes
} rx_pattern;

typedef struct {
  const void *language;
  const void *query; // for the general engine; NULL where the patterns below are enough
  const rx_step *steps;
  const rx_pattern *patterns;
  // For each symbol the first of its patterns and how many there are; bit 0 of flags: comment.
  const uint16_t *symbol_first, *symbol_count;
  const uint8_t *symbol_flags;
  uint32_t symbols;
  uint16_t body_field;
  // For the general engine: bit 0 for captures that want a body.
  const uint8_t *capture_flags;
} rx_program;

typedef struct rx_worker rx_worker;

bool rx_linked(void);
rx_worker *rx_worker_new(uint64_t max_bytes);
void rx_worker_delete(rx_worker *w);

// rx_extract parses text and runs the program over its tree. The captures stay valid until the worker's next call.
int rx_extract(rx_worker *w, const rx_program *p, const char *text, uint32_t length, uint64_t nanos,
               rx_capture **captures, uint32_t *count);

// Questions about a grammar, for the compiler of queries.
uint16_t rx_symbol(const void *language, const char *name, uint32_t length, bool named);
uint16_t rx_field(const void *language, const char *name, uint32_t length);
uint32_t rx_symbol_count(const void *language);
const char *rx_symbol_name(const void *language, uint16_t symbol);
bool rx_is_supertype(const void *language, uint16_t symbol);
bool rx_usable(const void *language);

// The general engine.
void *rx_query_new(const void *language, const char *text, uint32_t length, uint32_t *offset, int *kind);
uint32_t rx_query_capture_count(const void *query);
const char *rx_query_capture_name(const void *query, uint32_t i, uint32_t *length);

#endif
