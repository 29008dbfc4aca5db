// Links of the manual as the console shows them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withConsoleLinks } from '../../../web/console/manual/manual-links.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const BASE = 'http://console.test/console/manual/';

test('chapters link to chapters in the console, and files of the project become text', () => {
  const text =
    'See [settings](2-settings.md), [keys](docs/21-teams.md#keys), [the source](../src/main.ts), [x](https://a.test/).';
  assert.equal(
    withConsoleLinks(text, BASE),
    `See [settings](${BASE}2-settings.md), [keys](${BASE}21-teams.md#keys), the source, [x](https://a.test/).`,
  );
});

test('every link of every chapter leads to a chapter that exists, or to the web', () => {
  const chapters = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  assert.ok(chapters.length > 20);
  for (const name of chapters) {
    const text = withConsoleLinks(readFileSync(join(DOCS, name), 'utf8'), BASE);
    for (const [, target] of text.matchAll(new RegExp(`\\]\\(${BASE}([^)#]+)`, 'g'))) {
      assert.ok(chapters.includes(target!), `${name} -> ${target}`);
    }
  }
});
