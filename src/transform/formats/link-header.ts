// Parses the Link header (RFC 8288): `<url>; rel="next", <url>; rel=canonical; title="a, b"`.

export interface HeaderLink {
  target: string;
  /** Relation types in lower case. */
  rel: string[];
}

const MAX_HEADER = 16_384;
const MAX_LINKS = 100;

export function readLinkHeader(value: string): HeaderLink[] {
  const header = value.slice(0, MAX_HEADER);
  const links: HeaderLink[] = [];
  let at = 0;
  while (links.length < MAX_LINKS) {
    const open = header.indexOf('<', at);
    const close = open === -1 ? -1 : header.indexOf('>', open);
    if (close === -1) break;
    const end = endOfLink(header, close + 1);
    const parameters = readParameters(header.slice(close + 1, end));
    // With an anchor parameter, the link belongs to another page.
    if (!parameters.has('anchor'))
      links.push({ target: header.slice(open + 1, close), rel: relations(parameters.get('rel')) });
    at = end;
  }
  return links;
}

const relations = (value = ''): string[] => value.toLowerCase().split(/\s+/).filter(Boolean);

/** The next comma outside quotes. */
function endOfLink(header: string, start: number): number {
  let quoted = false;
  for (let at = start; at < header.length; at++) {
    const sign = header[at];
    if (sign === '"') quoted = !quoted;
    else if (sign === '\\' && quoted) at += 1;
    else if (sign === ',' && !quoted) return at;
  }
  return header.length;
}

const PARAMETER = /;\s*([\w!#$&+^`|~*-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/g;

/** The first of several parameters with the same name counts. */
function readParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name, quoted, bare] of text.matchAll(PARAMETER)) {
    const key = name!.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  return parameters;
}
