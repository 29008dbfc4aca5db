// Parses Outlook messages and appointments (.msg).
import MsgReaderModule, { type FieldsData } from '@kenjiuno/msgreader';
import { decodeText } from '../../markup/charset.ts';
import type { FormatParser } from '../format-parser.ts';
import {
  formatPerson,
  MAX_MAIL_DEPTH,
  type MailAttachment,
  type MailMessage,
  oneLine,
  parsedMail,
} from '../mail/mail-html.ts';
import { damagedFile } from '../parse-errors.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { rtfBody } from './rtf-body.ts';
import { codepageEncoding } from './windows-encodings.ts';

type Reader = InstanceType<typeof MsgReaderModule.default>;

const UNICODE = 1200;
const MAX_INNER_MAILS = 50;

export const parseOutlook: FormatParser = async ({ bytes }) => {
  const { reader, fields } = open(bytes);
  return parsedMail(readMessage(fields, reader, 1, { innerMails: 0 }), []);
};

function open(bytes: Uint8Array): { reader: Reader; fields: FieldsData } {
  const read = (ansiEncoding?: string) => {
    const reader = new MsgReaderModule.default(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    reader.parserConfig = { ansiEncoding };
    return { reader, fields: reader.getFileData() };
  };
  const first = read();
  if (first.fields.dataType !== 'msg') throw damagedFile('It is not an Outlook message.');
  // Old messages store text in a code page, which one of their fields names.
  const { messageCodepage, internetCodepage } = first.fields;
  const encoding = codepageEncoding(messageCodepage ?? internetCodepage);
  if (encoding === undefined || messageCodepage === UNICODE) return first;
  try {
    return read(encoding);
  } catch {
    return first;
  }
}

function readMessage(fields: FieldsData, reader: Reader, depth: number, state: { innerMails: number }): MailMessage {
  const recipients = fields.recipients ?? [];
  const ofType = (type: string): string[] =>
    recipients
      .filter(({ recipType }) => (recipType ?? 'to') === type)
      .map((each) => formatPerson(each.name ?? '', addressOf(each)));
  return {
    subject: oneLine(fields.subject ?? fields.normalizedSubject ?? ''),
    from: formatPerson(fields.senderName ?? '', senderAddress(fields)),
    to: ofType('to'),
    cc: ofType('cc'),
    bcc: ofType('bcc'),
    date: fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime ?? '',
    ...bodyOf(fields),
    attachments: (fields.attachments ?? []).map((each) => readAttachment(each, reader, depth, state)),
  };
}

function bodyOf(fields: FieldsData): Pick<MailMessage, 'html' | 'text'> {
  const { html, bodyHtml, body, compressedRtf } = fields;
  if (html && html.length > 0) {
    const charset = codepageEncoding(fields.internetCodepage);
    return {
      html: decodeText(html, charset === undefined ? '' : `text/html; charset=${charset}`, { html: true }).text,
    };
  }
  if (bodyHtml) return { html: bodyHtml };
  const rtf = compressedRtf && decompressRtf(compressedRtf);
  const found = rtf && rtfBody(rtf);
  if (found && 'html' in found) return { html: found.html };
  return { text: body || found?.text };
}

function readAttachment(
  fields: FieldsData,
  reader: Reader,
  depth: number,
  state: { innerMails: number },
): MailAttachment {
  const inner = fields.innerMsgContentFields;
  const attachment: MailAttachment = {
    name: oneLine(fields.fileName ?? fields.name ?? fields.fileNameShort ?? ''),
    type: fields.attachMimeTag ?? (inner ? 'application/vnd.ms-outlook' : ''),
    size: fields.contentLength ?? 0,
    contentId: fields.pidContentId,
    read: () => (fields.dataId === undefined ? undefined : reader.getAttachment(fields).content),
  };
  if (!inner || depth >= MAX_MAIL_DEPTH) return attachment;
  state.innerMails += 1;
  if (state.innerMails > MAX_INNER_MAILS) return attachment;
  return { ...attachment, message: readMessage(inner, reader, depth + 1, state) };
}

function senderAddress({ senderSmtpAddress, sentRepresentingSmtpAddress, senderEmail }: FieldsData): string {
  return senderSmtpAddress ?? sentRepresentingSmtpAddress ?? (senderEmail?.includes('@') ? senderEmail : '');
}

/** Internal Exchange addresses are directory paths, which mean nothing outside the company. */
const addressOf = ({ smtpAddress, email }: FieldsData): string => smtpAddress ?? (email?.includes('@') ? email : '');
