// Reads plain-text sitemaps: one URL per line.
import { createCollector, notASitemap, readAddress, type SitemapReader } from './sitemap-reader.ts';

// Longer than any URL. The rest of such a line is dropped.
const MAX_LINE = 20_000;

export function createTextReader(base: URL, maxUrls: number): SitemapReader {
  const found = createCollector(maxUrls);
  let rest = '';
  let isKnown = false;

  const read = (line: string) => {
    const text = line.trim();
    if (text === '') return;
    const url = /^https?:\/\//i.test(text) ? readAddress(text, base) : undefined;
    // An error page such as "Not found" is plain text too.
    if (!isKnown && url === undefined) throw notASitemap();
    isKnown = true;
    if (url !== undefined) found.add('entries', { url });
  };

  return {
    write(text) {
      const lines = (rest + text).split(/[\r\n]+/);
      rest = lines.pop()!.slice(0, MAX_LINE);
      for (const line of lines) read(line);
      if (!isKnown && rest.length === MAX_LINE) throw notASitemap();
    },
    end() {
      read(rest);
    },
    take: found.take,
  };
}
