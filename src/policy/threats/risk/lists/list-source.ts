// One threat list: where it comes from, its last good copy on disk, and the set made of it. It is loaded when it is first
// used and looked at again every hour while it is used.
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Egress } from '../../../../net/egress.ts';
import type { Log } from '../../../../runtime/log.ts';
import { startDeadline } from '../../../../util/abort.ts';
import type { Clock } from '../../../../util/clock.ts';
import { sha256 } from '../../../../util/hash.ts';
import { isListed } from './list-entries.ts';
import { isList, type ParsedList, parseList } from './parse-list.ts';

export interface ListDeps {
  /** Folder for downloaded lists. */
  folder: string;
  egress: Pick<Egress, 'request'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'info' | 'warn'>;
  maxBytes?: number;
}

export interface ListSource {
  /** At once if the list is loaded, else when it is. Undefined if it could not be loaded. Never rejects. */
  has(url: URL): boolean | undefined | Promise<boolean | undefined>;
}

/** What is known about the copy on disk. */
interface CopyFacts {
  etag?: string;
  lastModified?: string;
  checkedAt: number;
}

const MAX_BYTES = 256 * 1024 * 1024;
const REFRESH_MS = 3_600_000;
const RETRY_MS = 5 * 60_000;
const DOWNLOAD_MS = 5 * 60_000;

/** `source` is a URL or the path of a file. */
export function createListSource(source: string, deps: ListDeps): ListSource {
  const { clock, log } = deps;
  const origin = /^https?:\/\//i.test(source) ? createDownload(source, deps) : createLocalFile(source);
  let parsed: ParsedList | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  const read = async (path: string) => {
    const found = await parseList(createReadStream(path));
    if (!isList(found)) return `most of its ${found.skipped + found.set.size} lines are no entries`;
    parsed = found;
    log.info(
      { list: source, entries: found.set.size, skipped: found.skipped, isCut: found.isCut },
      'threat list loaded',
    );
    return undefined;
  };

  const load = async () => {
    const known = parsed === undefined ? await origin.copy() : undefined;
    if (known) await read(known.path);
    if (known && parsed && known.checkedAt + REFRESH_MS > clock.now()) {
      nextAt = known.checkedAt + REFRESH_MS;
      return;
    }
    // What is on disk is used while the new version is on its way.
    const fetching = origin.fetch(read);
    if (parsed) return void follow(fetching);
    await follow(fetching);
  };

  /** Never rejects. */
  const follow = (fetching: Promise<string | undefined>) =>
    fetching
      .catch((error: unknown) => (error instanceof Error ? error.message : 'it could not be read'))
      .then((problem) => {
        nextAt = clock.now() + (problem === undefined ? REFRESH_MS : RETRY_MS);
        if (problem !== undefined)
          log.warn({ list: source, problem, hasCopy: parsed !== undefined }, 'threat list not loaded');
      });

  return {
    has(url) {
      if (clock.now() >= nextAt) {
        // Until the outcome is known, nobody else begins.
        nextAt = Number.POSITIVE_INFINITY;
        loading = load().catch((error: unknown) => follow(Promise.reject(error)));
      }
      const find = () => parsed && isListed(parsed.set, url);
      return parsed ? find() : loading?.then(find);
    },
  };
}

interface Origin {
  /** The copy that is on disk, if there is one. */
  copy(): Promise<{ path: string; checkedAt: number } | undefined>;
  /** Hands a new version to `read`. Says what went wrong, or rejects. */
  fetch(read: (path: string) => Promise<string | undefined>): Promise<string | undefined>;
}

function createLocalFile(path: string): Origin {
  let changedAt: number | undefined;
  return {
    copy: async () => undefined,
    async fetch(read) {
      const { mtimeMs } = await stat(path);
      const problem = mtimeMs === changedAt ? undefined : await read(path);
      if (problem === undefined) changedAt = mtimeMs;
      return problem;
    },
  };
}

function createDownload(address: string, { folder, egress, clock, maxBytes = MAX_BYTES }: ListDeps): Origin {
  const path = join(folder, `${sha256(address).slice(0, 32)}.list`);
  const factsPath = `${path}.json`;
  const newPath = `${path}.new`;

  const readFacts = async (): Promise<CopyFacts | undefined> => {
    try {
      await stat(path);
      return JSON.parse(await readFile(factsPath, 'utf8')) as CopyFacts;
    } catch {
      return undefined;
    }
  };
  const writeFacts = (facts: CopyFacts) => writeFile(factsPath, JSON.stringify(facts), { mode: 0o600 });

  return {
    async copy() {
      const facts = await readFacts();
      return facts && { path, checkedAt: facts.checkedAt };
    },
    async fetch(read) {
      const facts = await readFacts();
      const time = startDeadline(DOWNLOAD_MS, () => new DOMException('the download took too long', 'TimeoutError'));
      try {
        const headers = conditionsOf(facts);
        const request = { url: new URL(address), headers, route: 'operator', verifyTls: true, maxBytes } as const;
        const { status, headers: received, body } = await egress.request(request, time.signal);
        const isSame = status === 304 && facts !== undefined;
        if (status !== 200) {
          body.destroy();
          if (!isSame)
            return `it answered with status ${status}${status >= 300 && status < 400 ? ': redirects are not followed' : ''}`;
          await writeFacts({ ...facts, checkedAt: clock.now() });
          return undefined;
        }
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(newPath, body, { mode: 0o600 });
        const problem = await read(newPath);
        if (problem !== undefined) return problem;
        await rename(newPath, path);
        const { etag, 'last-modified': lastModified } = received;
        await writeFacts({ etag, lastModified, checkedAt: clock.now() });
        return undefined;
      } finally {
        time.done();
        await rm(newPath, { force: true });
      }
    },
  };
}

const conditionsOf = (facts: CopyFacts | undefined): Record<string, string> => ({
  ...(facts?.etag !== undefined && { 'if-none-match': facts.etag }),
  ...(facts?.lastModified !== undefined && { 'if-modified-since': facts.lastModified }),
});
