#ifdef POSTGRESQL

#include "CServerBaseline.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The server's numbers are big-endian.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BIG16(number) __builtin_bswap16(number)
#define BIG32(number) __builtin_bswap32(number)
#define BIG64(number) __builtin_bswap64(number)
#else
#define BIG16(number) (number)
#define BIG32(number) (number)
#define BIG64(number) (number)
#endif

#define INT8 20
#define INT8_ARRAY 1016
#define FLOAT8 701
#define FLOAT8_ARRAY 1022

struct CServerBaseline {
  PGconn *connection;
  char schema[64];
};

// Statements contain their schema as `%1$s`, which may occur several times.
static PGresult *execute(
    CServerBaseline *b, const char *format, int count, const Oid *types,
    const char *const *values, const int *lengths) {
  static const int formats[4] = {1, 1, 1, 1};
  char sql[2048];
  snprintf(sql, sizeof sql, format, b->schema);
  return PQexecParams(b->connection, sql, count, types, values, lengths, formats, 1);
}

/// Runs a statement without parameters; returns 0 on success and 1 on failure.
static int run(CServerBaseline *b, const char *format) {
  char sql[2048];
  snprintf(sql, sizeof sql, format, b->schema);
  PGresult *result = PQexec(b->connection, sql);
  ExecStatusType status = PQresultStatus(result);
  PQclear(result);
  return status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN;
}

static int64_t integer(const PGresult *result, int row, int column) {
  uint64_t bits;
  memcpy(&bits, PQgetvalue(result, row, column), 8);
  return (int64_t)BIG64(bits);
}

static double real(const PGresult *result, int row, int column) {
  uint64_t bits;
  memcpy(&bits, PQgetvalue(result, row, column), 8);
  bits = BIG64(bits);
  double number;
  memcpy(&number, &bits, 8);
  return number;
}

int cserverbaseline_open(const char *url, const char *schema, CServerBaseline **baseline) {
  CServerBaseline *b = calloc(1, sizeof *b);
  if (!b) return 1;
  snprintf(b->schema, sizeof b->schema, "\"%s\"", schema);
  b->connection = PQconnectdb(url);
  *baseline = b;
  return PQstatus(b->connection) != CONNECTION_OK;
}

void cserverbaseline_close(CServerBaseline *baseline) {
  PQfinish(baseline->connection);
  free(baseline);
}

const char *cserverbaseline_error(const CServerBaseline *baseline) {
  return PQerrorMessage(baseline->connection);
}

static int begin(CServerBaseline *b) {
  return run(
      b, "BEGIN; SELECT pg_advisory_xact_lock(1);"
         "UPDATE %1$s.Z_METADATA SET Z_STATE = Z_STATE + 1");
}

static int end(CServerBaseline *b, int failed) {
  if (!failed) return run(b, "COMMIT");
  PQclear(PQexec(b->connection, "ROLLBACK"));
  return 1;
}

// MARK: Inserting

// The same walks as in SampleWalk.swift: keep both in sync.
static const char *const notes[] = {
    "Through the park and back", "Met Rex at the pond", "Rain all the way, and he loved it",
    "Short one", "Along the river to the mill and home over the hill",
};

/// The buffered rows of a binary COPY.
typedef struct {
  char bytes[65536];
  int count;
} Rows;

static void put16(Rows *rows, uint16_t number) {
  number = BIG16(number);
  memcpy(rows->bytes + rows->count, &number, 2);
  rows->count += 2;
}

static void put_bytes(Rows *rows, const void *bytes, int32_t length) {
  uint32_t size = BIG32((uint32_t)length);
  memcpy(rows->bytes + rows->count, &size, 4);
  if (length > 0) memcpy(rows->bytes + rows->count + 4, bytes, length);
  rows->count += 4 + (length > 0 ? length : 0);
}

static void put_null(Rows *rows) { put_bytes(rows, NULL, -1); }

static void put_integer(Rows *rows, int64_t number) {
  uint64_t bits = BIG64((uint64_t)number);
  put_bytes(rows, &bits, 8);
}

static void put_real(Rows *rows, double number) {
  uint64_t bits;
  memcpy(&bits, &number, 8);
  bits = BIG64(bits);
  put_bytes(rows, &bits, 8);
}

static void put_walk(Rows *rows, int i, int64_t key, int64_t dog, int64_t order_key) {
  const char *note = notes[i % 5];
  unsigned char uuid[16] = {i & 0xff, i >> 8 & 0xff, i >> 16 & 0xff};
  uuid[15] = i & 0x7f;
  put16(rows, 16);
  put_integer(rows, key);
  put_integer(rows, 4);
  put_integer(rows, 1);
  put_integer(rows, 0);
  put_integer(rows, i % 4);
  put_integer(rows, i % 3);
  put_integer(rows, 3600);
  put_integer(rows, dog);
  put_integer(rows, order_key);
  put_null(rows);
  put_null(rows);
  put_real(rows, 800000000.25 + i * 60.0);
  put_real(rows, 1000.5 + i % 3000);
  put_real(rows, 600.0 + i % 3600);
  put_bytes(rows, note, (int32_t)strlen(note));
  put_bytes(rows, uuid, 16);
}

static int copy_walks(CServerBaseline *b, int walks, int dogs, int64_t *order_keys, int64_t key) {
  if (run(
          b, "COPY %1$s.ZWALK (Z_PK, Z_ENT, Z_OPT, ZISONGOING, ZPEECOUNT, ZPOOCOUNT, ZUTCOFFSET,"
             " ZDOG, Z_FOK_DOG, ZTRACK, ZWALKER, ZDATE, ZDISTANCE, ZDURATION, ZNOTE, ZUUID)"
             " FROM STDIN BINARY"))
    return 1;
  Rows *rows = calloc(1, sizeof *rows);
  memcpy(rows->bytes, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  rows->count = 19;
  int failed = 0;
  for (int i = 0; i < walks && !failed; i++) {
    int dog = i % dogs + 1;
    put_walk(rows, i, key + i, dog, order_keys[dog] += 1024);
    if (rows->count < 60000) continue;
    failed = PQputCopyData(b->connection, rows->bytes, rows->count) != 1;
    rows->count = 0;
  }
  put16(rows, 0xffff);
  failed = failed || PQputCopyData(b->connection, rows->bytes, rows->count) != 1 ||
           PQputCopyEnd(b->connection, NULL) != 1;
  free(rows);
  PGresult *result;
  while ((result = PQgetResult(b->connection))) {
    failed = failed || PQresultStatus(result) != PGRES_COMMAND_OK;
    PQclear(result);
  }
  return failed;
}

int cserverbaseline_insert_walks(CServerBaseline *b, int walks, int dogs) {
  if (begin(b)) return end(b, 1);
  uint64_t count = BIG64((uint64_t)walks);
  const char *values[] = {(const char *)&count};
  PGresult *result = execute(
      b, "UPDATE %1$s.Z_PRIMARYKEY SET Z_MAX = Z_MAX + $1 WHERE Z_NAME = 'Walk' RETURNING Z_MAX", 1,
      (Oid[]){INT8}, values, (int[]){8});
  int failed = PQntuples(result) != 1;
  int64_t key = failed ? 0 : integer(result, 0, 0) - walks + 1;
  PQclear(result);
  result = execute(
      b, "SELECT ZDOG, max(Z_FOK_DOG) FROM %1$s.ZWALK GROUP BY ZDOG", 0, NULL, NULL, NULL);
  int64_t *order_keys = calloc(dogs + 1, sizeof *order_keys);
  // The first member gets 2048, and each appended one the previous key + 1024.
  for (int dog = 1; dog <= dogs; dog++) order_keys[dog] = 1024;
  for (int row = 0; row < PQntuples(result); row++) {
    int64_t dog = integer(result, row, 0);
    if (dog > 0 && dog <= dogs) order_keys[dog] = integer(result, row, 1);
  }
  failed = failed || PQresultStatus(result) != PGRES_TUPLES_OK;
  PQclear(result);
  failed = failed || copy_walks(b, walks, dogs, order_keys, key);
  free(order_keys);
  return end(b, failed);
}

// MARK: Reading

int cserverbaseline_read_walks(CServerBaseline *b, CServerBaselineSum *sum) {
  PGresult *result = execute(
      b, "SELECT Z_PK, Z_ENT, Z_OPT, ZISONGOING, ZPEECOUNT, ZPOOCOUNT, ZUTCOFFSET, ZDOG, Z_FOK_DOG,"
         " ZTRACK, ZWALKER, ZDATE, ZDISTANCE, ZDURATION, ZNOTE, ZUUID FROM %1$s.ZWALK",
      0, NULL, NULL, NULL);
  memset(sum, 0, sizeof *sum);
  int count = PQntuples(result);
  for (int row = 0; row < count; row++) {
    sum->rows++;
    for (int column = 3; column < 7; column++)
      if (!PQgetisnull(result, row, column)) sum->integers += integer(result, row, column);
    for (int column = 11; column < 14; column++)
      if (!PQgetisnull(result, row, column)) sum->reals += real(result, row, column);
    sum->text_bytes += PQgetlength(result, row, 14);
    if (PQgetlength(result, row, 15) == 16) {
      const unsigned char *uuid = (const unsigned char *)PQgetvalue(result, row, 15);
      sum->uuid_bytes += uuid[0] + uuid[15];
    }
  }
  int failed = PQresultStatus(result) != PGRES_TUPLES_OK;
  PQclear(result);
  return failed;
}

int cserverbaseline_read_versions(
    CServerBaseline *b, int count, int64_t **keys, int64_t **versions) {
  uint64_t limit = BIG64((uint64_t)count);
  const char *values[] = {(const char *)&limit};
  PGresult *result = execute(
      b, "SELECT Z_PK, Z_OPT FROM %1$s.ZWALK ORDER BY Z_PK LIMIT $1", 1, (Oid[]){INT8}, values,
      (int[]){8});
  int failed = PQntuples(result) != count;
  *keys = calloc(count, sizeof **keys);
  *versions = calloc(count, sizeof **versions);
  for (int row = 0; row < PQntuples(result); row++) {
    (*keys)[row] = integer(result, row, 0);
    (*versions)[row] = integer(result, row, 1);
  }
  PQclear(result);
  return failed;
}

// MARK: Changing

/// Returns an array of eight-byte numbers in the server's binary format; the caller must free it.
static char *array(const int64_t *numbers, int count, Oid type, int *length) {
  *length = 20 + 12 * count;
  char *bytes = malloc(*length);
  uint32_t header[5] = {BIG32(1), 0, BIG32(type), BIG32((uint32_t)count), BIG32(1)};
  memcpy(bytes, header, 20);
  for (int i = 0; i < count; i++) {
    uint32_t size = BIG32(8);
    uint64_t bits = BIG64((uint64_t)numbers[i]);
    memcpy(bytes + 20 + 12 * i, &size, 4);
    memcpy(bytes + 24 + 12 * i, &bits, 8);
  }
  return bytes;
}

int cserverbaseline_update_walks(
    CServerBaseline *b, const int64_t *keys, const int64_t *versions, int count, double duration) {
  int64_t *durations = calloc(count, sizeof *durations);
  for (int i = 0; i < count; i++) {
    double number = duration + i;
    memcpy(durations + i, &number, 8);
  }
  int lengths[3];
  char *arrays[3] = {
      array(keys, count, INT8, lengths), array(versions, count, INT8, lengths + 1),
      array(durations, count, FLOAT8, lengths + 2)};
  free(durations);
  int failed = begin(b);
  PGresult *result = execute(
      b, "UPDATE %1$s.ZWALK AS t SET ZDURATION = v.d, Z_OPT = t.Z_OPT + 1"
         " FROM unnest($1, $2, $3) AS v (k, o, d) WHERE t.Z_PK = v.k AND t.Z_OPT = v.o"
         " RETURNING t.Z_PK",
      3, (Oid[]){INT8_ARRAY, INT8_ARRAY, FLOAT8_ARRAY}, (const char *const *)arrays, lengths);
  failed = failed || PQntuples(result) != count;
  PQclear(result);
  for (int i = 0; i < 3; i++) free(arrays[i]);
  return end(b, failed);
}

int cserverbaseline_delete_walks(
    CServerBaseline *b, const int64_t *keys, const int64_t *versions, int count) {
  int lengths[2];
  char *arrays[2] = {
      array(keys, count, INT8, lengths), array(versions, count, INT8, lengths + 1)};
  const Oid types[2] = {INT8_ARRAY, INT8_ARRAY};
  int failed = begin(b);
  PGresult *result = execute(
      b, "DELETE FROM %1$s.ZWALK AS t USING unnest($1, $2) AS v (k, o)"
         " WHERE t.Z_PK = v.k AND t.Z_OPT = v.o RETURNING t.Z_PK",
      2, types, (const char *const *)arrays, lengths);
  failed = failed || PQntuples(result) != count;
  PQclear(result);
  // Its links to tags are deleted as well; it has no track.
  result = execute(
      b, "DELETE FROM %1$s.Z_2WALKS WHERE Z_4WALKS = ANY($1)", 1, types,
      (const char *const *)arrays, lengths);
  failed = failed || PQresultStatus(result) != PGRES_COMMAND_OK;
  PQclear(result);
  for (int i = 0; i < 2; i++) free(arrays[i]);
  return end(b, failed);
}

#else
// Without the trait PostgreSQL there is nothing to measure, and libpq is not required.
typedef int NothingToMeasure;
#endif
