// Interprets the styles of an OpenDocument file: code, quotations, titles, super- and subscript, hidden text and slides.
import { attribute, childOf, find, findAll, type XmlElement } from '../../../markup/xml/xml-tree.ts';
import { isCodeName, isMonospaced, isQuoteName, listDepthOfName } from '../word/word-styles.ts';

export interface OdfStyleRole {
  isCode: boolean;
  isQuote: boolean;
  isTitle: boolean;
  isHidden: boolean;
  /** Nesting level of a list item, if only the style gives it. */
  depth: number;
  position: 'super' | 'sub' | undefined;
}

export type OdfStyleRoles = (styleName: string | undefined) => OdfStyleRole;

const NONE: OdfStyleRole = {
  isCode: false,
  isQuote: false,
  isTitle: false,
  isHidden: false,
  depth: 0,
  position: undefined,
};
const MAX_PARENTS = 20;

/** `roots`: named styles first, automatic styles last. */
export function readOdfStyles(roots: readonly (XmlElement | undefined)[]): OdfStyleRoles {
  const styles = new Map<string, XmlElement>();
  for (const root of roots) {
    for (const style of root ? findAll(root, 'style') : []) styles.set(attribute(style, 'name') ?? '', style);
  }
  const known = new Map<string, OdfStyleRole>();
  return (name) => {
    if (name === undefined) return NONE;
    const role = known.get(name) ?? roleOf(styles, name);
    known.set(name, role);
    return role;
  };
}

function roleOf(styles: ReadonlyMap<string, XmlElement>, name: string): OdfStyleRole {
  const role = { ...NONE };
  let id: string | undefined = name;
  for (let step = 0; id !== undefined && step < MAX_PARENTS; step++) {
    const style = styles.get(id);
    const plain: string = (style && attribute(style, 'display-name')) ?? id.replaceAll('_20_', ' ');
    const text = style && childOf(style, 'text-properties');
    role.isCode ||=
      isCodeName(plain) || /^teletype$/i.test(plain) || isMonospaced(text && attribute(text, 'font-name'));
    role.isQuote ||= isQuoteName(plain);
    role.isTitle ||= plain === 'Title';
    role.isHidden ||= text !== undefined && attribute(text, 'display') === 'none';
    role.depth ||= listDepthOfName(plain);
    role.position ??= positionOf(text);
    if (style) role.isHidden ||= isHiddenSlide(style);
    id = style && attribute(style, 'parent-style-name');
    // The default style applies to every paragraph and means nothing.
    if (id === 'Standard' || id === 'Default') break;
  }
  return role;
}

/** `super 58%`, or a shift in percent. */
function positionOf(text: XmlElement | undefined): OdfStyleRole['position'] {
  const value = text && attribute(text, 'text-position');
  if (value === undefined) return undefined;
  if (/^super|^[1-9]/.test(value)) return 'super';
  return /^sub|^-[1-9]/.test(value) ? 'sub' : undefined;
}

const isHiddenSlide = (style: XmlElement): boolean => {
  const page = find(style, 'drawing-page-properties');
  return page !== undefined && attribute(page, 'visibility') === 'hidden';
};
