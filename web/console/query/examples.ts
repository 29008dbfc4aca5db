// Queries to begin with. They work in the embedded store and in PostgreSQL.

export const EXAMPLES = [
  {
    name: 'Pages by host',
    sql: 'SELECT host, count(*) AS pages, sum(bytes) AS bytes, max(fetched_at) AS newest\nFROM pages GROUP BY host ORDER BY pages DESC LIMIT 50',
  },
  { name: 'Newest pages', sql: 'SELECT url, title, fetched_at FROM pages ORDER BY fetched_at DESC LIMIT 50' },
  {
    name: 'Pages with errors',
    sql: 'SELECT url, status_code, fetched_at FROM pages WHERE status_code >= 400 ORDER BY url LIMIT 100',
  },
  {
    name: 'What changed',
    sql: "SELECT url, at, status FROM versions WHERE status <> 'new' ORDER BY at DESC LIMIT 50",
  },
  {
    name: 'Checks of monitors',
    sql: 'SELECT checked_at, url, status, error FROM checks ORDER BY checked_at DESC LIMIT 50',
  },
] as const;
