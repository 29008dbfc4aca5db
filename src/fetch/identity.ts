// The identity of a scrape: the headers that a current desktop or mobile browser sends, in the caller's languages.
import type { Location } from '../contracts/location.ts';

const CHROME = '142';
const DESKTOP = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROME}.0.0.0 Safari/537.36`;
const MOBILE = `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROME}.0.0.0 Mobile Safari/537.36`;

export interface Identity {
  mobile: boolean;
  location: Location;
  /** The operator's own User-Agent. Without it, Chrome's is sent together with its client hints. */
  userAgent?: string;
  /** Names the crawler for people who read their logs: appended to the User-Agent. */
  agent?: string;
}

export function identityHeaders({ mobile, location, userAgent, agent }: Identity): Record<string, string> {
  const base = userAgent ?? (mobile ? MOBILE : DESKTOP);
  return {
    'user-agent': agent === undefined ? base : `${base} ${agent}`,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'accept-language': acceptLanguage(location.languages),
    'upgrade-insecure-requests': '1',
    ...(userAgent === undefined && clientHints(mobile)),
  };
}

// Every real Chrome sends client hints, so sites notice when they are missing.
const clientHints = (mobile: boolean) => ({
  'sec-ch-ua': `"Chromium";v="${CHROME}", "Google Chrome";v="${CHROME}", "Not_A Brand";v="99"`,
  'sec-ch-ua-mobile': mobile ? '?1' : '?0',
  'sec-ch-ua-platform': mobile ? '"Android"' : '"Linux"',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
});

/** ['de-AT', 'en'] becomes "de-AT,de;q=0.9,en;q=0.8": each tag, then its language alone, in falling preference. */
export function acceptLanguage(languages: string[]): string {
  const tags = [...new Set(languages.flatMap((tag) => [tag, tag.split('-')[0]!]))];
  return tags.map((tag, rank) => (rank === 0 ? tag : `${tag};q=${Math.max(0.1, 1 - rank / 10).toFixed(1)}`)).join(',');
}
