#ifndef CBASELINE_H
#define CBASELINE_H

#include <stdint.h>

/// The library's work programmed directly with SQLite's C interface: the yardstick of `make bench`.
///
/// It uses a store created by the library, so that tables and indexes are the same. It opens the
/// store with the same settings, maintains `Z_MAX`, `Z_OPT` and order keys in the same way, and
/// prepares every statement once. A function that returns `int` returns an SQLite result code.
typedef struct CBaseline CBaseline;

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
  /// Sum of the columns that are not attributes: primary key, entity, lock count, foreign keys and
  /// order key.
  int64_t bookkeeping;
} CBaselineSum;

/// A row of a walk, with copies of its texts.
typedef struct {
  int64_t primary_key, entity, lock_count, dog, order_key, track, walker;
  int64_t is_ongoing, pee_count, poo_count, utc_offset;
  double date, distance, duration;
  char *note;
  int32_t note_length;
  unsigned char uuid[16];
  /// A bit for each column that is NULL, in the order of the SELECT.
  uint16_t nulls;
} CBaselineWalk;

int cbaseline_open(const char *path, CBaseline **baseline);
void cbaseline_close(CBaseline *baseline);

/// Adds walks in one save, alternating between the dogs with the primary keys 1 to `dogs`.
int cbaseline_insert_walks(CBaseline *baseline, int walks, int dogs);

/// Reads every column of every walk without keeping anything.
int cbaseline_read_walks(CBaseline *baseline, CBaselineSum *sum);

/// Reads every column of every walk, and keeps each row in separately allocated memory.
int cbaseline_fetch_walks(
    CBaseline *baseline, int limit, CBaselineWalk ***walks, int *count, CBaselineSum *sum);
void cbaseline_free_walks(CBaselineWalk **walks, int count);

/// Moves the walks of dogs 1 to `dogs` to the front, dog by dog, and returns their number.
int cbaseline_sort_walks_of_dogs(CBaselineWalk **walks, int count, int dogs);

/// Reads the walks with the primary keys 1 to `count` with one query each, in one read transaction.
int cbaseline_read_walks_one_by_one(CBaseline *baseline, int count, CBaselineSum *sum);

/// Reads every column of a dog's walks, in order.
int cbaseline_read_walks_of_dog(CBaseline *baseline, int64_t dog, CBaselineSum *sum);

/// Reads every column of a dog's walks that began between two dates, excluding the later one.
int cbaseline_read_walks_between(
    CBaseline *baseline, int64_t dog, double from, double to, CBaselineSum *sum);

/// Reads every column of all walks that began between two dates, excluding the later one.
int cbaseline_read_walks_in_range(CBaseline *baseline, double from, double to, CBaselineSum *sum);

/// Reads only the primary keys of these walks.
int cbaseline_read_keys_in_range(CBaseline *baseline, double from, double to, CBaselineSum *sum);

/// Sets the duration of the given walks in one save, if they have not changed since they were read.
int cbaseline_update_walks(CBaseline *baseline, CBaselineWalk **walks, int count, double duration);

/// Sets the duration of every walk with one statement, in one save.
int cbaseline_update_every_walk(CBaseline *baseline, double duration);

/// Deletes the given walks in one save, if they have not changed since they were read.
int cbaseline_delete_walks(CBaseline *baseline, CBaselineWalk **walks, int count);

/// Finds or inserts the dogs named "dog 1" to "dog <count>" by their unique names, in one save.
int cbaseline_find_or_create_dogs(CBaseline *baseline, int count);

/// Opens a store of animals and reads every column of the hounds.
int cbaseline_read_hounds(const char *path, CBaselineSum *sum);

/// Returns the bytes that this process has allocated and not freed; -1 if that is unknown.
int64_t cbaseline_bytes_in_use(void);

#endif
