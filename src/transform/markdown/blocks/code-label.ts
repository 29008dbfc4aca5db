// Labels that highlighters put inside a code block: the name of the language or of the file, and the words of buttons.
import { ELEMENT, type HtmlTree, textWithin } from '../../../markup/html/html-tree.ts';
import { isBlock, TAG } from '../../../markup/html/tags.ts';

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

/** The labels among the children of a <pre>. */
export function codeLabels(tree: HtmlTree, pre: number): CodeLabels | undefined {
  let found: CodeLabels | undefined;
  const hasCode = hasCodeElement(tree, pre);
  for (let node = pre + 1; node < tree.end[pre]!; node = tree.end[node]!) {
    if (tree.kind[node] !== ELEMENT || !isLabel(tree, node, hasCode)) continue;
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
