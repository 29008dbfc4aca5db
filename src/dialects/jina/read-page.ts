// The reader: one page, whose address stands behind the path or in the body.
import { MAX_URL_LENGTH } from '../../contracts/bounds.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { objectOf } from '../shared/sent-fields.ts';
import { pageOf, type ReaderPage } from './page.ts';
import { nothingFound, overBudget } from './problems.ts';
import { type ReaderOptions, readOptions, requireOnePart } from './reader-fields.ts';
import { scrapeOptionsOf } from './scrape-options.ts';
import { pageText, shapeOf, writeData, writeText } from './write-answer.ts';

export async function readPage(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const options = readOptions(request);
  const shape = shapeOf(request);
  if (shape === 'text') requireOnePart(options);
  const url = targetOf(request);
  const { data, warning } = await trawl.call('scrape', { body: { ...scrapeOptionsOf(options), url } });
  const page = await pageOf(url, data, options);
  const { tokens } = page.usage;
  const warnings = [options.warning, warning ?? data.warning];
  if (isEmpty(page)) return { ...nothingFound(`No content available for URL ${url}`), warnings };
  if (options.tokenBudget !== undefined && tokens > options.tokenBudget)
    return { ...overBudget(tokens, options.tokenBudget), warnings };
  if (shape !== 'text') return writeData(page, { shape, tokens, warnings });
  return textOf(page, { options, warnings, pages: data.metadata.numPages });
}

const isEmpty = ({ content, html, text, screenshotUrl, pageshotUrl }: ReaderPage): boolean =>
  [content, html, text, screenshotUrl, pageshotUrl].every((part) => part === undefined || part === '');

interface Text {
  options: ReaderOptions;
  warnings: DialectAnswer['warnings'];
  pages: number | undefined;
}

function textOf(page: ReaderPage, { options, warnings, pages }: Text): DialectAnswer {
  const { tokens } = page.usage;
  const picture = page.screenshotUrl ?? page.pageshotUrl;
  if (picture !== undefined) return showPicture(picture, warnings);
  const [part] = options.parts;
  if (part === 'html') return writeText(page.html ?? '', { tokens, warnings });
  return writeText(part === 'text' ? (page.text ?? '') : pageText(page, pages), { tokens, warnings });
}

/** A link, or the picture itself where nothing may be kept. */
function showPicture(picture: string, warnings: DialectAnswer['warnings']): DialectAnswer {
  const [, type, encoded] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(picture) ?? [];
  if (type !== undefined) return { type, body: Buffer.from(encoded!, 'base64'), warnings };
  return {
    status: 302,
    headers: { location: picture },
    type: 'text/plain; charset=utf-8',
    body: `${picture}\n`,
    warnings,
  };
}

const HOW_TO_ASK =
  'Write the address of the page behind the path, as in /jina/r/https://example.com, or send it as `url`.';
const OWN_ADDRESS = 'This is an address of the service itself. Ask for the page that you want to read.';

/** Throws BAD_REQUEST. */
function targetOf({ params, body, baseUrl }: Pick<DialectRequest, 'params' | 'body' | 'baseUrl'>): string {
  const { url: given } = objectOf(body);
  const sent = (params.url ?? (typeof given === 'string' ? given : '')).trim();
  // Some clients encode the whole address. In one that is readable, what is encoded belongs to it.
  const text = /^https?:/i.test(sent) ? sent : decoded(sent);
  if (text === '' || text.startsWith('?')) throw new ServiceError('BAD_REQUEST', { message: HOW_TO_ASK });
  // Proxies make one slash of two.
  const address = /^https?:/i.test(text) ? text.replace(/^(https?):\/*/i, '$1://') : `http://${text}`;
  if (address.length > MAX_URL_LENGTH || !URL.canParse(address))
    throw new ServiceError('BAD_REQUEST', { message: `Invalid URL. ${HOW_TO_ASK}` });
  if (new URL(address).host === URL.parse(baseUrl)?.host)
    throw new ServiceError('BAD_REQUEST', { message: OWN_ADDRESS });
  return address;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
