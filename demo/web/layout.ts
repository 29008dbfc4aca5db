// The frame around every page of the small web: head, navigation, footer.

export interface PageText {
  title: string;
  /** HTML of the main part. */
  main: string;
  description?: string;
  /** More elements for the head. */
  head?: string;
}

const NAVIGATION = [
  ['/shop/', 'Shop'],
  ['/docs/', 'Tidebook'],
  ['/journal/', 'Journal'],
  ['/log/', 'Harbour log'],
  ['/tides/', 'Tides'],
] as const;

export function writePage({ title, main, description = '', head = '' }: PageText): string {
  const links = NAVIGATION.map(([path, name]) => `<a href="${path}">${name}</a>`).join('\n    ');
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)}</title>
  <meta name="description" content="${escapeHtml(description)}">
  <link rel="stylesheet" href="/style.css">
  <link rel="icon" href="data:,">
  <link rel="alternate" type="application/atom+xml" title="Journal" href="/journal/feed.xml">
  ${head}
</head>
<body>
  <header class="site-header">
    <a class="name" href="/">Saltmarsh Chandlery</a>
    <nav>
    ${links}
    </nav>
  </header>
  <main>
${main}
  </main>
  <footer class="site-footer">
    Saltmarsh Chandlery, 3 Ropewalk Lane. Open Monday to Saturday, 8 to 18. <a href="/price-list.pdf">Price list (PDF)</a>. <a href="/office/">Staff</a>.
    This harbour is made up; it comes with Trawl for trying things out.
  </footer>
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
