// The language of a code block, from the class names and attributes of common syntax highlighters.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';

const NAMED_BY = [
  'data-lang',
  'data-language',
  'data-code-language',
  'data-enlighter-language',
  'data-tagsearch-lang',
  'lang',
];
// A `language-` class is taken as it is; other hints must look like a language.
const DECLARED = /(?:^|\s)language-([^\s`{]{1,40})/;
const BY_CLASS =
  /(?:^|\s)(?:lang|highlight-source|highlight-text|highlight|brush|prettyprint-lang|sourcecode|syntax|code)[-:]\s*([\w+#.]{1,30})(?=$|[\s;_-])/i;
const BESIDE =
  /(?:^|\s)(?:hljs|sourceCode|src|prettyprint)\s+(?:src-)?([\w+#.-]{1,30})(?=$|\s)|(?:^|\s)([\w+#.-]{1,30})\s+hljs(?=$|\s)|(?:^|\s)highlight\s+([\w+#.]{1,30})(?=$|\s)/;
const NOT_A_LANGUAGE =
  /^(?:none|plain|text|plaintext|txt|nohighlight|no-highlight|default|auto|hljs|copy|wrap(?:per)?|numbers?|lines?|linenums?|notranslate|code|block|highlight|source|src|toolbar|container|content|body|box|snippet|example|inline|data|lang|language|head|header|title|label|name|file|filename|toolbar|bar|en|en-us)$/i;
const MAX_LEVELS = 6;

export function languageOf(tree: HtmlTree, pre: number): string {
  for (const node of candidates(tree, pre)) {
    const names = tree.attribute(node, 'class') ?? '';
    const declared = DECLARED.exec(names)?.[1];
    if (declared !== undefined && !NOT_A_LANGUAGE.test(declared)) return declared.toLowerCase();
    const beside = BESIDE.exec(names);
    const found = named(tree, node) ?? BY_CLASS.exec(names)?.[1] ?? beside?.[1] ?? beside?.[2] ?? beside?.[3];
    if (found !== undefined && isLanguage(found)) return found.toLowerCase();
  }
  return '';
}

const isLanguage = (name: string): boolean => !NOT_A_LANGUAGE.test(name) && /^[\w+#.-]{1,30}$/.test(name);

/** The code element, the block itself, and its wrappers that are not much larger. */
function candidates(tree: HtmlTree, pre: number): number[] {
  const found = [pre];
  const first = firstElement(tree, pre);
  if (first !== 0) found.unshift(first);
  const size = tree.end[pre]! - pre;
  let above = tree.parent[pre]!;
  for (let level = 0; above > 0 && level < MAX_LEVELS; level++, above = tree.parent[above]!) {
    if (tree.end[above]! - above > 8 * size + 40) break;
    found.push(above);
  }
  return found;
}

function named(tree: HtmlTree, node: number): string | undefined {
  for (const name of NAMED_BY) {
    const value = tree.attribute(node, name);
    if (value) return value;
  }
  return undefined;
}

function firstElement(tree: HtmlTree, parent: number): number {
  for (let node = parent + 1; node < tree.end[parent]!; node = tree.end[node]!) {
    if (tree.kind[node] === ELEMENT) return node;
  }
  return 0;
}
