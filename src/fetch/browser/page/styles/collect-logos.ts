// Runs in the page: pictures, drawings and backgrounds that may be the logo, best first.
import type { LogoCandidate } from '../../../../page/page-styles.ts';
import type { SeenElement } from './collect-components.ts';
import { collectDrawing } from './collect-drawing.ts';
import type { PageAccess, PageElement } from './page-access.ts';

interface Candidate {
  seen: SeenElement;
  kind: LogoCandidate['kind'];
  label: string;
  link: PageElement | null;
  isHomeLink: boolean;
  score: number;
}
declare const location: { href: string };

/** Undefined if it cannot be a logo: too small, too large, or nothing that hints at one. */
export function logoCandidate(page: PageAccess, seen: SeenElement): Candidate | undefined {
  const { element, style, rect, place } = seen;
  const name = page.name(element);
  const hasPicture = style.backgroundImage!.startsWith('url(');
  const kind = name === 'svg' ? 'svg' : name === 'img' ? 'img' : hasPicture ? 'background' : undefined;
  if (!kind || rect.width < 12 || rect.height < 10 || rect.width > 800 || rect.height > 400) return undefined;
  const link = page.closest(element, 'a[href]');
  const label = labelsAround(page, element);
  const isHomeLink = link !== null && leadsHome(page, link);
  const isNamed = /logo|brand|wordmark/i.test(label);
  if (!isNamed && !isHomeLink && place !== 'header') return undefined;
  const isIcon = kind === 'svg' && rect.width <= 28 && rect.height <= 28;
  // Logos of customers, partners and payment providers stand in lists of equals.
  const isForeign = /(^|[^a-z])(partner|client|customer|sponsor|payment|trusted|press)/i.test(label);
  const points: [boolean, number][] = [
    [isHomeLink, 4],
    [isNamed, 3],
    [place === 'header', 2],
    [place === 'footer', -1],
    [rect.y < 200, 1.5],
    [rect.x < 500, 0.5],
    [isIcon, -2],
    [isForeign, -4],
  ];
  const score = points.reduce((sum, [applies, weight]) => sum + (applies ? weight : 0), 0);
  return { seen, kind, label, link, isHomeLink, score };
}

/** Classes, IDs and file names of the element and of those around it. */
export function labelsAround(page: PageAccess, element: PageElement): string {
  const labels = [
    page.attribute(element, 'alt'),
    page.attribute(element, 'src').slice(-120),
    page.attribute(element, 'title'),
  ];
  let outer: PageElement | null = element;
  for (let level = 0; outer && level < 4; level += 1) {
    labels.push(page.attribute(outer, 'class'), page.attribute(outer, 'id'), page.attribute(outer, 'aria-label'));
    outer = page.parent(outer);
  }
  return page.cut(labels.map((label) => label.slice(0, 120)).join(' '), 280);
}

/** Many sites link to the front page of a language: /en, /de-de. */
export function leadsHome(page: PageAccess, link: PageElement): boolean {
  const to = URL.parse(page.attribute(link, 'href'), page.base(link));
  if (!to || to.host !== new URL(location.href).host || to.search !== '') return false;
  return /^\/(index\.\w+|home|[a-z]{2}([-_][a-z]{2})?)?\/?$/i.test(to.pathname);
}

export function describeLogos(page: PageAccess, candidates: Candidate[]): LogoCandidate[] {
  const best = candidates.sort((one, other) => other.score - one.score).slice(0, 12);
  let left = 200_000;
  return best.flatMap(({ seen: { element, style, rect, place }, kind, label, link, isHomeLink }): LogoCandidate[] => {
    const url = kind === 'svg' ? undefined : pictureAddress(page, element, style.backgroundImage!);
    const svg = kind === 'svg' ? collectDrawing(page, element) : undefined;
    left -= url?.length ?? JSON.stringify(svg ?? '').length;
    if (left < 0 || (!url && !svg)) return [];
    const href = link ? URL.parse(page.attribute(link, 'href'), page.base(link))?.href.slice(0, 2_000) : undefined;
    return [{ kind, url, svg, alt: nameOfPicture(page, element, link), label, href, isHomeLink, place, rect }];
  });
}

export function pictureAddress(page: PageAccess, element: PageElement, background: string): string | undefined {
  const shown = (element as unknown as { currentSrc?: string }).currentSrc || page.attribute(element, 'src');
  const source = page.name(element) === 'img' ? shown : (/^url\("(.*?)"\)/.exec(background)?.[1] ?? '');
  return source === '' || source.length > 60_000 ? undefined : URL.parse(source, page.base(element))?.href;
}

/** What a screen reader would say. */
export function nameOfPicture(page: PageAccess, element: PageElement, link: PageElement | null): string {
  const title = page.name(element) === 'svg' ? page.within(element, 'title')[0] : undefined;
  const names = [
    page.attribute(element, 'alt'),
    page.attribute(element, 'aria-label'),
    title ? (page.text(title) ?? '') : '',
    ...(link ? [page.attribute(link, 'aria-label'), page.attribute(link, 'title'), page.text(link) ?? ''] : []),
  ];
  return page.cut(names.find((name) => name.trim() !== '') ?? '', 120);
}
