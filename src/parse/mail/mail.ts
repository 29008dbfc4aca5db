// Parses mails (RFC 822 and MIME).
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import type { FormatParser } from '../format-parser.ts';
import { tooComplex } from '../parse-errors.ts';
import {
  formatPerson,
  MAX_MAIL_DEPTH,
  type MailAttachment,
  type MailMessage,
  oneLine,
  parsedMail,
} from './mail-html.ts';

const MAX_PART_DEPTH = 50;
const MAX_HEADER_BYTES = 1024 * 1024;
const MAX_INNER_MAILS = 50;
const ENCRYPTED = /^application\/(?:x-)?(?:pkcs7-mime|pgp-encrypted)$/;

interface MailState {
  innerMails: number;
  warnings: string[];
}

export const parseMail: FormatParser = async ({ bytes }) => {
  const state: MailState = { innerMails: 0, warnings: [] };
  const message = await readMessage(bytes, 1, state);
  return parsedMail(message, state.warnings);
};

async function readMessage(bytes: Uint8Array, depth: number, state: MailState): Promise<MailMessage> {
  const email = await parse(bytes);
  const attachments: MailAttachment[] = [];
  for (const attachment of email.attachments) attachments.push(await readAttachment(attachment, depth, state));
  if (attachments.some(({ type }) => ENCRYPTED.test(type))) {
    state.warnings.push('An encrypted or opaquely signed part of the mail was not read.');
  }
  return {
    subject: oneLine(email.subject ?? ''),
    from: people(email.from ? [email.from] : email.sender ? [email.sender] : [])[0] ?? '',
    to: people(email.to ?? []),
    cc: people(email.cc ?? []),
    bcc: people(email.bcc ?? []),
    date: dateOf(email),
    html: email.html,
    text: isFlowed(bytes) ? stripInnerQuoteMarks(email.text ?? '') : email.text,
    attachments,
  };
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
      maxNestingDepth: MAX_PART_DEPTH,
      maxHeadersSize: MAX_HEADER_BYTES,
    });
  } catch {
    // The library throws only for these limits.
    throw tooComplex('Its parts are nested too deeply, or its headers are too long.');
  }
}

async function readAttachment(attachment: Attachment, depth: number, state: MailState): Promise<MailAttachment> {
  const content = attachment.content as Uint8Array | ArrayBuffer;
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(content);
  const read: MailAttachment = {
    name: oneLine(attachment.filename ?? ''),
    type: attachment.mimeType,
    size: bytes.length,
    contentId: attachment.contentId?.trim().replace(/^<|>$/g, ''),
    read: () => bytes,
  };
  if (attachment.mimeType !== 'message/rfc822' || depth >= MAX_MAIL_DEPTH) return read;
  state.innerMails += 1;
  return state.innerMails > MAX_INNER_MAILS ? read : { ...read, message: await readMessage(bytes, depth + 1, state) };
}

function people(addresses: readonly Address[]): string[] {
  return addresses.map((each) => {
    if (each.group) return `${oneLine(each.name)}: ${people(each.group).join(', ')}`;
    return formatPerson(each.name, each.address);
  });
}

/** As written, in the sender's time zone, without comments in brackets. */
function dateOf({ headers, date }: Email): string {
  const written = headers.find(({ key }) => key === 'date')?.value ?? '';
  return oneLine(written.replace(/\([^()]{0,100}\)/g, '')) || (date ?? '');
}

const isFlowed = (bytes: Uint8Array): boolean => {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return raw.includes('format=flowed') || raw.includes('format="flowed"');
};

/** Rejoined lines of format=flowed still contain the quote marks of each original line. */
const stripInnerQuoteMarks = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const marks = /^>[> ]{0,100}/.exec(line)?.[0] ?? '';
      return marks === '' ? line : marks + line.slice(marks.length).replaceAll(` ${marks.trimEnd()} `, ' ');
    })
    .join('\n');
