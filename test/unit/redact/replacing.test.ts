import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReplaceStyle } from '../../../src/contracts/scrape/redaction.ts';
import type { Finding } from '../../../src/redact/finding.ts';
import { resolveOverlaps } from '../../../src/redact/resolve-overlaps.ts';
import { applyEdits, editsOf, plainView } from '../../../src/redact/views/text-view.ts';

const finding = (text: string, part: string, entity: Finding['entity'], score = 0.9): Finding => {
  const start = text.indexOf(part);
  return { start, end: start + part.length, entity, rule: 'test', score };
};

const replaced = (text: string, found: Finding[], style: ReplaceStyle): string =>
  applyEdits(text, editsOf(plainView(text), found, style));

test('the more reliable of two findings wins, and the other keeps its rest', () => {
  const text = 'By Jane Doe jane@example.org today';
  const found = resolveOverlaps(text, [
    finding(text, 'Jane Doe jane', 'PERSON', 0.99),
    finding(text, 'jane@example.org', 'EMAIL', 0.6),
  ]);
  assert.equal(replaced(text, found, 'tag'), 'By <PERSON> <EMAIL> today');
});

test('findings inside others disappear in them', () => {
  const text = 'key ab12 cd34 end';
  const found = resolveOverlaps(text, [finding(text, 'ab12 cd34', 'SECRET'), finding(text, '12 cd', 'PHONE')]);
  assert.equal(replaced(text, found, 'tag'), 'key <SECRET> end');
});

test('the three styles: a tag, asterisks of the same length, nothing', () => {
  const text = 'Ask Jane Doe about it.\nKey:\nab\ncd';
  const found = [finding(text, 'Jane Doe', 'PERSON'), finding(text, 'ab\ncd', 'SECRET')];
  assert.equal(replaced(text, found, 'tag'), 'Ask <PERSON> about it.\nKey:\n<SECRET>');
  assert.equal(replaced(text, found, 'mask'), 'Ask ******** about it.\nKey:\n**\n**');
  assert.equal(replaced(text, found, 'remove'), 'Ask about it.\nKey:\n');
});
