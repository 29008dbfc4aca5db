// The errors of SQL queries: a part of the one table in error-table.ts.

export const QUERY_ERRORS = {
  QUERY_INVALID: {
    status: 400,
    text: 'The SQL cannot be run. The message says why. GET /v2/query/schema lists the tables and their columns.',
  },
  QUERY_TIMEOUT: {
    status: 408,
    text: 'The query took longer than it may. Narrow it down (by `url` or `host`, which are fast), leave out columns of texts, or raise `timeout`.',
  },
  QUERY_TOO_LARGE: {
    status: 422,
    text: 'The result is larger than 16 MB. Name the columns that you need, add LIMIT, or count and group in SQL.',
  },
  QUERY_OUT_OF_MEMORY: {
    status: 422,
    text: 'The query needs more memory than the 256 MB that one may use. Sort and group less at once, and leave out columns of texts.',
  },
  TOO_MANY_QUERIES: {
    status: 429,
    text: 'Your team runs two queries already, which is the limit. Wait until one of them has ended.',
  },
  QUERY_ROLE_MISSING: {
    status: 501,
    text: 'The database has no role with which queries could be run. The message has the statement that its administrator has to run.',
  },
} as const;
