#ifndef CSERVERBASELINE_H
#define CSERVERBASELINE_H

#include <stdint.h>

/// The library's work on a PostgreSQL server programmed directly with libpq: the yardstick of `make
/// bench-server`.
///
/// It uses a store created by the library, so that tables and indexes are the same. It locks the
/// store, increments its state and maintains `Z_MAX`, `Z_OPT` and order keys in the same way. A
/// function that returns `int` returns 0, or 1 after an error, which `cserverbaseline_error`
/// describes.
typedef struct CServerBaseline CServerBaseline;

/// Sums of the values read, so that no read can be optimised away and both sides can be compared.
typedef struct {
  int64_t rows;
  /// Sum of all integer attributes that are not NULL.
  int64_t integers;
  /// Sum of all real attributes that are not NULL.
  double reals;
  /// Total length of all texts in UTF-8.
  int64_t text_bytes;
  /// Sum of the first and last bytes of all UUIDs.
  int64_t uuid_bytes;
} CServerBaselineSum;

/// Connects to a server for a store in one of its schemas.
int cserverbaseline_open(const char *url, const char *schema, CServerBaseline **baseline);
void cserverbaseline_close(CServerBaseline *baseline);
const char *cserverbaseline_error(const CServerBaseline *baseline);

/// Adds walks in one transaction with a binary COPY, alternating between the dogs with the primary
/// keys 1 to `dogs`.
int cserverbaseline_insert_walks(CServerBaseline *baseline, int walks, int dogs);

/// Reads every column of every walk without keeping anything.
int cserverbaseline_read_walks(CServerBaseline *baseline, CServerBaselineSum *sum);

/// Reads the primary keys and lock counts of the first walks; the caller must free both arrays.
int cserverbaseline_read_versions(
    CServerBaseline *baseline, int count, int64_t **keys, int64_t **versions);

/// Sets the duration of walks with one statement in one transaction, if they have not changed since
/// they were read.
int cserverbaseline_update_walks(
    CServerBaseline *baseline, const int64_t *keys, const int64_t *versions, int count,
    double duration);

/// Deletes walks and their links in the same way.
int cserverbaseline_delete_walks(
    CServerBaseline *baseline, const int64_t *keys, const int64_t *versions, int count);

#endif
