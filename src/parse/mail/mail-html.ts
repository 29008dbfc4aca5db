// Writes a mail as HTML, whatever its format: headers, body, list of attachments, and forwarded mails.

import { escapeHtml } from '../../markup/html/escape-html.ts';
import { bodyFragment, type FragmentRules } from '../../markup/html/fragment.ts';
import type { ParsedFile } from '../../page/parsed.ts';
import { createEmbeddedPictures, type EmbeddedPictures } from '../embedded-pictures.ts';
import { plainTextHtml } from './plain-body.ts';

export interface MailMessage {
  subject: string;
  /** `Ann Example <ann@example.org>`. */
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  /** As written in the mail. */
  date: string;
  html?: string;
  text?: string;
  attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  name: string;
  type: string;
  size: number;
  /** The id by which the body refers to it. */
  contentId?: string;
  read?(): Uint8Array | undefined;
  /** A mail that was forwarded as an attachment. */
  message?: MailMessage;
}

/** Mails nested deeper than this are only listed as attachments. */
export const MAX_MAIL_DEPTH = 5;
const MAX_PEOPLE = 500;
const MAX_LISTED = 500;
const EXTERNAL = /^(?:https?|mailto|tel):/i;

export function parsedMail(message: MailMessage, warnings: string[]): ParsedFile {
  const metadata: Record<string, string> = {};
  if (message.subject !== '') metadata.title = message.subject;
  if (message.from !== '') metadata.author = message.from;
  const sent = Date.parse(message.date);
  if (!Number.isNaN(sent)) metadata.publishedTime = new Date(sent).toISOString();
  return { body: { html: messageHtml(message, 1, createEmbeddedPictures()) }, metadata, warnings };
}

function messageHtml(message: MailMessage, depth: number, pictures: EmbeddedPictures): string {
  const level = Math.min(6, depth);
  const shown = new Set<MailAttachment>();
  const body = bodyHtml(message, pictures, shown);
  const forwarded = message.attachments.flatMap((attachment) => (attachment.message ? [attachment.message] : []));
  return [
    message.subject === '' ? '' : `<h${level}>${escapeHtml(message.subject)}</h${level}>`,
    headersHtml(message, shown),
    body,
    ...forwarded.map((inner) => `<blockquote>${messageHtml(inner, depth + 1, pictures)}</blockquote>`),
  ].join('\n');
}

function headersHtml(
  { from, to, cc, bcc, date, attachments }: MailMessage,
  shown: ReadonlySet<MailAttachment>,
): string {
  const listed = attachments.filter((attachment) => !shown.has(attachment) && !attachment.message);
  const headers: [name: string, value: string][] = [
    ['From', from],
    ['To', people(to)],
    ['Cc', people(cc)],
    ['Bcc', people(bcc)],
    ['Date', date],
    ['Attachments', joinUpTo(listed.map(attachmentText), MAX_LISTED)],
  ];
  const lines = headers.filter(([, value]) => value !== '');
  const html = lines.map(([name, value]) => `<b>${name}:</b> ${escapeHtml(value)}`).join('<br>\n');
  return html === '' ? '' : `<p>${html}</p>`;
}

const people = (names: readonly string[]): string => joinUpTo(names, MAX_PEOPLE);

const joinUpTo = (texts: readonly string[], max: number): string =>
  texts.length <= max
    ? texts.join(', ')
    : `${texts.slice(0, max).join(', ')} and ${(texts.length - max).toLocaleString('en')} more`;

const attachmentText = ({ name, type, size }: MailAttachment): string =>
  `${name || 'unnamed'} (${[type, byteSize(size)].filter(Boolean).join(', ')})`;

function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Adds the pictures that the body shows to `shown`, so that they are not listed as attachments too. */
function bodyHtml(
  { html, text, attachments }: MailMessage,
  pictures: EmbeddedPictures,
  shown: Set<MailAttachment>,
): string {
  if (html === undefined || html.trim() === '') return plainTextHtml(text ?? '');
  const byId = new Map(attachments.filter(({ contentId }) => contentId).map((each) => [each.contentId!, each]));
  const inline = (src: string): string | undefined => {
    const attachment = byId.get(decoded(src.slice('cid:'.length)));
    const uri = attachment && pictures.dataUri(attachment, () => attachment.read?.());
    if (attachment && uri !== undefined) shown.add(attachment);
    return uri;
  };
  const rules: FragmentRules = {
    xml: false,
    link: (href) => (EXTERNAL.test(href) ? href : undefined),
    picture: (src) => (/^cid:/i.test(src) ? inline(src) : /^(?:https?:|data:image\/)/i.test(src) ? src : undefined),
    anchorName: (name) => name,
  };
  return `<div>${bodyFragment(html, rules)}</div>`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `Ann Example <ann@example.org>`, or only the name or the address. */
export function formatPerson(name: string, address: string): string {
  const shown = oneLine(name).replace(/^'(.*)'$/, '$1');
  if (shown === '' || shown === address) return address;
  return address === '' ? shown : `${shown} <${address}>`;
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
