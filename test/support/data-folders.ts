// Data folders of earlier versions, one for each schema version, each packed into one file in test/data-folders.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const FOLDER = join(import.meta.dirname, '../data-folders');
/** They say who has the folder open, and nothing else. */
const LEFT_OUT = /^(reserve|lock|lock\.pid|.*-shm)$/;

/** What is in a folder. What the schema did not know yet is absent. */
export interface FolderFacts {
  version: number;
  /** When the last request was made. */
  at: number;
  key: string;
  scrapeId: string;
  /** A scrape with the header `Authorization: Bearer sesame-4711`. */
  ownScrapeId: string;
  /** A crawl of three pages with that header, and with a webhook that nobody answers. */
  crawlId?: string;
  crawled?: number;
  batchId?: string;
  /** A crawl that was running when the service was killed. */
  unfinishedId?: string;
  /** A crawl that was paused. */
  pausedId?: string;
  /** Name of a browser profile. */
  profile?: string;
  /** Key of the history of a page. */
  history?: string;
  /** A completed run of an agent. */
  runId?: string;
  /** A monitor with that header, and its completed check of one page. */
  monitorId?: string;
  checkId?: string;
  /** A key of the team `pilots` that is restricted to Markdown. */
  restrictedKey?: string;
}

interface PackedFolder {
  facts: FolderFacts;
  /** Base64 by path. */
  files: Record<string, string>;
}

const fileOf = (version: number): string => join(FOLDER, `schema-${String(version).padStart(2, '0')}.json.zst`);

export const hasDataFolder = (version: number): boolean => existsSync(fileOf(version));

export function unpackDataFolder(version: number, target: string): FolderFacts {
  const { facts, files } = JSON.parse(zstdDecompressSync(readFileSync(fileOf(version))).toString()) as PackedFolder;
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), Buffer.from(content, 'base64'));
  }
  return facts;
}

export function packDataFolder(source: string, facts: FolderFacts): string {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !LEFT_OUT.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [relative(source, path), readFileSync(path).toString('base64')]);
  const packed = JSON.stringify({ facts, files: Object.fromEntries(files) } satisfies PackedFolder);
  const smallest = { params: { [constants.ZSTD_c_compressionLevel]: 19 } };
  writeFileSync(fileOf(facts.version), zstdCompressSync(Buffer.from(packed), smallest));
  return fileOf(facts.version);
}
