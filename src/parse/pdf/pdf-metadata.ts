// The metadata of a PDF: its Info dictionary, and its XMP packet for what that lacks.
import { find, findAll, textOf, type XmlElement } from '../../markup/xml/xml-tree.ts';
import { readXml } from '../read-xml.ts';
import { type Info, readInfo } from './info-dictionary.ts';

const LONGEST_PACKET = 262_144;

export function metadataOf(
  bytes: Uint8Array,
  known: { creator?: string | undefined; producer?: string | undefined },
): Record<string, string | string[]> {
  const info = readInfo(bytes);
  const isComplete = info.Title !== undefined && info.Author !== undefined && info.CreationDate !== undefined;
  const xmp = isComplete ? {} : readXmp(bytes);
  const values: Record<string, string | string[] | undefined> = {
    title: info.Title ?? xmp.title,
    author: info.Author ?? xmp.author,
    description: info.Subject ?? xmp.description,
    keywords: info.Keywords ?? xmp.keywords,
    language: info.Lang ?? xmp.language,
    publishedTime: dateOf(info.CreationDate) ?? isoOf(xmp.created),
    modifiedTime: dateOf(info.ModDate) ?? isoOf(xmp.modified),
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
  if (end === -1 || end - start > LONGEST_PACKET) return {};
  try {
    const root = readXml(file.toString('utf8', start, end + '</x:xmpmeta>'.length));
    return {
      title: listed(root, 'title'),
      author: listed(root, 'creator'),
      description: listed(root, 'description'),
      keywords: written(root, 'Keywords'),
      language: listed(root, 'language'),
      created: written(root, 'CreateDate'),
      modified: written(root, 'ModifyDate'),
    };
  } catch {
    // What describes the document is no reason not to read it.
    return {};
  }
}

/** `dc:` values are lists, in languages or in order. */
function listed(root: XmlElement, name: string): string | undefined {
  const element = findAll(root, name).find((candidate) => candidate.name === `dc:${name}`);
  const items = element ? findAll(element, 'li').map((item) => textOf(item).trim()) : [];
  return items.filter((item) => item !== '' && item !== 'x-default').join(', ') || undefined;
}

/** The others are elements or attributes. */
function written(root: XmlElement, name: string): string | undefined {
  const element = find(root, name);
  if (element) return textOf(element).trim() || undefined;
  for (const description of findAll(root, 'Description')) {
    const attribute = Object.entries(description.attributes).find(([key]) => key.endsWith(`:${name}`));
    if (attribute) return attribute[1];
  }
  return undefined;
}

/** `D:20240131120000+01'00'`; everything after the year may be missing. */
export function dateOf(text: Info['CreationDate']): string | undefined {
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
