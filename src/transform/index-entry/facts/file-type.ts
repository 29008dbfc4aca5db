// The file type that `filetype:` matches: the kind of the content, refined by the extension in the URL if the two
// agree.

import type { TextKind } from '../../../markup/sniff.ts';
import type { FileKind } from '../../../page/parsed.ts';
import { extensionOf } from '../../../urls/categories.ts';

const words = (text: string): Set<string> => new Set(text.split(' '));

/** The usual name of each kind, and the extensions that are more specific. Other extensions are ignored. */
const TYPES: Record<TextKind, { usual: string; exact: Set<string> }> = {
  html: { usual: 'html', exact: words('php asp aspx jsp cfm cgi') },
  json: { usual: 'json', exact: words('jsonl ndjson geojson webmanifest ipynb') },
  xml: { usual: 'xml', exact: words('svg xsd xsl xslt kml gpx opml wsdl plist') },
  feed: { usual: 'xml', exact: words('rss atom rdf') },
  csv: { usual: 'csv', exact: words('tsv') },
  markdown: { usual: 'md', exact: words('rmd mdx') },
  text: {
    usual: 'txt',
    exact: words(
      'log rst adoc tex bib org ini conf cfg toml yaml yml properties diff patch srt vtt ics vcf css scss less sql graphql proto ' +
        'py js mjs cjs ts tsx jsx java kt scala go rs rb c h cc cpp hpp cs swift sh bash ps1 bat r jl lua pl dart ex erl hs ml clj vim',
    ),
  },
};

const PICTURES = words('png jpg jpeg webp tif tiff gif bmp avif jp2 heic');

export function fileTypeOf(kind: TextKind, url: string): string {
  const { usual, exact } = TYPES[kind];
  const extension = extensionIn(url);
  return exact.has(extension) ? extension : usual;
}

/** The type of an image comes from its URL, else from the declared content type. */
export function parsedFileType(kind: FileKind, url: string, contentType: string): string {
  if (kind !== 'image') return kind;
  const extension = extensionIn(url);
  if (PICTURES.has(extension)) return extension;
  const declared = /^\s*image\/([a-z0-9]{1,10})\b/i.exec(contentType)?.[1]?.toLowerCase() ?? kind;
  return declared === 'jpeg' ? 'jpg' : declared;
}

function extensionIn(url: string): string {
  const address = URL.parse(url);
  return address ? extensionOf(address) : '';
}
