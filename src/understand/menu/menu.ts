// The menu of a page: schema.org first, then what the page shows.
import type { Menu } from '../../contracts/formats/menu.ts';
import type { PageSource } from '../../page/understanding.ts';
import { embeddedMenu } from './embedded-menu.ts';
import { finishMenu } from './menu-draft.ts';
import { merchantOf } from './merchant.ts';
import { pageMenu } from './page-menu.ts';
import { schemaMenu } from './schema-menu.ts';

/** Undefined if the page does not appear to be a menu page. */
export function findMenu(source: PageSource, modifiers: boolean): Menu | undefined {
  const draft = schemaMenu(source) ?? embeddedMenu(source) ?? pageMenu(source);
  return draft && finishMenu(draft, merchantOf(source), source, modifiers);
}
