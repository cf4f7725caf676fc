#include <stddef.h>
#include <stdint.h>

#include "baseline.h"

int cbaseline_read_hounds(const char *path, CBaselineSum *sum) {
  sqlite3 *connection;
  int result = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, NULL);
  sqlite3_stmt *select = NULL;
  if (result == SQLITE_OK)
    result = sqlite3_prepare_v2(
        connection,
        "SELECT Z_PK, Z_ENT, Z_OPT, ZAGE, ZTRICKS, ZWEIGHT, ZNAME, ZBREED FROM ZANIMAL "
        "WHERE Z_ENT = 3 ORDER BY Z_PK",
        -1, &select, NULL);
  while (result == SQLITE_OK && sqlite3_step(select) == SQLITE_ROW) {
    sum->rows += 1;
    sum->bookkeeping += sqlite3_column_int64(select, 0) + sqlite3_column_int64(select, 1) +
                        sqlite3_column_int64(select, 2);
    for (int column = 3; column < 5; column++)
      if (sqlite3_column_type(select, column) != SQLITE_NULL)
        sum->integers += sqlite3_column_int64(select, column);
    if (sqlite3_column_type(select, 5) != SQLITE_NULL)
      sum->reals += sqlite3_column_double(select, 5);
    for (int column = 6; column < 8; column++)
      if (sqlite3_column_text(select, column))
        sum->text_bytes += sqlite3_column_bytes(select, column);
  }
  sqlite3_finalize(select);
  sqlite3_close(connection);
  return result;
}
