// The metadata of a PDF, from its Info dictionary and, where that has gaps, its XMP packet.
import { find, findAll, textOf, type XmlElement } from '../../markup/xml/xml-tree.ts';
import { readXml } from '../read-xml.ts';
import { type PdfInfo, readPdfInfo } from './info-dictionary.ts';

const MAX_XMP_BYTES = 262_144;

export function pdfMetadata(
  bytes: Uint8Array,
  known: { creator?: string | undefined; producer?: string | undefined },
): Record<string, string | string[]> {
  const info = readPdfInfo(bytes);
  const isComplete = info.Title !== undefined && info.Author !== undefined && info.CreationDate !== undefined;
  const xmp = isComplete ? {} : readXmp(bytes);
  const values: Record<string, string | string[] | undefined> = {
    title: info.Title ?? xmp.title,
    author: info.Author ?? xmp.author,
    description: info.Subject ?? xmp.description,
    keywords: info.Keywords ?? xmp.keywords,
    language: info.Lang ?? xmp.language,
    publishedTime: parsePdfDate(info.CreationDate) ?? isoOf(xmp.created),
    modifiedTime: parsePdfDate(info.ModDate) ?? isoOf(xmp.modified),
    creator: known.creator ?? info.Creator,
    producer: known.producer ?? info.Producer,
  };
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries) as Record<string, string | string[]>;
}

type Xmp = Partial<
  Record<'title' | 'author' | 'description' | 'keywords' | 'language' | 'created' | 'modified', string>
>;

function readXmp(bytes: Uint8Array): Xmp {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = file.indexOf('<x:xmpmeta');
  const end = start === -1 ? -1 : file.indexOf('</x:xmpmeta>', start);
  if (end === -1 || end - start > MAX_XMP_BYTES) return {};
  try {
    const root = readXml(file.toString('utf8', start, end + '</x:xmpmeta>'.length));
    return {
      title: dublinCoreValue(root, 'title'),
      author: dublinCoreValue(root, 'creator'),
      description: dublinCoreValue(root, 'description'),
      keywords: xmpValue(root, 'Keywords'),
      language: dublinCoreValue(root, 'language'),
      created: xmpValue(root, 'CreateDate'),
      modified: xmpValue(root, 'ModifyDate'),
    };
  } catch {
    // Broken metadata must not prevent parsing.
    return {};
  }
}

/** Dublin Core values are lists of alternatives or items. */
function dublinCoreValue(root: XmlElement, name: string): string | undefined {
  const element = findAll(root, name).find((candidate) => candidate.name === `dc:${name}`);
  const items = element ? findAll(element, 'li').map((item) => textOf(item).trim()) : [];
  return items.filter((item) => item !== '' && item !== 'x-default').join(', ') || undefined;
}

/** Other values are elements or attributes. */
function xmpValue(root: XmlElement, name: string): string | undefined {
  const element = find(root, name);
  if (element) return textOf(element).trim() || undefined;
  for (const description of findAll(root, 'Description')) {
    const attribute = Object.entries(description.attributes).find(([key]) => key.endsWith(`:${name}`));
    if (attribute) return attribute[1];
  }
  return undefined;
}

/** `D:20240131120000+01'00'`; everything after the year may be missing. */
export function parsePdfDate(text: PdfInfo['CreationDate']): string | undefined {
  const match = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:([+-])(\d\d)'?(\d\d)?'?|Z)?/.exec(text ?? '');
  if (!match) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    zoneHour,
    zoneMinute = '00',
  ] = match;
  const zone = sign ? `${sign}${zoneHour}:${zoneMinute}` : 'Z';
  return isoOf(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
}

function isoOf(text: string | undefined): string | undefined {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
