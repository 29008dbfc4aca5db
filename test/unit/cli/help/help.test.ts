// Every help fits a screen, every example can be parsed, and shells complete what the help shows.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandBody } from '../../../../src/cli/command.ts';
import { COMMANDS } from '../../../../src/cli/commands/commands.ts';
import { findCommand } from '../../../../src/cli/find-command.ts';
import { bashScript, fishScript, zshScript } from '../../../../src/cli/help/completion-scripts.ts';
import { describeWords } from '../../../../src/cli/help/completion-words.ts';
import { commandHelp, programHelp } from '../../../../src/cli/help/help.ts';
import { commandFlags } from '../../../../src/cli/parse/command-flags.ts';
import { readArguments } from '../../../../src/cli/parse/read-arguments.ts';
import type { ResolvedFlag } from '../../../../src/cli/parse/resolved-flag.ts';
import { fullTest, test } from '../../../support/full-run.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

const LINES = 24;
const COLUMNS = 80;

interface Described {
  name: string;
  summary: string;
  command: CommandBody;
  flags: readonly ResolvedFlag[];
}

async function describe(name: string, summary: string, command: CommandBody): Promise<Described[]> {
  const below = (command.commands ?? []).map((sub) => describe(`${name} ${sub.name}`, sub.summary, sub));
  return [{ name, summary, command, flags: await commandFlags(command) }, ...(await Promise.all(below)).flat()];
}

const ALL = (
  await Promise.all(COMMANDS.map(async ({ name, summary, load }) => describe(name, summary, await load())))
).flat();

function assertFits(text: string, name: string): void {
  const lines = text.split('\n');
  assert.ok(lines.length <= LINES, `${name}: ${lines.length} lines`);
  for (const line of lines) assert.ok(line.length <= COLUMNS, `${name}: ${line}`);
}

test('the help of the program fits a screen and names every command', () => {
  const help = programHelp(COMMANDS);
  assertFits(help, 'trawl');
  for (const { name } of COMMANDS) if (name !== 'version') assert.ok(help.includes(name), name);
});

test('the help of every command fits a screen', () => {
  for (const described of ALL) assertFits(commandHelp(described, { all: false }), described.name);
});

test('the whole help shows every flag, within the width of a screen', () => {
  for (const described of ALL) {
    const help = commandHelp(described, { all: true });
    for (const { name } of described.flags) assert.ok(help.includes(name), `${described.name} --${name}`);
    const tooLong = help.split('\n').filter((line) => line.length > COLUMNS && !/^ *\S+$|https?:|\(/.test(line));
    assert.deepEqual(tooLong, [], described.name);
  }
});

test('no command has two flags of the same name, and common flags exist', () => {
  for (const { name, command, flags } of ALL) {
    const names = flags.map((flag) => flag.name);
    assert.deepEqual(
      names.filter((each, index) => names.indexOf(each) !== index),
      [],
      name,
    );
    const shown = commandHelp({ name, summary: '', command, flags }, { all: false });
    for (const field of command.common ?? []) {
      const flag = field.replaceAll(/([a-z])([A-Z]+)/g, '$1-$2').toLowerCase();
      assert.ok(shown.includes(flag), `${name} --${flag}`);
    }
  }
});

test('every example of the help can be parsed', async () => {
  for (const { command } of ALL) {
    for (const example of command.examples ?? []) {
      // Checks those parts of a pipe that are ours, without quotes and comments.
      for (const part of example.replace(/ +#.*$/, '').split('|')) {
        const words = [...part.trim().matchAll(/"([^"]*)"|'([^']*)'|([^\s<>()]+)/g)].map(
          // The files of examples are not there.
          (match) => (match[1] ?? match[2] ?? match[3]!).replace(/^@.*/, '{}'),
        );
        const at = words.lastIndexOf('trawl');
        if (at < 0 || /[<>]/.test(part)) continue;
        const found = await findCommand(words.slice(at + 1), COMMANDS);
        const flags = await commandFlags(found.command);
        assert.doesNotThrow(() => readArguments(found.rest, flags), example);
      }
    }
  }
});

fullTest('bash completes commands, commands below them, flags, choices and lists', async (t) => {
  const file = join(await temporaryFolder(t), 'completion.bash');
  writeFileSync(file, bashScript(await describeWords(COMMANDS)));
  const complete = (...words: string[]): string[] => {
    const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _trawl; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, file, 'trawl', ...words], { encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout.split('\n').filter((line) => line !== '');
  };
  assert.deepEqual(complete('sc'), ['scrape']);
  assert.ok(complete('').length >= COMMANDS.length);
  assert.deepEqual(complete('keys', 'ro'), ['rotate']);
  assert.deepEqual(complete('keys', 'add', '--expi'), ['--expires']);
  assert.deepEqual(complete('scrape', 'https://x.example', '--only-m'), ['--only-main-content']);
  assert.deepEqual(complete('scrape', '--no-only-m'), ['--no-only-main-content']);
  assert.deepEqual(complete('scrape', '--proxy', 'b'), ['basic']);
  assert.deepEqual(complete('scrape', '--formats', 'markdown,lin'), ['markdown,links']);
  assert.deepEqual(complete('scrape', '--wait'), ['--wait-for']);
});

/** The shells that are not on this machine can only be checked for their words. */
test('the scripts for zsh and fish contain every command and flag, and are valid where the shell exists', async (t) => {
  const words = await describeWords(COMMANDS);
  const scripts = { zsh: zshScript(words), fish: fishScript(words) };
  for (const [shell, script] of Object.entries(scripts)) {
    for (const { name } of COMMANDS) assert.ok(script.includes(name), `${shell} ${name}`);
    assert.ok(script.includes('only-main-content') && script.includes('rotate'), shell);
    const { error, status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
    if (error) t.diagnostic(`${shell} is not installed`);
    else assert.equal(status, 0, stderr);
  }
});
