// What is remembered of a site, and how long.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  countPages,
  learnPage,
  readSiteMemory,
  type SiteMemory,
  siteOfHost,
  slotsWith,
  textsOf,
} from '../../../src/page/site-memory.ts';
import { createDice } from '../../support/web/words.ts';

const DAY = 86_400_000;
const NEVER_LEARNT = 0;
const texts = (...hashes: number[]) => Uint32Array.from(hashes).sort();
const learnt = (pages: [url: number, at: number, ...hashes: number[]][]): SiteMemory =>
  pages.reduce<SiteMemory | undefined>(
    (memory, [url, at, ...hashes]) => learnPage(memory, { url, texts: texts(...hashes), at }),
    undefined,
  )!;
const pagesWith = (memory: SiteMemory, text: number) => slotsWith(memory, text).toString(2).replaceAll('0', '').length;

describe('the memory of a site', () => {
  test('tells on how many pages a text stands', () => {
    const memory = learnt([
      [1, DAY, 10, 20],
      [2, DAY, 20, 30],
      [3, DAY, 20],
    ]);
    assert.deepEqual(
      [10, 20, 30, 40].map((text) => pagesWith(memory, text)),
      [1, 3, 1, 0],
    );
    assert.equal(countPages(memory, NEVER_LEARNT), 3);
    assert.equal(countPages(memory, 2), 2);
    assert.equal(countPages(undefined, 2), 0);
  });

  test('knows a page once, as it was last', () => {
    const first = learnt([[1, DAY, 10, 20]]);
    assert.equal(learnPage(first, { url: 1, texts: texts(20, 10), at: 2 * DAY }), first);
    const changed = learnPage(first, { url: 1, texts: texts(20, 30), at: 2 * DAY });
    assert.deepEqual(
      [10, 20, 30].map((text) => pagesWith(changed, text)),
      [0, 1, 1],
    );
    assert.deepEqual(
      [10, 20, 30].map((text) => pagesWith(first, text)),
      [1, 1, 0],
    );
  });

  test('forgets pages that were not read for 30 days when it learns the next one', () => {
    const memory = learnt([
      [1, DAY, 10],
      [2, 20 * DAY, 10],
      [3, 32 * DAY, 20],
    ]);
    assert.equal(countPages(memory, NEVER_LEARNT), 2);
    assert.equal(pagesWith(memory, 10), 1);
  });

  test('keeps a template that is read rarely beside one that is read often', () => {
    const rare: [number, number, ...number[]][] = [[1, DAY, 1, 2, 3]];
    const often = Array.from({ length: 100 }, (_, at): [number, number, ...number[]] => [
      at + 10,
      DAY + (at + 1) * 60_000,
      7,
      8,
      9,
    ]);
    const memory = learnt([...rare, ...often]);
    assert.equal(pagesWith(memory, 1), 1);
    assert.ok(pagesWith(memory, 7) >= 16);
  });

  test('stays small, whatever it is given, and can be read back as it was written', () => {
    const dice = createDice(41);
    let memory: SiteMemory | undefined;
    for (let url = 1; url <= 200; url++) {
      const words = Array.from({ length: 1_000 }, () => 1);
      const hashes = words.map(() => dice.roll(2 ** 32));
      memory = learnPage(memory, { url, texts: textsOf(words, hashes), at: DAY + url * 60_000 });
    }
    assert.ok(memory!.byteLength <= 26_000, `${memory!.byteLength} bytes`);
    assert.ok(countPages(memory, NEVER_LEARNT) >= 7);
    const bytes = new Uint8Array(memory!.buffer, memory!.byteOffset, memory!.byteLength);
    assert.deepEqual(readSiteMemory(bytes), memory);
  });

  test('takes bytes for nothing that are none', () => {
    for (const length of [0, 7, 383, 385]) assert.equal(readSiteMemory(new Uint8Array(length)), undefined);
  });

  test('learns texts with words, each once, and of long pages the first ones', () => {
    assert.deepEqual([...textsOf([1, 0, 2, 1], [-1, 5, 3, 3])], [3, 0xffffffff]);
    assert.equal(
      textsOf(
        Array(5_000).fill(1),
        Array.from({ length: 5_000 }, (_, at) => at),
      ).length,
      400,
    );
  });

  test('takes a host with and without www. for one site, and subdomains and ports for others', () => {
    assert.equal(siteOfHost('www.example.com'), siteOfHost('example.com'));
    assert.notEqual(siteOfHost('shop.example.com'), siteOfHost('example.com'));
    assert.notEqual(siteOfHost('example.com:8080'), siteOfHost('example.com'));
  });
});
