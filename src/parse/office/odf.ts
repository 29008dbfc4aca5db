// OpenDocument text and presentations before the engine reads them: marks for what it has no words for, comments set aside.
import { ServiceError } from '../../contracts/errors.ts';
import type { Archive } from '../archive.ts';
import { find, findAll, localName, textOf, type XmlElement } from '../xml.ts';
import { type Comment, MAX_COMMENTS } from './comments.ts';
import { type Formulas, formulaMark, MARK, texHtml } from './marks.ts';
import { texOfMathml } from './mathml.ts';
import { type OdfRoles, readOdfStyles } from './odf-styles.ts';
import { childOf, childrenOf, lesserPart, type Prepared, partOf, refuseEncrypted } from './package.ts';
import { hiddenWarning } from './slides.ts';
import { attribute, rewrite, type Visit, writeXml } from './xml-rewrite.ts';

const CONTENT = 'content.xml';
const MAX_ABOUT = 400;
const MAX_OPEN_COMMENTS = 50;
const FURNITURE = /^(?:page-number|footer|header|date-time)$/;

export function prepareOdf(archive: Archive): Prepared {
  refuseEncrypted(archive);
  const content = partOf(archive, CONTENT);
  if (!content) throw new ServiceError('DOCUMENT_DAMAGED');
  const formulas: Formulas = [];
  const roles = readOdfStyles([lesserPart(archive, 'styles.xml'), content]);
  const pages = findAll(content, 'page').filter(({ name }) => name.startsWith('draw:'));
  const numbers = new Map(pages.map((page, at) => [page, at + 1]));
  const { marked, comments } = markContent(content, { archive, roles, formulas, numbers });
  const hidden = pages.flatMap((page, at) => (roles(attribute(page, 'style-name')).isHidden ? [at + 1] : []));
  const replaced = new Map([[CONTENT, writeXml(marked)]]);
  return {
    replaced,
    formulas,
    comments,
    warnings: hiddenWarning(hidden),
    ...(pages.length > 0 && { slides: pages.length }),
  };
}

interface Marking {
  archive: Archive;
  roles: OdfRoles;
  formulas: Formulas;
  numbers: ReadonlyMap<XmlElement, number>;
}

function markContent(root: XmlElement, { archive, roles, formulas, numbers }: Marking) {
  const comments: Comment[] = [];
  const open = new Map<string, Comment>();
  // A comment without an end is about a place, not about words.
  const ends = new Set(findAll(root, 'annotation-end').map((end) => attribute(end, 'name')));
  let place: string | undefined;

  const visit: Visit = (element) => {
    const role = roles(attribute(element, 'style-name'));
    switch (element.name) {
      case 'draw:page': {
        const number = numbers.get(element) ?? 0;
        place = `slide ${number}`;
        return [withTitle(rewrite(element, visit), number)];
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
      case 'text:span':
        return role.isHidden ? [] : [around(rewriteText(element), spanSigns(role))];
      case 'text:p':
      case 'text:h':
        return [paragraph(element, role)];
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
      } else children.push(...(visit(child) ?? [rewriteText(child)]));
    }
    return { ...element, children };
  };

  const paragraph = (element: XmlElement, role: ReturnType<OdfRoles>): XmlElement => {
    const spans = childrenOf(element, 'span');
    const isAllCode = spans.length > 0 && spans.every((span) => roles(attribute(span, 'style-name')).isCode);
    const isCode =
      role.isCode || (isAllCode && !element.children.some((child) => typeof child === 'string' && child.trim()));
    const isTitle = role.isTitle && element.name === 'text:p';
    const sign = isCode
      ? MARK.codeLine
      : role.isQuote
        ? MARK.quote
        : isTitle
          ? MARK.title
          : MARK.deeper.repeat(role.depth);
    const inner = rewriteText(element);
    return sign === '' || textOf(inner).trim() === '' ? inner : { ...inner, children: [sign, ...inner.children] };
  };

  const embedded = (frame: XmlElement): (XmlElement | string)[] | undefined => {
    const object = childOf(frame, 'object');
    const href = object && attribute(object, 'href');
    const name = href?.replace(/^\.\//, '').replace(/\/$/, '');
    const part = object && (childOf(object, 'math') ?? (name && lesserPart(archive, `${name}/${CONTENT}`)));
    if (!part) return undefined;
    if (localName(part.name) === 'math') {
      return [formulaMark(formulas, texHtml(texOfMathml(part), attribute(part, 'display') === 'block'))];
    }
    // On a slide, where a frame may hold a table, the figures of a chart stand for its picture.
    const chart = numbers.size > 0 ? find(part, 'chart') : undefined;
    const table = chart && find(chart, 'table');
    return table && [{ ...frame, children: [table] }];
  };

  return { marked: rewrite(root, visit), comments };
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
