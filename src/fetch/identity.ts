// The identity of a scrape: the headers that a current desktop or mobile browser sends, in the caller's languages.
import type { Location } from '../contracts/scrape/location.ts';

/** Where no browser is installed. */
const USUAL_VERSION = '142.0.7444.59';
const ENGINE = 'AppleWebKit/537.36 (KHTML, like Gecko)';

interface Identity {
  mobile: boolean;
  location: Location;
  /** The operator's own User-Agent. Without it, Chrome's is sent together with its client hints. */
  userAgent?: string;
  /** The browser's full version. It must be the installed one, so that plain requests and the browser look the same. */
  browserVersion?: string;
  /** Names the crawler for people who read their logs: appended to the User-Agent. */
  agent?: string;
}

/** The headers of one request, with the operator's User-Agent or the version of the installed browser filled in. */
export type Identify = (who: Pick<Identity, 'mobile' | 'location' | 'agent'>) => Promise<Record<string, string>>;

export interface IdentifyDeps {
  userAgent?: string;
  /** Undefined where no browser is installed. */
  browserVersion?(): Promise<string | undefined>;
}

export const createIdentify =
  ({ userAgent, browserVersion }: IdentifyDeps = {}): Identify =>
  async (who) =>
    identityHeaders({ ...who, userAgent, browserVersion: await browserVersion?.() });

export function identityHeaders(identity: Identity): Record<string, string> {
  const { mobile, location, userAgent, browserVersion = USUAL_VERSION, agent } = identity;
  const major = Number.parseInt(browserVersion, 10);
  const base = userAgent ?? browserAgent(major, mobile);
  return {
    'user-agent': agent === undefined ? base : `${base} ${agent}`,
    accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    'accept-language': acceptLanguage(location.languages),
    'upgrade-insecure-requests': '1',
    ...(userAgent === undefined && clientHints(major, mobile)),
  };
}

/** Chrome reveals only its major version here. */
function browserAgent(major: number, mobile: boolean): string {
  const system = mobile ? 'Linux; Android 10; K' : 'X11; Linux x86_64';
  return `Mozilla/5.0 (${system}) ${ENGINE} Chrome/${major}.0.0.0 ${mobile ? 'Mobile ' : ''}Safari/537.36`;
}

// Every real Chrome sends client hints, so sites notice when they are missing.
const clientHints = (major: number, mobile: boolean) => ({
  'sec-ch-ua': brandsOf(major)
    .map(({ brand, version }) => `"${brand}";v="${version}"`)
    .join(', '),
  'sec-ch-ua-mobile': mobile ? '?1' : '?0',
  'sec-ch-ua-platform': mobile ? '"Android"' : '"Linux"',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
});

const GREASE_CHARS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
const GREASE_VERSIONS = ['8', '99', '24'];
/** Positions of the made-up brand, of Chromium and of Chrome. */
const BRAND_ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

export interface Brand {
  brand: string;
  version: string;
}

/** Chrome derives a made-up brand and the order of the list from its version, so sites can check that they fit. */
export function brandsOf(major: number): Brand[] {
  const char = (offset: number) => GREASE_CHARS[(major + offset) % GREASE_CHARS.length]!;
  const [grease, chromium, chrome] = BRAND_ORDERS[major % BRAND_ORDERS.length]!;
  const brands: Brand[] = [];
  brands[grease] = {
    brand: `Not${char(0)}A${char(1)}Brand`,
    version: GREASE_VERSIONS[major % GREASE_VERSIONS.length]!,
  };
  brands[chromium] = { brand: 'Chromium', version: String(major) };
  brands[chrome] = { brand: 'Google Chrome', version: String(major) };
  return brands;
}

/** ['de-AT', 'en'] becomes "de-AT,de;q=0.9,en;q=0.8": each tag, then its language alone, in falling preference. */
export function acceptLanguage(languages: string[]): string {
  const tags = [...new Set(languages.flatMap((tag) => [tag, tag.split('-')[0]!]))];
  return tags.map((tag, rank) => (rank === 0 ? tag : `${tag};q=${Math.max(0.1, 1 - rank / 10).toFixed(1)}`)).join(',');
}
