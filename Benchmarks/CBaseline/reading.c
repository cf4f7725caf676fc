#include <stdlib.h>
#include <string.h>

#include "baseline.h"

static int64_t integer(sqlite3_stmt *row, int column, uint16_t *nulls) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) {
    *nulls |= 1u << column;
    return 0;
  }
  return sqlite3_column_int64(row, column);
}

static double real(sqlite3_stmt *row, int column, uint16_t *nulls) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) {
    *nulls |= 1u << column;
    return 0;
  }
  return sqlite3_column_double(row, column);
}

/// The text is in SQLite's memory, and valid until the next step.
static const char *text(sqlite3_stmt *row, int column, int32_t *length, uint16_t *nulls) {
  const char *bytes = (const char *)sqlite3_column_text(row, column);
  *length = sqlite3_column_bytes(row, column);
  if (!bytes) *nulls |= 1u << column;
  return bytes;
}

static void read_row(sqlite3_stmt *row, CBaselineWalk *walk) {
  uint16_t nulls = 0;
  walk->primary_key = sqlite3_column_int64(row, 0);
  walk->entity = sqlite3_column_int64(row, 1);
  walk->lock_count = integer(row, 2, &nulls);
  walk->is_ongoing = integer(row, 3, &nulls);
  walk->pee_count = integer(row, 4, &nulls);
  walk->poo_count = integer(row, 5, &nulls);
  walk->utc_offset = integer(row, 6, &nulls);
  walk->dog = integer(row, 7, &nulls);
  walk->order_key = integer(row, 8, &nulls);
  walk->track = integer(row, 9, &nulls);
  walk->walker = integer(row, 10, &nulls);
  walk->date = real(row, 11, &nulls);
  walk->distance = real(row, 12, &nulls);
  walk->duration = real(row, 13, &nulls);
  walk->note = (char *)text(row, 14, &walk->note_length, &nulls);
  const void *uuid = sqlite3_column_blob(row, 15);
  if (uuid && sqlite3_column_bytes(row, 15) == 16)
    memcpy(walk->uuid, uuid, 16);
  else
    nulls |= 1u << 15;
  walk->nulls = nulls;
}

static void add(const CBaselineWalk *walk, CBaselineSum *sum) {
  sum->rows += 1;
  sum->integers += walk->is_ongoing + walk->pee_count + walk->poo_count + walk->utc_offset;
  sum->reals += walk->date + walk->distance + walk->duration;
  sum->text_bytes += walk->note_length;
  if (!(walk->nulls & 1u << 15)) sum->uuid_bytes += walk->uuid[0] + walk->uuid[15];
  sum->bookkeeping +=
      walk->primary_key + walk->entity + walk->lock_count + walk->dog + walk->order_key;
}

static int read_all(sqlite3_stmt *select, CBaselineSum *sum) {
  CBaselineWalk walk;
  while (sqlite3_step(select) == SQLITE_ROW) {
    read_row(select, &walk);
    add(&walk, sum);
  }
  return sqlite3_reset(select);
}

int cbaseline_read_walks(CBaseline *baseline, CBaselineSum *sum) {
  sqlite3_bind_int(baseline->select, 1, -1);
  return read_all(baseline->select, sum);
}

int cbaseline_read_walks_one_by_one(CBaseline *baseline, int count, CBaselineSum *sum) {
  int result = sqlite3_exec(baseline->db, "BEGIN", NULL, NULL, NULL);
  for (int key = 1; !result && key <= count; key++) {
    sqlite3_bind_int64(baseline->select_one, 1, key);
    result = read_all(baseline->select_one, sum);
  }
  int end = sqlite3_exec(baseline->db, "COMMIT", NULL, NULL, NULL);
  return result ? result : end;
}

int cbaseline_read_walks_of_dog(CBaseline *baseline, int64_t dog, CBaselineSum *sum) {
  sqlite3_bind_int64(baseline->select_of_dog, 1, dog);
  return read_all(baseline->select_of_dog, sum);
}

int cbaseline_read_walks_between(
    CBaseline *baseline, int64_t dog, double from, double to, CBaselineSum *sum) {
  sqlite3_bind_int64(baseline->select_between, 1, dog);
  sqlite3_bind_double(baseline->select_between, 2, from);
  sqlite3_bind_double(baseline->select_between, 3, to);
  return read_all(baseline->select_between, sum);
}

int cbaseline_read_walks_in_range(
    CBaseline *baseline, double from, double to, CBaselineSum *sum) {
  sqlite3_bind_double(baseline->select_range, 1, from);
  sqlite3_bind_double(baseline->select_range, 2, to);
  return read_all(baseline->select_range, sum);
}

int cbaseline_read_keys_in_range(
    CBaseline *baseline, double from, double to, CBaselineSum *sum) {
  sqlite3_stmt *select = baseline->select_keys_in_range;
  sqlite3_bind_double(select, 1, from);
  sqlite3_bind_double(select, 2, to);
  while (sqlite3_step(select) == SQLITE_ROW) {
    sum->rows += 1;
    sum->bookkeeping += sqlite3_column_int64(select, 0);
  }
  return sqlite3_reset(select);
}

static char *copy_of(const char *bytes, int32_t length) {
  if (!bytes) return NULL;
  char *copy = malloc(length + 1);
  memcpy(copy, bytes, length + 1);
  return copy;
}

int cbaseline_fetch_walks(
    CBaseline *baseline, int limit, CBaselineWalk ***walks, int *count, CBaselineSum *sum) {
  CBaselineWalk **rows = NULL;
  int room = 0, used = 0;
  sqlite3_bind_int(baseline->select, 1, limit);
  while (sqlite3_step(baseline->select) == SQLITE_ROW) {
    if (used == room) {
      room = room ? room * 2 : 64;
      rows = realloc(rows, room * sizeof *rows);
    }
    CBaselineWalk *walk = malloc(sizeof *walk);
    read_row(baseline->select, walk);
    walk->note = copy_of(walk->note, walk->note_length);
    rows[used++] = walk;
  }
  int result = sqlite3_reset(baseline->select);
  for (int i = 0; i < used; i++) add(rows[i], sum);
  *walks = rows;
  *count = used;
  return result;
}

int cbaseline_sort_walks_of_dogs(CBaselineWalk **walks, int count, int dogs) {
  int sorted = 0;
  for (int dog = 1; dog <= dogs; dog++) {
    for (int i = sorted; i < count; i++) {
      if (walks[i]->dog != dog) continue;
      CBaselineWalk *found = walks[i];
      memmove(&walks[sorted + 1], &walks[sorted], (i - sorted) * sizeof *walks);
      walks[sorted++] = found;
    }
  }
  return sorted;
}

void cbaseline_free_walks(CBaselineWalk **walks, int count) {
  for (int i = 0; i < count; i++) {
    free(walks[i]->note);
    free(walks[i]);
  }
  free(walks);
}
