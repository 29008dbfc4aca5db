// Paths of pages: readable for ordinary URLs, harmless for hostile ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pagePath } from '../../../../src/archive/page-files/page-path.ts';
import { runs, seedOr } from '../../../support/runs.ts';

test('a page lies below its host, where its path says', () => {
  const cases: Record<string, string> = {
    'https://example.com': 'example.com/index',
    'https://example.com/docs/': 'example.com/docs/index',
    'https://example.com/docs/start.html': 'example.com/docs/start',
    'https://example.com/README.md': 'example.com/README',
    'http://localhost:8080/a': 'localhost_8080/a',
    'https://example.com/list?page=2&sort=name': 'example.com/list__page=2,sort=name',
    'https://example.com/wiki/%E6%96%91%E9%A6%AC': 'example.com/wiki/斑馬',
    'https://example.com/a%20b/c%3Fd': 'example.com/a_b/c_d',
    'Report 2026.pdf': 'Report_2026.pdf',
  };
  for (const [url, path] of Object.entries(cases)) assert.equal(pagePath(url).path, path, url);
});

test('no URL leads out of the folder, to a hidden file or to a device', () => {
  const cases: Record<string, string> = {
    'https://example.com/../../etc/passwd': 'example.com/etc/passwd',
    'https://example.com/%2e%2e/x': 'example.com/x',
    'https://example.com/..%2f..%2fetc%2fpasswd': 'example.com/__.._etc_passwd',
    'https://example.com/..%5c..%5cx': 'example.com/__.._x',
    'https://example.com/.ssh/authorized_keys': 'example.com/_ssh/authorized_keys',
    'https://example.com/CON': 'example.com/_CON',
    'https://example.com/aux.txt/nul': 'example.com/_aux.txt/_nul',
    'https://example.com/com%C2%B9.x': 'example.com/_com¹.x',
    'https://example.com/a%00b%0ac': 'example.com/a_b_c',
    'https://example.com/%E2%80%AEtxt.exe': 'example.com/_txt.exe',
    'https://example.com/name.': 'example.com/name_',
    'https://[::1]:9/x': '_1__9/x',
  };
  for (const [url, path] of Object.entries(cases)) assert.equal(pagePath(url).path, path, url);
});

test('long names, long paths and deep paths are bounded, and still differ', () => {
  const long = (text: string) => pagePath(`https://example.com/${text}`).path;
  assert.notEqual(long(`${'a'.repeat(5_000)}1`), long(`${'a'.repeat(5_000)}2`));
  assert.notEqual(long(`${'/x'.repeat(5_000)}/1`), long(`${'/x'.repeat(5_000)}/2`));
  const deep = long(`${'/folder'.repeat(20)}/page`);
  assert.match(deep, /^example\.com\/page-[0-9a-f]{10}$/);
});

const SEED = seedOr(20_261_116);

test(`any text gives a path of safe and bounded names (seed ${SEED})`, () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('..', '.', '%2e%2e%2f', '%00', 'nul', '💩'.repeat(99)),
  );
  const urls = fc.array(part, { maxLength: 40 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(urls, fc.boolean(), (text, hasHost) => {
      const { path, other } = pagePath(hasHost ? `https://example.com/${text}` : text);
      for (const each of [path, other]) {
        assert.ok(Buffer.byteLength(each) < 240, `${Buffer.byteLength(each)} bytes`);
        for (const name of each.split('/')) {
          assert.match(name, /^(?!\.)[\p{L}\p{N}\p{M}_.~=+,@()-]+(?<!\.)$/u);
          assert.ok(Buffer.byteLength(name) <= 120);
          assert.doesNotMatch(name, /^(con|prn|aux|nul|(com|lpt)[\d¹²³])(\.|$)/i);
        }
      }
    }),
    { seed: SEED, numRuns: runs(500, 20_000) },
  );
});
