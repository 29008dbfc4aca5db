// The jobs of the format `menu` in the thread.
import type { Menu } from '../../contracts/formats/menu.ts';
import { type CarriedSource, openSource } from '../../page/understanding.ts';
import { type CompletedMenu, completeMenu, hasGaps } from './complete-menu.ts';
import { findMenu } from './menu.ts';

export interface FoundMenu {
  menu?: Menu;
  /** A model could add something; also if nothing was found. */
  hasGaps: boolean;
}

export interface MenuWork {
  find(source: CarriedSource, modifiers: boolean): Promise<FoundMenu>;
  /** Adds what a model answered, as far as it stands on the page. */
  complete(source: CarriedSource, found: Menu | undefined, answer: unknown): Promise<CompletedMenu>;
}

export const menuWork: MenuWork = {
  async find(source, modifiers) {
    const menu = findMenu(openSource(source), modifiers);
    return menu ? { menu, hasGaps: hasGaps(menu) } : { hasGaps: true };
  },
  complete: async (source, found, answer) => completeMenu(openSource(source), found, answer),
};
