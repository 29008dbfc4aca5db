// Every index ranks pages by their vectors, keeps a vector as long as its page begins as before, and asks for those it lacks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PageIndex } from '../../src/index/page-index.ts';
import type { TextVector } from '../../src/text/text-vectors.ts';
import { createRandom } from '../support/hostile/hostile-file.ts';
import { feed, type OpenIndex, queryOf, searchOf } from './page-index-samples.ts';

/** Texts about the same have the same vector, others hardly anything in common. */
function vectorAbout(topic: string): TextVector {
  const below = createRandom([...topic].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 100_000);
  return Int8Array.from({ length: 384 }, () => below(255) - 127);
}

/** Each page gets the vector of the first word of its body. Returns these words. */
async function vectorise(index: PageIndex): Promise<string[]> {
  const topics: string[] = [];
  for (;;) {
    const { pages, isComplete } = await index.missingVectors(2);
    if (isComplete) return topics;
    const topicOf = (text: string) => text.split('\n')[1]!.split(' ')[0]!;
    topics.push(...pages.map(({ text }) => topicOf(text)));
    await index.addVectors(pages.map(({ docId, text }) => ({ docId, vector: vectorAbout(topicOf(text)) })));
  }
}

const at = (name: string) => `https://${name}.example/`;
const page = (name: string, topic: string, more = '') => ({
  url: at(name),
  title: 'Harbour',
  body: `${topic} in the harbour ${name} ${more}`,
});

async function found(index: PageIndex, topic: string): Promise<string[]> {
  const meaning = { vector: vectorAbout(topic), isAlone: false };
  const hits = await index.web({ ...searchOf(queryOf('harbour'), { limit: 10 }), meaning });
  return hits.map(({ url }) => url);
}

export function testIndexMeaning(adapter: string, open: OpenIndex): void {
  describe(`meaning on ${adapter}`, () => {
    test('of pages with the same words, those come first that mean what the query means', async (t) => {
      const index = await open(t);
      await feed(index, page('a', 'boats'), page('b', 'nets'), page('c', 'lamps'), {
        ...page('d', 'boats'),
        language: 'de',
      });
      assert.deepEqual((await vectorise(index)).toSorted(), ['boats', 'lamps', 'nets']);
      assert.deepEqual(await vectorise(index), []);
      for (const [topic, name] of [
        ['boats', 'a'],
        ['nets', 'b'],
        ['lamps', 'c'],
      ] as const)
        assert.equal((await found(index, topic))[0], at(name));
      assert.equal((await found(index, 'boats')).length, 4);
    });

    test('a page that is written anew keeps its vector if it begins as before, and one that is gone has none', async (t) => {
      const index = await open(t);
      const long = ' again'.repeat(400);
      await feed(
        index,
        page('a', 'boats', long),
        page('b', 'nets', long),
        page('c', 'lamps'),
        page('e', 'stones', long),
      );
      await vectorise(index);
      await feed(index, page('a', 'boats', `${long.slice(6)} other`), page('b', 'ropes', long), at('c'));
      assert.deepEqual(await vectorise(index), ['ropes']);
      assert.equal((await found(index, 'boats'))[0], at('a'));
      assert.equal((await found(index, 'ropes'))[0], at('b'));
      await feed(index, page('c', 'sails'));
      assert.deepEqual(await vectorise(index), ['sails']);
    });

    test('after everything was removed, all pages are asked for again', async (t) => {
      const index = await open(t);
      await feed(index, page('a', 'boats'), page('b', 'nets'));
      await vectorise(index);
      await index.clear();
      await feed(index, page('a', 'boats'));
      assert.deepEqual(await vectorise(index), ['boats']);
    });
  });
}
