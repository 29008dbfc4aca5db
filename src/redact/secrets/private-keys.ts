// Private keys as whole blocks, and JSON Web Tokens.
import type { Finding } from '../finding.ts';

const BEGIN = /-----BEGIN ([A-Z0-9 ]{0,40}?)PRIVATE KEY( BLOCK)?-----/g;
const PUTTY = /PuTTY-User-Key-File-\d:[^\n]{0,80}/g;
const PUTTY_END = /Private-MAC: ?[0-9a-f]{16,128}/g;
/** No private key is longer. A block that does not end within this length ends with its base64 lines. */
const MAX_BLOCK = 20_000;
const BASE64_LINES = /(?:\s|\\n|\\r|[A-Za-z0-9+/=:,-]){0,20000}/y;
/** Documentation shows the first and last line with dots or a word between them. */
const MIN_KEY_CHARACTERS = 40;
const JWT = /(?<![\w-])(eyJ[\w-]{8,4000})\.(eyJ[\w-]{4,16000})\.([\w-]{16,4000})?/g;
/** The subject in the token that jwt.io shows and everybody copies. */
const SAMPLE_SUBJECT = '1234567890';

export const findPrivateKeys = (text: string): Finding[] => [...findPem(text), ...findPutty(text), ...findJwts(text)];

function findPem(text: string): Finding[] {
  const found: Finding[] = [];
  let searched = 0;
  for (const match of text.matchAll(BEGIN)) {
    if (match.index < searched) continue;
    const end = endOfBlock(
      text,
      match.index + match[0].length,
      `-----END ${match[1]}PRIVATE KEY${match[2] ?? ''}-----`,
    );
    searched = end;
    const body = text.slice(match.index + match[0].length, end).replace(/-----END.*/s, '');
    if (body.replace(/\\n|\W/g, '').length < MIN_KEY_CHARACTERS || /\.\.\.|…/.test(body)) continue;
    found.push({ start: match.index, end, entity: 'SECRET', rule: 'private-key', score: 0.99 });
  }
  return found;
}

function endOfBlock(text: string, from: number, ending: string): number {
  const end = text.slice(from, from + MAX_BLOCK).indexOf(ending);
  if (end >= 0) return from + end + ending.length;
  BASE64_LINES.lastIndex = from;
  return from + (BASE64_LINES.exec(text)?.[0].trimEnd().length ?? 0);
}

function findPutty(text: string): Finding[] {
  const endings = [...text.matchAll(PUTTY_END)].map((match) => match.index + match[0].length);
  let next = 0;
  return [...text.matchAll(PUTTY)].flatMap(({ index: start }): Finding[] => {
    while (next < endings.length && endings[next]! < start) next++;
    const end = endings[next];
    if (end === undefined || end - start > MAX_BLOCK) return [];
    return [{ start, end, entity: 'SECRET', rule: 'putty-key', score: 0.99 }];
  });
}

function findJwts(text: string): Finding[] {
  return [...text.matchAll(JWT)].flatMap((match): Finding[] => {
    const [whole, header, payload] = match;
    const claims = decode(payload!);
    if (!decode(header!) || !claims || claims.sub === SAMPLE_SUBJECT) return [];
    return [{ start: match.index, end: match.index + whole.length, entity: 'SECRET', rule: 'jwt', score: 0.95 }];
  });
}

function decode(part: string): { sub?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as { sub?: unknown }) : undefined;
  } catch {
    return undefined;
  }
}
