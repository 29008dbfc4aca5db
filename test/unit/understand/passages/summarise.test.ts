// Summaries without a model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarySentences } from '../../../../src/understand/passages/summarise.ts';

const summary = (markdown: string, title?: string) =>
  summarySentences(markdown, { ...(title && { title }) }).map(({ start, end }) => markdown.slice(start, end));

const filler = (n: number) =>
  Array.from({ length: n }, (_, at) => `Detail number ${at} concerns a small matter of item ${at * 7}.`).join(' ');

test('a summary has at most five sentences in the order of the page, and starts with its lead', () => {
  const page = `# Tram\n\nThe city will build a tram line to the harbour. Work starts in autumn.\n\n${filler(60)}`;
  const sentences = summary(page, 'City builds tram line');
  assert.ok(sentences.length <= 5);
  assert.equal(sentences[0], 'The city will build a tram line to the harbour.');
});

test('navigation, cookie notices, labels, headings and code are no summary', () => {
  const page = [
    '[Home of everything we do](/) [All the news of the day](/n) [Contact our friendly team](/c)',
    'We use cookies to make this site work better for everyone.',
    'Subscribe to our newsletter for weekly stories from the region.',
    '## A heading that is long enough to be a sentence of its own.',
    '```\nconst reservoir = water.level.fill(percent, dam);\n```',
    'The reservoir is full again after three dry years, the water board says.',
    '© 2026 The Water Board of the region, all rights reserved.',
  ].join('\n\n');
  assert.deepEqual(summary(page), ['The reservoir is full again after three dry years, the water board says.']);
});

test('sentences that say the same are not repeated, and a page without sentences is summed up by its items', () => {
  const twice =
    'The old bridge closes for repairs in May. The old bridge closes for repairs in May again. Buses take the tunnel.';
  assert.deepEqual(summary(twice), ['The old bridge closes for repairs in May.', 'Buses take the tunnel.']);
  assert.ok(summary('- Red apples from the orchard\n- Green pears from the valley').length > 0);
  assert.ok(summary('- [Tram line opens in May](/1)\n- [Rents rise by two percent](/2)').length > 0);
  assert.deepEqual(summary('![image](x.png)'), []);
});

test('languages without spaces have summaries, too', () => {
  const page = '# 公园\n\n全市二十八座公园的夜间照明改造工程已全部完成。市民对此表示欢迎。改造后的灯光更加节能。';
  assert.ok(summary(page).includes('全市二十八座公园的夜间照明改造工程已全部完成。'));
});
