// The vectors of pages, which say what they are about: one byte a number for the best candidates, and the sign of each number
// for searches over all pages. Vectors come after their pages; a page that is written anew with the same beginning keeps its own.
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import type { TextVector } from '../../text/text-vectors.ts';
import { sha256 } from '../../util/hash.ts';
import type { IndexedPageRecord, PageRows } from '../pages/page-rows.ts';
import { isEncoded, pageBeginning } from './page-beginning.ts';
import { type SignBits, signBits, WORDS_OF_SIGNS } from './sign-bits.ts';

export interface BeginningOfPage {
  docId: number;
  text: string;
}

export interface MissingVectors {
  pages: BeginningOfPage[];
  isComplete: boolean;
}

export interface PageVector {
  docId: number;
  vector: TextVector;
}

export interface PageVectors {
  vectorOf(docId: number): TextVector | undefined;
  /** The signs of `SIGNS_A_ROW` docs from `first` on. Those of a doc without a vector are 0. */
  eachSigns(row: (first: number, signs: SignBits) => void): void;
  /** Pages that have no vector yet, the oldest first. There may be more if none is returned, unless it is complete. */
  missing(most: number): MissingVectors;
  /** Skips pages that no longer exist. */
  add(vectors: readonly PageVector[]): void;
  /** Takes the vector of a page that is about to be removed. Within a transaction, like `keep`. */
  take(docId: number): TakenVector | undefined;
  /** Gives it to the new version of the page, if that begins with the same text. */
  keep(page: IndexedPageRecord, taken: TakenVector): void;
}

export interface TakenVector {
  /** Hash of the text that the vector was made of. */
  beginning: string;
  vector: TextVector;
}

const SIGNS_A_ROW = 64;
const NEXT_PAGES = 500;

/** The last doc id up to which no vector is missing; in the table `state`. */
const DONE = 'vectors';

export const SCHEMA = `
-- What pages are about, as vectors. Pages get theirs some time after they were indexed.
CREATE TABLE vectors (id INTEGER PRIMARY KEY, beginning TEXT NOT NULL, vector BLOB NOT NULL);

-- The signs of their numbers, ${SIGNS_A_ROW} docs a row.
CREATE TABLE signs (id INTEGER PRIMARY KEY, bits BLOB NOT NULL);
`;

type Row = { beginning: string; vector: Uint8Array };

export function createPageVectors(
  connection: SqliteConnection,
  pageRows: Pick<PageRows, 'texts' | 'content'>,
): PageVectors {
  const row = connection.prepare<Row>('SELECT beginning, vector FROM vectors WHERE id = ?');
  const hasVector = connection.prepare<{ id: number }>('SELECT id FROM vectors WHERE id = ?');
  const put = connection.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)');
  const drop = connection.prepare('DELETE FROM vectors WHERE id = ?');
  const isPage = connection.prepare<{ id: number }>('SELECT id FROM docs WHERE id = ?');
  const next = connection.prepareTuples<[id: number]>('SELECT id FROM docs WHERE id > ? ORDER BY id LIMIT ?');
  const readState = connection.prepare<{ value: number }>('SELECT value FROM state WHERE name = ?');
  const writeState = connection.prepare('INSERT OR REPLACE INTO state VALUES (?, ?)');
  const signs = createSignRows(connection);

  const bytesOf = ({ buffer, byteOffset, length }: TextVector) => new Uint8Array(buffer, byteOffset, length);
  const vectorIn = ({ vector }: Row): TextVector => new Int8Array(vector.buffer, vector.byteOffset, vector.length);
  const write = (docId: number, { beginning, vector }: TakenVector) => {
    put.run(docId, beginning, bytesOf(vector));
    signs.set(docId, signBits(vector));
  };
  const beginningOf = (docId: number): string | undefined => {
    const texts = pageRows.texts(docId);
    const content = texts && isEncoded(texts.language) ? pageRows.content(docId) : undefined;
    return content && pageBeginning(texts!.title, content.body);
  };

  return {
    vectorOf(docId) {
      const known = row.get(docId);
      return known && vectorIn(known);
    },
    eachSigns: signs.each,
    missing(most) {
      const pages: BeginningOfPage[] = [];
      const before = readState.get(DONE)?.value ?? 0;
      let done = before;
      const ids = next.all(before, NEXT_PAGES).map(([id]) => id);
      for (const docId of ids) {
        const text = hasVector.get(docId) ? undefined : beginningOf(docId);
        if (text !== undefined) pages.push({ docId, text });
        else if (pages.length === 0) done = docId;
        if (pages.length >= most) break;
      }
      if (done > before) writeState.run(DONE, done);
      return { pages, isComplete: pages.length === 0 && ids.length < NEXT_PAGES };
    },
    add(vectors) {
      connection.transaction(() => {
        for (const { docId, vector } of vectors) {
          const text = isPage.get(docId) && beginningOf(docId);
          if (text) write(docId, { beginning: sha256(text), vector });
        }
      });
    },
    take(docId) {
      const known = row.get(docId);
      if (!known) return undefined;
      drop.run(docId);
      signs.set(docId, new Uint32Array(WORDS_OF_SIGNS));
      return { beginning: known.beginning, vector: vectorIn(known) };
    },
    keep({ facts, texts, content }, taken) {
      if (taken.beginning === sha256(pageBeginning(texts.title, content.body))) write(facts.id, taken);
    },
  };
}

function createSignRows(connection: SqliteConnection) {
  const rowLength = SIGNS_A_ROW * WORDS_OF_SIGNS;
  const read = connection.prepare<{ bits: Uint8Array }>('SELECT bits FROM signs WHERE id = ?');
  const put = connection.prepare('INSERT OR REPLACE INTO signs VALUES (?, ?)');
  const page = connection.prepareTuples<[id: number, bits: Uint8Array]>(
    'SELECT id, bits FROM signs WHERE id > ? ORDER BY id LIMIT ?',
  );
  /** A copy: the bytes of a row may begin anywhere. */
  const numbersIn = (bits: Uint8Array): SignBits => new Uint32Array(Uint8Array.from(bits).buffer);
  return {
    set(docId: number, signs: SignBits) {
      const id = Math.floor(docId / SIGNS_A_ROW);
      const known = read.get(id);
      const all = known ? numbersIn(known.bits) : new Uint32Array(rowLength);
      all.set(signs, (docId % SIGNS_A_ROW) * WORDS_OF_SIGNS);
      put.run(id, new Uint8Array(all.buffer));
    },
    each(visit: (first: number, signs: SignBits) => void) {
      for (let last = -1; ; ) {
        const rows = page.all(last, NEXT_PAGES);
        for (const [id, bits] of rows) visit(id * SIGNS_A_ROW, numbersIn(bits));
        if (rows.length < NEXT_PAGES) return;
        last = rows.at(-1)![0];
      }
    },
  };
}
