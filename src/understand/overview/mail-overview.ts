// A mail as our parser writes it, its headers below its subject: the subject, who sent it, and how it begins.
import { summarySentences } from '../passages/summarise.ts';
import type { OverviewPage } from './overview-page.ts';
import { type Overview, overviewOf, SENTENCE } from './places.ts';

const MAIL = /^(?:# (?<subject>[^\n]+)\n+)?\*\*From:\*\* (?<sender>[^\n]+)\n(?:\*\*[A-Z][a-z]+:\*\* [^\n]+\n)+/d;
const ADDRESS = /\s*(?:\\?<[^\n]*)?$/;
/** Of a mail inside. */
const HEADER = /^\*\*[^*]+:\*\*/;
const FIRST = 2;

export function mailOverview({ source, places }: OverviewPage): Overview | undefined {
  const { markdown } = places;
  const head = MAIL.exec(markdown);
  const sender = head?.indices?.groups?.sender;
  if (!head || !sender) return undefined;
  const subject = head.indices?.groups?.subject;
  const name = head.groups!.sender!.replace(ADDRESS, '').length || head.groups!.sender!.trim().length;
  const { title, language } = source;
  const body = head[0].length;
  const text = markdown.slice(body);
  const said = summarySentences(text, { ...(title && { title }), ...(language && { language }) }).filter(
    ({ start, end }) => !HEADER.test(text.slice(start, end)),
  );
  return overviewOf(markdown, [
    ...(subject ? [{ before: '', span: { start: subject[0], end: subject[1] } }] : []),
    { before: subject ? ' – ' : '', span: { start: sender[0], end: sender[0] + name } },
    ...said.slice(0, FIRST).map(({ start, end }) => ({
      before: SENTENCE,
      span: { start: start + body, end: end + body },
    })),
  ]);
}
