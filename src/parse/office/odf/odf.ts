// OpenDocument text and presentations before the engine reads them: marks for what it has no words for, comments set aside.
import { ServiceError } from '../../../contracts/errors.ts';
import { decodeText } from '../../../markup/charset.ts';
import { type Replace, rewrite } from '../../../markup/xml/rewrite-xml.ts';
import {
  attribute,
  childOf,
  childrenOf,
  find,
  findAll,
  localName,
  textOf,
  type XmlElement,
} from '../../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../../container/zip.ts';
import { readXml, rewriteXml } from '../../read-xml.ts';
import { texOfMathml } from '../math/mathml.ts';
import { type Comment, MAX_COMMENTS } from '../office-comments.ts';
import { lesserPart, type Prepared, refuseEncrypted } from '../office-package.ts';
import { hiddenWarning } from '../slides/slides.ts';
import { type Formulas, formulaMark, MARK, texHtml } from '../text-marks.ts';
import { type OdfRoles, readOdfStyles } from './odf-styles.ts';

const CONTENT = 'content.xml';
const MAX_ABOUT = 400;
const MAX_OPEN_COMMENTS = 50;
const FURNITURE = /^(?:page-number|footer|header|date-time)$/;

export function prepareOdf(archive: ZipArchive): Prepared {
  refuseEncrypted(archive);
  const bytes = archive.read(CONTENT);
  if (!bytes) throw new ServiceError('DOCUMENT_DAMAGED');
  const formulas: Formulas = [];
  const comments: Comment[] = [];
  const roles = readOdfStyles([lesserPart(archive, 'styles.xml'), headOf(bytes)]);
  const hidden: number[] = [];
  let slides = 0;
  const replace = createReplace({ archive, roles, formulas, comments, ends: endsOf(bytes) }, (page) => {
    slides += 1;
    if (roles(attribute(page, 'style-name')).isHidden) hidden.push(slides);
    return slides;
  });
  const marked = rewriteXml(bytes, {
    names: PIECES,
    replace: (piece) => replace(piece) ?? [rewrite(piece, replace)],
    reset() {
      comments.length = 0;
      hidden.length = 0;
      slides = 0;
    },
  });
  const replaced = new Map([[CONTENT, Buffer.from(marked)]]);
  return { replaced, formulas, comments, warnings: hiddenWarning(hidden), ...(slides > 0 && { slides }) };
}

/** Slides, and what stands outside of them. */
const PIECES = new Set(['page', 'p', 'h', 'frame']);
const BODY = '<office:body';

/** All before the text: there the program keeps the styles of single places. */
function headOf(bytes: Uint8Array): XmlElement | undefined {
  const { text } = decodeText(bytes, '', { html: false });
  const end = text.indexOf(BODY);
  try {
    return end === -1 ? undefined : readXml(`${text.slice(0, end)}</office:document-content>`);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

const END = /<office:annotation-end\s[^>]{0,200}?office:name="([^"<>]{1,200})"/g;

/** The names of the comments that end somewhere. One without an end is about a place, not about words. */
function endsOf(bytes: Uint8Array): ReadonlySet<string> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!source.includes('annotation-end')) return new Set();
  return new Set([...source.toString().matchAll(END)].map(([, name]) => name!));
}

interface Marking {
  archive: ZipArchive;
  roles: OdfRoles;
  formulas: Formulas;
  comments: Comment[];
  ends: ReadonlySet<string>;
}

/** `numberOf` is asked once for each slide, in order. */
function createReplace(
  { archive, roles, formulas, comments, ends }: Marking,
  numberOf: (page: XmlElement) => number,
): Replace {
  const open = new Map<string, Comment>();
  let place: string | undefined;

  const replace: Replace = (element) => {
    switch (element.name) {
      case 'draw:page': {
        const number = numberOf(element);
        place = `slide ${number}`;
        return [withTitle(rewrite(element, replace), number)];
      }
      case 'draw:frame':
        if (FURNITURE.test(attribute(element, 'class') ?? '')) return [];
        return embedded(element);
      case 'office:annotation':
      case 'officeooo:annotation': {
        const comment = commentOf(element, place);
        if (comment && comments.length < MAX_COMMENTS) {
          comments.push(comment);
          const name = attribute(element, 'name');
          if (name !== undefined && ends.has(name) && open.size < MAX_OPEN_COMMENTS) open.set(name, comment);
        }
        return [];
      }
      case 'office:annotation-end':
        open.delete(attribute(element, 'name') ?? '');
        return [];
      case 'text:span': {
        const role = roles(attribute(element, 'style-name'));
        return role.isHidden ? [] : [around(rewriteText(element), spanSigns(role))];
      }
      case 'text:p':
      case 'text:h':
        return [paragraph(element)];
      default:
        return undefined;
    }
  };

  /** Its words are what the open comments are about. */
  const rewriteText = (element: XmlElement): XmlElement => {
    const children: (XmlElement | string)[] = [];
    for (const child of element.children) {
      if (typeof child === 'string') {
        for (const comment of open.values()) if (comment.about.length < MAX_ABOUT) comment.about += child;
        children.push(child);
      } else children.push(...(replace(child) ?? [rewriteText(child)]));
    }
    return { ...element, children };
  };

  const paragraph = (element: XmlElement): XmlElement => {
    const sign = signOf(element, roles);
    const inner = rewriteText(element);
    return sign === '' || textOf(inner).trim() === '' ? inner : { ...inner, children: [sign, ...inner.children] };
  };

  const embedded = (frame: XmlElement): (XmlElement | string)[] | undefined => {
    const part = partInFrame(frame, archive);
    if (!part) return undefined;
    if (localName(part.name) === 'math') {
      return [formulaMark(formulas, texHtml(texOfMathml(part), attribute(part, 'display') === 'block'))];
    }
    // On a slide, where a frame may hold a table, the figures of a chart stand for its picture.
    const chart = place === undefined ? undefined : find(part, 'chart');
    const table = chart && find(chart, 'table');
    return table && [{ ...frame, children: [table] }];
  };

  return replace;
}

/** What a paragraph is, by its style or by the looks of all that is in it. */
function signOf(paragraph: XmlElement, roles: OdfRoles): string {
  const role = roles(attribute(paragraph, 'style-name'));
  const spans = childrenOf(paragraph, 'span');
  const isListing =
    spans.length > 0 &&
    spans.every((span) => roles(attribute(span, 'style-name')).isCode) &&
    paragraph.children.every((child) => typeof child !== 'string' || child.trim() === '');
  if (role.isCode || isListing) return MARK.codeLine;
  if (role.isQuote) return MARK.quote;
  return role.isTitle && paragraph.name === 'text:p' ? MARK.title : MARK.deeper.repeat(role.depth);
}

/** The formula or chart that a frame shows: written in it, or in a part of its own. */
function partInFrame(frame: XmlElement, archive: ZipArchive): XmlElement | undefined {
  const object = childOf(frame, 'object');
  const name = object && attribute(object, 'href')?.replace(/^\.\//, '').replace(/\/$/, '');
  const written = object && childOf(object, 'math');
  return written ?? (name ? lesserPart(archive, `${name}/${CONTENT}`) : undefined);
}

function spanSigns({ isCode, position }: ReturnType<OdfRoles>): readonly [string, string] | undefined {
  if (isCode) return [MARK.code, MARK.codeEnd];
  if (position === 'super') return [MARK.sup, MARK.supEnd];
  return position === 'sub' ? [MARK.sub, MARK.subEnd] : undefined;
}

const around = (element: XmlElement, signs: readonly [string, string] | undefined): XmlElement =>
  signs && textOf(element).trim() !== ''
    ? { ...element, children: [signs[0], ...element.children, signs[1]] }
    : element;

function commentOf(annotation: XmlElement, place: string | undefined): Comment | undefined {
  const author = childOf(annotation, 'creator');
  const text = findAll(annotation, 'p').map(textOf).join('\n').trim();
  return text === '' ? undefined : { author: author ? textOf(author) : '', text, about: '', ...(place && { place }) };
}

function withTitle(page: XmlElement, number: number): XmlElement {
  const titles = childrenOf(page, 'frame').filter((frame) => attribute(frame, 'class') === 'title');
  if (titles.some((title) => textOf(title).trim() !== '')) return page;
  const text = { name: 'text:p', attributes: {}, children: [`Slide ${number}`] };
  const box = { name: 'draw:text-box', attributes: {}, children: [text] };
  const title = { name: 'draw:frame', attributes: { 'presentation:class': 'title' }, children: [box] };
  return { ...page, children: [title, ...page.children] };
}
