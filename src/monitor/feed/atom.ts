// Atom feeds (RFC 4287).
import { iso } from '../../util/clock.ts';
import { escapeMarkup } from '../mail/safe-text.ts';

interface AtomFeed {
  /** A URI that never changes. */
  id: string;
  title: string;
  selfUrl: string;
  updatedAt: number;
  entries: readonly ChangeFeedEntry[];
}

export interface ChangeFeedEntry {
  id: string;
  title: string;
  updatedAt: number;
  /** HTML, made of escaped parts. */
  html: string;
  /** The page that it is about, if it is about one. */
  link?: string;
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** What XML 1.0 cannot contain, not even escaped. */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

export function writeAtom({ id, title, selfUrl, updatedAt, entries }: AtomFeed): string {
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    ...[element('id', id), element('title', title), element('updated', iso(updatedAt))],
    '<author><name>Trawl</name></author>',
    '<generator>Trawl</generator>',
    `<link rel="self" type="application/atom+xml" href="${escaped(selfUrl)}"/>`,
    ...entries.map(entryXml),
    '</feed>',
  ];
  return `${lines.join('\n')}\n`;
}

const entryXml = ({ id, title, updatedAt, html, link }: ChangeFeedEntry): string =>
  [
    '<entry>',
    ...[element('id', id), element('title', title), element('updated', iso(updatedAt))],
    ...(link ? [`<link rel="alternate" href="${escaped(link)}"/>`] : []),
    `<content type="html">${escaped(html)}</content>`,
    '</entry>',
  ].join('\n');

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;
const escaped = (text: string): string => escapeMarkup(text.replace(NO_XML, ''));
