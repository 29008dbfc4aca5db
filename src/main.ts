// The program. What a command needs is loaded when it runs.
import { runCommandLine } from './cli/command-line.ts';
import { createLocalTools } from './compose/commands/local-tools.ts';

process.exit(await runCommandLine(process.argv.slice(2), createLocalTools()));
