-- What only one scrape has: links to its own files, and null for formats that its page cannot give.
ALTER TABLE scrapes ADD COLUMN own_content TEXT; -- JSON

-- Screenshots of cached pages. The file stays as long as its page, or as long as the last link to it.
CREATE TABLE screenshots (
  page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  options TEXT NOT NULL,
  file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  PRIMARY KEY (page_id, options)
) STRICT, WITHOUT ROWID;

CREATE INDEX screenshots_by_file ON screenshots (file_id);
