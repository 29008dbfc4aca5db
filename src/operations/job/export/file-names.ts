// Names the files of pages by their URLs, such as `example.com/docs/guide.md`. Every system can store the names: pages choose
// their URLs, so they could try to leave the folder, to name a device or to overwrite another file.
import { sha256 } from '../../../util/hash.ts';

const MAX_PART = 64;
/** As many hexadecimal digits as a number holds exactly. */
const HASH_DIGITS = 13;
const MAX_FOLDERS = 8;
const MAX_FOLDER_PATH = 100;

// Characters that Windows forbids, that separate folders, or that are invisible.
const FORBIDDEN = /[<>:"/\\|?*`$%\p{C}\p{Zl}\p{Zp}]+/gu;
// Windows opens devices by these names, whatever the extension.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?:\.|$)/i;
const PAGE_EXTENSION = /\.(?:x?html?|md)$/i;
/** What the names of files end with, and so no folder does. */
const FILE_ENDING = /\.(?:md|html|json)$/i;

export interface FileNames {
  /** A path without extension that no other page has, also where case does not count. */
  nameOf(url: string): string;
}

export function createFileNames(): FileNames {
  // Hashes are a tenth of the names. Two names with the same hash only get a number that they would not need.
  const taken = new Map<number, number>();
  const take = (name: string): boolean => {
    const key = keyOf(name);
    if (taken.has(key)) return false;
    taken.set(key, 1);
    return true;
  };
  return {
    nameOf(url) {
      const name = pathOf(url);
      if (take(name)) return name;
      const key = keyOf(name);
      for (let number = taken.get(key)! + 1; ; number += 1) {
        taken.set(key, number);
        if (take(`${name}-${number}`)) return `${name}-${number}`;
      }
    },
  };
}

function pathOf(address: string): string {
  const url = URL.parse(address);
  if (!url) return 'other/page';
  const segments = url.pathname.split('/').slice(1);
  const last = segments.pop() ?? '';
  const query = url.search === '' ? '' : `-${decoded(url.search.slice(1)).replace(/[^\p{L}\p{N}]+/gu, '-')}`;
  const page = `${decoded(last).replace(PAGE_EXTENSION, '') || 'index'}${query}`;
  const folders = [folderName(url.port === '' ? url.hostname : `${url.hostname}_${url.port}`)];
  let length = 0;
  for (const segment of segments.filter((each) => each !== '').slice(0, MAX_FOLDERS)) {
    const folder = folderName(decoded(segment));
    length += folder.length + 1;
    if (length > MAX_FOLDER_PATH) break;
    folders.push(folder);
  }
  return [...folders, safePart(page).replace(/\.raw$/i, '.raw_')].join('/');
}

const folderName = (text: string): string => safePart(text).replace(FILE_ENDING, '$&_');

/** One part of a path. A part that is cut ends with a hash of the whole. */
function safePart(text: string): string {
  const plain = text
    .slice(0, 2 * MAX_PART)
    .normalize('NFC')
    .replace(FORBIDDEN, '-');
  // Neither hidden files nor the folders `.` and `..`; Windows drops dots and spaces at the end.
  const visible = plain.replace(/^[. ]+/, '_').replace(/[. ]+$/, '_');
  const cut =
    text.length > 2 * MAX_PART || visible.length > MAX_PART
      ? `${wellCut(visible, MAX_PART - 9)}-${sha256(text).slice(0, 8)}`
      : visible;
  return DEVICE.test(cut) || cut === '' ? `_${cut}` : cut;
}

const wellCut = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[. ]+$/, '_');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Equal for names that a file system may take for the same. */
const keyOf = (name: string): number =>
  Number.parseInt(sha256(name.normalize('NFKC').toUpperCase().toLowerCase()).slice(0, HASH_DIGITS), 16);
