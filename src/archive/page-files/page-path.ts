// The path below a folder at which a page is written, made from its URL. URLs are hostile: no path leaves the folder, has a
// name that another system cannot store, or grows without limit.
import { createHash } from 'node:crypto';

// A whole path with its ending stays below the 260 characters that older programs on Windows take.
const MAX_NAME_BYTES = 100;
const MAX_FOLDERS = 12;
const MAX_FOLDER_BYTES = 110;
const HASH_LENGTH = 10;

/** Names that Windows gives to devices, whatever ending they have. */
const DEVICE = /^(con|prn|aux|nul|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?=\.|$)/i;
/** Names keep letters, digits and marks of any script, and signs that mean nothing to a shell or a file system. */
const UNSAFE = /[^\p{L}\p{N}\p{M}_.~=+,@()-]+/gu;
const PAGE_ENDING = /\.(md|markdown|html?)$/i;
/** What files end with, and so no folder does: a system cannot store both under one name. */
const FILE_ENDING = /\.(md|json|html|part)$/i;
/** A page `x.raw` would have the HTML file of the page `x`. */
const RAW_ENDING = /\.raw$/i;

export interface PagePath {
  /** With slashes and without an ending. Two URLs may have the same. */
  path: string;
  /** For a page whose path belongs to another page: contains a hash of the URL, and lies directly below its host. */
  other: string;
}

export function pagePath(address: string): PagePath {
  const url = URL.parse(address);
  // An upload has a name instead of a URL.
  if (!url?.host) return pathIn([], pageName(address, ''), address);
  const segments = url.pathname.split('/').slice(1);
  const name = pageName(segments.pop()!, url.search);
  return pathIn([url.host.replace(/:(?=\d+$)/, '_'), ...segments.filter(Boolean).map(decoded)], name, address);
}

function pathIn(folders: string[], name: string, address: string): PagePath {
  const safe = folders.map((folder) => safeName(folder).replace(FILE_ENDING, '$&_'));
  const folder = safe.join('/');
  const other = [...safe.slice(0, 1), `${name}-${hashOf(address)}`].join('/');
  const isTooLong = safe.length > MAX_FOLDERS || Buffer.byteLength(folder) > MAX_FOLDER_BYTES;
  return { path: isTooLong ? other : [...safe, name].join('/'), other };
}

function pageName(segment: string, search: string): string {
  const name = decoded(segment).replace(PAGE_ENDING, '') || 'index';
  const full = search.length > 1 ? `${name}__${decoded(search.slice(1)).replaceAll('&', ',')}` : name;
  return safeName(full).replace(RAW_ENDING, '$&_');
}

/** One part of a path. */
function safeName(text: string): string {
  const safe = text
    .slice(0, MAX_NAME_BYTES)
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^\.+|\.+$/g, '_')
    .replace(DEVICE, '_$1');
  if (text.length <= MAX_NAME_BYTES && Buffer.byteLength(safe) <= MAX_NAME_BYTES) return safe;
  return `${cutBytes(safe, MAX_NAME_BYTES - HASH_LENGTH - 1)}-${hashOf(text)}`;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A character that would be cut in two is left out. */
const cutBytes = (text: string, max: number): string =>
  Buffer.from(text)
    .subarray(0, max)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
