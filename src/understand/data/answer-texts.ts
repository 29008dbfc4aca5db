// The texts of a model's answer that stand on the page. Those that do not are remembered, so that a warning can name them.
import type { PageText } from '../../page/understanding.ts';
import type { LeftOut } from '../json/extract/invented.ts';
import { type Fields, fieldOf } from './json-fields.ts';
import { standsOnPage } from './stands-on-page.ts';

export interface AnswerTexts {
  /** `path`: where the text is in the Document. */
  text(fields: Fields, name: string, path: string): string | undefined;
  left: LeftOut[];
}

export function createAnswerTexts(page: PageText): AnswerTexts {
  const stands = standsOnPage(page);
  const left: LeftOut[] = [];
  return {
    left,
    text(fields, name, path) {
      const value = fieldOf(fields, name);
      if (typeof value !== 'string' || value.trim() === '') return undefined;
      if (stands(value)) return value.trim();
      left.push({ path });
      return undefined;
    },
  };
}
