// Elements that are advertisements, consent banners and pop-ups, by the names that their makers give them.
import { readFileSync } from 'node:fs';
import { lazy } from '../util/lazy.ts';

export interface AdElements {
  /** Containers of consent managers. */
  consent: { ids: string[]; idStarts: string[]; classes: string[] };
  /** Selectors of other banners and of ads. */
  known: string[];
  /** Selectors of elements that are banners if they float above the page. */
  likely: string[];
  /** Classes that keep the page from scrolling while a banner is shown. */
  locks: string[];
}

const FILE = new URL('../../data/ad-elements.json', import.meta.url);

export const adElements = lazy(() => JSON.parse(readFileSync(FILE, 'utf8')) as AdElements);

export const consentSelectors = ({ ids, idStarts, classes }: AdElements['consent']): string[] => [
  ...ids.map((id) => `#${id}`),
  ...idStarts.map((start) => `[id^="${start}"]`),
  ...classes.map((name) => `.${name}`),
];
