// XML as a stream of elements and decoded texts. Entities that a file declares are never expanded, nothing is fetched,
// and every fault is reported with its kind: the caller decides which ones it can live with.
import { XmlScanner } from './scan-xml.ts';

/** A bare ampersand or unknown entity, a character XML forbids, or tags that do not fit together. */
export type XmlFault = 'reference' | 'character' | 'structure';

export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
  /**
   * Throws to give up. Else reading goes on: references stay as written, forbidden characters are dropped, elements
   * without end tags end with their parents, and end tags without elements are ignored.
   */
  fault(kind: XmlFault, message: string): void;
}

export interface XmlStream {
  /** The length of the tag, text or comment that is not complete yet. */
  readonly tokenLength: number;
  write(piece: string): void;
  end(): void;
  /** Ignores the rest. */
  stop(): void;
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:(amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)?/g;
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
// One search tells whether a text needs any work; most need none.
const TO_DECODE = /[&\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const TO_NORMALISE = /[&<\u0000-\u001f\ufffe\uffff]/;

export function createXmlStream(events: XmlEvents): XmlStream {
  const open: string[] = [];
  let hasRoot = false;
  const broken = (message: string) => events.fault('structure', message);

  const closeDownTo = (depth: number) => {
    while (open.length > depth) events.close(open.pop()!);
  };
  const decode = (raw: string): string => (TO_DECODE.test(raw) ? decodeText(raw, events) : raw);

  const endTag = (name: string) => {
    const at = open.lastIndexOf(name);
    if (at !== open.length - 1 || at === -1) broken(`The end tag </${name}> does not match.`);
    if (at !== -1) closeDownTo(at);
  };

  const scanner = new XmlScanner({
    startTag(name, attributes, isEmpty) {
      if (open.length === 0 && hasRoot) broken('There is more than one root element.');
      hasRoot = true;
      open.push(name);
      events.open(name, attributes.length === 0 ? NO_ATTRIBUTES : readAttributes(attributes, decode, broken));
      if (isEmpty) endTag(name);
    },
    endTag,
    text(raw) {
      const text = decode(raw);
      if (open.length > 0) events.text(text);
      else if (/\S/.test(text)) broken('There is text outside the root element.');
    },
    cdata(text) {
      if (open.length > 0) events.text(text);
      else broken('There is text outside the root element.');
    },
    fault: broken,
  });

  return {
    get tokenLength() {
      return scanner.tokenLength;
    },
    write: (piece) => scanner.write(piece),
    end() {
      if (scanner.isStopped) return;
      scanner.end();
      if (open.length > 0) broken(`The element ${open.at(-1)} has no end.`);
      closeDownTo(0);
    },
    stop: () => scanner.stop(),
  };
}

function readAttributes(
  given: readonly string[],
  decode: (raw: string) => string,
  broken: (message: string) => void,
): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (let at = 0; at < given.length; at += 2) {
    const name = given[at]!;
    const raw = given[at + 1]!;
    if (Object.hasOwn(attributes, name)) broken(`The attribute ${name} appears twice.`);
    else if (!TO_NORMALISE.test(raw)) attributes[name] = raw;
    else {
      if (raw.includes('<')) broken(`The value of the attribute ${name} contains a "<".`);
      attributes[name] = decode(raw.replace(/\r\n|[\t\r\n]/g, ' '));
    }
  }
  return attributes;
}

function decodeText(raw: string, { fault }: Pick<XmlEvents, 'fault'>): string {
  const lines = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  const allowed = lines.replace(FORBIDDEN, () => {
    fault('character', 'There is a character that XML does not allow.');
    return '';
  });
  return allowed.replace(REFERENCE, (written, name: string | undefined) => {
    const character = name === undefined ? undefined : (NAMED[name] ?? characterOf(name));
    if (character === undefined) fault('reference', 'There is a reference that XML does not define.');
    return character ?? written;
  });
}

/** The character of `#65` or `#x41`; undefined for numbers that no character has. */
function characterOf(reference: string): string | undefined {
  const code = reference[1] === 'x' ? Number.parseInt(reference.slice(2), 16) : Number(reference.slice(1));
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  const character = String.fromCodePoint(code);
  return FORBIDDEN_ONE.test(character) ? undefined : character;
}

const FORBIDDEN_ONE = new RegExp(FORBIDDEN.source);
