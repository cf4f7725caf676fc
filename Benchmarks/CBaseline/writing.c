#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"

// The same walks as in SampleWalk.swift: keep both in sync.
static const char *const notes[] = {
    "Through the park and back", "Met Rex at the pond", "Rain all the way, and he loved it",
    "Short one", "Along the river to the mill and home over the hill",
};

static void bind_walk(sqlite3_stmt *insert, int i, unsigned char uuid[16]) {
  const char *note = notes[i % 5];
  memset(uuid, 0, 16);
  uuid[0] = i & 0xff;
  uuid[1] = i >> 8 & 0xff;
  uuid[2] = i >> 16 & 0xff;
  uuid[15] = i & 0x7f;
  sqlite3_bind_int(insert, 4, 0);
  sqlite3_bind_int(insert, 5, i % 4);
  sqlite3_bind_int(insert, 6, i % 3);
  sqlite3_bind_int(insert, 7, 3600);
  // Without track and walker, so 10 and 11 stay NULL.
  sqlite3_bind_double(insert, 12, 800000000.25 + i * 60.0);
  sqlite3_bind_double(insert, 13, 1000.5 + i % 3000);
  sqlite3_bind_double(insert, 14, 600.0 + i % 3600);
  sqlite3_bind_text(insert, 15, note, strlen(note), SQLITE_STATIC);
  sqlite3_bind_blob(insert, 16, uuid, 16, SQLITE_STATIC);
}

/// Reads a single number with a statement; 0 for NULL.
static int read_number(sqlite3_stmt *statement, int64_t *number) {
  if (sqlite3_step(statement) == SQLITE_ROW) *number = sqlite3_column_int64(statement, 0);
  return sqlite3_reset(statement);
}

static int insert_walks(CBaseline *b, int walks, int dogs, int64_t *order_keys) {
  int64_t max = 0;
  int result = read_number(b->read_max, &max);
  for (int dog = 1; dog <= dogs && !result; dog++) {
    sqlite3_bind_int(b->last_order_key, 1, dog);
    result = read_number(b->last_order_key, &order_keys[dog]);
    // The first member gets 2048, and each appended one the previous key + 1024.
    if (order_keys[dog] < 1024) order_keys[dog] = 1024;
  }
  sqlite3_bind_int(b->insert, 2, 4);
  sqlite3_bind_int(b->insert, 3, 1);
  for (int i = 0; i < walks && !result; i++) {
    unsigned char uuid[16];
    int dog = i % dogs + 1;
    bind_walk(b->insert, i, uuid);
    sqlite3_bind_int64(b->insert, 1, ++max);
    sqlite3_bind_int64(b->insert, 8, dog);
    sqlite3_bind_int64(b->insert, 9, order_keys[dog] += 1024);
    result = baseline_run(b->insert);
  }
  sqlite3_bind_int64(b->write_max, 1, max);
  return result ? result : baseline_run(b->write_max);
}

int cbaseline_insert_walks(CBaseline *baseline, int walks, int dogs) {
  int result = baseline_begin(baseline);
  if (result) return result;
  int64_t *order_keys = calloc(dogs + 1, sizeof *order_keys);
  result = insert_walks(baseline, walks, dogs, order_keys);
  free(order_keys);
  return baseline_end(baseline, result);
}

/// Runs a statement that must change one row; otherwise the row has changed since it was read.
static int change_one(CBaseline *baseline, sqlite3_stmt *statement) {
  int result = baseline_run(statement);
  return result ? result : sqlite3_changes(baseline->db) == 1 ? SQLITE_OK : SQLITE_BUSY_SNAPSHOT;
}

int cbaseline_update_walks(CBaseline *baseline, CBaselineWalk **walks, int count, double duration) {
  int result = baseline_begin(baseline);
  if (result) return result;
  for (int i = 0; i < count && !result; i++) {
    sqlite3_bind_double(baseline->update, 1, duration + i);
    sqlite3_bind_int64(baseline->update, 2, walks[i]->primary_key);
    sqlite3_bind_int64(baseline->update, 3, walks[i]->lock_count);
    result = change_one(baseline, baseline->update);
  }
  return baseline_end(baseline, result);
}

int cbaseline_update_every_walk(CBaseline *baseline, double duration) {
  int result = baseline_begin(baseline);
  if (result) return result;
  sqlite3_stmt *update = NULL;
  result = sqlite3_prepare_v2(
      baseline->db, "UPDATE ZWALK SET ZDURATION = ?", -1, &update, NULL);
  if (!result) {
    sqlite3_bind_double(update, 1, duration);
    result = baseline_run(update);
  }
  sqlite3_finalize(update);
  return baseline_end(baseline, result);
}

int cbaseline_delete_walks(CBaseline *baseline, CBaselineWalk **walks, int count) {
  int result = baseline_begin(baseline);
  if (result) return result;
  for (int i = 0; i < count && !result; i++) {
    sqlite3_bind_int64(baseline->delete, 1, walks[i]->primary_key);
    sqlite3_bind_int64(baseline->delete, 2, walks[i]->lock_count);
    result = change_one(baseline, baseline->delete);
    if (result) break;
    // Its links to tags are deleted as well; it has no track.
    sqlite3_bind_int64(baseline->delete_links, 1, walks[i]->primary_key);
    result = baseline_run(baseline->delete_links);
  }
  return baseline_end(baseline, result);
}

static int find_or_create_dogs(CBaseline *b, int count, sqlite3_stmt *find, sqlite3_stmt *insert) {
  int64_t max = 0;
  sqlite3_stmt *last = NULL;
  int result = sqlite3_prepare_v2(
      b->db, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Dog'", -1, &last, NULL);
  if (!result) result = read_number(last, &max);
  sqlite3_finalize(last);
  for (int i = 1; i <= count && !result; i++) {
    char name[32];
    int length = snprintf(name, sizeof name, "dog %d", i);
    int64_t key = 0;
    sqlite3_bind_text(find, 1, name, length, SQLITE_STATIC);
    result = read_number(find, &key);
    if (result || key) continue;
    sqlite3_bind_int64(insert, 1, ++max);
    sqlite3_bind_text(insert, 2, name, length, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, name, length, SQLITE_STATIC);
    result = baseline_run(insert);
  }
  if (result || sqlite3_prepare_v2(
                    b->db, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'Dog'", -1, &last,
                    NULL))
    return result ? result : sqlite3_errcode(b->db);
  sqlite3_bind_int64(last, 1, max);
  result = baseline_run(last);
  sqlite3_finalize(last);
  return result;
}

int cbaseline_find_or_create_dogs(CBaseline *baseline, int count) {
  int result = baseline_begin(baseline);
  if (result) return result;
  sqlite3_stmt *find = NULL, *insert = NULL;
  result = sqlite3_prepare_v2(
      baseline->db, "SELECT Z_PK FROM ZDOG WHERE ZNAMEKEY = ?", -1, &find, NULL);
  if (!result)
    result = sqlite3_prepare_v2(
        baseline->db,
        "INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNAMEKEY, ZUUID) "
        "VALUES (?, 1, 1, ?, ?, randomblob(16))",
        -1, &insert, NULL);
  if (!result) result = find_or_create_dogs(baseline, count, find, insert);
  sqlite3_finalize(find);
  sqlite3_finalize(insert);
  return baseline_end(baseline, result);
}
