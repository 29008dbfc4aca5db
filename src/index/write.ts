// A transaction on the index: rows change at once, what is kept in memory of them only when it has ended well.
import type { Connection } from '../store/sqlite/connection.ts';
import { withAnchors } from './analyse.ts';
import type { Columns } from './columns.ts';
import type { Documents } from './documents.ts';
import type { Facts } from './facts.ts';
import type { Links } from './links.ts';
import type { NewDocument, Postings } from './postings/postings.ts';
import type { ReadyDocument } from './prepare-change.ts';

export interface IndexParts {
  connection: Connection;
  documents: Documents;
  links: Links;
  postings: Postings;
  columns: Columns;
}

export interface Batch {
  remove(id: number): void;
  /** With a new number, and what links say of it by now. */
  add(ready: ReadyDocument): void;
  setInlinks(id: number, inlinks: number): void;
}

export type Write = (work: (batch: Batch) => void) => void;

export function createWrite({ connection, documents, links, postings, columns }: IndexParts): Write {
  return (work) => {
    const added: NewDocument[] = [];
    const followUps: (() => void)[] = [];
    let last = postings.last;
    const batch: Batch = {
      remove(id) {
        documents.remove(id);
        postings.remove(id);
        followUps.push(() => columns.remove(id));
      },
      add({ document, analysis }) {
        const { key, host } = document.facts;
        const incoming = links.incoming(key, host, document.texts.title);
        const { terms, length, fields } = withAnchors(analysis, incoming.texts, document.texts.language);
        last += 1;
        const facts: Facts = { ...document.facts, id: last, inlinks: incoming.hosts, anchors: incoming.texts.length };
        const texts = { ...document.texts, id: last };
        documents.add({ ...document, facts, texts }, fields);
        added.push({ number: last, terms, length });
        followUps.push(() => columns.add(facts));
      },
      setInlinks(id, inlinks) {
        documents.setInlinks(id, inlinks);
        followUps.push(() => columns.setInlinks(id, inlinks));
      },
    };
    try {
      connection.transaction(() => {
        work(batch);
        postings.add(added);
      });
    } catch (error) {
      postings.rolledBack();
      links.forget();
      throw error;
    }
    postings.committed();
    for (const followUp of followUps) followUp();
  };
}
