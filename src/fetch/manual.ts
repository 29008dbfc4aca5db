// The service's own manual as web pages: read from disk under the URLs at which the service shows them, so that they
// can be searched without a request to ourselves, which stays forbidden.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ServiceError } from '../contracts/errors/errors.ts';
import { CHAPTERS, type Chapter, chapterFormerly } from '../contracts/manual.ts';
import type { Fetched } from '../page/page.ts';
import type { Clock } from '../util/clock.ts';
import { sha256 } from '../util/hash.ts';
import { lazy } from '../util/lazy.ts';
import type { FetchEngine } from './engine.ts';

const PATH = '/docs/';
/**
 * The folders that users read: what else is below docs/ is for contributors. Longer names could not be names of files, and
 * opening one would fail in another way than with a missing file.
 */
const CHAPTER = /^(?:use|operate|extend)\/[\w-]{1,100}\.md$/;
const ENDING = '.md';
export const MANUAL_TYPE = 'text/markdown; charset=utf-8';

export interface Manual extends FetchEngine {
  /** Whether the URL is that of a chapter. */
  has(url: URL): boolean;
  /** The URLs of its chapters; they are listed once. */
  urls(): Promise<string[]>;
  /** The same, as they are now, each with a hash of the content. */
  chapters(): Promise<{ url: string; hash: string }[]>;
  /** Its chapters in the order in which they are read. */
  contents(): Promise<Chapter[]>;
  /** A chapter, as `group/name` with or without `.md`, or by a former name. */
  read(name: string): Promise<Uint8Array | undefined>;
}

interface ManualSettings {
  folder: string;
  /** The URL at which the service is reached, once it is known. */
  baseUrl(): string | undefined;
  clock: Clock;
}

/** People reach a service at 127.0.0.1 as localhost, too. The name in their address bar is that of the pages they try. */
function namedLike(url: URL, own: URL): URL {
  if (url.hostname !== 'localhost' || !own.hostname.startsWith('127.')) return url;
  const named = new URL(url);
  named.hostname = own.hostname;
  return named;
}

export function createManual({ folder, baseUrl, clock }: ManualSettings): Manual {
  const nameOf = (url: URL): string | undefined => {
    const base = baseUrl();
    const start = base && `${base}${PATH}`;
    const address = start && namedLike(url, new URL(start)).href;
    const path = start && address?.startsWith(start) ? address.slice(start.length) : '';
    const name = chapterFormerly(path) ?? path;
    return CHAPTER.test(name) ? name : undefined;
  };

  const read = async (name: string): Promise<Uint8Array | undefined> => {
    const current = chapterFormerly(name) ?? name;
    const file = current.endsWith(ENDING) ? current : `${current}${ENDING}`;
    if (!CHAPTER.test(file)) return undefined;
    return readFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  };

  const names = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => CHAPTER.test(name)).sort(inReadingOrder);
  const addresses = async () => {
    const base = baseUrl();
    return base === undefined ? [] : (await names()).map((name) => ({ name, url: `${base}${PATH}${name}` }));
  };

  return {
    name: 'manual',
    has: (url) => nameOf(url) !== undefined,
    read,
    urls: lazy(async () => (await addresses()).map(({ url }) => url)),
    async chapters() {
      return Promise.all(
        (await addresses()).map(async ({ name, url }) => ({ url, hash: sha256((await read(name)) ?? '') })),
      );
    },
    async contents() {
      return Promise.all(
        (await names()).map(async (name) => {
          const text = Buffer.from((await read(name)) ?? '');
          return { name, group: dirname(name), title: titleOf(text.toString('utf8')) ?? name, bytes: text.length };
        }),
      );
    },
    async fetch({ url }): Promise<Fetched> {
      const name = nameOf(url) ?? '';
      const bytes = await read(name);
      if (!bytes) throw new ServiceError('SCRAPE_SITE_ERROR', { message: 'The manual has no such chapter.' });
      return {
        requestedUrl: url.href,
        finalUrl: currentUrl(url, name),
        status: 200,
        headers: { 'content-type': MANUAL_TYPE },
        contentType: MANUAL_TYPE,
        bytes,
        fetchedAt: clock.now(),
        engine: 'manual',
        proxyClass: 'basic',
        isVerified: true,
      };
    },
  };
}

/** A former address leads to the one of today, as it does over HTTP. */
const currentUrl = (url: URL, name: string): string =>
  url.pathname.endsWith(`/${name}`) ? url.href : new URL(name, url).href;

const inReadingOrder = (one: string, other: string) => placeOf(one) - placeOf(other) || one.localeCompare(other, 'en');

/** Chapters that the table does not know come last. */
function placeOf(name: string): number {
  const place = CHAPTERS.indexOf(name.slice(0, -ENDING.length));
  return place === -1 ? CHAPTERS.length : place;
}

const titleOf = (markdown: string): string | undefined => /^# +(.+)$/m.exec(markdown)?.[1]?.trim();
