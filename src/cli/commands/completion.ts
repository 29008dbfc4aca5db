// `trawl completion SHELL`: a script that completes commands, flags and choices. It contains everything it needs.
import type { CommandBody } from '../command.ts';
import { bashScript, fishScript, zshScript } from '../help/completion-scripts.ts';
import { describeWords } from '../help/completion-words.ts';
import { onlyOne } from '../parse/count-arguments.ts';
import { UsageError } from '../usage-error.ts';

const SCRIPTS: Readonly<Record<string, typeof bashScript>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const completion: CommandBody = {
  usage: 'bash|zsh|fish',
  examples: [
    'source <(trawl completion bash)          # in ~/.bashrc',
    'trawl completion zsh > ~/.zfunc/_trawl   # a folder of fpath',
    'trawl completion fish > ~/.config/fish/completions/trawl.fish',
  ],
  async run({ args, table, screen }) {
    const shell = onlyOne(args, 'trawl completion bash|zsh|fish');
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell]! : undefined;
    if (!script) throw new UsageError(`There is no completion for '${shell}', only for bash, zsh and fish.`);
    screen.print(script(await describeWords(table)));
    return undefined;
  },
};
