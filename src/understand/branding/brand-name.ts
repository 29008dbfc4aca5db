// What the brand is called: as the page itself says, or as its logo and its title agree with its host.
import type { PageStyles } from '../../contracts/page-styles.ts';

const MAX_LENGTH = 80;
const ABOUT_LOGO = /\b(logo|logotype|wordmark|home\s?page|home|go to|back to|return to|link to|start\s?page)\b/gi;
const SEPARATORS = /\s+[-–—|·•:»/]+\s+|\s*[|·•»]\s*|:\s+/;

export function brandNameOf(
  { names, logos }: PageStyles,
  url: string,
  logoAlt: string | undefined,
): string | undefined {
  const stated = [names.siteName, names.applicationName].find((name) => name && name.length <= MAX_LENGTH);
  if (stated) return stated;
  const host = letters(hostLabel(url));
  const alt = (logoAlt ?? '').replace(ABOUT_LOGO, ' ').replace(/\s+/g, ' ').trim();
  const segments = (names.title ?? '').split(SEPARATORS).map((part) => part.trim());
  const agrees = (name: string) => {
    const plain = letters(name);
    return plain.length > 1 && host.length > 1 && (host.includes(plain) || (plain.includes(host) && name.length <= 40));
  };
  const inTitle = alt.length > 1 && segments.some((segment) => letters(segment) === letters(alt));
  if (alt.length > 1 && alt.length <= 40 && (inTitle || agrees(alt))) return alt;
  const agreeing = segments.filter((segment) => segment.length <= 40 && agrees(segment));
  return (
    agreeing.sort((one, other) => one.length - other.length)[0] ??
    (logos.length > 0 && alt.length > 1 && alt.length <= 30 ? alt : undefined)
  );
}

const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** `example` of www.example.co.uk. */
function hostLabel(url: string): string {
  const labels = (URL.parse(url)?.hostname ?? '').replace(/^www\d?\./, '').split('.');
  // The name is the longest label before the top-level domain; `co` and `com` are shorter than nearly every name.
  return labels.slice(0, -1).sort((one, other) => other.length - one.length)[0] ?? labels[0] ?? '';
}
