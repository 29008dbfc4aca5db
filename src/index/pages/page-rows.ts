// The rows of pages: facts, texts to show, and terms for queries in the title or URL.

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { EntryImage } from '../../page/index-entry.ts';
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import type { StoredLink } from './link-graph.ts';
import type { PageFacts } from './page-facts.ts';

/** What results show of a page. The content is large and read separately. */
export interface ShownTexts {
  id: number;
  url: string;
  title: string;
  description: string;
  image: string | null;
  /** 1 when `date` comes from the page itself. */
  published: number;
  language: string;
  simhash: string;
  /** Length of the body in characters. */
  length: number;
}

export interface IndexedText {
  /** One a line. They also stand in the body. */
  headings: string;
  /** The main content: a line for each block. */
  body: string;
}

export interface IndexedPageRecord {
  facts: PageFacts;
  texts: ShownTexts;
  content: IndexedText;
  /** Content and links as stored. */
  packed: Uint8Array;
  images: readonly EntryImage[];
  links: readonly StoredLink[];
}

/** The columns of the table `fts`, as terms joined by spaces. */
export interface FtsFields {
  title: string;
  url: string;
}

export interface PageRows {
  /** `anchors` are the texts of links that are indexed with the page. */
  add(page: IndexedPageRecord, fields: FtsFields, anchors: readonly string[]): void;
  remove(id: number): void;
  read(id: number): IndexedPageRecord | undefined;
  url(id: number): string | undefined;
  texts(id: number): ShownTexts | undefined;
  content(id: number): IndexedText | undefined;
  images(id: number): EntryImage[];
  links(id: number): StoredLink[];
  anchors(id: number): string[];
  setAnchors(id: number, anchors: readonly string[]): void;
  setInbound(id: number, inlinks: number, anchors: number): void;
}

/** Separates headings, body and links, which are compressed as one text. No text contains it. */
const SEPARATOR = '\u0000';
const TEXT_COLUMNS = 'id, url, title, description, image, published, language, simhash, length';

export function createPageRows(connection: SqliteConnection): PageRows {
  const prepare = <Row>(sql: string) => connection.prepare<Row>(sql);
  const urlOf = prepare<{ url: string }>('SELECT url FROM texts WHERE id = ?');
  const add = createAdder(connection);
  const removals = [
    'docs WHERE id',
    'texts WHERE id',
    'contents WHERE id',
    'fts WHERE rowid',
    'anchors WHERE id',
    'again WHERE id',
  ].map((row) => prepare(`DELETE FROM ${row} = ?`));
  const facts = prepare<PageFacts>('SELECT * FROM docs WHERE id = ?');
  const texts = prepare<ShownTexts>(`SELECT ${TEXT_COLUMNS} FROM texts WHERE id = ?`);
  const content = prepare<{ bytes: Uint8Array }>('SELECT bytes FROM contents WHERE id = ?');
  const images = prepare<{ images: string | null }>('SELECT images FROM texts WHERE id = ?');
  const anchors = prepare<{ texts: string }>('SELECT texts FROM anchors WHERE id = ?');
  const putAnchors = prepare('INSERT OR REPLACE INTO anchors VALUES (?, ?)');
  const setInbound = prepare('UPDATE docs SET inlinks = ?, anchors = ? WHERE id = ?');

  const readContent = (id: number): IndexedText | undefined => {
    const row = content.get(id);
    return row && unpackContent(row.bytes).content;
  };
  const readImages = (id: number) => JSON.parse(images.get(id)?.images ?? '[]') as EntryImage[];
  const readLinks = (id: number) => {
    const row = content.get(id);
    return row ? unpackContent(row.bytes).links() : [];
  };
  const setAnchors = (id: number, texts: readonly string[]) => void putAnchors.run(id, texts.join('\n'));

  return {
    add(page, fields, anchorTexts) {
      add(page, fields);
      if (anchorTexts.length > 0) setAnchors(page.facts.id, anchorTexts);
    },
    remove(id) {
      for (const removal of removals) removal.run(BigInt(id));
    },
    read(id) {
      const row = { facts: facts.get(id), texts: texts.get(id), packed: content.get(id)?.bytes };
      if (!row.facts || !row.texts || !row.packed) return undefined;
      const { facts: f, texts: t, packed } = row;
      const unpacked = unpackContent(packed);
      return {
        facts: f,
        texts: t,
        content: unpacked.content,
        packed,
        images: readImages(id),
        links: unpacked.links(),
      };
    },
    url: (id) => urlOf.get(id)?.url,
    texts: (id) => texts.get(id),
    content: readContent,
    images: readImages,
    links: readLinks,
    anchors: (id) => anchors.get(id)?.texts.split('\n') ?? [],
    setAnchors,
    setInbound: (id, inlinks, count) => void setInbound.run(inlinks, count, id),
  };
}

function createAdder(connection: SqliteConnection): (page: IndexedPageRecord, fields: FtsFields) => void {
  const addFacts = connection.prepare('INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addTexts = connection.prepare('INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addContent = connection.prepare('INSERT INTO contents VALUES (?, ?)');
  const addTerms = connection.prepare('INSERT INTO fts (rowid, title, url) VALUES (?, ?, ?)');
  return (page, fields) => {
    const { facts: f, texts: t } = page;
    addFacts.run(
      f.id,
      f.owner,
      f.key,
      f.host,
      f.date,
      f.locale,
      f.type,
      f.flags,
      f.verified,
      f.quality,
      f.images,
      f.inlinks,
      f.anchors,
    );
    addTexts.run(
      f.id,
      t.url,
      t.title,
      t.description,
      t.image,
      t.published,
      t.language,
      t.simhash,
      t.length,
      page.images.length === 0 ? null : JSON.stringify(page.images),
    );
    addContent.run(f.id, page.packed);
    addTerms.run(BigInt(f.id), fields.title, fields.url);
  };
}

/** Call before the transaction begins, to keep that short. */
export const packContent = ({ headings, body }: IndexedText, links: readonly StoredLink[]): Uint8Array =>
  compressText(
    [headings, body].map((text) => text.replaceAll(SEPARATOR, ' ')).join(SEPARATOR) + SEPARATOR + JSON.stringify(links),
  );

function unpackContent(packed: Uint8Array): { content: IndexedText; links(): StoredLink[] } {
  const [headings, body, links] = decompressText(packed).split(SEPARATOR) as [string, string, string];
  return { content: { headings, body }, links: () => JSON.parse(links) as StoredLink[] };
}

const FASTEST = { [constants.ZSTD_c_compressionLevel]: 1 };
/**
 * The output buffer has the right size from the start. One spare byte lets zlib notice the end without another round.
 */
const SPARE_BYTES = 64;

/** The uncompressed length comes first, in four bytes. */
/** Texts are compressed one by one, with settings that are fast for small texts. */
function compressText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const length = bytes.length;
  const packed = zstdCompressSync(bytes, {
    params: FASTEST,
    // Makes zstd size its tables for this text instead of for any text.
    pledgedSrcSize: length,
    chunkSize: Math.max(length, SPARE_BYTES) + SPARE_BYTES,
  });
  const kept = Buffer.allocUnsafe(packed.length + 4);
  kept.writeUInt32LE(length);
  kept.set(packed, 4);
  return kept;
}

function decompressText(kept: Uint8Array): string {
  const length = new DataView(kept.buffer, kept.byteOffset).getUint32(0, true);
  return zstdDecompressSync(kept.subarray(4), { chunkSize: length + SPARE_BYTES }).toString();
}
