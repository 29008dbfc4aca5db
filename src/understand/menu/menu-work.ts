// The jobs of the format `menu` in the thread.
import type { Menu } from '../../contracts/formats/menu.ts';
import { type CarriedSource, type Citation, openSource, type PageSource } from '../../page/understanding.ts';
import { citationsOf, leavesOf, type Origin } from '../json/citations.ts';
import { type CompletedMenu, completeMenu, hasGaps } from './complete-menu.ts';
import { findMenu } from './menu.ts';

export interface FoundMenu {
  menu?: Menu;
  /** A model could add something; also if nothing was found. */
  hasGaps: boolean;
  /** Where what it says stands, and how certain the source of its sections is. */
  citations: Record<string, Citation>;
}

export interface CitedMenu extends CompletedMenu {
  citations: Record<string, Citation>;
}

export interface MenuWork {
  find(source: CarriedSource, modifiers: boolean): Promise<FoundMenu>;
  /** Adds what a model answered, as far as it stands on the page. */
  complete(source: CarriedSource, found: Menu | undefined, answer: unknown): Promise<CitedMenu>;
}

export const menuWork: MenuWork = {
  async find(carried, modifiers) {
    const source = openSource(carried);
    const menu = findMenu(source, modifiers);
    return menu
      ? { menu, hasGaps: hasGaps(menu), citations: citedMenu(menu, source, menu.confidence) }
      : { hasGaps: true, citations: {} };
  },
  async complete(carried, found, answer) {
    const source = openSource(carried);
    const completed = completeMenu(source, found, answer);
    return { ...completed, citations: completed.menu ? citedMenu(completed.menu, source) : {} };
  },
};

/** What readers see is cited: identifiers and addresses are made for programs. */
function citedMenu({ merchant, sections }: Menu, source: PageSource, confidence?: number): Record<string, Citation> {
  const shown = {
    merchant: { name: merchant.name, location: merchant.location },
    sections: sections.map(({ name, description, items }) => ({
      name,
      description,
      items: items.map(({ name, description, price, calories }) => ({ name, description, price, calories })),
    })),
  };
  const origins: Record<string, Origin> = {};
  if (confidence !== undefined)
    for (const { leaf, path } of leavesOf(shown))
      if (path.startsWith('sections')) origins[path] = { text: String(leaf), confidence };
  return citationsOf(shown, source, origins, 'menu');
}
