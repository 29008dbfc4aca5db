// All addresses that the sitemaps of a site list, as a stream: the declared files, else the usual places, and what they lead to.
import { ServiceError } from '../../contracts/errors.ts';
import { openSitemap, type SitemapFile, type SitemapFileDeps, type SitemapFileLimits } from './sitemap-file.ts';
import { readAddress, type SitemapEntry } from './sitemap-reader.ts';

export interface SitemapRequest {
  site: URL;
  /** By robots.txt, as written there. */
  declared: readonly string[];
  /** At least one. */
  maxEntries: number;
  /** Which files may be asked for; all, if absent. Entries are the caller's to filter. */
  mayFetch?: (url: URL) => boolean;
  /** Gets a sentence for each file that could not be read, or not to its end. */
  onProblem?: (problem: string) => void;
  limits?: Partial<SitemapLimits>;
}

export interface SitemapLimits extends SitemapFileLimits {
  files: number;
  /** How many levels of files there may be below the first. */
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

// The next files are opened while one is read, so that only the first makes us wait.
const OPEN_AT_ONCE = 4;
const MAX_PROBLEM = 300;

interface QueuedFile {
  url: URL;
  depth: number;
  isGuess: boolean;
  opening?: Promise<SitemapFile>;
}

/** What all files of one request share. */
interface Traversal {
  /** The files at these addresses that were not come to before, by whatever name. */
  newFiles(addresses: readonly string[], base: URL, place: Pick<QueuedFile, 'depth' | 'isGuess'>): QueuedFile[];
  open(url: URL): Promise<SitemapFile>;
  /** True the first time. */
  claim(url: URL): boolean;
  report(url: URL, problem: string): void;
  signal: AbortSignal;
}

/**
 * Entries come in the order of the files and of the lines in them; one that is listed twice comes twice.
 * Whatever is wrong with a file ends that file only. Throws the reason of `signal`.
 */
export async function* readSitemaps(
  deps: SitemapFileDeps,
  request: SitemapRequest,
  signal: AbortSignal,
): AsyncGenerator<SitemapEntry> {
  const leaving = new AbortController();
  const walk = createTraversal(deps, request, AbortSignal.any([signal, leaving.signal]));
  let count = 0;
  try {
    // A place is guessed only while nothing better gave anything.
    for (const addresses of [request.declared, FIRST_GUESS, OTHER_GUESSES]) {
      const isGuess = addresses !== request.declared;
      for await (const entries of readFiles(walk, walk.newFiles(addresses, request.site, { depth: 0, isGuess }))) {
        for (const entry of entries) {
          yield entry;
          count += 1;
          if (count >= request.maxEntries) return;
        }
      }
      if (count > 0) return;
    }
  } finally {
    leaving.abort();
  }
}

/** Level by level, so that a file that was opened ahead is read next and no connection waits for long. */
async function* readFiles(walk: Traversal, queue: QueuedFile[]): AsyncGenerator<SitemapEntry[]> {
  for (let index = 0; index < queue.length; index += 1) {
    openAhead(walk, queue.slice(index, index + OPEN_AT_ONCE));
    const { url, depth, isGuess, opening } = queue[index]!;
    let isEmpty = true;
    try {
      const file = await opening!;
      if (file.url.href !== url.href && !walk.claim(file.url)) {
        file.close();
        continue;
      }
      for await (const { entries, sitemaps } of file.batches) {
        isEmpty &&= entries.length + sitemaps.length === 0;
        queue.push(...walk.newFiles(sitemaps, file.url, { depth: depth + 1, isGuess: false }));
        yield entries;
      }
    } catch (error) {
      walk.signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      // Nobody said that there is anything where we only guessed.
      if (!isGuess || !isEmpty) walk.report(url, error.message);
    }
  }
}

function openAhead(walk: Traversal, places: QueuedFile[]): void {
  for (const place of places) {
    place.opening ??= walk.open(place.url);
    // It may fail before its turn comes.
    place.opening.catch(() => {});
  }
}

function createTraversal(deps: SitemapFileDeps, request: SitemapRequest, signal: AbortSignal): Traversal {
  const { mayFetch: admit = () => true, onProblem } = request;
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  const claimed = new Set<string>();
  let files = 0;

  const told = new Set<string>();
  const tell = ({ href }: URL, message: string) => {
    const problem = `${href.slice(0, MAX_PROBLEM)}: ${message.slice(0, MAX_PROBLEM)}`;
    if (!told.has(problem)) onProblem?.(problem);
    told.add(problem);
  };
  const claim = ({ href }: URL) => claimed.size < claimed.add(href).size;

  return {
    newFiles(addresses, base, place) {
      if (place.depth > limits.depth && addresses.length > 0) {
        tell(base, `It leads more than ${limits.depth} levels down; what lies below was left out.`);
        return [];
      }
      const places: QueuedFile[] = [];
      for (const address of addresses) {
        const url = URL.parse(readAddress(address, base) ?? '');
        if (!url) continue;
        url.hash = '';
        if (claimed.has(url.href)) continue;
        if (files === limits.files) {
          tell(base, `There are more than ${limits.files} sitemaps; the rest was left out.`);
          break;
        }
        files += 1;
        claim(url);
        places.push({ ...place, url });
      }
      return places;
    },
    open: (url) => openSitemap(deps, url, admit, limits, signal),
    claim,
    report: tell,
    signal,
  };
}
