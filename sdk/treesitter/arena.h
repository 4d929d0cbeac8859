// The allocator that tree-sitter runs on here. Everything made while a file is worked on comes from the worker's arena
// and is dropped at once afterwards: no tree is taken apart node by node, and no lock is taken. Outside of a file the
// C library's allocator serves.
#ifndef REPOX_ARENA_H
#define REPOX_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rx_arena rx_arena;

void rx_arena_install(void); // once, before tree-sitter allocates anything
rx_arena *rx_arena_new(void);
void rx_arena_delete(rx_arena *a);
void rx_arena_enter(rx_arena *a); // for this thread
void rx_arena_leave(void);
size_t rx_arena_used(const rx_arena *a);

#endif
