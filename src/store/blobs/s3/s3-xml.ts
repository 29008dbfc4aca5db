// The documents that an object store sends and expects. An answer that is not what was asked for counts as no answer.
import { parseXml } from '../../../markup/xml/parse-xml.ts';
import { childOf, childrenOf, localName, textOf, type XmlElement } from '../../../markup/xml/xml-tree.ts';
import { readFault, S3Fault } from './s3-fault.ts';

export interface ListedObject {
  key: string;
  size: number;
  modifiedAt: number;
}

export interface OpenUpload {
  key: string;
  uploadId: string;
  startedAt: number;
}

/** A fault may also come with status 200: after a long wait, the status has been sent already. */
function rootOf(xml: string, name: string): XmlElement {
  let root: XmlElement;
  try {
    root = parseXml(xml);
  } catch (cause) {
    throw new S3Fault('an answer that is not XML', { cause });
  }
  if (localName(root.name) === 'Error') throw readFault(500, xml);
  if (localName(root.name) !== name) throw new S3Fault(`an answer without ${name}`);
  return root;
}

const textIn = (element: XmlElement, name: string): string => {
  const child = childOf(element, name);
  if (!child) throw new S3Fault(`an answer without ${name}`);
  return textOf(child).trim();
};

const timeIn = (element: XmlElement, name: string): number => {
  const time = Date.parse(textIn(element, name));
  if (Number.isNaN(time)) throw new S3Fault(`an answer with a damaged ${name}`);
  return time;
};

const sizeIn = (element: XmlElement): number => {
  const size = Number(textIn(element, 'Size'));
  if (!Number.isSafeInteger(size) || size < 0) throw new S3Fault('an answer with a damaged Size');
  return size;
};

export const readObjects = (xml: string): ListedObject[] =>
  childrenOf(rootOf(xml, 'ListBucketResult'), 'Contents').map((entry) => ({
    key: textIn(entry, 'Key'),
    size: sizeIn(entry),
    modifiedAt: timeIn(entry, 'LastModified'),
  }));

export const readUploads = (xml: string): OpenUpload[] =>
  childrenOf(rootOf(xml, 'ListMultipartUploadsResult'), 'Upload').map((entry) => ({
    key: textIn(entry, 'Key'),
    uploadId: textIn(entry, 'UploadId'),
    startedAt: timeIn(entry, 'Initiated'),
  }));

export const readUploadId = (xml: string): string => textIn(rootOf(xml, 'InitiateMultipartUploadResult'), 'UploadId');

export const checkCompleted = (xml: string): void => void rootOf(xml, 'CompleteMultipartUploadResult');

/** Throws the first fault. Objects that did not exist do not count as faults. */
export function checkRemoved(xml: string): void {
  const [failed] = childrenOf(rootOf(xml, 'DeleteResult'), 'Error').filter(
    (error) => textIn(error, 'Code') !== 'NoSuchKey',
  );
  if (failed) throw new S3Fault(`an object could not be removed`, { status: 500, code: textIn(failed, 'Code') });
}

export const writeParts = (tags: readonly string[]): string =>
  `<CompleteMultipartUpload>${tags
    .map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`)
    .join('')}</CompleteMultipartUpload>`;

export const writeRemoval = (keys: readonly string[]): string =>
  `<Delete><Quiet>true</Quiet>${keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('')}</Delete>`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
