// Runs in the page, in an isolated world: role, name, value and state of an element that can be used. Values of password
// fields and of what is kept like one are never read.
import type { PageAccess, PageElement, PageNode } from '../page/styles/page-access.ts';

declare const HTMLElement: { prototype: object; [Symbol.hasInstance](value: unknown): boolean };
declare const HTMLInputElement: { prototype: object };
declare const HTMLTextAreaElement: { prototype: object };
declare const HTMLSelectElement: { prototype: object };

/** Reads a property by its prototype's getter, which named children cannot shadow. */
export function propertyOf<T>(owner: { prototype: object }, element: PageElement, name: string): T | undefined {
  return Object.getOwnPropertyDescriptor(owner.prototype, name)?.get?.call(element);
}

/** The role of an element that can be used; undefined for others. */
export function roleOf(access: PageAccess, element: PageElement): string | undefined {
  const given = access.attribute(element, 'role').trim().toLowerCase().split(/\s/, 1)[0]!;
  const known =
    /^(?:button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|combobox|textbox|searchbox|slider|spinbutton|treeitem)$/;
  if (known.test(given)) return given;
  const name = access.name(element);
  if (name === 'a') return access.attribute(element, 'href') === '' ? undefined : 'link';
  if (name === 'button' || name === 'summary') return 'button';
  if (name === 'select') return 'select';
  if (name === 'textarea') return 'textbox';
  if (name === 'input') {
    const type = access.attribute(element, 'type').toLowerCase();
    if (type === 'hidden') return undefined;
    if (/^(?:submit|button|reset|image)$/.test(type)) return 'button';
    return /^(?:checkbox|radio|date|time|month|week|datetime-local|color|range|file|password|number)$/.test(type)
      ? type
      : 'textbox';
  }
  const isEditable = (one: PageElement | null) =>
    one !== null &&
    one instanceof HTMLElement &&
    propertyOf<boolean>(HTMLElement, one as PageElement, 'isContentEditable') === true;
  return isEditable(element) && !isEditable(access.parent(element)) ? 'textbox' : undefined;
}

/** The beginning of an element's text, with the texts of pictures in it. Looks at few nodes only. */
export function shortText(access: PageAccess, root: PageNode, length: number): string {
  const stack: (PageNode | null)[] = [access.first(root)];
  let text = '';
  for (let looked = 0; stack.length > 0 && looked < 200 && text.length < length * 2; looked += 1) {
    const node = stack.pop();
    if (!node) continue;
    stack.push(access.next(node));
    const type = access.type(node);
    if (type === 3) text += ` ${(access.data(node) ?? '').slice(0, length * 4).trim()}`;
    if (type !== 1) continue;
    const element = node as PageElement;
    const name = access.name(element);
    if (/^(?:script|style|noscript|template)$/.test(name)) continue;
    if (name === 'img' || name === 'svg')
      text += ` ${access.attribute(element, name === 'img' ? 'alt' : 'aria-label')}`;
    else stack.push(access.first(access.shadow(element) ?? element));
  }
  return access.cut(text, length);
}

function labelsOf(access: PageAccess, element: PageElement): string {
  const name = access.name(element);
  const owner = name === 'select' ? HTMLSelectElement : name === 'textarea' ? HTMLTextAreaElement : HTMLInputElement;
  if (!/^(?:input|select|textarea)$/.test(name)) return '';
  const labels = propertyOf<ArrayLike<PageElement> | null>(owner, element, 'labels');
  return labels?.[0] ? shortText(access, labels[0], 120) : '';
}

function nameOfElement(access: PageAccess, element: PageElement, role: string): string {
  const referred = access
    .attribute(element, 'aria-labelledby')
    .split(/\s+/, 5)
    .map((id) => (id === '' ? null : access.byId(id)))
    .map((label) => (label ? shortText(access, label, 120) : ''))
    .join(' ');
  const isField = access.name(element) === 'input' || access.name(element) === 'textarea';
  const isButton = role === 'button';
  const names = [
    () => referred,
    () => access.attribute(element, 'aria-label'),
    () => labelsOf(access, element),
    () => (isField && isButton ? access.attribute(element, 'value') || access.attribute(element, 'alt') : ''),
    () => access.attribute(element, 'placeholder'),
    () => (isField || role === 'select' ? '' : shortText(access, element, 120)),
    () => access.attribute(element, 'title'),
    () => access.attribute(element, 'name'),
    () => (role === 'link' ? access.attribute(element, 'href') : ''),
  ];
  for (const name of names) {
    const text = access.cut(name(), 120);
    if (text !== '') return text;
  }
  return '';
}

/** Passwords, and what pages mark as card numbers or one-time codes. */
function isSecret(access: PageAccess, element: PageElement): boolean {
  const type = access.attribute(element, 'type').toLowerCase();
  return (
    type === 'password' || /password|cc-|one-time-code/.test(access.attribute(element, 'autocomplete').toLowerCase())
  );
}

function valueIn(access: PageAccess, element: PageElement, role: string): string[] {
  const name = access.name(element);
  if (name === 'select') {
    const options = propertyOf<ArrayLike<PageElement>>(HTMLSelectElement, element, 'options') ?? [];
    const chosen = propertyOf<number>(HTMLSelectElement, element, 'selectedIndex') ?? -1;
    const texts = Array.from({ length: Math.min(30, options.length) }, (_, at) => shortText(access, options[at]!, 60));
    const more = options.length > texts.length ? ` and ${options.length - texts.length} more` : '';
    const value = options[chosen] ? [`value ${JSON.stringify(shortText(access, options[chosen]!, 60))}`] : [];
    return [...value, `options ${JSON.stringify(texts)}${more}`];
  }
  if (role === 'button' || role === 'checkbox' || role === 'radio' || (name !== 'input' && name !== 'textarea'))
    return [];
  const value = propertyOf<string>(name === 'input' ? HTMLInputElement : HTMLTextAreaElement, element, 'value') ?? '';
  if (value === '') return [];
  return [isSecret(access, element) ? '(filled in, not shown)' : `value ${JSON.stringify(access.cut(value, 200))}`];
}

export function describeElement(access: PageAccess, element: PageElement, role: string): string {
  const isInput = access.name(element) === 'input';
  const state = (name: string) => access.attribute(element, name) === 'true';
  const isChecked = isInput ? propertyOf<boolean>(HTMLInputElement, element, 'checked') : state('aria-checked');
  const isOff =
    state('aria-disabled') ||
    (isInput
      ? propertyOf<boolean>(HTMLInputElement, element, 'disabled')
      : access.closest(element, ':disabled') === element);
  return [
    role,
    JSON.stringify(nameOfElement(access, element, role)),
    ...valueIn(access, element, role),
    ...(isChecked && role !== 'textbox' ? ['(checked)'] : []),
    ...(state('aria-selected') ? ['(selected)'] : []),
    ...(state('aria-expanded') ? ['(expanded)'] : []),
    ...(isOff ? ['(disabled)'] : []),
  ].join(' ');
}

/** Sent into the page together with what calls them. */
export const DESCRIBERS = [propertyOf, roleOf, shortText, labelsOf, nameOfElement, isSecret, valueIn, describeElement];
