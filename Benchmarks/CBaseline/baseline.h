#ifndef BASELINE_H
#define BASELINE_H

#include <sqlite3.h>

#include "CBaseline.h"

#define WALK_COLUMNS \
  "Z_PK, Z_ENT, Z_OPT, ZISONGOING, ZPEECOUNT, ZPOOCOUNT, ZUTCOFFSET, ZDOG, Z_FOK_DOG, ZTRACK, " \
  "ZWALKER, ZDATE, ZDISTANCE, ZDURATION, ZNOTE, ZUUID"

struct CBaseline {
  sqlite3 *db;
  sqlite3_stmt *begin, *commit, *rollback;
  sqlite3_stmt *read_max, *write_max, *last_order_key;
  sqlite3_stmt *insert, *select, *select_one, *select_of_dog, *select_between, *update, *delete, *delete_links;
  sqlite3_stmt *select_range, *select_keys_in_range;
};

/// Begin and end a save, including the checkpoint after it.
int baseline_begin(CBaseline *baseline);
int baseline_end(CBaseline *baseline, int result);

/// Runs a statement without result rows, and resets it for the next use.
int baseline_run(sqlite3_stmt *statement);

#endif
