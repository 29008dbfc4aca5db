// Interprets Word styles by their names and fonts: code, quotations, nested list items.
import { attribute, find, findAll, type XmlElement } from '../../../markup/xml/xml-tree.ts';

export interface WordStyleRole {
  isCode: boolean;
  isQuote: boolean;
  /** Nesting level of a list item, if only the style gives it. */
  depth: number;
}

export type WordStyleRoles = (styleId: string | undefined) => WordStyleRole;

const NONE: WordStyleRole = { isCode: false, isQuote: false, depth: 0 };
const CODE_NAME =
  /^(?:.{0,40} )?(?:(?:source|program) (?:code|text)|(?:inline|block) code|code(?: block| char| snippet| listing)?|verbatim(?: char)?|html (?:code|preformatted|keyboard|sample|typewriter)(?: char)?|preformatted(?: text)?|macro text|listing)$/i;
const QUOTE_NAME = /^(?:intense )?quote$|^block ?(?:text|quote)$|^quotations?$/i;
const NESTED_LIST_NAME = /^list (?:bullet |number )?([2-5])$/i;
const MONOSPACED =
  /^(?:courier|consolas|menlo|monaco|lucida (?:console|sans typewriter)|cascadia|(?:dejavu|liberation|noto|ubuntu|roboto|ibm plex|fira|droid|free) ?(?:sans )?(?:mono|code)|source code|jetbrains|inconsolata|andale mono|ocr)/i;
const MAX_PARENTS = 20;

export const isCodeName = (name: string): boolean => CODE_NAME.test(name);
export const isQuoteName = (name: string): boolean => QUOTE_NAME.test(name);
export const listDepthOfName = (name: string): number => Number(NESTED_LIST_NAME.exec(name)?.[1] ?? 1) - 1;
export const isMonospaced = (font: string | undefined): boolean => font !== undefined && MONOSPACED.test(font.trim());

interface Style {
  name: string;
  parent: string | undefined;
  font: string | undefined;
  isDefault: boolean;
}

export function readWordStyles(root: XmlElement | undefined): WordStyleRoles {
  const styles = new Map<string, Style>();
  for (const element of root ? findAll(root, 'style') : []) {
    styles.set(attribute(element, 'styleId') ?? '', {
      name: attribute(find(element, 'name') ?? element, 'val') ?? '',
      parent: attribute(find(element, 'basedOn') ?? element, 'val'),
      font: fontOf(element),
      isDefault: attribute(element, 'default') === '1',
    });
  }
  const known = new Map<string, WordStyleRole>();
  return (id) => {
    if (id === undefined) return NONE;
    const role = known.get(id) ?? roleOf(styles, id);
    known.set(id, role);
    return role;
  };
}

function roleOf(styles: ReadonlyMap<string, Style>, id: string): WordStyleRole {
  const role = { ...NONE };
  let style = styles.get(id);
  for (let step = 0; style && step < MAX_PARENTS; step++) {
    // The default style applies to every paragraph and means nothing.
    if (style.isDefault) break;
    role.isCode ||= isCodeName(style.name) || isMonospaced(style.font);
    role.isQuote ||= isQuoteName(style.name);
    role.depth ||= listDepthOfName(style.name);
    style = style.parent === undefined ? undefined : styles.get(style.parent);
  }
  return role;
}

/** The font for Latin text set in this element. */
export function fontOf(element: XmlElement): string | undefined {
  const fonts = find(element, 'rFonts');
  return fonts && attribute(fonts, 'ascii');
}
