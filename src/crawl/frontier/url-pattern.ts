// The pattern of a URL: what remains when numbers and ids are replaced. Only URLs with a pattern can be endless traps.

const MAX_LENGTH = 512;
const REST_OF_UUID = /-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-z])/iy;
const REST_OF_UUID_LENGTH = 28;
const DIGITS = /\d+/g;
const ID_LENGTH = 8;
const ID_CHANGES = 3;
/** How often a segment may occur in a long path before it counts as a loop (`/a/b/a/b/a/b`). */
const MAX_REPEATS = 2;
const LONG_PATH = 6;

/** Host and path with numbers, dates, ids and loops replaced, and `?*` for a query; empty for a URL without any. */
export function urlPattern(url: URL): string {
  const { pathname, search } = url;
  const path = foldNumbers(foldLoops(pathname));
  if (search === '' && path === pathname) return '';
  const query = search === '' ? '' : '?*';
  return (url.host + path).slice(0, MAX_LENGTH - query.length) + query;
}

/** Broken relative links create paths that grow without end and contain no number. All of them get one pattern. */
function foldLoops(path: string): string {
  if (!isLong(path)) return path;
  const segments = path.split('/');
  const seen = new Map<string, number>();
  const kept = segments.filter((segment) => {
    if (segment === '') return true;
    const times = seen.get(segment) ?? 0;
    seen.set(segment, times + 1);
    return times < MAX_REPEATS;
  });
  return kept.length === segments.length ? path : `${kept.join('/')}/+`;
}

function isLong(path: string): boolean {
  let slash = -1;
  for (let segments = 0; segments < LONG_PATH; segments++) {
    slash = path.indexOf('/', slash + 1);
    if (slash === -1) return false;
  }
  return true;
}

function foldNumbers(path: string): string {
  let folded = '';
  let copied = 0;
  for (let at = 0; at < path.length; ) {
    const kind = kindAt(path, at);
    if (kind === OTHER) {
      // The digits of a percent escape encode a letter of another script.
      at += path[at] === '%' ? 3 : 1;
      continue;
    }
    const word = readWord(path, at, kind);
    if (word.hasDigits) {
      folded += path.slice(copied, at) + (word.isId ? '#' : path.slice(at, word.end).replace(DIGITS, '#'));
      copied = word.end;
    }
    at = word.end;
  }
  return copied === 0 ? path : folded + path.slice(copied);
}

interface Word {
  end: number;
  hasDigits: boolean;
  /** Letters and digits alternate, as in `dQw4w9WgXcQ`; with few changes it is a name with a number (`feed2031`). */
  isId: boolean;
}

function readWord(path: string, start: number, first: number): Word {
  let end = start + 1;
  let last = first;
  let changes = 0;
  for (let kind = kindAt(path, end); kind !== OTHER; kind = kindAt(path, ++end)) {
    if (kind !== last) changes++;
    last = kind;
  }
  if (isUuid(path, start, end)) return { end: end + REST_OF_UUID_LENGTH, hasDigits: true, isId: true };
  const isId = end - start >= ID_LENGTH && changes >= ID_CHANGES;
  return { end, hasDigits: first === NUMBER || changes > 0, isId };
}

function isUuid(path: string, start: number, end: number): boolean {
  REST_OF_UUID.lastIndex = end;
  return end - start === 8 && path[end] === '-' && REST_OF_UUID.test(path);
}

const OTHER = 0;
const LETTER = 1;
const NUMBER = 2;

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return NUMBER;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x7a ? LETTER : OTHER;
}
