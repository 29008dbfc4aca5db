// The kind of a file according to its name and declared type; used only where the bytes are ambiguous.
import type { FileKind } from '../../page/parsed.ts';
import { DOCUMENT_FORMATS, type FileFormat, PICTURE_FORMATS } from '../file-formats.ts';

const FORMATS: readonly (readonly [FileKind, FileFormat])[] = [
  ...(Object.entries(DOCUMENT_FORMATS) as [FileKind, FileFormat][]),
  ...Object.values(PICTURE_FORMATS).map((format) => ['image', format] as const),
];

const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map(
  FORMATS.flatMap(([kind, { extensions }]) => extensions.map((extension) => [extension, kind] as const)),
);

/** Servers write types with and without `x-` and `vnd.`, and some under another heading. */
const bareType = (type: string): string => type.replace(/^[a-z]+\/(?:x-|vnd\.)*/, '');

const BY_TYPE: ReadonlyMap<string, FileKind> = new Map(
  FORMATS.flatMap(([kind, { types }]) => types.map((type) => [bareType(type), kind] as const)),
);

export function claimedKind(name: string, contentType: string): FileKind | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return (name.includes('.') ? BY_EXTENSION.get(extension) : undefined) ?? BY_TYPE.get(bareType(type));
}
