// The media type of an uploaded file: the likely one that the transform starts from, and the actual one in the answer.

import { fileAddress } from '../../markup/html/page-urls.ts';
import { type Kind, kindByName, type TextKind } from '../../markup/sniff.ts';
import type { FileKind } from '../../page/parsed.ts';
import { DOCUMENT_FORMATS, TEXT_FORMATS } from '../../parse/file-formats.ts';

// The name of a plain text says nothing about what is in it.
const { text: _, ...TELLING } = TEXT_FORMATS;
const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.values(TELLING).flatMap(({ extensions, types }) => extensions.map((name) => [name, types[0]] as const)),
);

/** The declared type is often wrong. For text files the extension says more. */
export const likelyType = (name: string, declared: string): string =>
  BY_EXTENSION.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? declared;

const TEXT_TYPES: Record<TextKind, string> = {
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  feed: 'application/xml',
  csv: 'text/csv',
  text: 'text/plain',
  markdown: 'text/markdown',
};

/** What it was read as: the kind of document, else what its bytes look like. */
export function foundType(document: FileKind | undefined, seen: Kind, name: string): string {
  if (document !== undefined && document !== 'image') return DOCUMENT_FORMATS[document].types[0];
  return seen.kind === 'binary' ? seen.type : TEXT_TYPES[kindByName(seen.kind, fileAddress(name))];
}
