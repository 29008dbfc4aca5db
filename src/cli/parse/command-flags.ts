// Every flag that a command takes: of its contract, its own, and the general ones.
import type { CommandBody, Flag } from '../command.ts';
import type { ResolvedFlag } from './resolved-flag.ts';

const GENERAL: Readonly<Record<string, Flag>> = {
  help: { type: 'boolean', short: 'h', text: 'How the command is used; with --all every flag.' },
  all: { type: 'boolean', text: 'With --help: every flag.' },
  json: { type: 'boolean', text: 'Print the answer as JSON.' },
  quiet: { type: 'boolean', short: 'q', text: 'Print results only, no notes and no progress.' },
  url: { type: 'string', value: 'URL', text: 'The service to use (TRAWL_URL).' },
  key: { type: 'string', value: 'KEY', text: 'Its key. TRAWL_API_KEY is safer: other users see arguments.' },
};

const own = (flags: Readonly<Record<string, Flag>>): ResolvedFlag[] =>
  Object.entries(flags).map(([name, flag]) => ({ ...flag, name, isSwitch: flag.type === 'boolean' }));

export const generalFlags = (): ResolvedFlag[] => own(GENERAL).map((flag) => ({ ...flag, isGeneral: true }));

export async function commandFlags({
  call,
  lifted = [],
  without = [],
  flags = {},
}: CommandBody): Promise<ResolvedFlag[]> {
  // Commands without a call do without the contracts, which take a tenth of a second to load.
  const contract = call && (await import('./contract-flags.ts')).contractFlags({ call, lifted, without });
  return [...own(flags), ...(contract ?? []), ...generalFlags()];
}
