// Prepares PowerPoint files for the engine: adds marks, collects comments, and gives every slide a title.
import { type Replace, rewrite, writeXml } from '../../../markup/xml/rewrite-xml.ts';
import {
  attribute,
  childOf,
  childrenOf,
  find,
  findAll,
  localName,
  prefixOf,
  textOf,
  type XmlElement,
} from '../../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../../container/zip.ts';
import { ommlToTex } from '../math/omml.ts';
import { MAX_COMMENTS, type OfficeComment } from '../office-comments.ts';
import { type PreparedPackage, readOptionalPart, readPart, readRelationships } from '../office-package.ts';
import { addFormula, type Formulas, MARK, texHtml } from '../text-marks.ts';
import { isMonospaced } from '../word/word-styles.ts';

const PRESENTATION = 'ppt/presentation.xml';
const MAX_SLIDES = 5000;

export function prepareSlides(archive: ZipArchive): PreparedPackage {
  const formulas: Formulas = [];
  const replaced = new Map<string, Uint8Array>();
  const comments: OfficeComment[] = [];
  const hidden: number[] = [];
  const authors = readAuthors(archive);
  const names = slideNames(archive);
  names.slice(0, MAX_SLIDES).forEach((name, at) => {
    const slide = readPart(archive, name);
    if (!slide) return;
    const number = at + 1;
    if (attribute(slide, 'show') === '0') hidden.push(number);
    replaced.set(name, writeXml(withTitle(markText(slide, formulas), number)));
    if (comments.length < MAX_COMMENTS) comments.push(...commentsOn(archive, name, number, authors));
  });
  return { replaced, formulas, comments, warnings: hiddenSlidesWarning(hidden), slides: names.length };
}

export const hiddenSlidesWarning = (hidden: readonly number[]): string[] =>
  hidden.length === 0
    ? []
    : [`Hidden slides are included: ${hidden.slice(0, 50).join(', ')}${hidden.length > 50 ? ', …' : ''}.`];

/** In presentation order. */
function slideNames(archive: ZipArchive): string[] {
  const presentation = readPart(archive, PRESENTATION);
  const targets = new Map(readRelationships(archive, PRESENTATION).map(({ id, target }) => [id, target]));
  const list = presentation && find(presentation, 'sldIdLst');
  return (list ? findAll(list, 'sldId') : []).flatMap((element) => {
    // The unprefixed id is the number of the slide, not its relationship.
    const id = Object.entries(element.attributes).find(([name]) => name.endsWith(':id'))?.[1];
    const target = id === undefined ? undefined : targets.get(id);
    return target === undefined ? [] : [target];
  });
}

function withTitle(slide: XmlElement, number: number): XmlElement {
  const shapes = findAll(slide, 'sp');
  if (shapes.some((shape) => isTitle(shape) && findAll(shape, 't').some((text) => textOf(text).trim() !== '')))
    return slide;
  let isDone = false;
  return rewrite(slide, (element) => {
    if (isDone || localName(element.name) !== 'spTree') return undefined;
    isDone = true;
    // The properties of the tree must stay first.
    const first = element.children.findIndex(
      (child) => typeof child !== 'string' && !/GrpSpPr$|grpSpPr$/.test(child.name),
    );
    const at = first === -1 ? element.children.length : first;
    return [{ ...element, children: element.children.toSpliced(at, 0, titleShape(prefixOf(slide.name), number)) }];
  });
}

const isTitle = (shape: XmlElement): boolean => {
  const holder = find(shape, 'ph');
  return holder !== undefined && /^(?:title|ctrTitle)$/.test(attribute(holder, 'type') ?? '');
};

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const element = (name: string, children: (XmlElement | string)[] = [], attributes: Record<string, string> = {}) => ({
  name,
  attributes,
  children,
});

const textRun = (text: string): XmlElement => element('a:r', [element('a:t', [text])], { 'xmlns:a': DRAWING });

function titleShape(prefix: string, number: number): XmlElement {
  const text = element('a:p', [textRun(`Slide ${number}`)]);
  return element(`${prefix}sp`, [
    element(`${prefix}nvSpPr`, [
      element(`${prefix}cNvPr`, [], { id: '999999', name: 'Title' }),
      element(`${prefix}cNvSpPr`),
      element(`${prefix}nvPr`, [element(`${prefix}ph`, [], { type: 'title' })]),
    ]),
    element(`${prefix}spPr`),
    element(`${prefix}txBody`, [element('a:bodyPr', [], { 'xmlns:a': DRAWING }), text], { 'xmlns:a': DRAWING }),
  ]);
}

function markText(slide: XmlElement, formulas: Formulas): XmlElement {
  const replace: Replace = (found) => {
    switch (localName(found.name)) {
      case 'AlternateContent': {
        // The fallback of a formula is a picture.
        const choice = childOf(found, 'Choice');
        return choice && find(choice, 'oMath') ? rewrite(choice, replace).children : undefined;
      }
      case 'm':
        return findAll(found, 'oMath').map((math) =>
          formulaRun(math, find(found, 'oMathPara') !== undefined, formulas),
        );
      case 'p':
        return [markListing(rewrite(found, replace))];
      case 'r':
        return [markRun(found)];
      default:
        return undefined;
    }
  };
  return rewrite(slide, replace);
}

const formulaRun = (math: XmlElement, display: boolean, formulas: Formulas): XmlElement =>
  textRun(addFormula(formulas, texHtml(ommlToTex(math), display)));

function markRun(run: XmlElement): XmlElement {
  const [before, after] = runMarks(run);
  if (before === '') return run;
  return rewrite(run, (found) =>
    localName(found.name) === 't' && textOf(found).trim() !== ''
      ? [{ ...found, children: [before + textOf(found) + after] }]
      : undefined,
  );
}

function runMarks(run: XmlElement): readonly [string, string] {
  const properties = childOf(run, 'rPr');
  if (!properties) return ['', ''];
  const baseline = Number(attribute(properties, 'baseline') ?? 0);
  if (baseline !== 0) return baseline > 0 ? [MARK.sup, MARK.supEnd] : [MARK.sub, MARK.subEnd];
  const font = childOf(properties, 'latin');
  return font && isMonospaced(attribute(font, 'typeface')) ? [MARK.code, MARK.codeEnd] : ['', ''];
}

/** Marks a paragraph that is all code as a line of a listing. */
function markListing(element: XmlElement): XmlElement {
  const texts = childrenOf(element, 'r')
    .map(textOf)
    .filter((text) => text.trim() !== '');
  if (texts.length === 0 || !texts.every((text) => text.includes(MARK.code))) return element;
  const first = element.children.findIndex((child) => typeof child !== 'string' && localName(child.name) === 'r');
  return { ...element, children: element.children.toSpliced(first, 0, textRun(MARK.codeLine)) };
}

function readAuthors(archive: ZipArchive): Map<string, string> {
  const authors = new Map<string, string>();
  for (const name of ['ppt/commentAuthors.xml', 'ppt/authors.xml']) {
    const root = readOptionalPart(archive, name);
    const found = root ? [...findAll(root, 'cmAuthor'), ...findAll(root, 'author')] : [];
    for (const author of found) authors.set(attribute(author, 'id') ?? '', attribute(author, 'name') ?? '');
  }
  return authors;
}

function commentsOn(
  archive: ZipArchive,
  slide: string,
  number: number,
  authors: ReadonlyMap<string, string>,
): OfficeComment[] {
  const parts = readRelationships(archive, slide).filter(({ type }) => type === 'comments');
  return parts.flatMap(({ target }) => {
    const root = readOptionalPart(archive, target);
    const found = root ? [...findAll(root, 'cm'), ...findAll(root, 'reply')] : [];
    return found.flatMap((comment): OfficeComment[] => {
      // Older comments are plain text, newer ones have paragraphs.
      const body = childOf(comment, 'text') ?? childOf(comment, 'txBody');
      const paragraphs = body ? findAll(body, 'p') : [];
      const text = paragraphs.length > 0 ? paragraphs.map(textOf).join('\n') : body ? textOf(body) : '';
      const author = authors.get(attribute(comment, 'authorId') ?? '') ?? '';
      return text.trim() === '' ? [] : [{ author, text: text.trim(), quoted: '', location: `slide ${number}` }];
    });
  });
}
