// JSON that is already text: large answers are sent as stored, without parsing and serialising them again.
import { joinBytes } from '../bytes/copy-bytes.ts';
import { createSlices } from '../slices.ts';

/** Appends the members of one JSON object to another, in parts that are still to be joined. */
export function continued(object: Uint8Array, more: string): Uint8Array[] {
  if (object.byteLength <= EMPTY_BYTES) return [Buffer.from(more)];
  return [object.subarray(0, -1), Buffer.from(`,${more.slice(1)}`)];
}

const toBytes = (part: string | Uint8Array): Uint8Array => (typeof part === 'string' ? Buffer.from(part) : part);

const EMPTY_BYTES = '{}'.length;
const ITEMS_PER_PART = 500;

/** Its bytes are given away: who sends them frees their buffer. */
export class JsonText {
  readonly bytes: Uint8Array;

  constructor(...parts: (string | Uint8Array)[]) {
    const bytes = parts.map(toBytes);
    this.bytes = bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes);
  }

  /** The same for parts that may be large: they are joined in slices. */
  static async joined(...parts: (string | Uint8Array)[]): Promise<JsonText> {
    return new JsonText(await joinBytes(parts.map(toBytes)));
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
    return new JsonText(startOfList(head, name), ...items, LIST_END);
  }

  /** The same, written into the free room around the items, if that is enough: megabytes are not copied for a few words. */
  static aroundList(head: object, name: string, { json, room }: RoomyJson): JsonText {
    const start = Buffer.from(startOfList(head, name));
    if (start.byteLength > room || LIST_END.length > room) return JsonText.withList(head, name, json);
    const from = json.byteOffset - start.byteLength;
    const bytes = Buffer.from(json.buffer, from, start.byteLength + json.byteLength + LIST_END.length);
    bytes.set(start);
    bytes.write(LIST_END, start.byteLength + json.byteLength);
    return new JsonText(bytes);
  }
}

/** Serialised values, and how many bytes before and after them in their buffer nobody uses. */
export interface RoomyJson {
  json: Uint8Array;
  room: number;
}

const LIST_END = ']}';

function startOfList(head: object, name: string): string {
  const text = JSON.stringify(head);
  const separator = text === '{}' ? '' : ',';
  return `${text.slice(0, -1)}${separator}${JSON.stringify(name)}:[`;
}
