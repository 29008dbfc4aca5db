// The options of Jina's reader: headers of any request, or fields of a body under the same names in camelCase.
import { z } from 'zod';
import { MAX_URL_LENGTH, selectorText } from '../../contracts/bounds.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectRequest } from '../dialect.ts';
import { ignoredFields } from '../shared/ignored-fields.ts';
import { isYes, objectOf } from '../shared/sent-fields.ts';

const MAX_TEXT = 2_000;
const MAX_LISTED = 50;
const MAX_SECONDS = 180;
const CACHE_SECONDS = 3_600;
const MIN_TOKENS = 500;

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string().max(MAX_TEXT));
const number = z.coerce.number();
/** In a header, several are separated by commas and blanks. */
const selectors = z
  .union([z.string().max(MAX_LISTED * MAX_TEXT), z.array(selectorText).max(MAX_LISTED)])
  .transform((given) => (typeof given === 'string' ? given.split(', ') : given))
  .transform((list) => list.map((each) => each.trim()).filter((each) => each !== ''));
const yes = z.unknown().transform(isYes).optional();
const ignored = z.unknown().optional();

/** Without what only other servers do: those are named as ignored. */
const SERVED = {
  respondWith: text.optional().describe('content, markdown, html, text, screenshot or pageshot; several only as JSON.'),
  returnFormat: text.optional().describe('The same as `respondWith`.'),
  targetSelector: selectors.optional().describe('CSS selectors of what to read.'),
  removeSelector: selectors.optional().describe('CSS selectors of what to leave out.'),
  waitForSelector: selectors.optional().describe('CSS selectors of what to wait for, in a browser.'),
  noCache: yes.describe('Fetches the page again.'),
  cacheTolerance: number.min(0).default(CACHE_SECONDS).describe('Seconds that a cached copy may be old.'),
  timeout: number.min(1).max(MAX_SECONDS).optional().describe('Seconds.'),
  engine: text.optional().describe('`direct` uses no browser unless it has to, `browser` always does.'),
  retainImages: text.optional().describe('`none`, `alt` or all.'),
  retainLinks: text.optional().describe('`none`, `text` or all.'),
  mdLinkStyle: text.optional().describe('`discarded`: as `retainLinks: text`.'),
  withLinksSummary: text.optional().describe('`true` or `all`: adds the links of the page.'),
  withImagesSummary: text.optional().describe('`true`: adds the images of the page.'),
  locale: text.optional().describe('The language that is asked for.'),
  setCookie: text.optional().describe('A cookie that the site is sent.'),
  userAgent: text.optional(),
  referer: text.optional(),
  maxTokens: number.int().min(MIN_TOKENS).optional().describe('Cuts the text.'),
  tokenBudget: number.int().min(1).optional().describe('Answers 409 if the text is longer.'),
};
const IGNORED = {
  proxyUrl: ignored,
  proxy: ignored,
  withGeneratedAlt: ignored,
  withIframe: ignored,
  withShadowDom: ignored,
  robotsTxt: ignored,
  injectPageScript: ignored,
  html: ignored,
  pdf: ignored,
};
const optionFields = z.object({ ...SERVED, ...IGNORED });
const NAMES = Object.keys(optionFields.shape);

export const readerFields = z.object({
  url: z.string().max(MAX_URL_LENGTH).optional().describe('The page, in a POST. In a GET it stands behind the path.'),
  ...SERVED,
});

const PARTS = ['content', 'markdown', 'html', 'text', 'screenshot', 'pageshot', 'no-content'] as const;
export type ReaderPart = (typeof PARTS)[number];

export interface ReaderOptions extends Pick<z.output<typeof optionFields>, keyof typeof SERVED> {
  /** What the answer consists of; not empty. */
  parts: ReaderPart[];
  /** Not kept in the cache. */
  isPrivate: boolean;
  warning?: string;
}

/** Throws BAD_REQUEST. */
export function readOptions({ header, body }: Pick<DialectRequest, 'header' | 'body'>): ReaderOptions {
  const given = objectOf(body);
  const sent = NAMES.map((name) => [name, header(headerOf(name)) ?? given[name]] as const);
  const options = validate(optionFields, Object.fromEntries(sent.filter(([, value]) => value !== '')));
  const { parts, unknown } = partsOf(options.respondWith ?? options.returnFormat ?? 'content');
  const unserved = Object.keys(IGNORED).map((name) => [headerOf(name), options[name as keyof typeof IGNORED]] as const);
  const warning = ignoredFields({ ...Object.fromEntries(unserved), ...unknown });
  return { ...options, parts, isPrivate: header('dnt') === '1', ...(warning !== undefined && { warning }) };
}

const headerOf = (name: string): string => `x-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function partsOf(sent: string): { parts: ReaderPart[]; unknown: Record<string, true> } {
  const names = sent
    .toLowerCase()
    .split(/[\s,+]+/)
    .filter((name) => name !== '');
  const parts = PARTS.filter((part) => names.includes(part));
  const unknown = names.filter((name) => !(PARTS as readonly string[]).includes(name));
  return {
    parts: parts.length === 0 ? ['content'] : parts,
    unknown: Object.fromEntries(unknown.map((name) => [`x-respond-with: ${name}`, true])),
  };
}

/** Text has room for one of them. */
export function requireOnePart({ parts }: ReaderOptions): void {
  if (parts.length <= 1) return;
  const message = 'Several formats in `X-Respond-With` need JSON: send `Accept: application/json`.';
  throw new ServiceError('BAD_REQUEST', { message });
}
