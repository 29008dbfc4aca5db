// The name of an uploaded file: it is shown and hints at the file type, but is never used as a path.
import { MAX_FILE_NAME } from '../../contracts/scrape/parse.ts';

const NAMELESS = 'file';
// Includes bidirectional control characters, which can make a name appear to have another extension.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const LONGEST_ENDING = 32;

/** Removes folders and invisible characters, and shortens the name. */
export function cleanFileName(given: string | undefined): string {
  const name = (given ?? '').split(/[/\\]/).at(-1)!.replace(INVISIBLE, '').trim();
  if (name === '' || name === '.' || name === '..') return NAMELESS;
  return shorten(name).trimEnd().toWellFormed();
}

function shorten(name: string): string {
  if (name.length <= MAX_FILE_NAME) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= LONGEST_ENDING ? name.slice(dot) : '';
  return name.slice(0, MAX_FILE_NAME - ending.length) + ending;
}
