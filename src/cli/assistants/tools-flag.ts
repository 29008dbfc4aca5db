// `--tools` of `trawl mcp`: which tools the assistant is shown.
import { parseToolChoice } from '../../contracts/mcp/toolsets.ts';
import { SettingError } from '../../util/setting-error.ts';
import type { Flag, FlagValue } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export const TOOLS_FLAG: Readonly<Record<'tools', Flag>> = {
  tools: {
    type: 'string',
    value: 'NAMES',
    text: 'Tools or groups of calls that the assistant is shown, such as scrape,search (TRAWL_MCP_TOOLS).',
  },
};

/** All of them if neither is set. */
export function chosenTools(flag: FlagValue | undefined, fromSettings: string | undefined) {
  const text = (flag as string | undefined) ?? fromSettings;
  if (text === undefined) return undefined;
  try {
    return parseToolChoice(text);
  } catch (error) {
    if (error instanceof SettingError) throw new UsageError(error.message);
    throw error;
  }
}
