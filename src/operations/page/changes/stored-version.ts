// The version of a page as its history stores it: a line of JSON, and the Markdown.
import type { ComparedText } from '../../../understand/changes/compared-text.ts';

export interface StoredVersion extends ComparedText {
  /** Options that shape the Markdown, each by a hash of its value. */
  options: Record<string, string>;
  isRendered: boolean;
  /** What the json mode has extracted. */
  json?: ExtractedData;
}

export interface ExtractedData {
  /** Identifies schema, prompt and model. Data of another kind is not comparable. */
  by: string;
  value: unknown;
}

/** More than any list of fields needs. Larger data is not stored, and then there is nothing to compare the next with. */
const MAX_DATA_CHARACTERS = 262_144;

export function writeVersion({ markdown, json, ...facts }: StoredVersion): Uint8Array {
  const isSmall = json !== undefined && JSON.stringify(json).length <= MAX_DATA_CHARACTERS;
  return Buffer.from(`${JSON.stringify({ ...facts, ...(isSmall && { json }) })}\n${markdown}`);
}

/** Undefined if a later program has written it in another way: then there is nothing to compare with. */
export function readVersion(bytes: Uint8Array): StoredVersion | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const end = text.indexOf('\n');
  try {
    return { ...JSON.parse(text.slice(0, end)), markdown: text.slice(end + 1) };
  } catch {
    return undefined;
  }
}
