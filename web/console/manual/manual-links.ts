// Links of the manual. Between chapters they lead to the chapter in the console; files of the project are not served, so
// links to them become plain text. Comments, which mark tables that are made from the sources, are left out.

/** `base` is the address of the chapters in the console. */
export const withConsoleLinks = (markdown: string, base: string): string =>
  markdown
    .replace(/^<!--.*-->\n/gm, '')
    .replace(/\[([^\]\n]+)\]\((?!https?:|#)([^)\s]+)\)/g, (_, text: string, target: string) => {
      const chapter = /^(?:docs\/)?(\d+-[\w-]+\.md)(#[\w-]+)?$/.exec(target);
      return chapter ? `[${text}](${base}${chapter[1]}${chapter[2] ?? ''})` : text;
    });
