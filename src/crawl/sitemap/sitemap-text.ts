// Reads what lists addresses by line: plain-text sitemaps, with nothing else in a line, and llms.txt.
import { readLlmsLine } from '../../text/llms-text.ts';
import { createCollector, notASitemap, readAddress, type SitemapReader } from './sitemap-reader.ts';

// Longer than any URL. The rest of such a line is dropped.
const MAX_LINE = 20_000;

export function createTextReader(base: URL, maxUrls: number): SitemapReader {
  const found = createCollector(maxUrls);
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
  return { ...byLine(read, () => isKnown), take: found.take };
}

/** Lines other than the links are for readers. What begins without a heading is another file, such as a page. */
export function createLlmsReader(base: URL, maxUrls: number): SitemapReader {
  const found = createCollector(maxUrls);
  let isKnown = false;
  const read = (line: string) => {
    if (line.trim() === '') return;
    if (!isKnown && !/^\s*#/.test(line)) throw notASitemap();
    isKnown = true;
    const link = readLlmsLine(line.slice(0, MAX_LINE));
    const url = link && readAddress(link.url, base);
    if (url === undefined) return;
    const { name, note } = link!;
    found.add('entries', { url, ...(name !== '' && { title: name }), ...(note !== '' && { description: note }) });
  };
  return { ...byLine(read, () => isKnown), take: found.take };
}

function byLine(read: (line: string) => void, isKnown: () => boolean): Pick<SitemapReader, 'write' | 'end'> {
  let rest = '';
  return {
    write(text) {
      const lines = (rest + text).split(/[\r\n]+/);
      rest = lines.pop()!.slice(0, MAX_LINE);
      for (const line of lines) read(line);
      if (!isKnown() && rest.length === MAX_LINE) throw notASitemap();
    },
    end() {
      read(rest);
    },
  };
}
