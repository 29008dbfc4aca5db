// JSON that is already text: large answers are sent as stored, without parsing and serialising them again.
import { createSlices } from './slices.ts';

/** Appends the members of one JSON object to another. */
export const continueObject = (object: Uint8Array, more: string): Uint8Array => Buffer.concat(continued(object, more));

/** The same in parts, for those who join them with others. */
export function continued(object: Uint8Array, more: string): Uint8Array[] {
  if (object.byteLength <= EMPTY_BYTES) return [Buffer.from(more)];
  return [object.subarray(0, -1), Buffer.from(`,${more.slice(1)}`)];
}

const EMPTY_BYTES = '{}'.length;
const ITEMS_PER_PART = 500;

export class JsonText {
  readonly bytes: Uint8Array;

  constructor(...parts: (string | Uint8Array)[]) {
    this.bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  }

  /** An object whose last member is a list, which may be long: it is serialised in slices. */
  static async inSlices(head: object, name: string, list: readonly unknown[]): Promise<JsonText> {
    const slices = createSlices();
    const parts: Uint8Array[] = [];
    for (let at = 0; at < list.length; at += ITEMS_PER_PART) {
      if (slices.isOver()) await slices.next();
      const part = JSON.stringify(list.slice(at, at + ITEMS_PER_PART)).slice(1, -1);
      parts.push(Buffer.from(at === 0 ? part : `,${part}`));
    }
    await slices.next();
    const text = JsonText.withList(head, name, ...parts);
    await slices.next();
    return text;
  }

  /** An object whose last member is a list of already serialised values. */
  static withList(head: object, name: string, ...items: Uint8Array[]): JsonText {
    const text = JSON.stringify(head);
    const separator = text === '{}' ? '' : ',';
    return new JsonText(`${text.slice(0, -1)}${separator}${JSON.stringify(name)}:[`, ...items, ']}');
  }
}
