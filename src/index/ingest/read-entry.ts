// Reads an index entry from untrusted bytes: every field gets its type and a bounded length.
import type { EntryImage, EntryLink, IndexEntry } from '../../page/index-entry.ts';
import { assert } from '../../util/assert.ts';

const MAX_TITLE = 500;
const MAX_DESCRIPTION = 2_000;
const MAX_HEADINGS = 20_000;
const MAX_BODY = 200_000;
const MAX_LINKS = 300;
const MAX_LINK_TEXT = 100;
const MAX_IMAGES = 100;
const MAX_IMAGE_TEXT = 300;
const MAX_URL = 4_096;
const MAX_COUNTRIES = 8;
const MAX_SIDE = 100_000;
const MAX_TIME = 8.64e15;

const decoder = new TextDecoder();

/** Throws when the bytes are not a JSON object. */
export function readEntry(bytes: Uint8Array): IndexEntry {
  const given = parse(bytes);
  return {
    url: textOf(given.url, MAX_URL),
    title: lineOf(given.title, MAX_TITLE),
    description: lineOf(given.description, MAX_DESCRIPTION),
    headings: textOf(given.headings, MAX_HEADINGS),
    body: textOf(given.body, MAX_BODY),
    language: /^[a-z]{2}$/.test(String(given.language)) ? String(given.language) : '',
    countries: listOf(given.countries, MAX_COUNTRIES).filter(
      (code): code is string => typeof code === 'string' && /^[A-Z]{2}$/.test(code),
    ),
    publishedAt: timeOf(given.publishedAt),
    fetchedAt: timeOf(given.fetchedAt) ?? 0,
    fileType: /^[a-z0-9]{1,10}$/.test(String(given.fileType)) ? String(given.fileType) : 'html',
    isNews: given.isNews === true,
    quality: typeof given.quality === 'number' ? Math.min(1, Math.max(0, given.quality || 0)) : 0,
    links: listOf(given.links, MAX_LINKS).flatMap(readLink),
    images: listOf(given.images, MAX_IMAGES).flatMap(readImage),
    imageUrl: textOf(given.imageUrl, MAX_URL) || undefined,
    simhash: /^[0-9a-f]{16}$/.test(String(given.simhash)) ? String(given.simhash) : '',
  };
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  const value: unknown = JSON.parse(decoder.decode(bytes));
  assert(value !== null && typeof value === 'object' && !Array.isArray(value), 'The entry is not a JSON object.');
  return value as Record<string, unknown>;
}

function readLink(link: unknown): EntryLink[] {
  const { url, text } = (link ?? {}) as Partial<Record<keyof EntryLink, unknown>>;
  if (typeof url !== 'string' || url === '' || url.length > MAX_URL) return [];
  return [{ url, text: lineOf(text, MAX_LINK_TEXT) }];
}

function readImage(image: unknown): EntryImage[] {
  const given = (image ?? {}) as Partial<Record<keyof EntryImage, unknown>>;
  if (typeof given.url !== 'string' || given.url === '' || given.url.length > MAX_URL) return [];
  return [
    {
      url: given.url,
      width: sideOf(given.width),
      height: sideOf(given.height),
      alt: lineOf(given.alt, MAX_IMAGE_TEXT),
      caption: lineOf(given.caption, MAX_IMAGE_TEXT),
    },
  ];
}

const listOf = (value: unknown, most: number): unknown[] => (Array.isArray(value) ? value.slice(0, most) : []);

const textOf = (value: unknown, most: number): string =>
  typeof value === 'string' ? cut(value, most).toWellFormed() : '';

const lineOf = (value: unknown, most: number): string => textOf(value, most).replace(/\s+/g, ' ').trim();

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most) : text);

/** Only times that a Date can represent. */
const timeOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) <= MAX_TIME ? Math.trunc(value) : undefined;

const sideOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 1 && value <= MAX_SIDE ? Math.round(value) : undefined;
