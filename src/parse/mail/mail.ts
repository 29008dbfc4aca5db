// Mails as they are sent (RFC 822 and MIME).
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import type { FormatParser } from '../format-parser.ts';
import { tooComplex } from '../parse-errors.ts';
import { MAX_MAIL_DEPTH, type MailAttachment, type MailMessage, mailDocument } from './mail-html.ts';
import { oneLine, person } from './person.ts';

const MAX_PART_DEPTH = 50;
const MAX_HEADER_BYTES = 1024 * 1024;
const MAX_INNER_MAILS = 50;
const ENCRYPTED = /^application\/(?:x-)?(?:pkcs7-mime|pgp-encrypted)$/;

interface Course {
  innerMails: number;
  warnings: string[];
}

export const parseMail: FormatParser = async ({ bytes }) => {
  const course: Course = { innerMails: 0, warnings: [] };
  const message = await readMessage(bytes, 1, course);
  return mailDocument(message, course.warnings);
};

async function readMessage(bytes: Uint8Array, depth: number, course: Course): Promise<MailMessage> {
  const email = await parse(bytes);
  const attachments: MailAttachment[] = [];
  for (const attachment of email.attachments) attachments.push(await readAttachment(attachment, depth, course));
  if (attachments.some(({ type }) => ENCRYPTED.test(type))) {
    course.warnings.push('A mail is signed or encrypted as a whole; that part of it was not opened.');
  }
  return {
    subject: oneLine(email.subject ?? ''),
    from: people(email.from ? [email.from] : email.sender ? [email.sender] : [])[0] ?? '',
    to: people(email.to ?? []),
    cc: people(email.cc ?? []),
    bcc: people(email.bcc ?? []),
    date: dateOf(email),
    html: email.html,
    text: isFlowed(bytes) ? withoutInnerMarks(email.text ?? '') : email.text,
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
    // The only things that it refuses.
    throw tooComplex('Its parts are nested too deeply, or its heads are too long.');
  }
}

async function readAttachment(attachment: Attachment, depth: number, course: Course): Promise<MailAttachment> {
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
  course.innerMails += 1;
  return course.innerMails > MAX_INNER_MAILS ? read : { ...read, message: await readMessage(bytes, depth + 1, course) };
}

function people(addresses: readonly Address[]): string[] {
  return addresses.map((each) => {
    if (each.group) return `${oneLine(each.name)}: ${people(each.group).join(', ')}`;
    return person(each.name, each.address);
  });
}

/** As it is written, with the sender's own hour; remarks in brackets say no more. */
function dateOf({ headers, date }: Email): string {
  const written = headers.find(({ key }) => key === 'date')?.value ?? '';
  return oneLine(written.replace(/\([^()]{0,100}\)/g, '')) || (date ?? '');
}

const isFlowed = (bytes: Uint8Array): boolean => {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return raw.includes('format=flowed') || raw.includes('format="flowed"');
};

/** Lines that were joined again still hold the marks that each of them began with. */
const withoutInnerMarks = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const marks = /^>[> ]{0,100}/.exec(line)?.[0] ?? '';
      return marks === '' ? line : marks + line.slice(marks.length).replaceAll(` ${marks.trimEnd()} `, ' ');
    })
    .join('\n');
