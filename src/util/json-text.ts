// JSON that is text already: large answers go out as they are stored, without being parsed and written again.

/** The text of an object, continued with the members of another. */
export function continueObject(object: Uint8Array, more: string): Uint8Array {
  if (object.byteLength <= EMPTY_BYTES) return Buffer.from(more);
  return Buffer.concat([object.subarray(0, -1), Buffer.from(`,${more.slice(1)}`)]);
}

const EMPTY_BYTES = '{}'.length;

export class JsonText {
  readonly bytes: Uint8Array;

  constructor(...parts: (string | Uint8Array)[]) {
    this.bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  }

  /** An object whose last key is a list of values that are text already. */
  static withList(head: object, name: string, items: Uint8Array): JsonText {
    const text = JSON.stringify(head);
    const separator = text === '{}' ? '' : ',';
    return new JsonText(`${text.slice(0, -1)}${separator}${JSON.stringify(name)}:[`, items, ']}');
  }
}
