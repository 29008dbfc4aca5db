// A second bounded pass, for short pages only: the ids, classes, URLs and scripts in which vendors leave their marks,
// and the elements that JavaScript will fill.
import { ELEMENT, type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import { isInvisible, TAG, tagSet } from '../../markup/html/tags.ts';
import { countWords } from './page-phrases.ts';

export interface Structure {
  /** `#id .class url script-text ...`, lower-cased and truncated, to be searched for marks of vendors. */
  marks: string;
  /** Scripts that may add content: neither JSON nor analytics. */
  activeScripts: number;
  /** Words inside the root element of an application; undefined without one. */
  rootWords: number | undefined;
}

const MAX_NODES = 20_000;
const MAX_MARKS = 60_000;
const MAX_VALUE = 600;
/** Limit for one script or text node. */
const MAX_TEXT = 2_000;

// Elements that load or submit something. Links are not included: an article may link to a vendor.
const hasAddress = tagSet('script iframe frame form img link input object embed');
const ADDRESSES = ['src', 'href', 'action', 'data', 'value', 'name'];
const DATA_SCRIPT = /json|template|x-handlebars|speculationrules|importmap/i;

export interface StructureLists {
  emptyRoots: readonly string[];
  passiveScripts: readonly string[];
}

/** For pages with too many links to be from a vendor. */
export const NO_STRUCTURE: Structure = { marks: '', activeScripts: 0, rootWords: undefined };

export function readStructure(tree: HtmlTree, lists: StructureLists): Structure {
  const structure: Structure = { marks: '', activeScripts: 0, rootWords: undefined };
  const pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };

  const size = Math.min(tree.size, MAX_NODES);
  for (let node = 1; node < size && length < MAX_MARKS; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    const tag = tree.tag[node]!;
    const id = tree.attribute(node, 'id')?.slice(0, MAX_VALUE).toLowerCase();
    if (id) add(`#${id}`);
    for (const value of markedValues(tree, node, tag)) add(value);
    if (tag === TAG.script) {
      const text = codeOf(tree, node);
      add(text);
      const where = tree.attribute(node, 'src')?.slice(0, MAX_VALUE) ?? text;
      if (isActive(where.toLowerCase(), lists.passiveScripts)) structure.activeScripts += 1;
    } else if (isRoot(tree, node, id, lists.emptyRoots)) {
      structure.rootWords = Math.max(structure.rootWords ?? 0, wordsIn(tree, node));
    }
  }
  structure.marks = pieces.filter(Boolean).join(' ').slice(0, MAX_MARKS).toLowerCase();
  return structure;
}

/** The classes of an element and the URLs it loads or submits to. */
function markedValues(tree: HtmlTree, node: number, tag: number): string[] {
  const read = (name: string) => tree.attribute(node, name)?.slice(0, MAX_VALUE) ?? '';
  const values: string[] = [];
  const classes = read('class');
  if (classes !== '') values.push(classes.replace(/(^|\s+)(?=\S)/g, ' .'));
  if (hasAddress(tag)) values.push(...ADDRESSES.map(read));
  if (tag === TAG.meta && tree.attribute(node, 'http-equiv')) values.push(read('content'));
  return values;
}

/** Script elements that contain data are not searched for marks. */
function codeOf(tree: HtmlTree, script: number): string {
  const child = script + 1;
  if (child >= tree.end[script]! || DATA_SCRIPT.test(tree.attribute(script, 'type') ?? '')) return '';
  return tree.text(child).slice(0, MAX_TEXT);
}

const isActive = (where: string, passive: readonly string[]) =>
  where !== '' && !passive.some((part) => where.includes(part));

/** Application roots are known by their ids or by element names such as <app-root>. */
function isRoot(tree: HtmlTree, node: number, id: string | undefined, roots: readonly string[]): boolean {
  return (id !== undefined && roots.includes(id)) || roots.includes(tree.tagName(node));
}

function wordsIn(tree: HtmlTree, node: number): number {
  let words = 0;
  const end = Math.min(tree.end[node]!, node + MAX_NODES);
  for (let at = node + 1; at < end && words < 1_000; at++) {
    if (tree.kind[at] === TEXT) words += countWords(tree.text(at).slice(0, MAX_TEXT));
    else if (isInvisible(tree.tag[at]!) || tree.tag[at] === TAG.noscript) at = tree.end[at]! - 1;
  }
  return words;
}
