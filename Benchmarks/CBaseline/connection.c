#include <stdlib.h>

#include "baseline.h"

static int prepare(CBaseline *baseline, sqlite3_stmt **statement, const char *sql) {
  return sqlite3_prepare_v3(baseline->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static int prepare_all(CBaseline *b) {
  int result = prepare(b, &b->begin, "BEGIN IMMEDIATE");
  if (!result) result = prepare(b, &b->commit, "COMMIT");
  if (!result) result = prepare(b, &b->rollback, "ROLLBACK");
  if (!result)
    result = prepare(b, &b->read_max, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Walk'");
  if (!result)
    result = prepare(b, &b->write_max, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'Walk'");
  if (!result)
    result = prepare(b, &b->last_order_key, "SELECT MAX(Z_FOK_DOG) FROM ZWALK WHERE ZDOG = ?");
  if (!result)
    result = prepare(
        b, &b->insert,
        "INSERT INTO ZWALK (" WALK_COLUMNS ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!result) result = prepare(b, &b->select, "SELECT " WALK_COLUMNS " FROM ZWALK LIMIT ?");
  if (!result)
    result = prepare(b, &b->select_one, "SELECT " WALK_COLUMNS " FROM ZWALK WHERE Z_PK = ?");
  if (!result)
    result = prepare(
        b, &b->select_of_dog,
        "SELECT " WALK_COLUMNS " FROM ZWALK WHERE ZDOG = ? ORDER BY Z_FOK_DOG");
  if (!result)
    result = prepare(
        b, &b->select_between,
        "SELECT " WALK_COLUMNS
        " FROM ZWALK WHERE ZDOG = ? AND ZDATE >= ? AND ZDATE < ? ORDER BY ZDATE, Z_PK");
  if (!result)
    result = prepare(
        b, &b->select_range,
        "SELECT " WALK_COLUMNS " FROM ZWALK WHERE ZDATE >= ? AND ZDATE < ?");
  if (!result)
    result = prepare(
        b, &b->select_keys_in_range, "SELECT Z_PK FROM ZWALK WHERE ZDATE >= ? AND ZDATE < ?");
  if (!result)
    result = prepare(
        b, &b->update,
        "UPDATE ZWALK SET ZDURATION = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT = ?");
  if (!result) result = prepare(b, &b->delete, "DELETE FROM ZWALK WHERE Z_PK = ? AND Z_OPT = ?");
  if (!result)
    result = prepare(b, &b->delete_links, "DELETE FROM Z_2WALKS WHERE Z_4WALKS = ?");
  return result;
}

int cbaseline_open(const char *path, CBaseline **baseline) {
  CBaseline *b = calloc(1, sizeof *b);
  if (!b) return SQLITE_NOMEM;
  int result = sqlite3_open_v2(
      path, &b->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
  // With the same settings as SQLiteStore; see DESIGN about the journal.
  if (!result)
    result = sqlite3_exec(
        b->db,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;",
        NULL, NULL, NULL);
#if defined(__APPLE__)
  if (!result) result = sqlite3_exec(b->db, "PRAGMA fullfsync = 1", NULL, NULL, NULL);
#endif
  if (!result) result = prepare_all(b);
  if (result) {
    cbaseline_close(b);
    b = NULL;
  }
  *baseline = b;
  return result;
}

void cbaseline_close(CBaseline *baseline) {
  sqlite3_stmt *statement;
  while ((statement = sqlite3_next_stmt(baseline->db, NULL))) sqlite3_finalize(statement);
  sqlite3_close(baseline->db);
  free(baseline);
}

int baseline_run(sqlite3_stmt *statement) {
  sqlite3_step(statement);
  return sqlite3_reset(statement);
}

int baseline_begin(CBaseline *baseline) { return baseline_run(baseline->begin); }

int baseline_end(CBaseline *baseline, int result) {
  if (result) {
    baseline_run(baseline->rollback);
    return result;
  }
  result = baseline_run(baseline->commit);
  // A save of the benchmark always writes more than the 256 frames from which on the library
  // checkpoints.
  if (!result)
    sqlite3_wal_checkpoint_v2(baseline->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  return result;
}
