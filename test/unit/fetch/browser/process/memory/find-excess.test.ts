import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExcess, type MeasuredBrowser } from '../../../../../../src/fetch/browser/process/memory/find-excess.ts';

const MB = 1024 * 1024;
const LIMITS = { pageBytes: 1_000 * MB, totalBytes: 4_000 * MB };

/** A browser with this much memory and with this process as its largest renderer. */
const browser = (pages: number | undefined, total: number, renderer = 0, pid = 7): MeasuredBrowser => ({
  pages,
  memory: { total: total * MB, ...(renderer > 0 && { largestRenderer: { pid, bytes: renderer * MB } }) },
});

for (const [name, browsers, expected] of [
  ['nothing is running', [], []],
  ['every browser is within its limits', [browser(4, 1_500, 900), browser(undefined, 1_000, 900)], []],
  ['one page is too large: only its process ends', [browser(4, 1_500, 1_001)], [[0, { scope: 'page', renderer: 7 }]]],
  [
    'the processes of one page are too large together: its browser ends',
    [browser(1, 1_200, 300)],
    [[0, { scope: 'page' }]],
  ],
  ['several pages are too large together', [browser(3, 3_200, 900)], [[0, { scope: 'page' }]]],
  ['a browser without pages is too large', [browser(0, 1_200)], [[0, { scope: 'page' }]]],
  [
    'a session is too large: it ends as a whole',
    [browser(1, 200), browser(undefined, 1_200, 1_100)],
    [[1, { scope: 'page' }]],
  ],
  [
    'two browsers are too large: each ends',
    [browser(undefined, 1_200), browser(2, 1_500, 1_400, 8)],
    [
      [0, { scope: 'page' }],
      [1, { scope: 'page', renderer: 8 }],
    ],
  ],
  [
    'all together are too large: the one with the largest share ends',
    [browser(4, 3_000, 900), browser(undefined, 1_100, 900)],
    [[1, { scope: 'all' }]],
  ],
  [
    'all together are too large, and one page is at fault',
    [browser(2, 1_900, 950), browser(undefined, 800), browser(undefined, 800), browser(undefined, 800)],
    [[0, { scope: 'all', renderer: 7 }]],
  ],
  [
    'all together are too large, and no renderer explains it',
    [browser(2, 2_100, 100), browser(undefined, 1_000), browser(undefined, 1_000)],
    [[0, { scope: 'all' }]],
  ],
] as const) {
  test(`memory: ${name}`, () => {
    const found = findExcess(browsers, LIMITS);
    assert.deepEqual(
      found.map(({ browser: ended, excess }) => [browsers.indexOf(ended as never), excess]),
      expected,
    );
  });
}
