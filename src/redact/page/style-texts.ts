// The texts of a measured page: names, labels and addresses. Colours, lengths and the paths of drawings only look like numbers
// of people, and are left as they are.
import type { LogoCandidate, PageStyles, SvgNode } from '../../page/page-styles.ts';

type MapText = (text: string) => string;

export function mapStyles(styles: PageStyles, map: MapText): PageStyles {
  const { names, logos, buttons, favicon, ogImage } = styles;
  const texts = Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...styles,
    names: Object.fromEntries(texts.map(([key, text]) => [key, map(text)])),
    logos: logos.map((logo) => mapLogo(logo, map)),
    buttons: buttons.map((button) => ({ ...button, text: map(button.text), label: map(button.label) })),
    ...(favicon !== undefined && { favicon: mapAddress(favicon, map) }),
    ...(ogImage !== undefined && { ogImage: mapAddress(ogImage, map) }),
  };
}

const mapLogo = ({ svg, url, href, alt, label, ...logo }: LogoCandidate, map: MapText): LogoCandidate => ({
  ...logo,
  alt: map(alt),
  label: map(label),
  ...(url !== undefined && { url: mapAddress(url, map) }),
  ...(href !== undefined && { href: mapAddress(href, map) }),
  ...(svg && { svg: mapDrawing(svg, map) }),
});

/** The bytes of a picture are not text. */
const mapAddress = (url: string, map: MapText): string => (url.startsWith('data:') ? url : map(url));

const mapDrawing = ({ text, children, ...node }: SvgNode, map: MapText): SvgNode => ({
  ...node,
  ...(text !== undefined && { text: map(text) }),
  children: children.map((child) => mapDrawing(child, map)),
});
