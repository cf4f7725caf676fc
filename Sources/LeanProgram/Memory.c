// What the system does for memory page by page, and a command needs at once.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__

#include <malloc.h>
#include <sys/mman.h>

enum { KIB = 1024, PAGE = 4 * KIB };

// Makes pages ready to be written to, which costs a third of doing so at the first touch of each; where
// the system cannot, they are made ready then.
static void prepare(char *start, size_t size) {
#ifdef MADV_POPULATE_WRITE
  uintptr_t first = (uintptr_t)start & ~(uintptr_t)(PAGE - 1);
  madvise((void *)first, (uintptr_t)start + size - first, MADV_POPULATE_WRITE);
#else
  (void)start;
  (void)size;
#endif
}

// What the next blocks are made of.
static void prepare_heap(size_t size) {
  char *volatile room = malloc(size);
  if (room != NULL) prepare(room, size);
  free(room);
}

static int (*start_sqlite_memory)(void *);

// Where a store is opened, it takes this much to read a little and write a walk.
static int prepare_sqlite_memory(void *data) {
  prepare_heap(280 * KIB);
  return start_sqlite_memory(data);
}

// Where the linker has laid out the variables by startup.order: those that every command writes to are
// the first. Nowhere in other builds.
extern char lean_data[] __attribute__((weak)), lean_bss[] __attribute__((weak));

// Before any other constructor.
__attribute__((constructor(101))) static void prepare_memory(void) {
  if (lean_data != NULL) prepare(lean_data, 40 * KIB);
  if (lean_bss != NULL) prepare(lean_bss, 136 * KIB);

  // The heap grows once, by more than a command needs, and gives nothing back before it is over. What
  // is never written to costs nothing.
  mallopt(M_TOP_PAD, 1024 * KIB);
  mallopt(M_TRIM_THRESHOLD, 1024 * 1024 * KIB);
  mallopt(M_MMAP_THRESHOLD, 32 * 1024 * KIB);
  prepare_heap(40 * KIB);

  sqlite3_mem_methods methods;
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &methods);
  start_sqlite_memory = methods.xInit;
  methods.xInit = prepare_sqlite_memory;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

#endif
