// The rows of documents: their facts, the texts that are shown, and the same words for questions about phrases and places.
import type { EntryImage } from '../../contracts/index-entry.ts';
import type { Connection } from '../sqlite/connection.ts';
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

  const readParts = (id: number) => {
    const row = content.get(id);
    return row && (unpackText(row.content).split(BORDER) as [string, string, string]);
  };
  const readContent = (id: number): Content | undefined => {
    const parts = readParts(id);
    return parts && { headings: parts[0], body: parts[1] };
  };
  const readImages = (id: number) => JSON.parse(images.get(id)?.images ?? '[]') as EntryImage[];
  const readLinks = (id: number) => JSON.parse(readParts(id)?.[2] ?? '[]') as KeptLink[];

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
        packText(joined(document)),
      );
      addTerms.run(BigInt(f.id), fields.title, fields.url, fields.body);
    },
    remove(id) {
      for (const removal of removals) removal.run(BigInt(id));
    },
    read(id) {
      const row = { facts: facts.get(id), texts: texts.get(id), content: readContent(id) };
      if (!row.facts || !row.texts || !row.content) return undefined;
      const { facts: f, texts: t, content: c } = row;
      return { facts: f, texts: t, content: c, images: readImages(id), links: readLinks(id) };
    },
    url: (id) => urlOf.get(id)?.url,
    texts: (id) => texts.get(id),
    content: readContent,
    images: readImages,
    links: readLinks,
    setInlinks: (id, inlinks) => void setInlinks.run(inlinks, id),
  };
}

const joined = ({ content: { headings, body }, links }: StoredDocument): string =>
  [headings, body].map((text) => text.replaceAll(BORDER, ' ')).join(BORDER) + BORDER + JSON.stringify(links);
