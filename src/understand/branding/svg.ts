// Writes a drawing as an SVG file. Only known elements and attributes are written, whatever the page sent.
import type { Rect, SvgNode } from '../../page/page-styles.ts';

const ELEMENTS = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan defs symbol use linearGradient radialGradient stop clipPath mask title'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  (
    'id viewBox x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform offset preserveAspectRatio gradientUnits ' +
    'gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits clip-path mask text-anchor font-size width ' +
    'height fill stroke stroke-width stroke-linecap stroke-linejoin fill-rule opacity stop-color href'
  ).split(' '),
);
const MAX_DEPTH = 14;

export function writeSvg(root: SvgNode, { width, height }: Rect): string {
  const size = { width: String(Math.round(width)), height: String(Math.round(height)) };
  const viewBox = root.attributes.viewBox ?? `0 0 ${size.width} ${size.height}`;
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', ...writable(root.attributes), viewBox, ...size };
  return element('svg', attributes, contentOf(root, 0));
}

export const svgDataUri = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

function write(node: SvgNode, depth: number): string {
  if (!ELEMENTS.has(node.name) || depth > MAX_DEPTH) return '';
  return element(node.name, writable(node.attributes), contentOf(node, depth));
}

const contentOf = ({ text = '', children }: SvgNode, depth: number): string =>
  escaped(text) + children.map((child) => write(child, depth + 1)).join('');

const element = (name: string, attributes: Record<string, string>, content: string): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${written.join('')}${content === '' ? '/>' : `>${content}</${name}>`}`;
};

/** References may only lead to other parts of the same drawing. */
const writable = (attributes: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      ([key, value]) =>
        ATTRIBUTES.has(key) && (key !== 'href' || value.startsWith('#')) && !/url\(\s*["']?[^#"'\s]/i.test(value),
    ),
  );

const escaped = (text: string): string =>
  text
    // Characters that XML does not allow.
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
