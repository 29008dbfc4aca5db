// Runs in the page: walks the elements that can be seen, once, and sums up how they look.
import type { PageStyles, StyledText, StylePlace } from '../../../../page/page-styles.ts';
import { boxStyle, buttonStyle, isButton, isField, type SeenElement } from './collect-components.ts';
import { describeLogos, logoCandidate } from './collect-logos.ts';
import { collectNames, collectVariables } from './collect-names.ts';
import { accessPage, type ComputedStyle, type PageAccess, type PageElement, type PageNode } from './page-access.ts';

export interface CollectLimits {
  elements: number;
  ms: number;
}

interface Visit {
  node: PageNode;
  /** The nearest painted background around the element. */
  paint: { color: string; place: StylePlace };
  role: StyledText['role'];
  place: StylePlace;
}
type Sums = ReturnType<typeof createSums>;
declare const innerWidth: number;
declare const innerHeight: number;

/** Sums by key, with a limit for the number of keys that are kept apart. */
export function createSums() {
  const tables = new Map<string, Map<string, { item: object; sum: number }>>();
  return {
    add(table: string, item: object, sum: number) {
      if (!tables.has(table)) tables.set(table, new Map());
      const rows = tables.get(table)!;
      const key = JSON.stringify(item);
      const row = rows.get(key);
      if (row) row.sum += sum;
      else if (rows.size < 2_000) rows.set(key, { item, sum });
    },
    list<T>(table: string, name: string, max = 300): T[] {
      return [...(tables.get(table)?.values() ?? [])]
        .sort((one, other) => other.sum - one.sum)
        .slice(0, max)
        .map(({ item, sum }) => ({ ...item, [name]: Math.round(sum) }) as T);
    },
  };
}

export function roleOf(name: string, outer: StyledText['role']): StyledText['role'] {
  if (/^h[1-3]$/.test(name)) return name as StyledText['role'];
  if (/^h[4-6]$/.test(name)) return 'heading';
  if (/^h[1-3]$|^heading$|^button$/.test(outer)) return outer;
  if (name === 'a') return 'link';
  if (name === 'button') return 'button';
  if (/^(code|pre|kbd|samp)$/.test(name)) return 'code';
  if (/^(small|figcaption|caption)$/.test(name)) return 'small';
  return outer;
}

export function placeOf(page: PageAccess, element: PageElement, name: string, outer: StylePlace): StylePlace {
  if (outer !== 'page') return outer;
  const role = page.attribute(element, 'role');
  // The header of an article or a card is not that of the page.
  const isTop = () => page.rect(element).y < 300 && !page.closest(element, 'article,main,section');
  if (role === 'banner' || ((name === 'header' || name === 'nav') && isTop())) return 'header';
  if (role === 'contentinfo' || (name === 'footer' && !page.closest(element, 'article,section'))) return 'footer';
  return 'page';
}

export function addText(page: PageAccess, sums: Sums, { node, role, place, paint }: Visit, style: ComputedStyle): void {
  let characters = 0;
  for (let child = page.first(node); child && characters < 2_000; child = page.next(child)) {
    if (page.type(child) !== 3) continue;
    const text = page.cut(page.data(child) ?? '', 2_000);
    // Icon fonts draw with characters of private use.
    if (/[\p{L}\p{N}]/u.test(text.slice(0, 300))) characters += text.length;
  }
  if (characters === 0 || !page.isVisible(style.color!)) return;
  const { color, fontSize: size, fontWeight: weight, lineHeight } = style;
  const family = page.cut(style.fontFamily!, 400);
  if (place === 'page' && role !== 'button') sums.add('grounds', { color: paint.color }, characters);
  sums.add('texts', { role, place, color, family, size, weight, lineHeight }, characters);
}

export function addBox(page: PageAccess, sums: Sums, { rect, style }: SeenElement, area: number): void {
  const px = (property: string) => Math.round(Number.parseFloat(style[property] ?? '') || 0);
  for (const [kind, properties] of [
    ['padding', ['paddingTop', 'paddingLeft', 'paddingBottom']],
    ['margin', ['marginTop', 'marginBottom']],
    ['gap', ['rowGap', 'columnGap']],
  ] as const) {
    for (const property of properties) if (px(property) > 0) sums.add('spacings', { kind, px: px(property) }, 1);
  }
  const radius = style.borderTopLeftRadius!;
  const isDrawn = page.isVisible(style.backgroundColor!) || px('borderTopWidth') > 0 || style.boxShadow !== 'none';
  if (isDrawn && Number.parseFloat(radius) > 0) sums.add('radii', { value: radius.slice(0, 100) }, 1);
  const duration = style.transitionDuration!.split(',')[0]!;
  const easing = style.transitionTimingFunction!.split(/,(?![^(]*\))/)[0]!;
  if (Number.parseFloat(duration) > 0) sums.add('transitions', { duration, easing: easing.slice(0, 100) }, 1);
  if (/grid$/.test(style.display!) && style.gridTemplateColumns !== 'none') {
    const columns = style.gridTemplateColumns!.slice(0, 2_000).split(' ').length;
    if (columns > 1 && columns <= 24) sums.add('grids', { columns, gap: px('columnGap') }, area);
  }
  const limit = px('maxWidth');
  const isCentred = Math.abs(rect.x - (innerWidth - rect.x - rect.width)) < 40;
  if (style.maxWidth!.endsWith('px') && limit >= 480 && limit <= 2_400 && isCentred)
    sums.add('widths', { px: limit }, 1);
}

/** A question about cookies lies over the page and looks like the service that asks it. */
export function isBanner(page: PageAccess, element: PageElement, { position }: ComputedStyle): boolean {
  if (position !== 'fixed' && position !== 'sticky') return false;
  return /cookie|consent|gdpr|onetrust|didomi|usercentrics/i.test(page.label(element));
}

export function addIcon(page: PageAccess, sums: Sums, { element, style, rect }: SeenElement): void {
  if (rect.width > 48 || rect.height > 48 || rect.width < 8) return;
  const shape = page.within(element, 'path,circle,rect,line,polyline,use')[0];
  const drawn = shape ? page.style(shape) : style;
  const isOutline = drawn.fill === 'none' && drawn.stroke !== 'none';
  const color = isOutline ? drawn.stroke! : drawn.fill!;
  if (/^(rgb|color|ok|lab|lch)/.test(color)) sums.add('icons', { isOutline, color }, 1);
}

export function collectStyles(limits: CollectLimits): string {
  const page = accessPage();
  const sums = createSums();
  const root = page.all(':root')[0] as PageElement;
  const body = page.all('body')[0];
  const canvas = [body, root].flatMap((element) => {
    const color = element ? page.style(element).backgroundColor! : '';
    return page.isVisible(color) ? [color] : [];
  })[0];
  const paint = { color: canvas ?? 'rgb(255, 255, 255)', place: 'page' as StylePlace };
  const found = {
    buttons: [] as SeenElement[],
    fields: [] as SeenElement[],
    logos: [] as ReturnType<typeof logoCandidate>[],
  };
  const size = page.rect(root);
  const height = Math.max(innerHeight, size.height);
  const stack: Visit[] = [{ node: body ?? root, paint, role: 'body', place: 'page' }];
  sums.add('areas', paint, innerWidth * height);
  let visited = 0;
  // The first look at a size made the browser lay out the page, which counts apart.
  const ends = performance.now() + limits.ms;

  while (stack.length > 0 && visited < limits.elements && performance.now() < ends) {
    const visit = stack.pop()!;
    visited += 1;
    const inner = visitElement(page, sums, found, visit, height);
    if (!inner) continue;
    const children: Visit[] = [];
    for (const start of [page.shadow(visit.node), visit.node]) {
      for (let child = start && page.first(start); child; child = page.next(child)) {
        if (page.type(child) === 1) children.push({ ...inner, node: child });
        if (children.length >= limits.elements) break;
      }
    }
    while (children.length > 0) stack.push(children.pop()!);
  }
  const heightOf = (place: string, max: number) => {
    const element = page.all(place)[0];
    const measured = element ? page.rect(element).height : 0;
    return measured > 0 && measured <= max ? measured : undefined;
  };
  const styles: PageStyles = {
    viewport: { width: innerWidth, height: innerHeight },
    height,
    canvas: paint.color,
    scheme: page.style(root).colorScheme ?? '',
    areas: sums.list('areas', 'area'),
    grounds: sums.list('grounds', 'characters'),
    gradients: sums.list('gradients', 'area', 40),
    texts: sums.list('texts', 'characters'),
    buttons: found.buttons.map((seen) => buttonStyle(page, seen)),
    inputs: found.fields.map((seen) => boxStyle(page, seen)),
    logos: describeLogos(
      page,
      found.logos.filter((candidate) => candidate !== undefined),
    ),
    icons: sums.list('icons', 'count'),
    spacings: sums.list('spacings', 'count'),
    radii: sums.list('radii', 'count'),
    transitions: sums.list('transitions', 'count'),
    grids: sums.list('grids', 'area'),
    widths: sums.list('widths', 'count'),
    headerHeight: heightOf('header,[role=banner]', innerHeight),
    footerHeight: heightOf('body > footer,[role=contentinfo],footer', 3_000),
    variables: collectVariables(page, root),
    ...collectNames(page),
    isCut: stack.length > 0,
  };
  return JSON.stringify(styles);
}

/** Notes how one element looks. Returns what its children inherit, or undefined if nothing in it can be seen. */
export function visitElement(
  page: PageAccess,
  sums: Sums,
  found: { buttons: SeenElement[]; fields: SeenElement[]; logos: ReturnType<typeof logoCandidate>[] },
  visit: Visit,
  height: number,
): Visit | undefined {
  const element = visit.node as PageElement;
  const name = page.name(element);
  if (/^(script|style|noscript|template|iframe|head|object|embed)$/.test(name)) return undefined;
  const style = page.style(element);
  if (style.display === 'none' || style.opacity === '0' || isBanner(page, element, style)) return undefined;
  const place = placeOf(page, element, name, visit.place);
  const role = roleOf(name, visit.role);
  const inner: Visit = { ...visit, place, role };
  const rect = page.rect(element);
  const width = Math.min(rect.x + rect.width, innerWidth) - Math.max(0, rect.x);
  const area = Math.max(0, width) * Math.max(0, Math.min(rect.y + rect.height, height) - Math.max(0, rect.y));
  if (style.visibility !== 'visible') return inner;
  const seen: SeenElement = { element, style, rect, place, behind: visit.paint.color };
  if (area > 0 && page.isVisible(style.backgroundColor!)) {
    // What this one covers is no longer seen of the one below.
    sums.add('areas', visit.paint, -area);
    inner.paint = { color: style.backgroundColor!, place };
    sums.add('areas', inner.paint, area);
  }
  if (area > 1_000 && /gradient\(/.test(style.backgroundImage!)) {
    sums.add('gradients', { image: page.cut(style.backgroundImage!, 900) }, area);
  }
  if (area > 0) addBox(page, sums, seen, area);
  if (area > 0 && isButton(page, seen)) {
    inner.role = 'button';
    if (found.buttons.length < 80) found.buttons.push(seen);
  } else if (area > 0 && isField(page, seen) && found.fields.length < 20) found.fields.push(seen);
  if (area > 0) addText(page, sums, inner, style);
  const candidate = area > 0 && found.logos.length < 200 ? logoCandidate(page, seen) : undefined;
  if (candidate) found.logos.push(candidate);
  if (name !== 'svg') return inner;
  addIcon(page, sums, seen);
  return undefined;
}
