// Parts and relationships of an office package, and the result of preparing one for the engine.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { attribute, find, findAll, type XmlElement } from '../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../container/zip.ts';
import { readXml } from '../read-xml.ts';
import type { OfficeComment } from './office-comments.ts';
import type { Formulas } from './text-marks.ts';

export interface PreparedPackage {
  /** Rewritten parts by name. */
  replaced: ReadonlyMap<string, Uint8Array>;
  formulas: Formulas;
  comments: readonly OfficeComment[];
  warnings: readonly string[];
  /** Number of slides of a presentation. */
  slides?: number | undefined;
}

export function readPart(archive: ZipArchive, name: string): XmlElement | undefined {
  const bytes = archive.read(name);
  return bytes && readXml(bytes);
}

/** For parts that the text does not depend on: undefined if it is missing or damaged. */
export function readOptionalPart(archive: ZipArchive, name: string): XmlElement | undefined {
  try {
    return readPart(archive, name);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** OpenDocument encrypts its parts but not their names or the manifest. */
export function rejectEncryptedOdf(archive: ZipArchive): void {
  const manifest = readOptionalPart(archive, 'META-INF/manifest.xml');
  if (manifest && find(manifest, 'encryption-data')) throw new ServiceError('DOCUMENT_ENCRYPTED');
}

export interface Relationship {
  id: string;
  /** The last segment of its type: "slide", "comments". */
  type: string;
  /** A name in the archive. */
  target: string;
}

/** The internal relationships of a part of an OOXML package. */
export function readRelationships(archive: ZipArchive, name: string): Relationship[] {
  const cut = name.lastIndexOf('/') + 1;
  const root = readOptionalPart(archive, `${name.slice(0, cut)}_rels/${name.slice(cut)}.rels`);
  const relations: Relationship[] = [];
  for (const element of root ? findAll(root, 'Relationship') : []) {
    if (attribute(element, 'TargetMode') === 'External') continue;
    const type = attribute(element, 'Type') ?? '';
    const target = resolveTarget(attribute(element, 'Target') ?? '', name);
    relations.push({ id: attribute(element, 'Id') ?? '', type: type.slice(type.lastIndexOf('/') + 1), target });
  }
  return relations;
}

/** Targets are relative to the part that names them. */
const resolveTarget = (target: string, from: string): string =>
  decodeURIComponentSafely(URL.parse(target, `zip://package/${from}`)?.pathname.slice(1) ?? '');

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
