// `trawl mcp`: the MCP server for an assistant that starts it as a program.
import { createLog } from '../../../runtime/log.ts';
import { readVersion } from '../../../runtime/version.ts';
import { install, uninstall } from '../../assistants/install.ts';
import { chosenTools, TOOLS_FLAG } from '../../assistants/tools-flag.ts';
import type { CommandBody } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { noMoreThan } from '../../parse/count-arguments.ts';

export const mcp: CommandBody = {
  examples: ['trawl mcp install cursor', 'TRAWL_URL=https://trawl.example.com TRAWL_API_KEY=fc-... trawl mcp'],
  flags: TOOLS_FLAG,
  commands: [install, uninstall],
  async run({ args, flags, local, connect, signal }) {
    noMoreThan(0, args, 'trawl mcp');
    const chosen = chosenTools(flags.tools, local.client.mcpTools);
    const { serveMcpOverStdio } = await import('../../../mcp/stdio/serve-stdio.ts');
    const { readLocalFile } = await import('../../../mcp/read-local-file.ts');
    await serveMcpOverStdio({
      connect: async () => (await connect()).api,
      readFile: readLocalFile,
      version: readVersion(),
      ...(chosen && { chosen }),
      input: process.stdin,
      output: process.stdout,
      log: createLog('warn'),
      signal,
    });
    return EXIT.ok;
  },
};
