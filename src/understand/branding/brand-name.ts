// What the brand is called: as the page itself says, or as its logo and its title agree with its host.
import type { PageStyles } from '../../page/page-styles.ts';

const MAX_LENGTH = 80;
/** A longer text that contains the name of the host is a sentence about it. */
const MAX_AGREEING = 40;
const ABOUT_LOGO = /\b(logo|logotype|wordmark|home\s?page|home|go to|back to|return to|link to|start\s?page)\b/gi;
const SEPARATORS = /\s+[-–—|·•:»/]+\s+|\s*[|·•»]\s*|:\s+/;

export function brandNameOf({ names }: PageStyles, url: string, logoAlt: string | undefined): string | undefined {
  const host = letters(hostLabel(url));
  const agrees = (name: string) => {
    const plain = letters(name);
    if (plain.length < 2 || host.length < 2 || name.length > MAX_AGREEING) return false;
    return host.includes(plain) || plain.includes(host);
  };
  const agreeingPart = (name: string) =>
    partsOf(name)
      .filter(agrees)
      .sort((one, other) => one.length - other.length)[0];
  const stated = [names.siteName, names.applicationName].find((name) => name && name.length <= MAX_LENGTH);
  // Some sites add a slogan to their name.
  if (stated) return (partsOf(stated).length > 1 && agreeingPart(stated)) || stated;
  const alt = (logoAlt ?? '').replace(ABOUT_LOGO, ' ').replace(/\s+/g, ' ').trim();
  const inTitle = letters(alt).length > 1 && partsOf(names.title ?? '').some((part) => letters(part) === letters(alt));
  if (inTitle || agrees(alt)) return alt;
  return agreeingPart(names.title ?? '');
}

const partsOf = (text: string): string[] => text.split(SEPARATORS).map((part) => part.trim());

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
