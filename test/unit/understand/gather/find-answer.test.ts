// The passages of several pages that answer a question: whole paragraphs, each once, exactly as they stand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAnswer } from '../../../../src/understand/gather/find-answer.ts';

const source = (url: string, title: string, markdown: string, weight = 1) => ({
  page: { url, title, language: 'en', markdown, links: [] },
  ...{ weight, isNamed: false, isMeant: false },
});
const FIRST = 'The parish decided on Monday to close the ferry to Ulva in winter.';
const WHY =
  'Four members were for closing the ferry. Ida Holm and Per Dahl were against it, because of the school bus.';
const article = source(
  'https://news.test/ferry',
  'Ferry to close',
  `# Ferry to close\n\n${FIRST}\n\n${WHY}\n\nIt rained.`,
);
const question = 'Which members of the parish were against closing the ferry to Ulva, and why?';

test('the paragraphs that answer the parts of a question are found whole, behind the same teaser of another page', () => {
  const list = source('https://news.test/', 'News', `# News\n\n${FIRST}\n\nThe fair begins in May.`);
  const found = findAnswer(question, [list, article]);
  const texts = found.map(({ citation }) => citation.text);
  assert.ok(texts.includes(WHY), texts.join('\n'));
  assert.equal(texts.filter((text) => text === FIRST).length, 1);
  assert.ok(!texts.includes('It rained.'));
  for (const { citation } of found) {
    const { page } = [list, article].find((each) => each.page.url === citation.url)!;
    assert.equal(page.markdown.slice(citation.start, citation.end), citation.text);
  }
});

test('of a text without line breaks, only the sentences are taken', () => {
  const long = `${'Nothing happened on this day. '.repeat(60)}${WHY} ${'And so on it went. '.repeat(60)}`;
  const found = findAnswer(question, [source('https://long.test/', 'Ferry', long)]);
  assert.ok(found.length > 0);
  for (const { citation } of found) assert.ok(citation.text.length < 700, citation.text);
});

test('a page without a word of the question has no answer', () => {
  assert.deepEqual(findAnswer(question, [source('https://b.test/', 'Bread', 'Knead well.')]), []);
});
