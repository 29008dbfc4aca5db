import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { createTextReader } from '../../src/crawl/sitemap/sitemap-text.ts';
import { createXmlReader } from '../../src/crawl/sitemap/sitemap-xml.ts';
import { runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_260_310);
const options = { seed: SEED, numRuns: runs(1_000, 20_000) };
const BASE = new URL('https://site.test/maps/');

type Create = typeof createXmlReader;

/** What a reader finds when the text arrives in pieces of these sizes, repeated, and how it ended. */
function read(create: Create, text: string, sizes: number[]) {
  const reader = create(BASE, 100);
  let problem = '';
  try {
    for (let at = 0, turn = 0; at < text.length; turn += 1) {
      const size = sizes[turn % sizes.length]!;
      reader.write(text.slice(at, at + size));
      at += size;
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    problem = error.message;
  }
  return { ...reader.take(), problem };
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const WHOLE = [Number.MAX_SAFE_INTEGER];

const address = fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).href);
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');
const spellings: ((url: string) => string)[] = [
  escaped,
  (url) => `\n  ${escaped(url)}\t`,
  (url) => `<![CDATA[${url}]]>`,
  (url) => `<![CDATA[${escaped(url).replaceAll('&#39;', "'")}]]>`,
  (url) => url.replaceAll('<', '&lt;'),
];

test(`every address of a urlset is found, whatever its spelling and the pieces it arrives in (seed ${SEED})`, () => {
  const loc = fc.tuple(address, fc.constantFrom(...spellings));
  const start = fc.constantFrom(
    ['<urlset>', ''],
    ['<x:urlset xmlns:x="y">', 'x:'],
    ['\ufeff \n<?xml version="1.0"?>\n<!-- & --><urlset>', ''],
  );
  fc.assert(
    fc.property(fc.array(loc, { maxLength: 10 }), start, sizes, (locs, [open, x], pieces) => {
      const items = locs.map(([url, spell]) => `<${x}url><${x}loc>${spell(url)}</${x}loc></${x}url>\n`);
      const found = read(createXmlReader, `${open}${items.join('')}</${x}urlset>`, pieces);
      assert.equal(found.problem, '');
      assert.deepEqual(
        found.entries,
        locs.map(([url]) => ({ url })),
      );
    }),
    options,
  );
});

const XML_PIECES = [
  ...['<urlset>', '</urlset>', '<sitemapindex>', '<rss>', '<feed>', '<rdf:RDF>', '<html>', '<channel>', '</channel>'],
  ...['<url>', '</url>', '<loc>', '</loc>', '<sitemap>', '</sitemap>', '<item>', '</item>', '<entry>', '</entry>'],
  ...['<link href="/a"/>', '<link>', '</link>', '<title>', '</title>', '<lastmod>', '</lastmod>', '<image:loc>'],
  ...['<!--', '-->', '<![CDATA[', ']]>', '<?xml version="1.0"?>', '<!DOCTYPE a [<!ENTITY b "c">]>', '<?', '?>'],
  ...['&', '&amp;', '&b;', '&#0;', '&#x41;', '<', '>', '"', ' ', '\n', '\0', '😀', '\r', 'x', '2026-01-15'],
  ...['https://site.test/a', 'http://u:p@x/', 'javascript:x', '//other.test', '<a b="c" d=\'e\'>', '</a>', '</', '/>'],
];
// No lone surrogates: no decoder produces them.
const anyXml = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...XML_PIECES) }, fc.string({ unit: 'binary' })), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join('').toWellFormed());

for (const [name, create, start] of [
  [
    'XML',
    createXmlReader,
    fc.constantFrom('', '<urlset>', '<urlset><url><loc>/a</loc></url>', '<rss><item><link>/a</link></item>'),
  ],
  ['text', createTextReader, fc.constantFrom('', 'https://site.test/a\n')],
] as const) {
  test(`any ${name} gives web addresses or a ServiceError, and the same in pieces of any size (seed ${SEED})`, () => {
    fc.assert(
      fc.property(start, anyXml, sizes, (head, rest, pieces) => {
        const whole = read(create, head + rest, WHOLE);
        for (const url of [...whole.entries.map((entry) => entry.url), ...whole.sitemaps]) {
          const { protocol, username, password, href } = new URL(url);
          assert.deepEqual([protocol.replace('s:', ':'), username, password, href], ['http:', '', '', url]);
        }
        assert.deepEqual(read(create, head + rest, pieces), whole);
      }),
      options,
    );
  });
}
