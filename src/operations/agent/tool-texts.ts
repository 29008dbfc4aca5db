// What a model is shown of the results of its tools. All of it is content: addresses and titles are written by strangers, too.
import type { PagePiece } from '../../understand/agent/page-piece.ts';
import type { PassageSpan } from '../../understand/passages/find-passages.ts';
import type { FoundPage, Refused } from '../gather/web-tools.ts';
import type { UsedPage } from './use-page.ts';

export interface ToolText {
  text: string;
  /** What stays when there is no more room for the text. */
  short: string;
}

const MAX_FOUND = 60;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 300;

export function foundText(pages: readonly FoundPage[]): ToolText {
  if (pages.length === 0) return same('Nothing was found.');
  const lines = pages
    .slice(0, MAX_FOUND)
    .map(({ url, title = '', description = '' }) =>
      [url, title.slice(0, MAX_TITLE), description.slice(0, MAX_DESCRIPTION)]
        .filter((part) => part !== '')
        .join('\n  '),
    );
  const more = pages.length > MAX_FOUND ? [`(${pages.length - MAX_FOUND} more)`] : [];
  return { text: [...lines, ...more].join('\n'), short: `[${pages.length} URLs, no longer shown]` };
}

export const refusedText = ({ refused }: Refused): ToolText => same(`Refused: ${refused}`);

interface Shown {
  url: string;
  title?: string;
  statusCode?: number;
  warning?: string;
}

export function pieceText(
  { url, title, statusCode, warning }: Shown,
  { text, start, end, total }: PagePiece,
): ToolText {
  const head = [
    `URL: ${url}`,
    ...(title ? [`Title: ${title.slice(0, MAX_TITLE)}`] : []),
    ...(statusCode !== undefined && statusCode >= 400 ? [`Status: ${statusCode}`] : []),
    ...(warning ? [`Warning: ${warning.slice(0, MAX_DESCRIPTION)}`] : []),
    end < total
      ? `Characters ${start} to ${end} of ${total}. Read on with offset ${end}.`
      : `Characters ${start} to ${end}.`,
  ];
  const shown = text.trim() === '' ? '(The page has no text here.)' : text;
  return { text: [...head, '', shown].join('\n'), short: `[${url}, characters ${start} to ${end}, no longer shown]` };
}

export function passagesText(url: string, markdown: string, spans: readonly PassageSpan[]): ToolText {
  if (spans.length === 0) return same(`No passage of ${url} fits these words.`);
  const texts = spans.map(({ start, end }) => `At ${start}: ${markdown.slice(start, end)}`);
  return { text: [`URL: ${url}`, ...texts].join('\n\n'), short: `[Passages of ${url}, no longer shown]` };
}

const MAX_ACTIONS = 20;

export function usedText({ output, error, actions, page }: UsedPage, maxCharacters: number): ToolText {
  const outcome = error === undefined ? 'It was done.' : `It was not done: ${error}`;
  const done = actions.slice(-MAX_ACTIONS).map(({ action, result }) => `- ${action}: ${result}`);
  const head = [
    outcome,
    ...(output === '' ? [] : [`Report: ${output}`]),
    ...(done.length === 0 ? [] : ['Actions:', ...done]),
  ]
    .join('\n')
    .slice(0, maxCharacters / 2);
  if (!page) return { text: head, short: outcome };
  const { url, title, text } = page;
  const shown = text.slice(0, maxCharacters - head.length);
  const cut = shown.length < text.length ? ['(The page is longer.)'] : [];
  return {
    text: [head, `URL: ${url}`, `Title: ${title.slice(0, MAX_TITLE)}`, 'The page now:', '', shown, ...cut].join('\n'),
    short: `[${outcome} ${url}, no longer shown]`,
  };
}

export const same = (text: string): ToolText => ({ text, short: text });
