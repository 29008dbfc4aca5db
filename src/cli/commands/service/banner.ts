// The start message: where the service listens, the API key, and commands to paste.
import { isPackage } from '../../../runtime/installation.ts';

interface Started {
  url: string;
  /** The address of the console, which logs somebody in once if authentication is on. */
  console: string;
  /** A chapter of the manual: a page that can be scraped without a network. */
  firstPage: string;
  key: string | undefined;
  /** The operator has set a key, which is not printed. */
  hasOwnKey: boolean;
  auth: 'required' | 'off';
  /** Who answers web searches, and whether the operator set one of them up that covers the whole web. */
  searchers: { names: readonly string[]; hasOwn: boolean };
  /** The language models that are set, by purpose. */
  models: readonly { purpose: string; model?: string }[];
}

export function banner({ url, console, firstPage, key, hasOwnKey, auth, searchers, models }: Started): string {
  const header =
    auth === 'off'
      ? ''
      : ` \\\n    -H 'Authorization: Bearer ${key ?? (hasOwnKey ? `'"$TRAWL_API_KEY"'` : 'YOUR_KEY')}'`;
  const example = (operation: string, body: object) =>
    `  curl -s ${url}/v2/${operation}${header} \\\n    -H 'Content-Type: application/json' \\\n    -d '${JSON.stringify(body)}'`;
  return [
    '',
    `Trawl is listening on ${url}`,
    '',
    `  Console: ${console}`,
    '',
    // Without a token it is only an address: nobody has to log in, or no link could be stored.
    ...(new URL(console).hash === '' ? [] : [`The link logs you in once, within an hour. A new link: ${NEW_LINK}`]),
    ...keyLines({ key, hasOwnKey, auth }),
    searchLine(searchers),
    modelLine(models),
    '',
    'Try it, with the manual (a page of it, and a search in it) or anything else:',
    '',
    example('scrape', { url: firstPage }),
    '',
    example('search', { query: `crawl a site by its sitemaps and links site:${new URL(firstPage).hostname}` }),
    '',
  ].join('\n');
}

const NEW_LINK = isPackage ? 'trawl console' : 'npm run console';
const MORE_KEYS = `${isPackage ? 'trawl keys' : 'npm run keys --'} list | add [--team NAME] | revoke PREFIX`;

const DEMO = isPackage ? '' : ', and `npm run demo` shows everything beside a small web of its own';
export const OFFLINE_HINT = `No name can be resolved, so there seems to be no network. The commands above work all the same${DEMO}.`;

function searchLine({ names, hasOwn }: Started['searchers']): string {
  const advice = hasOwn
    ? 'More providers:'
    : "For better results set a provider's key, such as TRAWL_BRAVE_API_KEY, or the URL of a SearXNG, TRAWL_SEARXNG_URL:";
  return `Searches are answered by: ${names.join(', ') || 'nobody'}. ${advice} docs/use/search.md`;
}

/** Whether they answer is found out behind the start, and logged. */
function modelLine(models: Started['models']): string {
  const byModel = Map.groupBy(models, ({ model }) => model ?? '');
  byModel.delete('');
  if (byModel.size === 0) {
    return 'No language model is set: everything is made without one, and says so. To use one: docs/operate/models.md';
  }
  const used = [...byModel].map(([model, all]) =>
    all.length === models.length ? model : `${model} (${all.map(({ purpose }) => purpose).join(', ')})`,
  );
  return `Language model: ${used.join('; ')}. Whether it answers: GET /v0/health/details, docs/operate/models.md`;
}

function keyLines({ key, hasOwnKey, auth }: Pick<Started, 'key' | 'hasOwnKey' | 'auth'>): string[] {
  if (auth === 'off') return ['Authentication is off: every program on this machine can use it.'];
  if (hasOwnKey) {
    return [`Your API key is the value of TRAWL_API_KEY. More keys: ${MORE_KEYS}`];
  }
  if (key === undefined) return [`Keys: ${MORE_KEYS}`];
  return ['', `  Your API key: ${key}`, '', `The key is shown only once. More keys: ${MORE_KEYS}`];
}
