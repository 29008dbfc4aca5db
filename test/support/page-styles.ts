// The measured styles of a small page, for tests that need no browser.
import type { PageStyles } from '../../src/page/page-styles.ts';

export const RECT = { x: 0, y: 0, width: 100, height: 40 };
const button = (text: string, background: string, label = 'a') => ({
  background,
  behind: 'rgb(255, 255, 255)',
  color: 'rgb(255, 255, 255)',
  radii: ['4px', '4px', '4px', '4px'] as [string, string, string, string],
  rect: RECT,
  text,
  label,
  place: 'page' as const,
  isSubmit: false,
});
export const logo = (url: string, isHomeLink: boolean, label = '') => ({
  kind: 'img' as const,
  url,
  alt: '',
  label,
  isHomeLink,
  place: 'header' as const,
  rect: RECT,
});
/** Two buttons, and two pictures that may be the logo. */
export const STYLES: PageStyles = {
  viewport: { width: 1280, height: 800 },
  height: 800,
  canvas: 'rgb(255, 255, 255)',
  scheme: 'normal',
  areas: [],
  grounds: [],
  gradients: [],
  texts: [],
  buttons: [button('Buy it now', 'rgb(200, 0, 0)'), button('Read more', 'rgb(0, 0, 200)', 'a btn-secondary')],
  inputs: [],
  logos: [logo('https://site.test/one.png', true), logo('https://site.test/two.png', false, 'partner logo')],
  icons: [],
  spacings: [],
  radii: [],
  transitions: [],
  grids: [],
  widths: [],
  variables: [],
  names: {},
  isCut: false,
};
