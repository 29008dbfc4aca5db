// The service's own manual as web pages: read from disk under the URLs at which the service shows them, so that they
// can be searched without a request to ourselves, which stays forbidden.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import type { FetchedPage } from '../contracts/page.ts';
import type { Clock } from '../util/clock.ts';
import { sha256 } from '../util/hash.ts';
import type { FetchEngine } from './engine.ts';

const PATH = '/docs/';
const CHAPTER = /^[\w-]+\.md$/;
export const MANUAL_TYPE = 'text/markdown; charset=utf-8';

export interface Manual extends FetchEngine {
  /** Whether the URL is that of a chapter. */
  has(url: URL): boolean;
  /** The URLs of its chapters, each with a hash of the content. */
  chapters(): Promise<{ url: string; hash: string }[]>;
  /** A chapter, by file name. */
  read(name: string): Promise<Uint8Array | undefined>;
}

interface ManualSettings {
  folder: string;
  /** The URL at which the service is reached, once it is known. */
  baseUrl(): string | undefined;
  clock: Clock;
}

export function createManual({ folder, baseUrl, clock }: ManualSettings): Manual {
  const nameOf = (url: URL): string | undefined => {
    const base = baseUrl();
    const start = base && `${base}${PATH}`;
    const name = start && url.href.startsWith(start) ? url.href.slice(start.length) : '';
    return CHAPTER.test(name) ? name : undefined;
  };

  const read = async (name: string): Promise<Uint8Array | undefined> => {
    if (!CHAPTER.test(name)) return undefined;
    return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  };

  return {
    name: 'manual',
    has: (url) => nameOf(url) !== undefined,
    read,
    async chapters() {
      const base = baseUrl();
      if (base === undefined) return [];
      const names = (await readdir(folder)).filter((name) => CHAPTER.test(name)).sort();
      return Promise.all(
        names.map(async (name) => ({ url: `${base}${PATH}${name}`, hash: sha256((await read(name)) ?? '') })),
      );
    },
    async fetch({ url }): Promise<FetchedPage> {
      const bytes = await read(nameOf(url) ?? '');
      if (!bytes) throw new ServiceError('SCRAPE_SITE_ERROR', { message: 'The manual has no such chapter.' });
      return {
        requestedUrl: url.href,
        finalUrl: url.href,
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
