// The language of a code block, from the class names and attributes of common syntax highlighters.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { isKnownLanguage, languageBefore } from './code-label.ts';

// An attribute with such a name says it outright, others only with the name of a language.
const NAMED_BY = /^data-(?:[\w-]*-)?lang(?:uage)?$/;
const MAY_NAME = /^data-(?:mode|mode-id|code-wrap|syntax)$/;
const BRUSH = /(?:^|[\s;])brush:\s*([\w+#.-]{1,30})/;
const HOLDS_CODE = /code|highlight|syntax|source/i;
const ARE_NAMES = 3;
// A `language-` class is taken as it is; other hints must look like a language.
const DECLARED = /(?:^|\s)language-([^\s`{]{1,40})/;
const BY_CLASS =
  /(?:^|\s)(?:lang|highlight-source|highlight-text|highlight|hl|brush|prettyprint-lang|sourcecode|syntax|code)[-:]\s*([\w+#.]{1,30})(?=$|[\s;_-])/i;
const BESIDE =
  /(?:^|\s)(?:hljs|sourceCode|src|prettyprint|syntaxhighlighter)\s+(?:src-)?([\w+#.-]{1,30})(?=$|\s)|(?:^|\s)([\w+#.-]{1,30})\s+hljs(?=$|\s)|(?:^|\s)highlight\s+([\w+#.]{1,30})(?=$|\s)/;
const NOT_A_LANGUAGE =
  /^(?:none|plain|text|plaintext|txt|nohighlight|no-highlight|default|auto|hljs|copy|wrap(?:per)?|numbers?|lines?|linenums?|notranslate|code|block|highlight|source|src|toolbar|container|content|body|box|snippet|example|inline|data|lang|language|head|header|title|label|name|file|filename|toolbar|bar|en|en-us)$/i;
const MAX_LEVELS = 6;

export function languageOf(tree: HtmlTree, pre: number): string {
  for (const node of candidates(tree, pre)) {
    const names = tree.attribute(node, 'class') ?? '';
    const declared = DECLARED.exec(names)?.[1];
    if (declared !== undefined && !NOT_A_LANGUAGE.test(declared)) return declared.toLowerCase();
    const beside = BESIDE.exec(names);
    const found =
      named(tree, node, node >= pre) ?? BY_CLASS.exec(names)?.[1] ?? beside?.[1] ?? beside?.[2] ?? beside?.[3];
    if (found !== undefined && isLanguage(found)) return found.toLowerCase().replace(/^ipython\d?$/, 'python');
    const listed = listedName(names, node >= pre);
    if (listed !== undefined) return listed;
  }
  return languageBefore(tree, pre) ?? '';
}

/** A class that is the name of a language. Short ones may be generated. */
function listedName(names: string, isCode: boolean): string | undefined {
  if (!isCode && !HOLDS_CODE.test(names)) return undefined;
  const tokens = names.split(/\s+/);
  const isFew = isCode && tokens.length <= ARE_NAMES;
  return tokens
    .find((name) => (name.length >= ARE_NAMES || isFew) && isKnownLanguage(name) && isLanguage(name))
    ?.toLowerCase();
}

const isLanguage = (name: string): boolean => !NOT_A_LANGUAGE.test(name) && /^[\w+#.-]{1,30}$/.test(name);

/** What the block begins with, the block itself, and its wrappers that are not much larger. */
function candidates(tree: HtmlTree, pre: number): number[] {
  const found = [pre];
  const first = firstElement(tree, pre);
  const second = first === 0 ? 0 : firstElement(tree, first);
  if (first !== 0) found.unshift(first);
  // Some say it on each line.
  if (second !== 0 && tree.attribute(second, 'lang') !== undefined) found.unshift(second);
  const size = tree.end[pre]! - pre;
  let above = tree.parent[pre]!;
  for (let level = 0; above > 0 && level < MAX_LEVELS; level++, above = tree.parent[above]!) {
    if (tree.end[above]! - above > 8 * size + 40) break;
    found.push(above);
  }
  return found;
}

function named(tree: HtmlTree, node: number, isCode: boolean): string | undefined {
  for (const [name, value] of tree.attributes(node)) {
    if (value === '' || name === 'class') continue;
    // Outside of code, it is the language that people speak.
    if (NAMED_BY.test(name) || (name === 'lang' && isCode)) return value;
    const brush = BRUSH.exec(value)?.[1];
    if (brush !== undefined && name.startsWith('data-')) return brush;
    if (MAY_NAME.test(name) && isKnownLanguage(value)) return value;
  }
  return undefined;
}

function firstElement(tree: HtmlTree, parent: number): number {
  for (let node = parent + 1; node < tree.end[parent]!; node = tree.end[node]!) {
    if (tree.kind[node] === ELEMENT) return node;
  }
  return 0;
}
