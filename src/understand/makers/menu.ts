// The format `menu`: from the data of the page; a model reads menus that have none, and fills gaps.
import { askAboutPage, cutWarning } from '../data/ask-about-page.ts';
import type { FormatMaker } from '../format-maker.ts';
import { MENU_INSTRUCTIONS, MENU_SCHEMA } from '../prompts/pages/menu.ts';
import { madeWithoutModel } from '../without-model.ts';

const NOT_FOUND = 'No menu found on this page; it does not appear to be a menu page.';

export const menu: FormatMaker<'menu'> = async (source, { modifiers = false }, { work, model, signal }) => {
  const found = await work.menu.find(source, modifiers);
  const { citations } = found;
  const chosen = model('extract');
  if ('without' in chosen) {
    const without = madeWithoutModel('menu', chosen.without);
    return found.menu
      ? { content: { menu: found.menu }, citations, warnings: [without] }
      : { content: {}, warnings: [NOT_FOUND, without] };
  }
  if (!found.hasGaps || source.markdown.trim() === '') {
    return found.menu
      ? { content: { menu: found.menu }, citations, warnings: [] }
      : { content: {}, warnings: [NOT_FOUND] };
  }
  const question = { instructions: MENU_INSTRUCTIONS, schema: MENU_SCHEMA };
  const { value, isCut } = await askAboutPage(chosen.model, source, question, signal);
  const { menu: completed, leftOut, citations: read } = await work.menu.complete(source, found.menu, value);
  const warnings = [...leftOut, ...(isCut ? [cutWarning('menu')] : [])];
  return completed
    ? { content: { menu: completed }, citations: { ...read, ...citations }, warnings }
    : { content: {}, warnings: [NOT_FOUND, ...warnings] };
};
