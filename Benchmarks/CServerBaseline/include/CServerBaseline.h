#ifndef CSERVERBASELINE_H
#define CSERVERBASELINE_H

#include <stdint.h>

/// The work of the library on a PostgreSQL server by hand in C on libpq: the yardstick of
/// `make bench-server`.
///
/// Works on a store that the library made, so that tables and indexes are the same; locks it,
/// counts its state and keeps `Z_MAX`, `Z_OPT` and order keys as the library does. A function that
/// returns `int` returns 0, or 1 where the server refused; then `cserverbaseline_error` says why.
typedef struct CServerBaseline CServerBaseline;

/// What was read, added up, so that no read can be left out and both sides can be compared.
typedef struct {
  int64_t rows;
  /// Of every integer attribute that is not NULL.
  int64_t integers;
  /// Of every real attribute that is not NULL.
  double reals;
  /// The UTF-8 lengths of every text.
  int64_t text_bytes;
  /// The first and last bytes of every UUID.
  int64_t uuid_bytes;
} CServerBaselineSum;

/// Connects to a server, for a store in one of its schemas.
int cserverbaseline_open(const char *url, const char *schema, CServerBaseline **baseline);
void cserverbaseline_close(CServerBaseline *baseline);
const char *cserverbaseline_error(const CServerBaseline *baseline);

/// Adds walks in one transaction by a binary COPY, in turn to the dogs with the primary keys 1 to
/// `dogs`.
int cserverbaseline_insert_walks(CServerBaseline *baseline, int walks, int dogs);

/// Reads every column of every walk and keeps nothing.
int cserverbaseline_read_walks(CServerBaseline *baseline, CServerBaselineSum *sum);

/// Reads the primary keys and lock counts of the first walks; the caller frees both.
int cserverbaseline_read_versions(
    CServerBaseline *baseline, int count, int64_t **keys, int64_t **versions);

/// Writes a duration into each of the walks with one statement, in one transaction, where they are
/// still as they were read.
int cserverbaseline_update_walks(
    CServerBaseline *baseline, const int64_t *keys, const int64_t *versions, int count,
    double duration);

/// Deletes walks and their links likewise.
int cserverbaseline_delete_walks(
    CServerBaseline *baseline, const int64_t *keys, const int64_t *versions, int count);

#endif
