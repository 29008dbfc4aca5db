// The parts of an office package, and what is made of them before the engine reads it.
import { ServiceError } from '../../contracts/errors.ts';
import { attribute, find, findAll, type XmlElement } from '../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../container/zip.ts';
import { readXml } from '../read-xml.ts';
import type { Comment } from './office-comments.ts';
import type { Formulas } from './text-marks.ts';

export interface Prepared {
  /** Parts of the package with marks in them. */
  replaced: ReadonlyMap<string, Uint8Array>;
  formulas: Formulas;
  comments: readonly Comment[];
  warnings: readonly string[];
  /** Of a presentation. */
  slides?: number | undefined;
}

export function partOf(archive: ZipArchive, name: string): XmlElement | undefined {
  const bytes = archive.read(name);
  return bytes && readXml(bytes);
}

/** A part without which the text can still be read. */
export function lesserPart(archive: ZipArchive, name: string): XmlElement | undefined {
  try {
    return partOf(archive, name);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** OpenDocument keeps the names of its parts readable when it encrypts them. */
export function refuseEncrypted(archive: ZipArchive): void {
  const manifest = lesserPart(archive, 'META-INF/manifest.xml');
  if (manifest && find(manifest, 'encryption-data')) throw new ServiceError('DOCUMENT_ENCRYPTED');
}

export interface Relation {
  id: string;
  /** The last part of its type: "slide", "comments". */
  type: string;
  /** A name in the archive. */
  target: string;
}

/** What a part of an OOXML package refers to inside of it. */
export function relationsOf(archive: ZipArchive, name: string): Relation[] {
  const cut = name.lastIndexOf('/') + 1;
  const root = lesserPart(archive, `${name.slice(0, cut)}_rels/${name.slice(cut)}.rels`);
  const relations: Relation[] = [];
  for (const element of root ? findAll(root, 'Relationship') : []) {
    if (attribute(element, 'TargetMode') === 'External') continue;
    const type = attribute(element, 'Type') ?? '';
    const target = inPackage(attribute(element, 'Target') ?? '', name);
    relations.push({ id: attribute(element, 'Id') ?? '', type: type.slice(type.lastIndexOf('/') + 1), target });
  }
  return relations;
}

/** Targets are relative to the part that names them, as in a web page. */
const inPackage = (target: string, from: string): string =>
  decodeURIComponentSafely(URL.parse(target, `zip://package/${from}`)?.pathname.slice(1) ?? '');

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
