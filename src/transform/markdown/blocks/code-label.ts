// Labels that highlighters put inside a code block: the name of the language or of the file, and the words of buttons.
import { ELEMENT, type HtmlTree, textWithin } from '../../../markup/html/html-tree.ts';
import { isBlock, TAG, tagSet } from '../../../markup/html/tags.ts';

export interface CodeLabels {
  /** The nodes that are labels and not code. */
  nodes: number[];
  /** What they say, if it is neither a language nor a button. */
  title: string;
  language: string;
}

const NAMED_LABEL =
  /(?:^|[\s_-])(?:lang(?:uage)?(?:-?(?:name|label|tag|badge))?|(?:code|snippet|block|pre)[-_]*(?:lang(?:uage)?|head(?:er)?|title|label|name|type|info|bar|toolbar|caption)|file-?name|toolbar|hljs-copy)(?:$|\s)/i;
const LANGUAGES =
  /^(?:assembly|awk|bash|batch|c|c\+\+|cpp|c#|csharp|clojure|cmake|cobol|console|css|csv|dart|diff|docker(?:file)?|elixir|elm|erlang|f#|fortran|go(?:lang)?|gradle|graphql|groovy|haskell|hcl|html|http|ini|java|javascript|js|json5?|jsonc|jsx|julia|kotlin|latex|less|lisp|lua|makefile|markdown|matlab|mermaid|nginx|nix|objective-?c|ocaml|pascal|perl|php|powershell|prolog|protobuf|python3?|py|r|ruby|rust|sass|scala|scheme|scss|sh|shell|solidity|sql|svelte|swift|terraform|tex|toml|tsx|typescript|ts|vb\.?net|vim|vue|wasm|xml|ya?ml|zig|zsh)$/i;
const BUTTON =
  /^(?:(?:copy|copied|run|try it|edit|expand|collapse|wrap|download|raw|view|code|open|play|explain)\b.{0,20})$/i;
const MAX_LABEL = 60;
// Bounds the cost of hostile pages; labels come first or last.
const MAX_LABELS = 8;
const MAX_LEVELS = 3;
const MAX_LABEL_NODES = 40;
const isCode = tagSet('pre code table h1 h2 h3 h4 h5 h6 a li');

/** The labels among the children of a <pre>, or of the box around its code. */
export function codeLabels(tree: HtmlTree, pre: number): CodeLabels | undefined {
  let found: CodeLabels | undefined;
  const hasCode = hasCodeElement(tree, pre);
  for (let node = pre + 1; node < tree.end[pre]!; node = tree.end[node]!) {
    if (tree.kind[node] !== ELEMENT) continue;
    // Some put a box between the <pre> and its code.
    if (hasCode && tree.tag[node] === TAG.div && hasCodeElement(tree, node)) {
      node = node + 1;
      if (tree.kind[node] !== ELEMENT) continue;
    }
    if (!isLabel(tree, node, hasCode)) continue;
    const text = textWithin(tree, node).trim();
    // A longer text is code after all.
    if (text === '' || text.length > MAX_LABEL || text.includes('\n')) continue;
    found ??= { nodes: [], title: '', language: '' };
    found.nodes.push(node);
    if (found.nodes.length === MAX_LABELS) break;
    const words = text.replace(/\s*(?:copy(?: code)?|copied!?)$/i, '');
    if (LANGUAGES.test(words)) found.language ||= words.toLowerCase().replace(/^golang$/, 'go');
    else if (words !== '' && !BUTTON.test(words)) found.title ||= words;
  }
  return found && hasOtherText(tree, pre, found.nodes) ? found : undefined;
}

/** Whether a name is that of a language of programs or data. */
export const isKnownLanguage = (name: string): boolean => LANGUAGES.test(name);

/** Whether a box is nothing but the name of a language and buttons above the code that comes next. */
export function isLabelOfNext(tree: HtmlTree, box: number): boolean {
  return Boolean(labelIn(tree, box)) && codeFollows(tree, box);
}

/** The language that a box before a listing names. */
export function languageBefore(tree: HtmlTree, listing: number): string | undefined {
  let node = listing;
  for (let level = 0; level < MAX_LEVELS && node > 0; level++, node = tree.parent[node]!) {
    const parent = tree.parent[node]!;
    for (let before = siblingBefore(tree, node); before > parent; before = siblingBefore(tree, before)) {
      const label = labelIn(tree, before);
      if (label !== '') return label;
    }
  }
  return undefined;
}

/** The node before it with the same parent; the parent if there is none. */
function siblingBefore(tree: HtmlTree, node: number): number {
  const parent = tree.parent[node]!;
  let before = node - 1;
  while (before > parent && tree.parent[before]! !== parent) before = tree.parent[before]!;
  return before;
}

/** The name of a language, if buttons are all that stands beside it; '' if there is no text, undefined if another. */
function labelIn(tree: HtmlTree, box: number): string | undefined {
  if (tree.end[box]! - box > MAX_LABEL_NODES) return undefined;
  let language = '';
  for (let node = box; node < tree.end[box]!; node++) {
    const tag = tree.tag[node]!;
    if (isCode(tag)) return undefined;
    // A copy of the code to select from is not shown.
    if (tag === TAG.textarea) {
      node = tree.end[node]! - 1;
      continue;
    }
    const text = tree.text(node).trim();
    if (text === '' || (BUTTON.test(text) && text.length <= MAX_LABEL)) continue;
    if (language !== '' || !LANGUAGES.test(text)) return undefined;
    language = text.toLowerCase();
  }
  return language;
}

function codeFollows(tree: HtmlTree, box: number): boolean {
  const end = tree.end[tree.parent[box]!]!;
  let node = tree.end[box]!;
  if (node < end && tree.isBlank(node)) node += 1;
  // The code is the first thing in what follows.
  for (let level = 0; level < MAX_LEVELS && node < end && tree.kind[node] === ELEMENT; level++, node++) {
    if (tree.tag[node] === TAG.pre) return true;
  }
  return false;
}

/** Next to a <code> element, other blocks are labels; else only a name says so. */
function isLabel(tree: HtmlTree, node: number, hasCode: boolean): boolean {
  if (tree.tag[node] === TAG.code) return false;
  if (NAMED_LABEL.test(tree.attribute(node, 'class') ?? '')) return true;
  return hasCode && isBlock(tree.tag[node]!) && !hasCodeElement(tree, node);
}

function hasCodeElement(tree: HtmlTree, root: number): boolean {
  for (let node = root + 1; node < tree.end[root]!; node++) if (tree.tag[node] === TAG.code) return true;
  return false;
}

function hasOtherText(tree: HtmlTree, pre: number, labels: number[]): boolean {
  for (let node = pre + 1; node < tree.end[pre]!; node++) {
    if (labels.includes(node)) node = tree.end[node]! - 1;
    else if (/\S/.test(tree.text(node))) return true;
  }
  return false;
}
