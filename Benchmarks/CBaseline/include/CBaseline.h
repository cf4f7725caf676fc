#ifndef CBASELINE_H
#define CBASELINE_H

#include <stdint.h>

/// What the library does, done by hand over SQLite's C interface: the yardstick of `make bench`.
///
/// Works on a store that the library made, so that tables and indexes are the same; opens it as the
/// library does, keeps `Z_MAX`, `Z_OPT` and order keys as the library does, and prepares every
/// statement once. A function that returns `int` returns an SQLite result code.
typedef struct CBaseline CBaseline;

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
  /// Of what is no attribute: primary key, entity, lock count, foreign keys and order key.
  int64_t bookkeeping;
} CBaselineSum;

/// A walk's row, with copies of its texts.
typedef struct {
  int64_t primary_key, entity, lock_count, dog, order_key, track, walker;
  int64_t is_ongoing, pee_count, poo_count, utc_offset;
  double date, distance, duration;
  char *note;
  int32_t note_length;
  unsigned char uuid[16];
  /// One bit a column that is NULL, in the order of the SELECT.
  uint16_t nulls;
} CBaselineWalk;

int cbaseline_open(const char *path, CBaseline **baseline);
void cbaseline_close(CBaseline *baseline);

/// Adds walks in one save, in turn to the dogs with the primary keys 1 to `dogs`.
int cbaseline_insert_walks(CBaseline *baseline, int walks, int dogs);

/// Reads every column of every walk and keeps nothing.
int cbaseline_read_walks(CBaseline *baseline, CBaselineSum *sum);

/// Reads every column of every walk and keeps each row in memory of its own.
int cbaseline_fetch_walks(
    CBaseline *baseline, int limit, CBaselineWalk ***walks, int *count, CBaselineSum *sum);
void cbaseline_free_walks(CBaselineWalk **walks, int count);

/// Puts the walks of dogs 1 to `dogs` in front, one dog's after the other's; gives how many.
int cbaseline_sort_walks_of_dogs(CBaselineWalk **walks, int count, int dogs);

/// Reads the walks with the primary keys 1 to `count`, one query each, in one read transaction.
int cbaseline_read_walks_one_by_one(CBaseline *baseline, int count, CBaselineSum *sum);

/// Reads every column of a dog's walks, in their order.
int cbaseline_read_walks_of_dog(CBaseline *baseline, int64_t dog, CBaselineSum *sum);

/// Reads every column of a dog's walks that began between two instants, the later one excluded.
int cbaseline_read_walks_between(
    CBaseline *baseline, int64_t dog, double from, double to, CBaselineSum *sum);

/// Reads every column of all walks that began between two instants, the later one excluded.
int cbaseline_read_walks_in_range(CBaseline *baseline, double from, double to, CBaselineSum *sum);

/// Reads the primary keys of these walks, and nothing else of them.
int cbaseline_read_keys_in_range(CBaseline *baseline, double from, double to, CBaselineSum *sum);

/// Writes a duration into each of the walks, in one save, where they are still as they were read.
int cbaseline_update_walks(CBaseline *baseline, CBaselineWalk **walks, int count, double duration);

/// Writes a duration into every walk with one statement, in one save.
int cbaseline_update_every_walk(CBaseline *baseline, double duration);

/// Deletes the walks, in one save, where they are still as they were read.
int cbaseline_delete_walks(CBaseline *baseline, CBaselineWalk **walks, int count);

/// Finds or inserts the dogs named "dog 1" to "dog <count>" by their unique names, in one save.
int cbaseline_find_or_create_dogs(CBaseline *baseline, int count);

/// Opens a store of animals and reads every column of those that are hounds.
int cbaseline_read_hounds(const char *path, CBaselineSum *sum);

/// The bytes that this process has allocated and not freed; -1 where that cannot be asked.
int64_t cbaseline_bytes_in_use(void);

#endif
