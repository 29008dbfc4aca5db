// Links of the manual as the console shows them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withConsoleLinks } from '../../../web/console/manual/manual-links.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const BASE = 'http://console.test/console/manual/';

test('chapters link to chapters in the console, and files of the project become text', () => {
  const text =
    'See [search](search.md), [keys](../operate/teams.md#keys), [the source](../../src/main.ts), [file](../openapi.json), [why](../decisions/store.md), [below](#scrape), [x](https://a.test/).';
  assert.equal(
    withConsoleLinks(text, BASE, 'use/start.md'),
    `See [search](${BASE}use/search.md), [keys](${BASE}operate/teams.md#keys), the source, file, why, [below](${BASE}use/start.md#scrape), [x](https://a.test/).`,
  );
});

test('no link leads out of the manual', () => {
  for (const target of [
    '../../..//evil.test/use/x.md',
    '//evil.test/console/manual/use/x.md',
    'javascript:alert//use/a.md',
  ]) {
    assert.equal(withConsoleLinks(`[text](${target})`, BASE, 'use/start.md'), 'text', target);
  }
});

test('every link of every chapter leads to a chapter that exists, or to the web', () => {
  const chapters = globSync('{use,operate,extend}/*.md', { cwd: DOCS });
  assert.ok(chapters.length > 20);
  for (const name of chapters) {
    const text = withConsoleLinks(readFileSync(join(DOCS, name), 'utf8'), BASE, name);
    for (const [, target] of text.matchAll(new RegExp(`\\]\\(${BASE}([^)#]+)`, 'g'))) {
      assert.ok(chapters.includes(target!), `${name} -> ${target}`);
    }
  }
});
