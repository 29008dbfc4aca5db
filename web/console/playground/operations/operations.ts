// What the playground can do: which call each operation makes, what stands on top of its form, and what beside it.
import type { OperationId } from '../../../../src/contracts/routes.ts';
import type { Operation } from '../run/run.ts';

export interface OperationInfo {
  label: string;
  call: OperationId;
  /** One sentence for people who have not used it. */
  intro: string;
  /** The field on top, which the address of the page remembers. Absent where a file or nothing stands there. */
  main?: string;
  placeholder?: string;
  /** Options that are always shown, as the contract names them; `scrapeOptions.formats` is one of an object. */
  common: readonly string[];
  /** The text of the button. */
  action: string;
  /** The official SDKs do not know the call. */
  isOwn?: true;
}

export const OPERATION_INFO: Readonly<Record<Operation, OperationInfo>> = {
  scrape: {
    label: 'Scrape',
    call: 'scrape',
    intro: 'Read one page as Markdown or in other formats.',
    main: 'url',
    placeholder: 'https://example.com',
    common: ['formats', 'onlyMainContent', 'maxAge', 'waitFor'],
    action: 'Scrape',
  },
  search: {
    label: 'Search',
    call: 'search',
    intro: 'Search the web and the pages that were read before.',
    main: 'query',
    placeholder: 'What are you looking for?',
    common: ['limit', 'sources', 'categories', 'scrapeOptions.formats'],
    action: 'Search',
  },
  answer: {
    label: 'Ask',
    call: 'answer',
    intro: 'Ask a question, and get an answer from the pages that a search finds, with citations.',
    main: 'query',
    placeholder: 'When does the harbour museum open?',
    common: ['limit', 'includeDomains', 'lang', 'tbs'],
    action: 'Ask',
    isOwn: true,
  },
  crawl: {
    label: 'Crawl',
    call: 'crawl',
    intro: 'Read the pages of a site by its sitemaps and links.',
    main: 'url',
    placeholder: 'https://example.com',
    common: ['limit', 'includePaths', 'excludePaths', 'scrapeOptions.formats'],
    action: 'Start the crawl',
  },
  map: {
    label: 'Map',
    call: 'map',
    intro: 'List the addresses of a site without reading its pages.',
    main: 'url',
    placeholder: 'https://example.com',
    common: ['search', 'limit', 'sitemap', 'includeSubdomains'],
    action: 'Map the site',
  },
  parse: {
    label: 'Parse',
    call: 'parse',
    intro: 'Turn a file into Markdown: PDF, Word, spreadsheets, images and others.',
    common: ['formats', 'parsers'],
    action: 'Parse the file',
  },
  extract: {
    label: 'Extract',
    call: 'extract',
    intro: 'Get data from known pages, as you describe it.',
    main: 'urls',
    placeholder: 'https://example.com/pricing',
    common: ['prompt', 'schema', 'enableWebSearch'],
    action: 'Extract',
  },
  agent: {
    label: 'Agent',
    call: 'startAgent',
    intro: 'Say what you want to know, and the agent searches and reads until it knows.',
    main: 'prompt',
    placeholder: 'Who maintains undici, and under which licence is it?',
    common: ['urls', 'schema', 'effort', 'maxCredits'],
    action: 'Start the agent',
  },
  browser: {
    label: 'Browser',
    call: 'createBrowser',
    intro: 'Open a browser on the server, watch it here, and drive it.',
    common: ['ttl', 'profile'],
    action: 'Open a session',
  },
};
