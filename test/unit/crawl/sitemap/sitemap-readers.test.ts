import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SitemapReader } from '../../../../src/crawl/sitemap/sitemap-reader.ts';
import { createTextReader } from '../../../../src/crawl/sitemap/sitemap-text.ts';
import { createXmlReader } from '../../../../src/crawl/sitemap/sitemap-xml.ts';

const BASE = new URL('https://site.test/maps/sitemap.xml');

/** Feeds a reader in chunks of any size; returns what it found, and its error if any. */
function run(reader: SitemapReader, text: string, size = text.length) {
  let problem: string | undefined;
  try {
    for (let at = 0; at < text.length; at += size) reader.write(text.slice(at, at + size));
    reader.end();
  } catch (error) {
    problem = (error as Error).message;
  }
  return { ...reader.take(), problem };
}

const xml = (text: string, maxUrls = 50_000, size?: number) => run(createXmlReader(BASE, maxUrls), text, size);
const plain = (text: string, maxUrls = 50_000, size?: number) => run(createTextReader(BASE, maxUrls), text, size);
const urls = ({ entries }: ReturnType<typeof run>) => entries.map(({ url }) => url);

const urlset = (...locs: string[]) =>
  `<?xml version="1.0"?><urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`;

test('a urlset yields its URLs with normalised dates', () => {
  const { entries, sitemaps, problem } = xml(`<?xml version="1.0" encoding="UTF-8"?>
    <?xml-stylesheet type="text/xsl" href="/style.xsl"?>
    <!-- made by hand -->
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>https://site.test/a</loc><lastmod>2026-01-15</lastmod><priority>0.5</priority></url>
      <url><lastmod>2026-01-15T10:00:00+02:00</lastmod><loc>
        https://site.test/b?x=1&amp;y=&#x32;
      </loc></url>
      <url><loc><![CDATA[https://site.test/c?x=1&y=2]]></loc><lastmod>yesterday</lastmod></url>
      <url><lastmod>2026-01-15</lastmod></url>
    </urlset>`);
  assert.deepEqual(entries, [
    { url: 'https://site.test/a', lastModified: Date.parse('2026-01-16T12:00Z') },
    { url: 'https://site.test/b?x=1&y=2', lastModified: Date.parse('2026-01-15T08:00Z') },
    { url: 'https://site.test/c?x=1&y=2' },
  ]);
  assert.deepEqual(sitemaps, []);
  assert.equal(problem, undefined);
});

test('a sitemap index yields further sitemaps', () => {
  const found = xml(
    '<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2026</lastmod></sitemap><sitemap><loc>b.xml.gz</loc></sitemap></sitemapindex>',
  );
  assert.deepEqual(found, {
    entries: [],
    sitemaps: ['https://site.test/a.xml', 'https://site.test/maps/b.xml.gz'],
    problem: undefined,
  });
});

test('prefixes are ignored, and images, videos and news are not pages', () => {
  const { entries } = xml(`<sm:urlset xmlns:sm="x" xmlns:image="y"><sm:url><sm:loc>https://site.test/a</sm:loc>
    <image:image><image:loc>https://site.test/a.png</image:loc><image:title>Picture</image:title></image:image>
    <video:video><video:player_loc>https://site.test/v</video:player_loc><video:title>Film</video:title></video:video>
    <news:news><news:publication><news:name>N</news:name></news:publication><news:title>Big &amp; new</news:title></news:news>
    <xhtml:link rel="alternate" hreflang="de" href="https://site.test/de"/></sm:url></sm:urlset>`);
  assert.deepEqual(entries, [{ url: 'https://site.test/a', title: 'Big & new' }]);
});

test('RSS, RDF and Atom feeds are read as sitemaps', () => {
  const rss =
    xml(`<rss version="2.0"><channel><title>C</title><link>https://site.test/</link><atom:link rel="self" href="/rss"/>
    <image><url>/i.png</url><title>I</title><link>/image</link></image>
    <item><title><![CDATA[One & two]]></title><link>https://site.test/1</link><guid>x</guid>
      <pubDate>Thu, 15 Jan 2026 08:30:00 GMT</pubDate><description>&lt;a href="/no"&gt;</description></item>
    <item><title>No address</title></item><item><link>/2</link></item></channel></rss>`);
  assert.deepEqual(rss.entries, [{ url: 'https://site.test/1', title: 'One & two' }, { url: 'https://site.test/2' }]);
  const rdf = xml(`<rdf:RDF xmlns:rdf="x"><channel><link>https://site.test/</link></channel>
    <item rdf:about="x"><title>T</title><link>https://site.test/3</link><dc:date>2026-01-15</dc:date></item></rdf:RDF>`);
  assert.deepEqual(rdf.entries, [{ url: 'https://site.test/3', title: 'T' }]);
  const atom = xml(`<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://site.test/"/><title>F</title>
    <entry><title type="html">E &lt;b></title><link rel="edit" href="/edit"/><link rel="alternate" href="4"/><link href="5"/>
      <published>2026-01-13T00:00:00Z</published><updated>2026-01-14T00:00:00Z</updated><content><link href="/no"/></content></entry></feed>`);
  assert.deepEqual(atom.entries, [
    { url: 'https://site.test/maps/4', title: 'E <b>', lastModified: Date.parse('2026-01-14T00:00Z') },
  ]);
});

test('broken XML ends the file, and the entries before it are kept', () => {
  const found = xml('<urlset><url><loc>https://site.test/a</loc></url><url><loc>https://site.test/b</url></urlset>');
  assert.deepEqual(urls(found), ['https://site.test/a']);
  assert.match(found.problem ?? '', /^Its XML is broken: /);
  const cut = xml(urlset('https://site.test/a', 'https://site.test/b').slice(0, -20));
  assert.deepEqual(urls(cut), ['https://site.test/a']);
  assert.match(cut.problem ?? '', /broken/);
});

test('anything after the root element is ignored', () => {
  for (const rest of ['<!-- 0.1 s -->', '<script>x</script>', 'Fatal error: & <', '\0']) {
    const found = xml(urlset('https://site.test/a') + rest);
    assert.deepEqual([urls(found), found.problem], [['https://site.test/a'], undefined], rest);
  }
});

test('bare ampersands, control characters and whitespace before the declaration are tolerated', () => {
  const found = xml(
    `\ufeff\r\n ${urlset('https://site.test/?a=1&b=2', 'https://site.test/?c&amp;amp;d', 'https://site.test/&nbsp;\b&', 'https://site.test/end')}`,
  );
  assert.deepEqual(urls(found), [
    'https://site.test/?a=1&b=2',
    'https://site.test/?c&d',
    'https://site.test/&nbsp;&',
    'https://site.test/end',
  ]);
  assert.equal(found.problem, undefined);
});

test('declared entities are never expanded', () => {
  const found =
    xml(`<!DOCTYPE urlset [<!ENTITY a "https://site.test/x"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
    <urlset><url><loc>https://site.test/&b;</loc></url><url><loc>&c;</loc></url></urlset>`);
  assert.deepEqual(urls(found), ['https://site.test/&b;', 'https://site.test/maps/&c;']);
});

test('other XML, HTML and garbage are rejected', () => {
  for (const text of [
    '<!DOCTYPE html><html><body><url><loc>https://site.test/a</loc></url></body></html>',
    '<!doctype html><p>Not found',
    '<html><urlset><url><loc>https://site.test/a</loc></url></urlset></html>',
    '<constructor><url/></constructor>',
    '<',
    '<?xml',
    '<br>Warning<br><urlset/>',
  ]) {
    const found = xml(text);
    assert.deepEqual([urls(found), found.problem], [[], 'The file is neither a sitemap nor a feed.'], text);
  }
});

test('only http and https URLs without credentials are accepted', () => {
  const found = xml(
    urlset(
      'ftp://site.test/a',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://me:secret@site.test/',
      'http://[bad',
      '',
      `https://site.test/${'x'.repeat(17_000)}`,
      '//other.test/ok',
      'HTTPS://Other.test/../OK',
    ),
  );
  assert.deepEqual(urls(found), ['https://other.test/ok', 'https://other.test/OK']);
});

test('at most `maxUrls` URLs are read from one file', () => {
  const found = xml(urlset(...Array.from({ length: 5 }, (_, index) => `/${index}`)), 3);
  assert.deepEqual(urls(found), ['https://site.test/0', 'https://site.test/1', 'https://site.test/2']);
  assert.match(found.problem ?? '', /more than 3 addresses/);
  assert.equal(xml(urlset('/1', '/2', '/3'), 3).problem, undefined);
});

test('nesting depth and token length are bounded', () => {
  assert.match(xml(`<urlset>${'<a>'.repeat(100_000)}`).problem ?? '', /nested too deeply/);
  for (const start of [
    '<urlset><!--',
    '<urlset><a b="',
    '<urlset><![CDATA[',
    '<urlset>text',
    '<urlset><?pi ',
    `<urlset><a`,
  ]) {
    const reader = createXmlReader(BASE, 10);
    assert.throws(() => {
      reader.write(start);
      for (let count = 0; count < 100; count += 1) reader.write('x'.repeat(64 * 1024));
    }, /too long/);
  }
  const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}="1"`).join(' ');
  assert.equal(urls(xml(`<urlset ${attributes}><url><loc>/a</loc></url></urlset>`)).length, 1);
});

test('a long title is cut between characters', () => {
  const [entry] = xml(`<rss><item><title>${'😀'.repeat(2_000)}</title><link>/a</link></item></rss>`).entries;
  assert.equal(entry?.title, '😀'.repeat(250));
});

test('a plain text sitemap has one URL per line', () => {
  const found = plain(
    '\r\n https://site.test/a \nhttps://site.test/b?x=1&y=2\r\rnot an address\n/relative\nhttp://u@x/\nhttps://site.test/c',
  );
  assert.deepEqual(urls(found), ['https://site.test/a', 'https://site.test/b?x=1&y=2', 'https://site.test/c']);
  assert.equal(found.problem, undefined);
  assert.match(plain('https://site.test/a\nhttps://site.test/b', 1).problem ?? '', /more than 1/);
});

test('plain text that does not start with a URL is rejected', () => {
  for (const text of ['Not found', '{"error": 404}', '\n\n404\nhttps://site.test/a', 'x'.repeat(100_000)]) {
    const found = plain(text, 10, 1000);
    assert.deepEqual([urls(found), found.problem], [[], 'The file is neither a sitemap nor a feed.']);
  }
  assert.equal(plain('').problem, undefined);
});

test('an overlong line is skipped without using memory', () => {
  const text = `https://site.test/a\nhttps://site.test/${'x'.repeat(300_000)}\nhttps://site.test/b\n`;
  assert.deepEqual(urls(plain(text, 10, 5_000)), ['https://site.test/a', 'https://site.test/b']);
});
