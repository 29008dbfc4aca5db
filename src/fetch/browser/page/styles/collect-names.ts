// Runs in the page: how the page names itself, and the colours that its style sheet names.
import type { PageStyles } from '../../../../page/page-styles.ts';
import type { PageAccess, PageElement } from './page-access.ts';

export function collectNames(page: PageAccess): Pick<PageStyles, 'names' | 'favicon' | 'ogImage'> {
  const content = (selector: string) => {
    const element = page.all(selector)[0];
    return element && (page.cut(page.attribute(element, 'content'), 200) || undefined);
  };
  const absolute = (element: PageElement | undefined, key: string) => {
    const given = element ? page.attribute(element, key) : '';
    return given && given.length < 60_000 ? URL.parse(given, page.base(element!))?.href : undefined;
  };
  const title = page.all('head > title')[0];
  const icons = 'link[rel~=icon i],link[rel="apple-touch-icon" i]';
  const favicons = [...Array.from(page.all(icons)).slice(0, 20)];
  // A drawing is sharp in every size; otherwise the first icon is the one that browsers show.
  const favicon = favicons.find((link) => /svg/.test(page.attribute(link, 'type'))) ?? favicons[0];
  return {
    names: {
      title: title && page.cut(page.text(title) ?? '', 200),
      siteName: content('meta[property="og:site_name" i],meta[name="og:site_name" i]'),
      applicationName: content('meta[name="application-name" i],meta[name="apple-mobile-web-app-title" i]'),
      themeColor: content('meta[name="theme-color" i]:not([media])') ?? content('meta[name="theme-color" i]'),
    },
    favicon: absolute(favicon, 'href'),
    ogImage: absolute(page.all('meta[property="og:image" i],meta[name="og:image" i]')[0], 'content'),
  };
}

/** Custom properties of the root whose name says what the colour is for. */
export function collectVariables(page: PageAccess, root: PageElement): PageStyles['variables'] {
  const named =
    /(^|[-_])(primary|secondary|accent|brand|success|positive|warning|caution|error|danger|negative|link)([-_]?colou?r)?([-_](500|600|base|default|main))?$/i;
  const map = (root as unknown as { computedStyleMap?: () => Iterable<[string, Iterable<unknown>]> }).computedStyleMap;
  const found: PageStyles['variables'] = [];
  let seen = 0;
  for (const [name, values] of map?.call(root) ?? []) {
    seen += 1;
    if (seen > 5_000 || found.length >= 60) break;
    if (!name.startsWith('--') || name.length > 80 || !named.test(name)) continue;
    const value = page.cut(String([...values][0] ?? ''), 100);
    if (value) found.push({ name, value });
  }
  return found;
}
