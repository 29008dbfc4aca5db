// A menu: whose it is, its sections with the number of their dishes, and the first of these.
import { pageTitles } from '../data/page-titles.ts';
import { findMenu } from '../menu/menu.ts';
import type { OverviewPage } from './overview-page.ts';
import { type Overview, overviewOf, type SaidPart, SENTENCE } from './places.ts';

const MAX_SECTIONS = 6;
const FIRST = 2;

export function menuOverview({ source, places }: OverviewPage): Overview | undefined {
  const menu = findMenu(source, false);
  if (!menu?.isMenu) return undefined;
  const whose = [menu.merchant.name, ...pageTitles(source)].map((name) => places.of(name)).find(Boolean);
  const sections = menu.sections.slice(0, MAX_SECTIONS).flatMap(({ name, items }): SaidPart[] => {
    const dishes = items.slice(0, FIRST).flatMap((item) => places.of(item.name) ?? []);
    const section = places.of(name);
    const more = items.length > dishes.length ? ', …' : '';
    return [
      ...(section ? [{ before: SENTENCE, span: section, after: ` (${items.length})` }] : []),
      ...dishes.map((span, at) => ({
        before: at > 0 ? ', ' : section ? ': ' : SENTENCE,
        span,
        ...(at === dishes.length - 1 && { after: more }),
      })),
    ];
  });
  if (sections.length === 0) return undefined;
  const pieces = whose ? [{ before: '', span: whose }, ...sections] : sections;
  return overviewOf(places.markdown, pieces);
}
