// The vectors of pages as documents beside them, so that a page need not be written again. Each belongs to one change of its
// page: a page that was written since then counts as one without.
import type { TextVector } from '../../../text/text-vectors.ts';
import { sha256 } from '../../../util/hash.ts';
import { isEncoded, pageBeginning } from '../../meaning/page-beginning.ts';
import type { MissingVectors, PageVector } from '../../meaning/page-vectors.ts';
import { signWords } from '../../meaning/sign-bits.ts';
import type { PageFacts } from '../../pages/page-facts.ts';
import { type Write, writeAll } from '../engine/bulk-writer.ts';
import { columnsOnly, type PageDocuments } from '../engine/page-store.ts';
import { domainsOf, pageId, readCard, vectorId } from './page-document.ts';

export interface VectorDocument {
  kind: 'vector';
  change: number;
  /** The id of the page. */
  vectorOf: string;
  vectorOwner: string;
  vectorHost: string;
  vectorDomains: string[];
  signs: string[];
  /** Hash of the text that it was made of. */
  beginning: string;
  /** As base64. */
  vector: string;
}

type KnownVector = Pick<VectorDocument, 'change' | 'beginning' | 'vector'>;

export interface RemoteVectors {
  missing(most: number): Promise<MissingVectors>;
  add(vectors: readonly PageVector[]): Promise<void>;
  /** Everything was removed. */
  forget(): void;
}

interface Page extends Pick<PageFacts, 'owner' | 'host'> {
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
  /** Vectors were written that searches do not find yet. */
  let isStale = false;
  /** What was asked for last, by change. */
  let asked = new Map<number, { page: Page; beginning: string }>();

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
      const { owner, host } = facts;
      return { id: pageId(owner, url), owner, host, change: fields!.change![0] as number, title, language };
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
        if (old?.beginning === beginning) kept.push(writeOf(documentOf(page, beginning, readVector(old).vector)));
        else {
          wanted.push({ docId: page.change, text });
          asked.set(page.change, { page, beginning });
        }
      }
      await writeAll(store, kept);
      const isThrough = lacking.length === 0;
      const last = isThrough ? pages.at(-1)?.change : chosen[0]!.change - 1;
      done = Math.max(done, last ?? 0);
      isStale ||= kept.length > 0;
      const isComplete = isThrough && pages.length < NEXT_PAGES;
      if (isComplete && isStale) {
        await store.refresh();
        isStale = false;
      }
      return { pages: wanted, isComplete };
    },
    async add(vectors) {
      const writes = vectors.flatMap(({ docId: change, vector }) => {
        const known = asked.get(change);
        return known ? [writeOf(documentOf(known.page, known.beginning, vector))] : [];
      });
      await writeAll(store, writes);
      isStale = true;
    },
    forget() {
      done = 0;
    },
  };
}

const writeOf = (document: VectorDocument): Write => ({
  ...{ id: vectorId(document.vectorOf), action: 'index', version: document.change, document },
});

function documentOf({ id, change, owner, host }: Page, beginning: string, vector: TextVector): VectorDocument {
  const { buffer, byteOffset, length } = vector;
  return {
    ...{ kind: 'vector', change, beginning },
    ...{ vectorOf: id, vectorOwner: owner, vectorHost: host, vectorDomains: domainsOf(host) },
    signs: signWords(vector),
    vector: Buffer.from(buffer, byteOffset, length).toString('base64'),
  };
}

export function readVector({ change, vector }: Pick<VectorDocument, 'change' | 'vector'>): {
  change: number;
  vector: TextVector;
} {
  return { change, vector: Int8Array.from(Buffer.from(vector, 'base64')) };
}

const knownOf = (store: PageDocuments, pages: readonly Page[]): Promise<(KnownVector | undefined)[]> =>
  store.get<KnownVector>(
    pages.map(({ id }) => vectorId(id)),
    ['change', 'beginning', 'vector'],
  );

async function beginningsOf(store: PageDocuments, pages: readonly Page[]): Promise<string[]> {
  const contents = await store.get<{ content: { body: string } }>(
    pages.map(({ id }) => id),
    ['content.body'],
  );
  return pages.map(({ title }, at) => pageBeginning(title, contents[at]?.content.body ?? ''));
}
