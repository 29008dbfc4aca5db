// Reads the structure of Markdown with markdown-it: code, formulas, tables, headings and list items, in their order.
import createMarkdownIt from 'markdown-it';
import { normalTex } from './normal-tex.ts';

export interface CodeListing {
  language: string;
  text: string;
}

export interface PageStructure {
  listings: CodeListing[];
  codeSpans: string[];
  /** Normalised TeX, as tokens between spaces. */
  formulas: string[];
  /** Cell texts by row; rows without any text are left out. */
  tables: string[][][];
  /** `2 Title` for `## Title`. */
  headings: string[];
  /** The depth, the kind and the text of each item: `1 - text`. */
  items: string[];
}

type MarkdownIt = ReturnType<typeof createMarkdownIt>;
type Token = ReturnType<MarkdownIt['parse']>[number];

const FORMULA = /\$\$([^$]+)\$\$|\$(?=[^\s$])([^$\n]*?[^\s$\\]|[^\s$\\])\$(?!\d)/y;
const DOLLAR = 0x24;

export function createStructureReader(): (markdown: string) => PageStructure {
  const markdown = createMarkdownIt({ html: true });
  markdown.inline.ruler.before('escape', 'formula', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== DOLLAR) return false;
    FORMULA.lastIndex = state.pos;
    const match = FORMULA.exec(state.src);
    if (!match) return false;
    if (!silent) state.push('formula', '', 0).content = match[1] ?? match[2]!;
    state.pos += match[0].length;
    return true;
  });
  return (text) => new StructureReader().read(markdown.parse(text, {}));
}

class StructureReader {
  readonly #found: PageStructure = { listings: [], codeSpans: [], formulas: [], tables: [], headings: [], items: [] };
  readonly #lists: string[] = [];
  #heading = '';
  #newItem = false;
  #insideTable = false;

  read(tokens: readonly Token[]): PageStructure {
    for (const token of tokens) {
      this.#open(token);
      if (token.type === 'inline') this.#inline(token);
    }
    this.#found.tables = this.#found.tables.map((rows) => rows.filter((row) => row.some((cell) => cell !== '')));
    return this.#found;
  }

  #open(token: Token): void {
    const { tables, listings } = this.#found;
    if (token.type === 'fence' || token.type === 'code_block') {
      listings.push({ language: token.info.trim().toLowerCase(), text: token.content.replace(/\n$/, '') });
    } else if (token.type === 'heading_open') this.#heading = token.tag.slice(1);
    else if (token.type === 'heading_close') this.#heading = '';
    else if (token.type === 'bullet_list_open') this.#lists.push('-');
    else if (token.type === 'ordered_list_open') this.#lists.push('1.');
    else if (/_list_close$/.test(token.type)) this.#lists.pop();
    else if (token.type === 'list_item_open') this.#newItem = true;
    else if (token.type === 'table_open') tables.push([]);
    else if (token.type === 'tr_open') tables.at(-1)!.push([]);
    if (/^table_/.test(token.type)) this.#insideTable = token.nesting === 1;
  }

  #inline(token: Token): void {
    const text = plainText(token.children ?? []);
    if (this.#insideTable) this.#found.tables.at(-1)!.at(-1)!.push(text);
    else if (this.#heading !== '') this.#found.headings.push(`${this.#heading} ${text}`);
    else if (this.#newItem) this.#found.items.push(`${this.#lists.length} ${this.#lists.at(-1)} ${text}`);
    this.#newItem = false;
    for (const child of token.children ?? []) {
      if (child.type === 'formula') this.#found.formulas.push(normalTex(child.content));
      if (child.type === 'code_inline' && !this.#insideTable && this.#heading === '') {
        this.#found.codeSpans.push(child.content);
      }
    }
  }
}

/** Text as a reader sees it: marks of emphasis are not compared, and a line break is a space. */
function plainText(tokens: readonly Token[]): string {
  let text = '';
  for (const { type, content } of tokens) {
    if (type === 'text' || type === 'code_inline') text += content;
    else if (type === 'formula') text += normalTex(content);
    else if (type === 'softbreak' || type === 'hardbreak' || (type === 'html_inline' && /^<br/i.test(content)))
      text += ' ';
  }
  return text.replace(/\s+/g, ' ').trim();
}
