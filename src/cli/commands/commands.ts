// The table of commands. A module is loaded when its command is used.
import type { CommandEntry } from '../command.ts';

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'scrape',
    summary: 'Read pages as Markdown or in other formats',
    load: async () => (await import('./web/scrape.ts')).scrape,
  },
  {
    name: 'search',
    summary: 'Search the web and the pages that were read before',
    load: async () => (await import('./web/search.ts')).search,
  },
  {
    name: 'answer',
    summary: 'Answer a question from the pages that a search finds',
    load: async () => (await import('./web/answer.ts')).answer,
  },
  {
    name: 'sql',
    summary: 'Ask with SQL what is stored',
    load: async () => (await import('./web/sql.ts')).sql,
  },
  { name: 'map', summary: 'List the URLs of a site', load: async () => (await import('./web/map.ts')).map },
  {
    name: 'mcp',
    summary: 'Run the MCP server of an assistant on standard input and output',
    load: async () => (await import('./service/mcp.ts')).mcp,
  },
  {
    name: 'crawl',
    summary: 'Read a site, page by page, into a folder or a file',
    load: async () => (await import('./web/crawl.ts')).crawl,
  },
  { name: 'batch', summary: 'Read a list of pages', load: async () => (await import('./web/batch.ts')).batch },
  {
    name: 'parse',
    summary: 'Turn local documents into Markdown',
    load: async () => (await import('./web/parse.ts')).parse,
  },
  {
    name: 'import',
    summary: 'Upload a web archive, to read pages from it',
    load: async () => (await import('./web/archives.ts')).importArchive,
  },
  {
    name: 'archives',
    summary: 'List and delete archives',
    load: async () => (await import('./web/archives.ts')).archives,
  },
  {
    name: 'extract',
    summary: 'Extract data from pages or whole sites',
    load: async () => (await import('./web/extract.ts')).extract,
  },
  {
    name: 'agent',
    summary: 'Let an agent find data on the web',
    load: async () => (await import('./web/agent.ts')).agent,
  },
  {
    name: 'monitor',
    summary: 'Watch pages, sites and searches on a schedule',
    load: async () => (await import('./web/monitor.ts')).monitor,
  },
  {
    name: 'collections',
    summary: 'Keep sets of pages up to date, and read what has changed',
    load: async () => (await import('./web/collections.ts')).collections,
  },
  {
    name: 'browser',
    summary: 'Open browser sessions and drive them',
    load: async () => (await import('./web/browser.ts')).browser,
  },
  { name: 'serve', summary: 'Run the service', load: async () => (await import('./service/serve.ts')).serve },
  {
    name: 'console',
    summary: 'Print a link that logs you in to the console',
    load: async () => (await import('./service/console.ts')).console,
  },
  { name: 'keys', summary: 'Manage API keys and teams', load: async () => (await import('../keys/keys.ts')).keys },
  {
    name: 'doctor',
    summary: 'Check everything, and say what to mend',
    load: async () => (await import('./service/doctor.ts')).doctor,
  },
  {
    name: 'backup',
    summary: 'Copy the data folder, also while the service runs',
    load: async () => (await import('./service/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Make the data folder from a backup',
    load: async () => (await import('./service/backup.ts')).restore,
  },
  {
    name: 'migrate',
    summary: 'Move a data folder into PostgreSQL',
    load: async () => (await import('./service/migrate.ts')).migrate,
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands and flags in a shell',
    load: async () => (await import('./completion.ts')).completion,
  },
  { name: 'help', summary: 'Explain a command, or the settings', load: async () => (await import('./help.ts')).help },
  { name: 'version', summary: 'Print the version', load: async () => (await import('./version.ts')).version },
];
