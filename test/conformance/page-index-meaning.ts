// Every index ranks pages by their vectors, keeps a vector as long as its page begins as before, and asks for those it lacks.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { PageIndex } from '../../src/index/page-index.ts';
import { createPageSharing } from '../../src/page/page-owner.ts';
import type { TextVector } from '../../src/text/text-vectors.ts';
import { feed, type OpenIndex, queryOf, searchOf } from './page-index-samples.ts';

const SOMEBODY = createPageSharing({ isolatesTeams: true }).ownerOf(
  { urls: [], hasSecretUrls: true, isManual: false },
  'somebody',
);

/** Texts about the same have the same vector, others hardly anything in common. */
export function vectorAbout(topic: string): TextVector {
  return Int8Array.from(createHash('shake256', { outputLength: 384 }).update(topic).digest());
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

    test('few hits by words are joined by pages that mean the same, also with meaning alone, within the conditions', async (t) => {
      const index = await open(t);
      const others = Array.from({ length: 30 }, (_, number) => page(`other${number}`, `topic${number}`));
      await feed(index, ...others, { ...page('a', 'boats'), title: 'Ships' }, page('b', 'nets'), {
        ...page('c', 'boats'),
        owner: SOMEBODY,
      });
      await vectorise(index);
      const meaning = { vector: vectorAbout('boats'), isAlone: false };
      const urls = async (text: string, more: object = {}, includeDomains: string[] = []) =>
        (await index.web({ ...searchOf(queryOf(text), { limit: 5, includeDomains }), meaning, ...more })).map(
          ({ url }) => url,
        );
      assert.deepEqual(await urls('nets'), [at('b'), at('a')]);
      assert.deepEqual(await urls('nowhere'), [at('a')]);
      assert.deepEqual(await urls('nets', {}, ['a.example']), [at('a')]);
      assert.deepEqual(await urls('nets', {}, ['b.example']), [at('b')]);
      assert.deepEqual(await urls('nets', { meaning: { ...meaning, isAlone: true } }), [at('a')]);
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
