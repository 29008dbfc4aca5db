// `trawl mcp install` and `uninstall`: puts the MCP server into the settings of an assistant, and takes it out again.
import { isDeepStrictEqual } from 'node:util';
import type { Command, Flag, Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { onlyOne } from '../parse/count-arguments.ts';
import { printTable } from '../tables/print-table.ts';
import { UsageError } from '../usage-error.ts';
import { type Assistant, assistantNamed, isHere, readAssistants } from './assistants.ts';
import { ENTRY_NAME, openServerList } from './server-list.ts';
import { chosenTools, TOOLS_FLAG } from './tools-flag.ts';

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

const DRY_RUN: Flag = { type: 'boolean', text: 'Show what would be written, and write nothing.' };
const FORCE: Flag = { type: 'boolean', text: 'Replace a server of the same name that is set up otherwise.' };

export const install: Command = {
  name: 'install',
  summary: 'set up an assistant; without a name, list those that are known',
  usage: '[ASSISTANT]',
  flags: { 'dry-run': DRY_RUN, force: FORCE, ...TOOLS_FLAG },
  examples: ['trawl mcp install cursor', 'trawl mcp install claude-code --tools scrape,search'],
  async run(invocation) {
    const { args, flags, local, screen } = invocation;
    const assistants = readAssistants(local.client);
    if (args.length === 0) return listAssistants(assistants, invocation);
    const assistant = assistantNamed(assistants, onlyOne(args, 'trawl mcp install ASSISTANT'));
    const servers = openServerList(assistant);
    const entry = entryFor(assistant, invocation);
    show(screen, assistant, entry);
    if (flags['dry-run']) return say(screen, `It would be written into ${assistant.file}.`);
    if (isDeepStrictEqual(servers.entry, entry)) return say(screen, `${assistant.file} has it already.`);
    if (servers.entry !== undefined && !flags.force) {
      throw new UsageError(`${assistant.file} has another server named ${ENTRY_NAME}. --force replaces it.`);
    }
    servers.write(entry);
    return say(
      screen,
      `Written into ${assistant.file}. Start ${assistant.title} anew. \`trawl mcp uninstall ${assistant.name}\` takes it out again.`,
    );
  },
};

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'take the server out of the settings of an assistant',
  usage: 'ASSISTANT',
  flags: { 'dry-run': DRY_RUN },
  async run({ args, flags, local, screen }) {
    const assistant = assistantNamed(readAssistants(local.client), onlyOne(args, 'trawl mcp uninstall ASSISTANT'));
    const servers = openServerList(assistant);
    if (servers.entry === undefined) return say(screen, `${assistant.file} has no server named ${ENTRY_NAME}.`);
    show(screen, assistant, servers.entry);
    if (flags['dry-run']) return say(screen, `It would be taken out of ${assistant.file}.`);
    servers.write(undefined);
    return say(screen, `Taken out of ${assistant.file}. Start ${assistant.title} anew.`);
  },
};

function say(screen: Invocation['screen'], sentence: string): number {
  screen.note(sentence);
  return EXIT.ok;
}

function listAssistants(assistants: readonly Assistant[], { local, screen }: Invocation): number {
  const rows = assistants.map((each) => ({
    name: each.name,
    title: each.title,
    isHere: isHere(each, local.client),
    file: each.file,
  }));
  const cells = rows.map(({ name, title, isHere, file }) => [name, title, isHere ? 'yes' : 'no', file]);
  printTable(screen, rows, ['Name', 'Assistant', 'Here', 'Settings'], cells, '');
  return EXIT.ok;
}

/** The address and the key are written only if they are set: otherwise the server finds the service of this machine. */
function entryFor(assistant: Assistant, { flags, local: { client } }: Invocation): Entry {
  const tools = chosenTools(flags.tools, undefined) && flags.tools;
  const env = Object.entries({
    TRAWL_URL: flags.url ?? client.url,
    TRAWL_API_KEY: flags.key ?? client.key,
    TRAWL_MCP_TOOLS: tools,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
  const [command, ...args] = client.program;
  return {
    ...assistant.entry,
    ...{ command: command!, args: [...args, 'mcp'] },
    ...(env.length > 0 && { env: Object.fromEntries(env) }),
  };
}

const SHOWN_OF_KEY = 6;

/** Shows the entry with most of the key masked. */
function show(screen: Invocation['screen'], { list }: Assistant, entry: unknown): void {
  const text = JSON.stringify(
    { [list]: { [ENTRY_NAME]: entry } },
    (name, value) => {
      return name === 'TRAWL_API_KEY' ? `${String(value).slice(0, SHOWN_OF_KEY)}...` : value;
    },
    2,
  );
  screen.print(text);
}
