// What this package uses of tree-sitter's C library. The library itself is compiled into go-tree-sitter, whose headers
// other modules cannot include. The declarations are weak so that this package's objects can be examined on their own
// while they are built; rx_linked tells at start whether the whole program brought the definitions along.
#ifndef REPOX_TSAPI_H
#define REPOX_TSAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_API __attribute__((weak)) extern

typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLanguage TSLanguage;
typedef struct TSQuery TSQuery;
typedef struct TSQueryCursor TSQueryCursor;

typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree, *id; uint32_t context[3]; } TSTreeCursor;
typedef struct { TSNode node; uint32_t index; } TSQueryCapture;
typedef struct { uint32_t id; uint16_t pattern_index, capture_count; const TSQueryCapture *captures; } TSQueryMatch;
typedef struct {
  void *payload;
  const char *(*read)(void *payload, uint32_t byte, TSPoint position, uint32_t *length);
  int encoding;
  void *decode;
} TSInput;
typedef struct { void *payload; uint32_t current_byte_offset; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress_callback)(TSParseState *); } TSParseOptions;
typedef struct { void *payload; uint32_t current_byte_offset; } TSQueryCursorState;
typedef struct { void *payload; bool (*progress_callback)(TSQueryCursorState *); } TSQueryCursorOptions;

TS_API void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
TS_API TSParser *ts_parser_new(void);
TS_API void ts_parser_delete(TSParser *);
TS_API bool ts_parser_set_language(TSParser *, const TSLanguage *);
TS_API TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
TS_API TSNode ts_tree_root_node(const TSTree *);
TS_API TSTreeCursor ts_tree_cursor_new(TSNode);
TS_API void ts_tree_cursor_reset(TSTreeCursor *, TSNode);
TS_API TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
TS_API uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
TS_API bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
TS_API bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
TS_API bool ts_tree_cursor_goto_parent(TSTreeCursor *);
TS_API uint16_t ts_node_symbol(TSNode);
TS_API bool ts_node_is_null(TSNode);
TS_API bool ts_node_is_named(TSNode);
TS_API bool ts_node_is_missing(TSNode);
TS_API bool ts_node_has_error(TSNode);
TS_API uint32_t ts_node_start_byte(TSNode);
TS_API uint32_t ts_node_end_byte(TSNode);
TS_API TSPoint ts_node_start_point(TSNode);
TS_API TSPoint ts_node_end_point(TSNode);
TS_API TSNode ts_node_child_by_field_id(TSNode, uint16_t);
TS_API TSQuery *ts_query_new(const TSLanguage *, const char *, uint32_t, uint32_t *, int *);
TS_API uint32_t ts_query_capture_count(const TSQuery *);
TS_API const char *ts_query_capture_name_for_id(const TSQuery *, uint32_t, uint32_t *);
TS_API TSQueryCursor *ts_query_cursor_new(void);
TS_API void ts_query_cursor_exec_with_options(TSQueryCursor *, const TSQuery *, TSNode, const TSQueryCursorOptions *);
TS_API bool ts_query_cursor_next_match(TSQueryCursor *, TSQueryMatch *);
TS_API uint16_t ts_language_symbol_for_name(const TSLanguage *, const char *, uint32_t, bool);
TS_API uint16_t ts_language_field_id_for_name(const TSLanguage *, const char *, uint32_t);
TS_API uint32_t ts_language_symbol_count(const TSLanguage *);
TS_API const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
TS_API int ts_language_symbol_type(const TSLanguage *, uint16_t);
TS_API uint32_t ts_language_abi_version(const TSLanguage *);

#endif
