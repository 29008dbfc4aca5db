// The rules of the house for the console, beside those that it shares with src.
import type { Rule } from './rules.ts';
import type { SourceFile } from './source.ts';

/** Pages, each of which is loaded on its own. What two of them need is in one of the shared folders. */
const PAGES = ['playground', 'search', 'jobs', 'pages', 'collections', 'health', 'settings', 'manual'];

const partOf = (path: string): string => path.split('/')[2] ?? '';

const importsOf = (files: readonly SourceFile[]) =>
  files.flatMap(({ path, imports }) => imports.flatMap(({ to, isTypeOnly }) => (to ? [{ path, to, isTypeOnly }] : [])));

/** Validators, stores and engines have no place in a browser. What runs in both is pure, as the tables of formats and options are. */
export const onlyTypesAndPureCodeComeFromTheService: Rule = (files) =>
  importsOf(files)
    .filter(
      ({ to, isTypeOnly }) =>
        to.startsWith('src/') &&
        !isTypeOnly &&
        !/^src\/(util\/|urls\/|text\/|archive\/|contracts\/(formats\/format|scrape\/option)-traits\.ts)/.test(to),
    )
    .map(({ path, to }) => `${path} -> ${to}`);

export const pagesDoNotImportEachOther: Rule = (files) =>
  importsOf(files)
    .filter(({ path, to, isTypeOnly }) => {
      const [from, target] = [partOf(path), partOf(to)];
      return to.startsWith('web/') && !isTypeOnly && from !== target && from !== 'app.tsx' && PAGES.includes(target);
    })
    .map(({ path, to }) => `${path} -> ${to}`);

/** What a page or a model has written must never become elements, except through the renderer that escapes it. */
const MAKES_ELEMENTS = /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|DOMParser/;
/** The second one makes documents for frames without any rights, from a list of harmless elements. */
const RENDERERS = ['web/console/ui/text/markdown.tsx', 'web/console/playground/answer/views/preview/preview-html.ts'];
export const onlyTheRendererMakesElements: Rule = (files) =>
  files.filter(({ path, text }) => !RENDERERS.includes(path) && MAKES_ELEMENTS.test(text)).map(({ path }) => path);

/** A frame with page content has no rights at all. */
export const framesOfContentAreSandboxed: Rule = (files) =>
  files.filter(({ text }) => /\bsrcdoc=/i.test(text) && !/sandbox=""/.test(text)).map(({ path }) => path);

const CONNECTS = /^((globalThis\.|window\.)?fetch|new (WebSocket|EventSource|XMLHttpRequest)|navigator\.sendBeacon)$/;
export const onlyApiConnects: Rule = (files) =>
  files
    .filter(({ path, calls }) => !path.startsWith('web/console/api/') && [...calls].some((name) => CONNECTS.test(name)))
    .map(({ path }) => path);
