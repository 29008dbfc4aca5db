// Streams all URLs that the sitemaps of a site list: from the declared files, else from the usual locations, and from
// the files that these refer to; then those of its llms.txt, which adds names to them.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { openSitemap, type SitemapFile, type SitemapFileDeps, type SitemapFileLimits } from './sitemap-file.ts';
import { readAddress, type SitemapEntry } from './sitemap-reader.ts';

export interface SitemapRequest {
  site: URL;
  /** The sitemaps in robots.txt, as written there. */
  declared: readonly string[];
  /** At least one. */
  maxEntries: number;
  /** Which files may be fetched; all, if absent. The caller filters the entries. */
  mayFetch?: (url: URL) => boolean;
  /** Receives a sentence for each file that could not be read completely. */
  onProblem?: (problem: string) => void;
  limits?: Partial<SitemapLimits>;
}

export interface SitemapLimits extends SitemapFileLimits {
  files: number;
  /** Maximum nesting of sitemap indexes. */
  depth: number;
}

const DEFAULT_LIMITS: Readonly<SitemapLimits> = {
  urlsPerFile: 50_000,
  fileBytes: 50 * 1024 * 1024,
  idleMs: 10_000,
  fileMs: 30_000,
  files: 1_000,
  depth: 3,
};

const FIRST_GUESS = ['/sitemap.xml'];
const OTHER_GUESSES = [
  '/sitemap_index.xml',
  '/sitemap-index.xml',
  '/wp-sitemap.xml',
  '/sitemap.xml.gz',
  '/sitemap.txt',
];
const LLMS = ['/llms.txt'];

// Opens the next files while one is read, to hide their latency.
const OPEN_AT_ONCE = 4;
const MAX_PROBLEM = 300;

interface QueuedFile {
  url: URL;
  depth: number;
  isGuess: boolean;
  opening?: Promise<SitemapFile>;
}

/** State that all files of one request share. */
interface Traversal {
  /** The files at these addresses that were not seen before. */
  newFiles(addresses: readonly string[], base: URL, level: Pick<QueuedFile, 'depth' | 'isGuess'>): QueuedFile[];
  open(url: URL): Promise<SitemapFile>;
  /** True the first time. */
  claim(url: URL): boolean;
  report(url: URL, problem: string): void;
  signal: AbortSignal;
}

/**
 * Yields entries in the order of the files and their lines, duplicates included.
 * A broken file ends only itself. Throws the reason of `signal`.
 */
export async function* readSitemaps(
  deps: SitemapFileDeps,
  request: SitemapRequest,
  signal: AbortSignal,
): AsyncGenerator<SitemapEntry> {
  const leaving = new AbortController();
  const traversal = createTraversal(deps, request, AbortSignal.any([signal, leaving.signal]));
  let count = 0;
  try {
    // Each list of guesses is tried only if nothing was found so far. Sitemaps come first, because they have dates.
    for (const addresses of [request.declared, FIRST_GUESS, OTHER_GUESSES, LLMS]) {
      if (count > 0 && addresses !== LLMS) continue;
      const isGuess = addresses !== request.declared;
      for await (const entries of readFiles(
        traversal,
        traversal.newFiles(addresses, request.site, { depth: 0, isGuess }),
      )) {
        for (const entry of entries) {
          yield entry;
          count += 1;
          if (count >= request.maxEntries) return;
        }
      }
    }
  } finally {
    leaving.abort();
  }
}

/** Reads level by level, so that files opened ahead are read next and no connection stays idle for long. */
async function* readFiles(traversal: Traversal, queue: QueuedFile[]): AsyncGenerator<SitemapEntry[]> {
  for (let index = 0; index < queue.length; index += 1) {
    openAhead(traversal, queue.slice(index, index + OPEN_AT_ONCE));
    const { url, depth, isGuess, opening } = queue[index]!;
    let isEmpty = true;
    try {
      const file = await opening!;
      if (file.url.href !== url.href && !traversal.claim(file.url)) {
        file.close();
        continue;
      }
      for await (const { entries, sitemaps } of file.batches) {
        isEmpty &&= entries.length + sitemaps.length === 0;
        queue.push(...traversal.newFiles(sitemaps, file.url, { depth: depth + 1, isGuess: false }));
        yield entries;
      }
    } catch (error) {
      traversal.signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      // A missing file at a guessed location is not a problem.
      if (!isGuess || !isEmpty) traversal.report(url, error.message);
    }
  }
}

function openAhead(traversal: Traversal, files: QueuedFile[]): void {
  for (const file of files) {
    file.opening ??= traversal.open(file.url);
    // It may fail before its turn; the error is handled when it is awaited.
    file.opening.catch(() => {});
  }
}

function createTraversal(deps: SitemapFileDeps, request: SitemapRequest, signal: AbortSignal): Traversal {
  const { mayFetch: admit = () => true, onProblem } = request;
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  const claimed = new Set<string>();
  let fileCount = 0;

  const reported = new Set<string>();
  const report = ({ href }: URL, message: string) => {
    const problem = `${href.slice(0, MAX_PROBLEM)}: ${message.slice(0, MAX_PROBLEM)}`;
    if (!reported.has(problem)) onProblem?.(problem);
    reported.add(problem);
  };
  const claim = ({ href }: URL) => claimed.size < claimed.add(href).size;

  return {
    newFiles(addresses, base, level) {
      if (level.depth > limits.depth && addresses.length > 0) {
        report(base, `The sitemap index is nested more than ${limits.depth} levels deep; deeper files were left out.`);
        return [];
      }
      const added: QueuedFile[] = [];
      for (const address of addresses) {
        const url = URL.parse(readAddress(address, base) ?? '');
        if (!url) continue;
        url.hash = '';
        if (claimed.has(url.href)) continue;
        if (fileCount === limits.files) {
          if (!level.isGuess) report(base, `The site has more than ${limits.files} sitemaps; the rest was left out.`);
          break;
        }
        fileCount += 1;
        claim(url);
        added.push({ ...level, url });
      }
      return added;
    },
    open: (url) => openSitemap(deps, url, admit, limits, signal),
    claim,
    report,
    signal,
  };
}
