// Parses the operand after the colon of an operator: hosts, extensions, sizes and words, as people write them.
import type { Clause } from '../../contracts/search/search-query.ts';

export type OperatorKind = Exclude<Clause['kind'], 'word' | 'phrase'>;

const OPERATORS = new Map<string, OperatorKind>([
  ['site', 'site'],
  ['filetype', 'filetype'],
  ['ext', 'filetype'],
  ['inurl', 'inurl'],
  ['allinurl', 'allinurl'],
  ['intitle', 'intitle'],
  ['allintitle', 'allintitle'],
  ['related', 'related'],
  ['imagesize', 'imagesize'],
  ['larger', 'larger'],
]);

/** Longer texts are not operands, and would be costly to parse. */
const MAX_OPERAND = 2_000;
const MAX_HOST = 253;

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const WILDCARD_BELOW = /^(?:\*?\.)+/;
const WILDCARD_ENDING = /^((?:[\p{L}\p{N}_-]+\.)+)\*$/u;
const EXTENSION = /^[a-z0-9]{1,10}$/;
const SIZE = /^(\d{1,5})\s?[x×*]\s?(\d{1,5})$/i;

export const operatorNamed = (name: string): OperatorKind | undefined =>
  OPERATORS.get(name.normalize('NFKC').toLowerCase());

export const isWordList = (kind: OperatorKind): kind is 'allinurl' | 'allintitle' =>
  kind === 'allinurl' || kind === 'allintitle';

/** False for a text of punctuation only. */
export const isSearchable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

export const splitWords = (text: string): string[] => text.split(' ').filter(isSearchable);

/** Undefined when the operand does not fit the operator. */
export function readOperand(kind: OperatorKind, operand: string, negated: boolean): Clause | undefined {
  if (operand.length > MAX_OPERAND) return undefined;
  const text = operand.normalize('NFKC');
  switch (kind) {
    case 'site':
      return readSite(text, negated);
    case 'related': {
      const host = readHost(splitAddress(text).host);
      return host === undefined ? undefined : { kind, host, negated };
    }
    case 'filetype': {
      const extension = text.slice(text.lastIndexOf('.') + 1).toLowerCase();
      return EXTENSION.test(extension) ? { kind, extension, negated } : undefined;
    }
    case 'imagesize':
    case 'larger': {
      const [, width, height] = SIZE.exec(text) ?? [];
      return Number(width) > 0 && Number(height) > 0
        ? { kind, width: Number(width), height: Number(height), negated }
        : undefined;
    }
    default:
      return { kind, words: splitWords(operand), negated };
  }
}

function readSite(text: string, negated: boolean): Clause | undefined {
  const address = splitAddress(text);
  // `site:example.*` has no host, so it is matched against the URL.
  const name = WILDCARD_ENDING.exec(address.host)?.[1];
  if (name !== undefined) return { kind: 'inurl', words: [name.toLowerCase().replace(/^www\.(?=.)/, '')], negated };
  const host = readHost(address.host);
  return host === undefined ? undefined : { kind: 'site', host, path: readPath(address.path), negated };
}

function splitAddress(text: string): { host: string; path: string } {
  const address = text
    .replaceAll('\\', '/')
    .replace(SCHEME, '')
    .replace(/[?#].*$/, '');
  const slash = address.indexOf('/');
  return slash === -1 ? { host: address, path: '' } : { host: address.slice(0, slash), path: address.slice(slash) };
}

function readHost(text: string): string | undefined {
  const name = text.replace(WILDCARD_BELOW, '');
  // The URL parser would read a bare number as an IPv4 address, and a user name would hide the host.
  if (name === '' || name.length > MAX_HOST || /[*@\s]/.test(name) || /^\d+$/.test(name)) return undefined;
  const host = URL.parse(`http://${name}/`)?.hostname.replace(/\.+$/, '');
  if (host === undefined || !isSearchable(host) || host.length > MAX_HOST) return undefined;
  return host.replace(/^(?:www\.)+(?=[^.]+\.)/, '');
}

/** Drops a segment with a wildcard and the trailing slash, because paths are compared by whole segments. */
function readPath(text: string): string {
  const wildcard = text.indexOf('*');
  const fixed = wildcard === -1 ? text : text.slice(0, text.lastIndexOf('/', wildcard));
  let path = URL.parse(`http://host${fixed}`)?.pathname ?? '';
  while (path.endsWith('/')) path = path.slice(0, -1);
  return path;
}
