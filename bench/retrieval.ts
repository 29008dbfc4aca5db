// Ranked search over a labelled collection, for scripts that score retrieval. Each text of the collection is a page on its
// own host. With `--engine opensearch`, the index is on TRAWL_TEST_OPENSEARCH.

import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEncoders, type SentenceVectors } from '../src/encoders/encoders.ts';
import type { IndexChange, PageIndex } from '../src/index/page-index.ts';
import type { IndexEntry } from '../src/page/index-entry.ts';
import { SHARED } from '../src/page/page-owner.ts';
import { OWN_WORK } from '../src/runtime/gate/gate.ts';
import { parseQuery } from '../src/search/query/query.ts';
import { CORPUS_NOW, createCorpus } from './corpus/corpus.ts';
import { plainConditions, VISIBLE } from './index/index-queries.ts';
import { openMeasuredIndex } from './index/open-measured-index.ts';

export interface LabelledText {
  id: string;
  title: string;
  body: string;
  /** Absent: English. */
  language?: string;
}

/** Returns the ids of the best texts, best first. */
export type RankedSearch = (query: string, count: number) => Promise<string[]>;

const PADDING = 100_000;
const BATCH = 200;
const NEVER = new AbortController().signal;
const HOST = /^https:\/\/doc-(.+)\.example\//;

/** Ignores quotes in queries: in questions written as prose they do not mean exact phrases. */
export const createSearch = async (texts: LabelledText[]): Promise<RankedSearch> =>
  asPlainWords(await openSearch(texts, 0));

/** Takes queries as typed: quoted words must be on the page as a phrase, as in any search. */
export const createTypedSearch = (texts: LabelledText[]): Promise<RankedSearch> => openSearch(texts, 0);

/** Like `createSearch`, with the texts spread among generated pages. */
export const createPaddedSearch = async (texts: LabelledText[], padding = PADDING): Promise<RankedSearch> =>
  asPlainWords(await openSearch(texts, padding));

/** The same with the meaning of the texts, where the models are installed. */
export const createMeaningSearch = async (texts: LabelledText[]): Promise<RankedSearch> =>
  asPlainWords(await openSearch(texts, 0, createEncoders().sentences));

const asPlainWords =
  (search: RankedSearch): RankedSearch =>
  (query, count) =>
    search(query.replaceAll('"', ' '), count);

async function openSearch(texts: LabelledText[], padding: number, sentences?: SentenceVectors): Promise<RankedSearch> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-retrieval-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const engine = process.argv[process.argv.indexOf('--engine') + 1];
  const index = await openMeasuredIndex(engine, join(folder, 'index.db'));
  // A script that scores does not say when it is done.
  process.once('beforeExit', () => void index.close());
  let batch: IndexChange[] = [];
  let change = 0;
  const add = async (next: Omit<IndexChange, 'change'>) => {
    batch.push({ ...next, change: ++change });
    if (batch.length < BATCH) return;
    await index.apply(batch);
    batch = [];
  };
  const corpus = createCorpus(Math.max(1, padding));
  const between = padding / texts.length;
  let padded = 0;
  for (const [at, text] of texts.entries()) {
    await add(pageChange(text));
    for (; padded < Math.round((at + 1) * between); padded += 1) await add(corpus.page(padded).change);
  }
  await index.apply(batch);
  if (sentences) await giveVectors(index, sentences);

  return async (text, count) => {
    const query = parseQuery(text);
    const vector = (await sentences?.encode([text], OWN_WORK, NEVER))?.[0];
    // Generated pages stay in the results, so they count as wrong hits.
    const hits = await index.web({
      ...VISIBLE,
      query,
      conditions: plainConditions,
      limit: count,
      highlights: false,
      now: CORPUS_NOW,
      meaning: vector && { vector, isAlone: false },
    });
    return hits.map(({ url }) => HOST.exec(url)?.[1] ?? url);
  };
}

async function giveVectors(index: PageIndex, sentences: SentenceVectors): Promise<void> {
  for (;;) {
    const { pages, isComplete } = await index.missingVectors(BATCH);
    if (isComplete) return;
    const texts = pages.map(({ text }) => text);
    const vectors = await sentences.encode(texts, OWN_WORK, NEVER);
    await index.addVectors(pages.map(({ docId }, at) => ({ docId, vector: vectors[at]! })));
  }
}

export function pageChange({ id, title, body, language = 'en' }: LabelledText): Omit<IndexChange, 'change'> {
  const url = `https://doc-${id}.example/text`;
  const entry: IndexEntry = {
    url,
    title,
    description: '',
    headings: '',
    body,
    language,
    countries: [],
    fetchedAt: CORPUS_NOW,
    fileType: 'html',
    isNews: false,
    quality: 0.75,
    links: [],
    images: [],
    simhash: '',
  };
  return {
    owner: SHARED,
    url,
    isVerified: true,
    firstSeenAt: CORPUS_NOW,
    entry: new TextEncoder().encode(JSON.stringify(entry)),
  };
}
