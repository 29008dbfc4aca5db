// The mail about a check, as plain text and as simple HTML.
import { countText, statusWord, type ToldPage, type ToldStatus } from './check-report.ts';
import { escapeMarkup, manyLines, oneLine, webUrl, withoutLinks } from './safe-text.ts';

export interface CheckMail {
  monitorName: string;
  counts: Record<ToldStatus, number>;
  /** The first of them. */
  pages: readonly ToldPage[];
  /** Why the check as a whole failed. */
  error?: string;
  includeDiffs: boolean;
  unsubscribeUrl: string;
}

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

const MAX_SUBJECT = 160;
const MAX_NAME = 100;
const MAX_LINE = 300;
const MAX_URL = 2_000;
const MAX_DIFF = 4_000;
/** Limit for all diffs of a mail together. */
const MAX_DIFFS = 60_000;

export function writeCheckMail(mail: CheckMail): MailText {
  const { monitorName, counts, error, unsubscribeUrl } = mail;
  const name = oneLine(monitorName, MAX_NAME);
  const summary = countText(counts) || 'the check failed';
  const pages = shorten(mail);
  const hidden = Object.values(counts).reduce((sum, count) => sum + count, 0) - pages.length;
  const parts = {
    lead: `Monitor "${withoutLinks(name)}": ${summary}.`,
    ...(error && { error: withoutLinks(oneLine(error, MAX_LINE)) }),
    pages,
    ...(hidden > 0 && { more: `And ${hidden} more.` }),
    unsubscribeUrl,
  };
  return { subject: oneLine(`${name}: ${summary}`, MAX_SUBJECT), text: plainText(parts), html: markup(parts) };
}

interface Parts {
  lead: string;
  error?: string;
  pages: ToldPage[];
  more?: string;
  unsubscribeUrl: string;
}

function shorten({ pages, includeDiffs }: CheckMail): ToldPage[] {
  let left = includeDiffs ? MAX_DIFFS : 0;
  return pages.map(({ url, status, title, reason, diff }) => {
    const shown = diff === undefined || left <= 0 ? undefined : manyLines(diff, Math.min(MAX_DIFF, left));
    left -= shown?.length ?? 0;
    return {
      url: oneLine(url, MAX_URL),
      status,
      ...(title && { title: withoutLinks(oneLine(title, MAX_LINE)) }),
      ...(reason && { reason: withoutLinks(oneLine(reason, MAX_LINE)) }),
      ...(shown && { diff: shown }),
    };
  });
}

function plainText({ lead, error, pages, more, unsubscribeUrl }: Parts): string {
  const blocks = pages.map(({ url, status, title, reason, diff }) =>
    [`[${statusWord(status)}] ${title ?? ''}`.trim(), webUrl(url) ?? withoutLinks(url), reason, diff && `\n${diff}`]
      .filter((line) => line !== undefined)
      .join('\n'),
  );
  const foot = `-- \nTo stop these e-mails: ${unsubscribeUrl}`;
  return `${[lead, error, ...blocks, more, foot].filter((block) => block !== undefined).join('\n\n')}\n`;
}

function markup({ lead, error, pages, more, unsubscribeUrl }: Parts): string {
  const paragraph = (text: string) => `<p>${escapeMarkup(text)}</p>`;
  const items = pages.map(({ url, status, title, reason, diff }) => {
    const link = webUrl(url);
    const label = escapeMarkup(title ?? withoutLinks(url));
    const head = link ? `<a href="${escapeMarkup(link)}" rel="noreferrer">${label}</a>` : label;
    const why = reason ? `<br>${escapeMarkup(reason)}` : '';
    const lines = diff
      ? `<pre style="white-space:pre-wrap;background:#f4f4f4;padding:8px">${escapeMarkup(diff)}</pre>`
      : '';
    return `<li><b>${statusWord(status)}</b> ${head}${why}${lines}</li>`;
  });
  return [
    '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body style="font-family:sans-serif">',
    paragraph(lead),
    error === undefined ? '' : paragraph(error),
    items.length === 0 ? '' : `<ul>${items.join('')}</ul>`,
    more === undefined ? '' : paragraph(more),
    `<p style="color:#666"><a href="${escapeMarkup(unsubscribeUrl)}">Stop these e-mails</a></p></body></html>`,
  ].join('\n');
}
