# Reads a table over HTTP as a data engineer does, in the parts that a query needs, and prints what it finds as JSON. Reads the
# address and the key as JSON from standard input; `file` is the same table on disk.
import json
import sys
from datetime import datetime, timezone

import duckdb
from fsspec.implementations.http import HTTPFileSystem


class Web(HTTPFileSystem):
    # DuckDB asks when a file was changed, which HTTP need not say.
    def modified(self, path):
        return datetime(2026, 1, 1, tzinfo=timezone.utc)


given = json.load(sys.stdin)
headers = {"Authorization": f"Bearer {given['key']}"}
connection = duckdb.connect()
connection.execute("SET TimeZone = 'UTC'")
connection.register_filesystem(Web(client_kwargs={"headers": headers}))
table = f"read_parquet('{given['url']}')"
columns = connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
pages = connection.execute(f"SELECT url, title, statusCode, len(links), length(markdown), epoch_ms(fetchedAt) FROM {table} ORDER BY url").fetchall()
hosts = connection.execute(f"SELECT count(*), count(DISTINCT url), json_extract_string(metadata, '$.scrapeId') = scrapeId FROM {table} GROUP BY 3").fetchall()
on_disk = connection.execute(f"SELECT count(*) FROM read_parquet('{given['files']}')").fetchone()
print(json.dumps({"columns": [row[:2] for row in columns], "pages": pages, "hosts": hosts, "onDisk": on_disk[0]}))
