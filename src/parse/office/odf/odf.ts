// Prepares OpenDocument files for the engine: adds marks for what it does not model and collects comments.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { decodeText } from '../../../markup/charset.ts';
import { mathmlToTex } from '../../../markup/math/mathml.ts';
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
import { MAX_COMMENTS, type OfficeComment } from '../office-comments.ts';
import { type PreparedPackage, readOptionalPart, rejectEncryptedOdf } from '../office-package.ts';
import { hiddenSlidesWarning } from '../slides/slides.ts';
import { addFormula, type Formulas, MARK, texHtml } from '../text-marks.ts';
import { type OdfStyleRoles, readOdfStyles } from './odf-styles.ts';

const CONTENT = 'content.xml';
const MAX_QUOTED = 400;
const MAX_OPEN_COMMENTS = 50;
const REPEATED_FRAMES = /^(?:page-number|footer|header|date-time)$/;

export function prepareOdf(archive: ZipArchive): PreparedPackage {
  rejectEncryptedOdf(archive);
  const bytes = archive.read(CONTENT);
  if (!bytes) throw new ServiceError('DOCUMENT_DAMAGED');
  const formulas: Formulas = [];
  const comments: OfficeComment[] = [];
  const roles = readOdfStyles([readOptionalPart(archive, 'styles.xml'), automaticStyles(bytes)]);
  const hidden: number[] = [];
  let slides = 0;
  const replace = createReplace({ archive, roles, formulas, comments, ends: annotationEnds(bytes) }, (page) => {
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
  return { replaced, formulas, comments, warnings: hiddenSlidesWarning(hidden), ...(slides > 0 && { slides }) };
}

/** Slides, and the text blocks outside of them. */
const PIECES = new Set(['page', 'p', 'h', 'frame']);
const BODY = '<office:body';

/** The part before the body, which holds the automatic styles. */
function automaticStyles(bytes: Uint8Array): XmlElement | undefined {
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

/** Names of the comments that have an end; the others refer to a position, not to words. */
function annotationEnds(bytes: Uint8Array): ReadonlySet<string> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!source.includes('annotation-end')) return new Set();
  return new Set([...source.toString().matchAll(END)].map(([, name]) => name!));
}

interface Marking {
  archive: ZipArchive;
  roles: OdfStyleRoles;
  formulas: Formulas;
  comments: OfficeComment[];
  ends: ReadonlySet<string>;
}

/** `numberOf` is called once for each slide, in order. */
function createReplace(
  { archive, roles, formulas, comments, ends }: Marking,
  numberOf: (page: XmlElement) => number,
): Replace {
  const open = new Map<string, OfficeComment>();
  let location: string | undefined;

  const replace: Replace = (element) => {
    switch (element.name) {
      case 'draw:page': {
        const number = numberOf(element);
        location = `slide ${number}`;
        return [withTitle(rewrite(element, replace), number)];
      }
      case 'draw:frame':
        if (REPEATED_FRAMES.test(attribute(element, 'class') ?? '')) return [];
        return embedded(element);
      case 'office:annotation':
      case 'officeooo:annotation': {
        const comment = commentOf(element, location);
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
        return role.isHidden ? [] : [wrap(rewriteText(element), spanMarks(role))];
      }
      case 'text:p':
      case 'text:h':
        return [paragraph(element)];
      default:
        return undefined;
    }
  };

  /** Adds the text to all open comments. */
  const rewriteText = (element: XmlElement): XmlElement => {
    const children: (XmlElement | string)[] = [];
    for (const child of element.children) {
      if (typeof child === 'string') {
        for (const comment of open.values()) if (comment.quoted.length < MAX_QUOTED) comment.quoted += child;
        children.push(child);
      } else children.push(...(replace(child) ?? [rewriteText(child)]));
    }
    return { ...element, children };
  };

  const paragraph = (element: XmlElement): XmlElement => {
    const mark = paragraphMark(element, roles);
    const inner = rewriteText(element);
    return mark === '' || textOf(inner).trim() === '' ? inner : { ...inner, children: [mark, ...inner.children] };
  };

  const embedded = (frame: XmlElement): (XmlElement | string)[] | undefined => {
    const part = partInFrame(frame, archive);
    if (!part) return undefined;
    if (localName(part.name) === 'math') {
      return [addFormula(formulas, texHtml(mathmlToTex(part), attribute(part, 'display') === 'block'))];
    }
    // On slides a chart is replaced by its data table; elsewhere a frame cannot contain one.
    const chart = location === undefined ? undefined : find(part, 'chart');
    const table = chart && find(chart, 'table');
    return table && [{ ...frame, children: [table] }];
  };

  return replace;
}

/** The role of a paragraph, by its style or by the style of all its spans. */
function paragraphMark(paragraph: XmlElement, roles: OdfStyleRoles): string {
  const role = roles(attribute(paragraph, 'style-name'));
  const spans = childrenOf(paragraph, 'span');
  const isListing =
    spans.length > 0 &&
    spans.every((span) => roles(attribute(span, 'style-name')).isCode) &&
    paragraph.children.every((child) => typeof child !== 'string' || child.trim() === '');
  if (role.isCode || isListing) return MARK.codeLine;
  if (role.isQuote) return MARK.quote;
  return role.isTitle && paragraph.name === 'text:p' ? MARK.title : MARK.nested.repeat(role.depth);
}

/** The formula or chart in a frame, either inline or in a part of its own. */
function partInFrame(frame: XmlElement, archive: ZipArchive): XmlElement | undefined {
  const object = childOf(frame, 'object');
  const name = object && attribute(object, 'href')?.replace(/^\.\//, '').replace(/\/$/, '');
  const written = object && childOf(object, 'math');
  return written ?? (name ? readOptionalPart(archive, `${name}/${CONTENT}`) : undefined);
}

function spanMarks({ isCode, position }: ReturnType<OdfStyleRoles>): readonly [string, string] | undefined {
  if (isCode) return [MARK.code, MARK.codeEnd];
  if (position === 'super') return [MARK.sup, MARK.supEnd];
  return position === 'sub' ? [MARK.sub, MARK.subEnd] : undefined;
}

const wrap = (element: XmlElement, marks: readonly [string, string] | undefined): XmlElement =>
  marks && textOf(element).trim() !== ''
    ? { ...element, children: [marks[0], ...element.children, marks[1]] }
    : element;

function commentOf(annotation: XmlElement, place: string | undefined): OfficeComment | undefined {
  const author = childOf(annotation, 'creator');
  const text = findAll(annotation, 'p').map(textOf).join('\n').trim();
  return text === ''
    ? undefined
    : { author: author ? textOf(author) : '', text, quoted: '', ...(place && { location: place }) };
}

function withTitle(page: XmlElement, number: number): XmlElement {
  const titles = childrenOf(page, 'frame').filter((frame) => attribute(frame, 'class') === 'title');
  if (titles.some((title) => textOf(title).trim() !== '')) return page;
  const text = { name: 'text:p', attributes: {}, children: [`Slide ${number}`] };
  const box = { name: 'draw:text-box', attributes: {}, children: [text] };
  const title = { name: 'draw:frame', attributes: { 'presentation:class': 'title' }, children: [box] };
  return { ...page, children: [title, ...page.children] };
}
