// Runs in the page: a drawing (inline SVG) as a tree, with the paints that style sheets give it, so that it stands alone.
import type { SvgNode } from '../../../../page/page-styles.ts';
import type { PageAccess, PageElement, PageNode } from './page-access.ts';

interface Copying {
  characters: number;
  nodes: number;
  isTooLarge: boolean;
  /** IDs of symbols and gradients that the drawing uses. */
  referenced: Set<string>;
}

/** Undefined if it is larger than a logo has to be. */
export function collectDrawing(page: PageAccess, svg: PageElement): SvgNode | undefined {
  const copying: Copying = { characters: 0, nodes: 0, isTooLarge: false, referenced: new Set() };
  const drawing = copyDrawing(page, copying, svg, 0);
  if (!drawing) return undefined;
  // Symbols and gradients often stand elsewhere in the page.
  const elsewhere: SvgNode[] = [];
  for (const id of copying.referenced) {
    if (copying.isTooLarge || elsewhere.length > 40) break;
    const target = page.byId(id);
    const isInside = target && page.closest(target, 'svg') === svg;
    const node = target && !isInside ? copyDrawing(page, copying, target, 1) : undefined;
    if (node) elsewhere.push(node);
  }
  if (elsewhere.length > 0) drawing.children.unshift({ name: 'defs', attributes: {}, children: elsewhere });
  return copying.isTooLarge ? undefined : drawing;
}

export function copyDrawing(
  page: PageAccess,
  copying: Copying,
  element: PageElement,
  depth: number,
): SvgNode | undefined {
  const name = page.name(element);
  const drawn =
    /^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|defs|symbol|use|lineargradient|radialgradient|stop|clippath|mask|title)$/i;
  copying.nodes += 1;
  if (copying.nodes > 300 || depth > 12) copying.isTooLarge = true;
  if (copying.isTooLarge || !drawn.test(name)) return undefined;
  const attributes = copyGeometry(page, copying, element);
  if (name === 'use') {
    const href = page.attribute(element, 'href') || page.attribute(element, 'xlink:href');
    if (!href.startsWith('#')) return undefined;
    attributes.href = href;
    copying.referenced.add(href.slice(1));
  }
  if (!/^(defs|title|clippath|mask|symbol)$/i.test(name)) copyPaints(page, copying, element, attributes);
  const node: SvgNode = { name, attributes, children: [] };
  const hasText = /^(text|tspan|title)$/.test(name);
  for (let child: PageNode | null = page.first(element); child && !copying.isTooLarge; child = page.next(child)) {
    if (hasText && page.type(child) === 3) node.text = page.cut(page.data(child) ?? '', 80);
    const inner = page.type(child) === 1 ? copyDrawing(page, copying, child as PageElement, depth + 1) : undefined;
    if (inner) node.children.push(inner);
  }
  return node;
}

export function copyGeometry(page: PageAccess, copying: Copying, element: PageElement): Record<string, string> {
  const names = (
    'id viewBox x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform offset preserveAspectRatio gradientUnits ' +
    'gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits clip-path mask text-anchor font-size width height'
  ).split(' ');
  const attributes: Record<string, string> = {};
  for (const name of names) {
    const value = page.attribute(element, name);
    copying.characters += value.length;
    if (copying.characters > 48_000) copying.isTooLarge = true;
    else if (value !== '') attributes[name] = value;
  }
  return attributes;
}

/** The colours and lines that apply, wherever they are set. */
export function copyPaints(
  page: PageAccess,
  { referenced }: Copying,
  element: PageElement,
  attributes: Record<string, string>,
): void {
  const style = page.style(element);
  const paints: [string, string, string][] = [
    ['fill', 'fill', ''],
    ['stroke', 'stroke', 'none'],
    ['stroke-width', 'strokeWidth', '1px'],
    ['stroke-linecap', 'strokeLinecap', 'butt'],
    ['stroke-linejoin', 'strokeLinejoin', 'miter'],
    ['fill-rule', 'fillRule', 'nonzero'],
    ['opacity', 'opacity', '1'],
    ['stop-color', 'stopColor', 'rgb(0, 0, 0)'],
  ];
  for (const [name, property, usual] of paints) {
    const value = (style[property] ?? '').slice(0, 300);
    if (value === '' || value === usual) continue;
    attributes[name] = value.replace(/^url\(["']?[^)#]*#([\w:.-]+)["']?\).*/, (_, id: string) => {
      referenced.add(id);
      return `url(#${id})`;
    });
  }
}
