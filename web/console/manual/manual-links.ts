// Links of the manual. Between chapters they lead to the chapter in the console; files of the project are not served, so
// links to them become plain text. Comments, which mark tables that are made from the sources, are left out.

/** `base` is the address of the chapters in the console, `chapter` the one that contains the links, as `group/name`. */
export const withConsoleLinks = (markdown: string, base: string, chapter: string): string =>
  markdown
    .replace(/^<!--.*-->\n/gm, '')
    .replace(/\[([^\]\n]+)\]\((?!https?:)([^)\s]+)\)/g, (_, text: string, target: string) => {
      const { href } = new URL(target, base + chapter);
      return href.startsWith(base) && CHAPTER.test(href.slice(base.length)) ? `[${text}](${href})` : text;
    });

/** The folders of the manual, see src/fetch/manual.ts. */
const CHAPTER = /^(?:use|operate|extend)\/[\w-]+\.md(?:#[\w-]+)?$/;
