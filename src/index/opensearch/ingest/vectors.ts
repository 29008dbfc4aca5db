// The vectors of pages as documents beside them, so that a page need not be written again. Each belongs to one change of its
// page: a page that was written since then counts as one without.
import type { TextVector } from '../../../text/text-vectors.ts';
import { sha256 } from '../../../util/hash.ts';
import { isEncoded, pageBeginning } from '../../meaning/page-beginning.ts';
import type { MissingVectors, PageVector } from '../../meaning/page-vectors.ts';
import { type Write, writeAll } from '../engine/bulk-writer.ts';
import { columnsOnly, type PageDocuments } from '../engine/page-store.ts';
import { pageId, readCard, vectorId } from './page-document.ts';

/** Only its kind and change are fields: nobody searches for the rest. */
export interface VectorDocument {
  kind: 'vector';
  change: number;
  /** Hash of the text that it was made of. */
  beginning: string;
  /** As base64. */
  vector: string;
}

export interface RemoteVectors {
  missing(most: number): Promise<MissingVectors>;
  add(vectors: readonly PageVector[]): Promise<void>;
  /** Everything was removed. */
  forget(): void;
}

interface Page {
  id: string;
  change: number;
  title: string;
  language: string;
}

const NEXT_PAGES = 200;
/** Bodies that are read at once. */
const TEXTS_AT_ONCE = 40;

/** `applied`: the number of the last change, which is lower than before where another process has cleared the index. */
export function createRemoteVectors(store: PageDocuments, applied: () => Promise<number>): RemoteVectors {
  /** No page up to this change lacks a vector. A new process looks through all of them. */
  let done = 0;
  let seen = 0;
  /** What was asked for last, by change. */
  let asked = new Map<number, { id: string; beginning: string }>();

  async function nextPages(): Promise<Page[]> {
    const last = await applied();
    if (last < seen) done = 0;
    seen = last;
    const filter = [{ term: { kind: 'page' } }, { range: { change: { gt: done } } }];
    const columns = columnsOnly(['card', 'change']);
    const [answer] = await store.search([
      { size: NEXT_PAGES, query: { bool: { filter } }, sort: [{ change: 'asc' }], ...columns },
    ]);
    return answer!.hits.hits.map(({ fields }) => {
      const { facts, texts } = readCard(fields!.card![0] as string);
      const { title, language, url } = texts;
      return { id: pageId(facts.owner, url), change: fields!.change![0] as number, title, language };
    });
  }

  return {
    async missing(most) {
      const pages = await nextPages();
      const known = await knownOf(store, pages);
      const lacking = pages.filter(({ change, language }, at) => isEncoded(language) && known[at]?.change !== change);
      const chosen = lacking.slice(0, Math.min(most, TEXTS_AT_ONCE));
      const texts = await beginningsOf(store, chosen);
      const kept: Write[] = [];
      const wanted: MissingVectors['pages'] = [];
      asked = new Map();
      for (const [at, page] of chosen.entries()) {
        const text = texts[at]!;
        const beginning = sha256(text);
        const old = known[pages.indexOf(page)];
        // A page that begins as before keeps its vector.
        if (old?.beginning === beginning) kept.push(writeOf(page.id, { ...old, change: page.change }));
        else {
          wanted.push({ docId: page.change, text });
          asked.set(page.change, { id: page.id, beginning });
        }
      }
      await writeAll(store, kept);
      const isThrough = lacking.length === 0;
      const last = isThrough ? pages.at(-1)?.change : chosen[0]!.change - 1;
      done = Math.max(done, last ?? 0);
      return { pages: wanted, isComplete: isThrough && pages.length < NEXT_PAGES };
    },
    async add(vectors) {
      const writes = vectors.flatMap(({ docId: change, vector }) => {
        const page = asked.get(change);
        return page ? [writeOf(page.id, documentOf(change, page.beginning, vector))] : [];
      });
      await writeAll(store, writes);
    },
    forget() {
      done = 0;
    },
  };
}

const writeOf = (page: string, document: VectorDocument): Write => ({
  ...{ id: vectorId(page), action: 'index', version: document.change, document },
});

const documentOf = (change: number, beginning: string, { buffer, byteOffset, length }: TextVector): VectorDocument => ({
  ...{ kind: 'vector', change, beginning },
  vector: Buffer.from(buffer, byteOffset, length).toString('base64'),
});

export function readVector({ change, vector }: VectorDocument): { change: number; vector: TextVector } {
  return { change, vector: Int8Array.from(Buffer.from(vector, 'base64')) };
}

const knownOf = (store: PageDocuments, pages: readonly Page[]): Promise<(VectorDocument | undefined)[]> =>
  store.get<VectorDocument>(
    pages.map(({ id }) => vectorId(id)),
    ['kind', 'change', 'beginning', 'vector'],
  );

async function beginningsOf(store: PageDocuments, pages: readonly Page[]): Promise<string[]> {
  const contents = await store.get<{ content: { body: string } }>(
    pages.map(({ id }) => id),
    ['content.body'],
  );
  return pages.map(({ title }, at) => pageBeginning(title, contents[at]?.content.body ?? ''));
}
