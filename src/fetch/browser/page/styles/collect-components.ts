// Runs in the page: the styles of buttons and form fields, and of what looks like one.
import type { BoxStyle, ButtonStyle, Rect, StylePlace } from '../../../../page/page-styles.ts';
import type { ComputedStyle, PageAccess, PageElement } from './page-access.ts';

export interface SeenElement {
  element: PageElement;
  style: ComputedStyle;
  rect: Rect;
  place: StylePlace;
  /** The colour behind the element. */
  behind: string;
}

export function boxStyle(page: PageAccess, { style, rect, behind }: SeenElement): BoxStyle {
  const isDrawn = (side: string) =>
    Number.parseFloat(style[`border${side}Width`]!) > 0 &&
    style[`border${side}Style`] !== 'none' &&
    page.isVisible(style[`border${side}Color`]!);
  const side = ['Bottom', 'Top', 'Left', 'Right'].find(isDrawn);
  const value = (name: string) => page.cut(style[name] ?? '', 900);
  return {
    background: value('backgroundColor'),
    ...(style.backgroundImage !== 'none' && { backgroundImage: value('backgroundImage') }),
    behind,
    color: value('color'),
    ...(side && { borderColor: value(`border${side}Color`) }),
    radii: [
      value('borderTopLeftRadius'),
      value('borderTopRightRadius'),
      value('borderBottomRightRadius'),
      value('borderBottomLeftRadius'),
    ],
    ...(style.boxShadow !== 'none' && { shadow: value('boxShadow') }),
    rect,
  };
}

/** Whether it is a button by its name, or a link that is drawn like one. */
export function isButton(page: PageAccess, { element, style, rect }: SeenElement): boolean {
  const { width, height } = rect;
  if (width < 24 || width > 700 || height < 16 || height > 120) return false;
  const name = page.name(element);
  // The browser's own look says nothing about the brand.
  if (style.borderTopStyle === 'outset' && style.backgroundColor === 'rgb(239, 239, 239)') return false;
  if (name === 'button' || page.attribute(element, 'role') === 'button') return true;
  if (name === 'input') return /^(submit|button)$/i.test(page.attribute(element, 'type'));
  if (name !== 'a') return false;
  const isPadded = Number.parseFloat(style.paddingLeft!) >= 6 && Number.parseFloat(style.paddingRight!) >= 6;
  const isFilled = page.isVisible(style.backgroundColor!) || /gradient/.test(style.backgroundImage!);
  const isFramed = Number.parseFloat(style.borderTopWidth!) > 0 && Number.parseFloat(style.borderLeftWidth!) > 0;
  return isPadded && (isFilled || isFramed) && width < 400;
}

export function buttonStyle(page: PageAccess, seen: SeenElement): ButtonStyle {
  const { element, place } = seen;
  const isInput = page.name(element) === 'input';
  const text = isInput ? page.attribute(element, 'value') : (page.text(element) ?? '');
  return {
    ...boxStyle(page, seen),
    text: page.cut(text, 80),
    label: page.label(element),
    place,
    isSubmit: /^submit$/i.test(page.attribute(element, 'type')),
  };
}

export function isField(page: PageAccess, { element, style, rect }: SeenElement): boolean {
  if (rect.width < 60 || rect.height < 16 || style.borderTopStyle === 'inset') return false;
  const name = page.name(element);
  if (name === 'textarea' || name === 'select') return true;
  const other = /^(hidden|checkbox|radio|range|color|file|image|submit|button|reset)$/i;
  return name === 'input' && !other.test(page.attribute(element, 'type'));
}
