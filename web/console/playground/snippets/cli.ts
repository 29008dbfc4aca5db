// The call as a command of the command line. Its flags are those that the command line itself makes from the contract.
import { shellWord } from '../../ui/text/shell-word.ts';
import { DEFAULT_FILE, type Snippet, type SnippetRequest, withoutMain } from './snippet.ts';

export interface CliFlag {
  name: string;
  /** Where its value belongs in the body. */
  path: readonly string[];
  type: 'boolean' | 'string' | 'number' | 'list' | 'json';
  isSwitch?: boolean;
  choices?: readonly string[];
  acceptsText?: boolean;
  acceptsObjects?: boolean;
}

export interface CliCommand {
  /** As they are typed after the name of the program. */
  words: readonly string[];
  flags: readonly CliFlag[];
}

export function cliSnippet(request: SnippetRequest, command: CliCommand): Snippet {
  const { words, missing } = cliWords(request, command);
  const set = `TRAWL_URL=${shellWord(request.baseUrl)}`;
  return { text: `${set} ${['trawl', ...words].map(shellWord).join(' ')}`, missing };
}

/** What is typed after the name of the program, before the shell reads it. */
function cliWords(request: SnippetRequest, { words, flags }: CliCommand) {
  const { operation, fileName = DEFAULT_FILE } = request;
  const { value, options } = withoutMain(request);
  const missing: string[] = [];
  const typed = Object.entries(options).flatMap(([name, option]) => flagWords([name], option, flags, missing));
  const args = operation === 'parse' ? [fileName] : [value ?? []].flat().map(String);
  // What looks like a flag stands after two dashes.
  const isRisky = args.some((arg) => arg.startsWith('-'));
  return { words: isRisky ? [...words, ...typed, '--', ...args] : [...words, ...args, ...typed], missing };
}

function flagWords(path: readonly string[], value: unknown, flags: readonly CliFlag[], missing: string[]): string[] {
  const flag = flags.find((each) => each.path.join('.') === path.join('.'));
  const nested = memberWords(path, value, flags);
  if (nested && (!flag || flag.type === 'json')) {
    missing.push(...nested.missing);
    if (!flag || nested.missing.length === 0) return nested.words;
    missing.length -= nested.missing.length;
  }
  const own = flag && ownWords(flag, value);
  if (!own) missing.push(path.join('.'));
  return own ?? [];
}

/** The flags of the members of an object, if it has any and they have flags. */
function memberWords(path: readonly string[], value: unknown, flags: readonly CliFlag[]) {
  const isParent = flags.some(
    (each) => each.path.length > path.length && path.every((name, at) => each.path[at] === name),
  );
  if (!isParent || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value);
  if (members.length === 0 && flags.some((each) => each.path.join('.') === path.join('.'))) return undefined;
  const missing: string[] = [];
  return { words: members.flatMap(([name, member]) => flagWords([...path, name], member, flags, missing)), missing };
}

/** Undefined if the flag cannot say it. */
function ownWords(flag: CliFlag, value: unknown): string[] | undefined {
  if (flag.isSwitch && typeof value === 'boolean') return [value ? `--${flag.name}` : `--no-${flag.name}`];
  const text = valueText(flag, value);
  if (text === undefined) return undefined;
  const isAttached = flag.isSwitch || /^-/.test(text) || text === '';
  return isAttached ? [`--${flag.name}=${text}`] : [`--${flag.name}`, text];
}

function valueText({ type, choices, acceptsText }: CliFlag, value: unknown): string | undefined {
  switch (type) {
    case 'boolean':
      return undefined;
    case 'number':
      return typeof value === 'number' ? String(value) : undefined;
    case 'string':
      return typeof value === 'string' && (choices?.includes(value) ?? true) ? value : undefined;
    case 'list':
      return Array.isArray(value) ? listText(value) : undefined;
    default:
      return typeof value === 'string' && acceptsText && isOnlyText(value) ? value : JSON.stringify(value);
  }
}

/** Separated by commas where no entry could be read in another way. */
const listText = (list: readonly unknown[]): string =>
  list.length > 0 && list.every((entry) => typeof entry === 'string' && /^[A-Za-z0-9_/:.*-]+$/.test(entry))
    ? list.join(',')
    : JSON.stringify(list);

/** Whether the command line would not take it for JSON or for the name of a file. */
function isOnlyText(text: string): boolean {
  if (text.startsWith('@')) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
