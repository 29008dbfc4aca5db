// Answers of the reader and the search, as the client asks for them: text, JSON, or JSON as the only event of a stream.
import type { DialectAnswer, DialectRequest } from '../dialect.ts';
import type { ReaderPage } from './page.ts';

export type Shape = 'text' | 'json' | 'stream';

const TEXT = 'text/plain; charset=utf-8';

/** JSON only for those who take nothing else: `application/json, text/plain, *\/*` is what some libraries always send. */
export function shapeOf({ header }: Pick<DialectRequest, 'header'>): Shape {
  const types = (header('accept') ?? '').split(',').map((type) => type.split(';', 1)[0]!.trim().toLowerCase());
  if (types.includes('text/event-stream')) return 'stream';
  const isJson = types.includes('application/json') || types.includes('text/json');
  return isJson && !types.includes('text/plain') && !types.includes('*/*') ? 'json' : 'text';
}

interface Written {
  shape: Shape;
  tokens: number;
  warnings: DialectAnswer['warnings'];
}

export const writeText = (body: string, { tokens, warnings }: Omit<Written, 'shape'>, type = TEXT): DialectAnswer => ({
  ...{ type, body, headers: { 'x-usage-tokens': String(tokens) }, warnings },
});

export function writeData(data: unknown, { shape, tokens, warnings }: Written): DialectAnswer {
  const body = { code: 200, status: 20000, data, meta: { usage: { tokens } } };
  const headers = { 'x-usage-tokens': String(tokens) };
  if (shape === 'json') return { body, headers, warnings };
  return { type: 'text/event-stream', body: `event: data\ndata: ${JSON.stringify(body)}\n\n`, headers, warnings };
}

/** The page with what is known about it. */
export function pageText(page: ReaderPage, pages?: number): string {
  const { title, url, publishedTime, warning, content = '' } = page;
  const facts = [
    publishedTime && `Published Time: ${publishedTime}`,
    warning && `Warning: ${warning}`,
    pages !== undefined && `Number of Pages: ${pages}`,
  ].filter(Boolean);
  const head = [`Title: ${title}`, `URL Source: ${url}`, ...facts].join('\n\n');
  return `${[`${head}\n\nMarkdown Content:\n${content}`, ...summaries(page)].join('\n\n')}\n`;
}

function summaries({ links, images }: ReaderPage): string[] {
  const lines = (given: NonNullable<ReaderPage['links']>, mark: string) =>
    (Array.isArray(given) ? given : Object.entries(given)).map(([text, url]) => `- ${mark}[${text}](${url})`);
  return [
    ...(images ? [['Images:', ...lines(images, '!')].join('\n')] : []),
    ...(links ? [['Links/Buttons:', ...lines(links, '')].join('\n')] : []),
  ];
}
