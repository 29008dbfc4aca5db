// Prepares Word files for the engine: adds marks for what it does not model, removes hidden text, collects comments.
import { type Replace, rewrite } from '../../../markup/xml/rewrite-xml.ts';
import {
  attribute,
  childOf,
  findAll,
  localName,
  prefixOf,
  textOf,
  type XmlElement,
} from '../../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../../container/zip.ts';
import { rewriteXml } from '../../read-xml.ts';
import { ommlToTex } from '../math/omml.ts';
import { MAX_COMMENTS, type OfficeComment } from '../office-comments.ts';
import { type PreparedPackage, readOptionalPart } from '../office-package.ts';
import { addFormula, type Formulas, MARK, stripFontMarks, texHtml } from '../text-marks.ts';
import { fontOf, isMonospaced, readWordStyles, type WordStyleRoles } from './word-styles.ts';

const DOCUMENT = 'word/document.xml';
const NOTES = ['word/footnotes.xml', 'word/endnotes.xml'];
const PIECES = new Set(['p']);
const MAX_QUOTED = 400;
const MAX_OPEN_COMMENTS = 50;

export function prepareWord(archive: ZipArchive): PreparedPackage {
  const formulas: Formulas = [];
  const replaced = new Map<string, Uint8Array>();
  const roles = readWordStyles(readOptionalPart(archive, 'word/styles.xml'));
  const comments = readComments(readOptionalPart(archive, 'word/comments.xml'));
  const fonts: FontCount = { all: 0, monospaced: 0 };
  for (const name of [DOCUMENT, ...NOTES]) {
    const bytes = archive.read(name);
    if (!bytes) continue;
    const wrapText = markPart(bytes, { roles, formulas, comments, fonts });
    // If most of the text is monospaced, the font is a matter of taste and does not indicate code.
    const isMostlyMonospaced = fonts.monospaced * 2 >= fonts.all && fonts.all > 0;
    replaced.set(name, Buffer.from(isMostlyMonospaced ? stripFontMarks(wrapText) : wrapText));
  }
  return { replaced, formulas, comments: [...comments.values()], warnings: [] };
}

function readComments(root: XmlElement | undefined): Map<string, OfficeComment> {
  const comments = new Map<string, OfficeComment>();
  for (const element of root ? findAll(root, 'comment').slice(0, MAX_COMMENTS) : []) {
    const text = findAll(element, 'p').map(plainText).join('\n').trim();
    const author = attribute(element, 'author') ?? '';
    if (text !== '') comments.set(attribute(element, 'id') ?? '', { author, text, quoted: '' });
  }
  return comments;
}

const plainText = (element: XmlElement): string => findAll(element, 't').map(textOf).join('');

interface FontCount {
  /** In characters. */
  all: number;
  monospaced: number;
}

interface Marking {
  roles: WordStyleRoles;
  formulas: Formulas;
  comments: ReadonlyMap<string, OfficeComment>;
  fonts: FontCount;
}

function markPart(bytes: Uint8Array, { roles, formulas, comments, fonts }: Marking): string {
  let prefix = '';
  const open = new Set<OfficeComment>();

  const replace: Replace = (element) => {
    const comment = () => comments.get(attribute(element, 'id') ?? '');
    switch (localName(element.name)) {
      case 'p':
        return [withMark(rewrite(element, replace), paragraphMark(element, roles), prefix)];
      case 'r':
        return isHidden(element) ? [] : [markRun(element)];
      case 'oMathPara':
        return findAll(element, 'oMath').map((math) => formula(math, true));
      case 'oMath':
        return [formula(element, false)];
      case 'commentRangeStart':
        if (comment() && open.size < MAX_OPEN_COMMENTS) open.add(comment()!);
        return undefined;
      case 'commentRangeEnd':
        if (comment()) open.delete(comment()!);
        return undefined;
      default:
        return undefined;
    }
  };
  const formula = (math: XmlElement, display: boolean): XmlElement =>
    textRun(prefix, addFormula(formulas, texHtml(ommlToTex(math), display)));
  const markRun = (element: XmlElement): XmlElement => {
    const text = plainText(element);
    const look = codeLook(element, roles);
    fonts.all += text.length;
    if (look === 'monospaced') fonts.monospaced += text.length;
    for (const comment of open) if (comment.quoted.length < MAX_QUOTED) comment.quoted += text;
    const marks = look ? ([MARK[look], MARK[`${look}End`]] as const) : positionMarks(element);
    const inner = rewrite(element, replace);
    return marks ? marked(inner, marks) : inner;
  };

  return rewriteXml(bytes, {
    names: PIECES,
    replace(piece) {
      prefix = prefixOf(piece.name);
      return replace(piece) ?? [];
    },
    // Comment ranges may begin and end between paragraphs.
    pass: replace,
    reset() {
      open.clear();
      for (const comment of comments.values()) comment.quoted = '';
    },
  });
}

function codeLook(run: XmlElement, roles: WordStyleRoles): 'code' | 'monospaced' | undefined {
  const properties = childOf(run, 'rPr');
  if (!properties) return undefined;
  const style = childOf(properties, 'rStyle');
  if (roles(style && attribute(style, 'val')).isCode) return 'code';
  return isMonospaced(fontOf(properties)) ? 'monospaced' : undefined;
}

/** The role of a paragraph, by its style or by the look of all its runs. */
function paragraphMark(paragraph: XmlElement, roles: WordStyleRoles): string {
  const properties = childOf(paragraph, 'pPr');
  const style = properties && childOf(properties, 'pStyle');
  const role = roles(style && attribute(style, 'val'));
  if (role.isCode) return MARK.codeLine;
  const runs = findAll(paragraph, 'r').filter((run) => plainText(run).trim() !== '');
  const looks = new Set(runs.map((run) => codeLook(run, roles)));
  if (looks.size > 0 && !looks.has(undefined)) return looks.has('monospaced') ? MARK.monospacedLine : MARK.codeLine;
  return role.isQuote ? MARK.quote : MARK.nested.repeat(role.depth);
}

/** Inserts the mark after the paragraph properties, which must stay first. */
function withMark(paragraph: XmlElement, mark: string, prefix: string): XmlElement {
  if (mark === '') return paragraph;
  const at = childOf(paragraph, 'pPr') ? 1 + paragraph.children.indexOf(childOf(paragraph, 'pPr')!) : 0;
  return { ...paragraph, children: paragraph.children.toSpliced(at, 0, textRun(prefix, mark)) };
}

const textRun = (prefix: string, text: string): XmlElement => ({
  name: `${prefix}r`,
  attributes: {},
  children: [{ name: `${prefix}t`, attributes: { 'xml:space': 'preserve' }, children: [text] }],
});

function marked(run: XmlElement, [before, after]: readonly [string, string]): XmlElement {
  return {
    ...run,
    children: run.children.map((part) => {
      if (typeof part === 'string' || localName(part.name) !== 't') return part;
      const text = textOf(part);
      return text.trim() === '' ? part : { ...part, children: [before + text + after] };
    }),
  };
}

function positionMarks(run: XmlElement): readonly [string, string] | undefined {
  const properties = childOf(run, 'rPr');
  const align = properties && childOf(properties, 'vertAlign');
  const value = align && attribute(align, 'val');
  if (value === 'superscript') return [MARK.sup, MARK.supEnd];
  return value === 'subscript' ? [MARK.sub, MARK.subEnd] : undefined;
}

function isHidden(run: XmlElement): boolean {
  const properties = childOf(run, 'rPr');
  const vanish = properties && childOf(properties, 'vanish');
  return vanish !== undefined && !/^(?:0|false|off)$/.test(attribute(vanish, 'val') ?? '');
}
