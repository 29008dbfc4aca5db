// The verdict on labelled pages (one file each: add a case by adding a file) and on hostile input.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { HtmlTree } from '../../../../src/markup/html/html-tree.ts';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import type { VerdictKind } from '../../../../src/page/page.ts';
import { createJudge } from '../../../../src/transform/verdict/judge.ts';
import { amount, seedOr } from '../../../support/runs.ts';

const KINDS: VerdictKind[] = ['content', 'challenge', 'login-wall', 'empty-shell', 'soft-404', 'parked'];
const FOLDER = join(import.meta.dirname, '../../../pages-verdict');

const judge = createJudge();

/** `<kind>--<case>.html`. A comment on the first line may describe the response: `<!-- status: 403; header: a=b; url: ... -->`. */
function readLabelled(file: string) {
  const html = readFileSync(join(FOLDER, file), 'utf8');
  const page = { url: 'https://site.example/', status: 200, headers: {} as Record<string, string> };
  for (const part of /^<!-- (.*) -->\n/.exec(html)?.[1]?.split('; ') ?? []) {
    const [name, value] = [part.slice(0, part.indexOf(': ')), part.slice(part.indexOf(': ') + 2)];
    if (name === 'status') page.status = Number(value);
    else if (name === 'url') page.url = value;
    else if (name === 'header') page.headers[value.split('=')[0]!] = value.slice(value.indexOf('=') + 1);
    else throw new Error(`${file}: unknown field in the first line: ${part}`);
  }
  return { name: basename(file, '.html'), label: file.split('--')[0] as VerdictKind, html, page };
}

const labelled = readdirSync(FOLDER).sort().map(readLabelled);
const judgeHtml = (html: string, page: Partial<Parameters<typeof judge>[1]> = {}) =>
  judge(parseHtml(html), { url: 'https://site.example/', status: 200, headers: {}, ...page });

describe('labelled pages', () => {
  test('every kind has at least ten pages', () => {
    for (const kind of KINDS) assert.ok(labelled.filter(({ label }) => label === kind).length >= 10, kind);
  });

  for (const { name, label, html, page } of labelled) {
    test(`${name} is judged ${label}`, () => {
      const verdict = judgeHtml(html, page);
      assert.equal(verdict.kind, label, verdict.reason);
      assert.equal(verdict.reason === '', label === 'content');
    });
  }

  test('the confusion table is printed', (t) => {
    const row = (cells: unknown[]) => cells.map((cell) => String(cell).padStart(12)).join('');
    t.diagnostic(row(['label', ...KINDS]));
    for (const label of KINDS) {
      const kinds = labelled.filter((page) => page.label === label).map(({ html, page }) => judgeHtml(html, page).kind);
      t.diagnostic(row([label, ...KINDS.map((kind) => kinds.filter((other) => other === kind).length)]));
    }
  });
});

describe('reasons', () => {
  const reasonOf = (name: string) => {
    const found = labelled.find((page) => page.name === name);
    assert.ok(found, name);
    return judgeHtml(found.html, found.page).reason;
  };

  test('a challenge names its vendor where the vendor is recognised', () => {
    assert.match(reasonOf('challenge--cloudflare-managed'), /challenge \(Cloudflare\)/);
    assert.match(reasonOf('challenge--akamai-access-denied'), /challenge \(Akamai\)/);
    assert.match(reasonOf('challenge--datadome'), /challenge \(DataDome\)/);
    assert.match(reasonOf('challenge--generic-checking-fr'), /an anti-bot challenge instead of the page/);
  });

  test('a parked domain names the parking service', () => {
    assert.match(reasonOf('parked--sedo-ads'), /\(Sedo\)/);
    assert.match(reasonOf('parked--generic-for-sale'), /parked or for sale and has no site/);
  });

  test('every reason is one sentence', () => {
    for (const { html, page } of labelled) {
      const { reason } = judgeHtml(html, page);
      assert.match(reason, /^$|^[A-Z][^.]*(\.com[^.]*|\.RU[^.]*)?\.$/);
    }
  });
});

describe('the response', () => {
  const sorry = '<title>Seite nicht gefunden</title><h1>Seite nicht gefunden</h1><p>Schade.</p>';

  test('a page that says "not found" is a soft 404 only with a success status', () => {
    assert.equal(judgeHtml(sorry).kind, 'soft-404');
    assert.equal(judgeHtml(sorry, { status: 404 }).kind, 'content');
    assert.equal(judgeHtml(sorry, { status: 500 }).kind, 'content');
  });

  test('a challenge header is enough, however long the page', () => {
    const long = `<p>${'word '.repeat(5_000)}</p>`;
    assert.equal(judgeHtml(long).kind, 'content');
    assert.equal(judgeHtml(long, { status: 403, headers: { 'CF-Mitigated': 'challenge' } }).kind, 'challenge');
  });

  test('a login form with an error status is the error, unless the status asks for a login', () => {
    const form = '<title>Log in</title><form><input name=u><input type=password name=p></form>';
    assert.equal(judgeHtml(form, { status: 403 }).kind, 'login-wall');
    assert.equal(judgeHtml(form, { status: 500 }).kind, 'content');
  });

  test('an invalid page URL is ignored', () => {
    assert.equal(judgeHtml('<title>Related</title><p>related searches</p>', { url: 'not a url' }).kind, 'content');
  });
});

describe('hostile pages', () => {
  test('any soup of tags, attributes and text gets a verdict', (t) => {
    const seed = seedOr(20_241_115);
    t.diagnostic(`seed ${seed}`);
    const piece = fc.oneof(
      fc.constantFrom(
        '<title>',
        '<h1>',
        '<a href=x>',
        '<noscript>',
        '<template shadowrootmode=open>',
        '<script>',
        '<svg>',
      ),
      fc.constantFrom('<input type=password>', '<div id=root>', '<select>', '</div>', '</script>', '<html id class>'),
      fc.constantFrom('page not found', 'verify you are human', 'this domain is for sale', '404', 'x.example for sale'),
      fc.string({ unit: 'binary' }).map((value) => `<p id="${value}" class='${value}' hidden=${value}>`),
      fc.string({ unit: 'grapheme' }),
    );
    const headers = fc.dictionary(fc.string(), fc.string());
    const soup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(soup, fc.webUrl(), fc.integer({ min: 100, max: 599 }), headers, (html, url, status, sent) => {
        const verdict = judge(parseHtml(html), { url, status, headers: sent });
        assert.ok(KINDS.includes(verdict.kind));
      }),
      { seed, numRuns: amount({ short: 400, full: 1_500, long: 30_000 }) },
    );
  });

  const giants: [name: string, html: string][] = [
    ['a giant title', `<title>${'page not found '.repeat(400_000)}</title>`],
    ['a giant text node', `<p>${'х'.repeat(4_000_000)}</p>`],
    ['a million nodes', '<i></i>'.repeat(1_000_000)],
    ['endless headings', '<h1>404<b>'.repeat(100_000)],
    ['nested roots', '<div id=root>'.repeat(amount({ short: 1_000, full: 100_000 }))],
    [
      'giant attributes',
      `<div id="${'a'.repeat(1_000_000)}" class="${' b'.repeat(1_000_000)}" style="${'display '.repeat(200_000)}">`,
    ],
    [
      'thousands of password fields',
      `<div style="${'x'.repeat(9_000)}">`.repeat(200) + '<input type=password>'.repeat(20_000),
    ],
    ['a script of megabytes', `<script>${'var a=1;'.repeat(400_000)}</script><div id=app></div>`],
  ];
  for (const [name, html] of giants) {
    test(`${name}: the judge reads a bounded part of it`, () => {
      const { tree, reads } = countReads(parseHtml(html));
      assert.ok(KINDS.includes(judge(tree, { url: 'https://site.example/', status: 200, headers: {} }).kind));
      assert.ok(reads() < MAX_READS, `${reads()} reads`);
    });
  }
});

// 50,000 nodes with a few reads each; the giant pages offer ten to a hundred times as many.
const MAX_READS = 2_500_000;

function countReads(tree: HtmlTree) {
  let count = 0;
  const counted = new Proxy(tree, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      count += 1;
      return value.bind(target);
    },
  });
  return { tree: counted, reads: () => count };
}
