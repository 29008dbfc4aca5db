// Turns chapter titles that are plain paragraphs into headings, using the table of contents.
import { decodeHTML } from 'entities';
import { find, findAll, textOf, type XmlElement } from '../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../container/zip.ts';
import { readXml } from '../read-xml.ts';
import { resolveBookPath } from './book-paths.ts';

const NCX = 'application/x-dtbncx+xml';
const FIRST_PARAGRAPH = /<p(?: [^<>]{0,2000})?>/;
const MAX_TITLE = 2000;

/** Titles by part path, from the NCX, which most EPUB 3 books have too. The first entry for a part wins. */
export function readTocTitles(archive: ZipArchive, root: XmlElement, packageFile: string): Map<string, string> {
  const titles = new Map<string, string>();
  const item = findAll(root, 'item').find(({ attributes }) => attributes['media-type'] === NCX);
  const file = item && resolveBookPath(item.attributes.href ?? '', packageFile)?.path;
  const bytes = file === undefined ? undefined : archive.read(file);
  if (file === undefined || !bytes) return titles;
  for (const point of findAll(readXml(bytes), 'navPoint')) {
    const path = resolveBookPath(find(point, 'content')?.attributes.src ?? '', file)?.path;
    const label = find(point, 'navLabel');
    if (path !== undefined && label && !titles.has(path)) titles.set(path, collapsed(textOf(label)));
  }
  return titles;
}

/** If a chapter has no heading and its first paragraph is its title, makes that a heading. */
export function addHeading(html: string, title: string | undefined): string {
  if (!title || /<h[1-6][ >]/.test(html)) return html;
  const start = FIRST_PARAGRAPH.exec(html);
  const from = start ? start.index + start[0].length : 0;
  const end = start ? html.slice(from, from + MAX_TITLE).indexOf('</p>') : -1;
  if (!start || end === -1) return html;
  const inside = html.slice(from, from + end);
  if (collapsed(decodeHTML(inside.replace(/<[^<>]{0,2000}>/g, ''))) !== title) return html;
  return `${html.slice(0, start.index)}<h1>${inside}</h1>${html.slice(from + end + '</p>'.length)}`;
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();
