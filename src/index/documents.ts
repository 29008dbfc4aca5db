// The rows of documents: their facts, the texts that are shown, and the same words for questions about phrases and places.
import type { EntryImage } from '../contracts/index-entry.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import type { Fields } from './analyse.ts';
import type { Facts } from './facts.ts';
import type { KeptLink } from './links.ts';
import { packText, unpackText } from './packed-text.ts';

/** What is shown of a document; its content is read on its own, for it is large. */
export interface Texts {
  id: number;
  url: string;
  title: string;
  description: string;
  image: string | null;
  /** 1: `date` is the page's own word. */
  published: number;
  language: string;
  simhash: string;
  /** Of the body, in characters. */
  length: number;
}

export interface Content {
  headings: string;
  body: string;
}

export interface StoredDocument {
  facts: Facts;
  texts: Texts;
  content: Content;
  /** Content and links, as they are kept. */
  packed: Uint8Array;
  images: readonly EntryImage[];
  links: readonly KeptLink[];
}

export interface Documents {
  add(document: StoredDocument, fields: Fields): void;
  remove(id: number): void;
  read(id: number): StoredDocument | undefined;
  url(id: number): string | undefined;
  texts(id: number): Texts | undefined;
  content(id: number): Content | undefined;
  images(id: number): EntryImage[];
  links(id: number): KeptLink[];
  setInlinks(id: number, inlinks: number): void;
}

/** Between headings, body and links, which are packed as one: no text has it. */
const BORDER = '\u0000';
const SHOWN = 'id, url, title, description, image, published, language, simhash, length';

export function createDocuments(connection: Connection): Documents {
  const prepare = <Row>(sql: string) => connection.prepare<Row>(sql);
  const urlOf = prepare<{ url: string }>('SELECT url FROM texts WHERE id = ?');
  const addFacts = prepare('INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addTexts = prepare('INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addTerms = prepare('INSERT INTO fts (rowid, title, url, body) VALUES (?, ?, ?, ?)');
  const removals = ['docs WHERE id', 'texts WHERE id', 'fts WHERE rowid', 'again WHERE id'].map((place) =>
    prepare(`DELETE FROM ${place} = ?`),
  );
  const facts = prepare<Facts>('SELECT * FROM docs WHERE id = ?');
  const texts = prepare<Texts>(`SELECT ${SHOWN} FROM texts WHERE id = ?`);
  const content = prepare<{ content: Uint8Array }>('SELECT content FROM texts WHERE id = ?');
  const images = prepare<{ images: string | null }>('SELECT images FROM texts WHERE id = ?');
  const setInlinks = prepare('UPDATE docs SET inlinks = ? WHERE id = ?');

  const readContent = (id: number): Content | undefined => {
    const row = content.get(id);
    return row && unpackContent(row.content).content;
  };
  const readImages = (id: number) => JSON.parse(images.get(id)?.images ?? '[]') as EntryImage[];
  const readLinks = (id: number) => {
    const row = content.get(id);
    return row ? unpackContent(row.content).links() : [];
  };

  return {
    add(document, fields) {
      const { facts: f, texts: t } = document;
      addFacts.run(f.id, f.key, f.host, f.date, f.locale, f.type, f.flags, f.quality, f.images, f.inlinks, f.anchors);
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
        document.images.length === 0 ? null : JSON.stringify(document.images),
        document.packed,
      );
      addTerms.run(BigInt(f.id), fields.title, fields.url, fields.body);
    },
    remove(id) {
      for (const removal of removals) removal.run(BigInt(id));
    },
    read(id) {
      const row = { facts: facts.get(id), texts: texts.get(id), packed: content.get(id)?.content };
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
    setInlinks: (id, inlinks) => void setInlinks.run(inlinks, id),
  };
}

/** To be done before the transaction, which it would only make longer. */
export const packContent = ({ headings, body }: Content, links: readonly KeptLink[]): Uint8Array =>
  packText([headings, body].map((text) => text.replaceAll(BORDER, ' ')).join(BORDER) + BORDER + JSON.stringify(links));

function unpackContent(packed: Uint8Array): { content: Content; links(): KeptLink[] } {
  const [headings, body, links] = unpackText(packed).split(BORDER) as [string, string, string];
  return { content: { headings, body }, links: () => JSON.parse(links) as KeptLink[] };
}
