// Labels: which blocks the truth covers, which of several copies, and what snippets decide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alignTokens } from '../../../scripts/train-extractor/align.ts';
import { labelBlocks, labelBySnippets } from '../../../scripts/train-extractor/labels.ts';
import { countWords, tokensOf } from '../../../scripts/train-extractor/tokens.ts';
import { runs } from '../../support/runs.ts';
import { createRandom, SEED } from './synthetic.ts';

const labelsOf = (blocks: string[], truth: string) => [...labelBlocks(blocks, truth).labels];

test('tokens are lower-case words, and single characters of unspaced scripts', () => {
  assert.deepEqual(tokensOf('Größe_1 — 東京タワーへ go!'), ['größe_1', '東', '京', 'タ', 'ワ', 'ー', 'へ', 'go']);
  assert.equal(countWords('three plain words'), 3);
  assert.ok(Math.abs(countWords('十七个汉字就是十个词语的分量一共十七') - 18 / 1.7) < 1e-9);
});

test('blocks that are in the truth are content, others are not', () => {
  const blocks = [
    'Home News Sport Weather',
    'A storm hit the coast',
    'Late on Monday a storm hit the northern coast and cut power to several villages.',
    'Share this story with your friends on every network',
    'Crews worked through the night, the operator said.',
    'Terms of use and privacy policy',
  ];
  const truth = `${blocks[1]}\n${blocks[2]}\n\n${blocks[4]}`;
  assert.deepEqual(labelsOf(blocks, truth), [0, 1, 1, 0, 1, 0]);
});

test('a block is content when at least half of its words are', () => {
  const truth = 'one two three four five six seven eight nine ten';
  assert.deepEqual(labelsOf(['one two three four five six x y z', 'seven eight a b c d e nine'], truth), [1, 0]);
});

test('of two copies of a text only the aligned one is content', () => {
  const teaser = 'The committee will meet again in early spring';
  const truth = `Opening words of the report are here. ${teaser}. And closing words follow after that.`;
  const blocks = [
    teaser,
    'Opening words of the report are here.',
    `${teaser}.`,
    'And closing words follow after that.',
  ];
  assert.deepEqual(labelsOf(blocks, truth), [0, 1, 1, 1]);
});

test('text in another order than in the truth is found by its 3-grams', () => {
  const [a, b] = ['The first answer explains how to begin with it', 'A second reply adds what was left out before'];
  const filler = Array.from({ length: 500 }, (_, i) => `w${i}`).join(' ');
  assert.deepEqual(labelsOf([a, filler, b], `${b} ${filler} ${a}`), [1, 1, 1]);
});

test('common words scattered through the truth do not make a block content', () => {
  const truth = 'Of all the towns in the valley, this is the one that people on the road like to see on a day in May.';
  assert.deepEqual(labelsOf(['all in this one on to see on in', truth], truth), [0, 1]);
});

test('Chinese text is aligned character by character', () => {
  const blocks = ['首页 新闻 体育', '七月二十九日上午，全县举行了文艺汇演', '相关阅读'];
  assert.deepEqual(labelsOf(blocks, '七月二十九日上午,全县举行了文艺汇演。'), [0, 1, 0]);
});

test('a page aligned with itself is matched throughout, with insertions too', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 300 }), fc.nat(), (numbers, place) => {
      const truth = numbers.map((n) => `t${n}`);
      const at = truth.length === 0 ? 0 : place % truth.length;
      const page = [...truth.slice(0, at), 'menu', 'share', ...truth.slice(at)];
      const matched = alignTokens(page, truth);
      assert.equal(matched[at], 0);
      assert.equal(matched[at + 1], 0);
      assert.equal(
        matched.reduce((sum, one) => sum + one, 0),
        truth.length,
      );
    }),
    { seed: SEED, numRuns: runs(200, 4_000) },
  );
});

test('long and repetitive pages are aligned in bounded time', () => {
  const random = createRandom(SEED);
  const from = (words: number) => Array.from({ length: 20_000 }, () => `w${Math.floor(random() * words)}`);
  const begin = process.cpuUsage().user;
  for (const words of [2, 40, 5000]) alignTokens(from(words), from(words));
  const varied = from(5000);
  assert.ok(alignTokens(['menu', ...varied], varied).reduce((sum, one) => sum + one, 0) > 19_900);
  assert.ok(process.cpuUsage().user - begin < 5e6);
});

test('snippets label the blocks that contain them, even across blocks, and leave the rest unlabelled', () => {
  const blocks = ['Latest   News', 'It began on', 'a cold Monday.', 'Nobody knew why.', 'Share it', 'party'];
  assert.deepEqual([...labelBySnippets(blocks, ['began on a cold'], ['latest news', 'art'])], [0, 1, 1, -1, -1, -1]);
});

test('a block with wanted and unwanted snippets stays unlabelled', () => {
  assert.deepEqual([...labelBySnippets(['keep this but not that'], ['keep this'], ['not that'])], [-1]);
});
