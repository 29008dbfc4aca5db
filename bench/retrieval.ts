// The index as a ranked search over labelled documents: what scripts that score retrieval ask for. Each document is a
// page on a host of its own.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexEntry } from '../src/contracts/index-entry.ts';
import { openPageIndex } from '../src/index/open-index.ts';
import type { IndexChange } from '../src/index/page-index.ts';
import { parseQuery } from '../src/search/query/query.ts';
import { CORPUS_NOW, createCorpus } from './corpus/corpus.ts';
import { plainConditions } from './index/index-queries.ts';

export interface LabelledDocument {
  id: string;
  title: string;
  body: string;
}

/** Gives the ids of the best documents, best first. */
export type RankedSearch = (query: string, count: number) => Promise<string[]>;

const PADDING = 100_000;
const BATCH = 200;
const HOST = /^https:\/\/doc-(.+)\.example\//;

/** Questions as plain words: their quotes are those of prose, and demand nothing. */
export const createSearch = async (documents: LabelledDocument[]): Promise<RankedSearch> =>
  asPlainWords(await openSearch(documents, 0));

/** Questions as they stand: what is quoted must be in the page word for word, as in any search. */
export const createTypedSearch = (documents: LabelledDocument[]): Promise<RankedSearch> => openSearch(documents, 0);

/** The same documents, spread among generated pages. */
export const createPaddedSearch = async (documents: LabelledDocument[], padding = PADDING): Promise<RankedSearch> =>
  asPlainWords(await openSearch(documents, padding));

const asPlainWords =
  (search: RankedSearch): RankedSearch =>
  (query, count) =>
    search(query.replaceAll('"', ' '), count);

async function openSearch(documents: LabelledDocument[], padding: number): Promise<RankedSearch> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-retrieval-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const index = await openPageIndex({ file: join(folder, 'index.db') });
  let batch: IndexChange[] = [];
  let change = 0;
  const add = async (made: Omit<IndexChange, 'change'>) => {
    batch.push({ ...made, change: ++change });
    if (batch.length < BATCH) return;
    await index.apply(batch);
    batch = [];
  };
  const corpus = createCorpus(Math.max(1, padding));
  const between = padding / documents.length;
  let padded = 0;
  for (const [place, document] of documents.entries()) {
    await add(changeOf(document));
    for (; padded < Math.round((place + 1) * between); padded += 1) await add(corpus.page(padded).change);
  }
  await index.apply(batch);

  return async (text, count) => {
    const query = parseQuery(text);
    // Pages of the padding take places, as they would for anybody.
    const hits = await index.web({
      query,
      conditions: plainConditions,
      limit: count,
      highlights: false,
      now: CORPUS_NOW,
    });
    return hits.map(({ url }) => HOST.exec(url)?.[1] ?? url);
  };
}

function changeOf({ id, title, body }: LabelledDocument): Omit<IndexChange, 'change'> {
  const url = `https://doc-${id}.example/text`;
  const entry: IndexEntry = {
    url,
    title,
    description: '',
    headings: '',
    body,
    language: 'en',
    countries: [],
    fetchedAt: CORPUS_NOW,
    fileType: 'html',
    isNews: false,
    quality: 0.75,
    links: [],
    images: [],
    simhash: '',
  };
  return { url, firstSeenAt: CORPUS_NOW, entry: new TextEncoder().encode(JSON.stringify(entry)) };
}
