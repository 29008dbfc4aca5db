// What a command of the `trawl` program is. Its flags are made from the contract of the call that it makes, so that an
// option of the interface is a flag without further code; help, completion and parsing read the same description.
import type { ApiClient } from '../client/api-client.ts';
import type { KeyedOperation } from '../contracts/route-types.ts';
import type { LocalTools } from './local-tools.ts';

export interface Command {
  /** As it is typed. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Arguments without a dash, as the help shows them: `URL`, `[URL...]`. */
  usage?: string;
  /** The call whose body fields are flags of this command. */
  call?: KeyedOperation;
  /** Nested objects of that body whose fields are flags of their own, such as `scrapeOptions`. */
  lifted?: readonly string[];
  /** Fields of that body that are no flags: they are arguments, or make no sense here. */
  without?: readonly string[];
  /** The flags of the contract that `--help` shows; `--help --all` shows every one. */
  common?: readonly string[];
  /** Flags that are not part of the contract, by their name without dashes. */
  flags?: Readonly<Record<string, Flag>>;
  examples?: readonly string[];
  /** Commands below this one: `trawl crawl pause ID`. */
  commands?: readonly Command[];
  /** Returns the exit code, 0 if nothing is returned. Throws UsageError, ApiError. */
  run?(invocation: Invocation): Promise<number | undefined>;
}

/** What the module of a command exports. */
export type CommandBody = Omit<Command, 'name' | 'summary'>;

/** A row of the table of commands. The module is loaded only if the command is used. */
export interface CommandEntry extends Pick<Command, 'name' | 'summary'> {
  load(): Promise<CommandBody>;
}

export interface Flag {
  type: 'boolean' | 'string' | 'number' | 'list' | 'json';
  /** One letter. */
  short?: string;
  /** What stands for the value in the help, such as `FILE`. */
  value?: string;
  text: string;
  /** The values that completion offers and parsing accepts. */
  choices?: readonly string[];
}

export type FlagValue = string | number | boolean | readonly string[] | object;

export interface Invocation {
  args: readonly string[];
  /** The body of the call, made from its flags. Only what was typed is in it. */
  body: Record<string, unknown>;
  /** Flags of the command itself, and the general ones. */
  flags: Readonly<Record<string, FlagValue | undefined>>;
  /** Finds the running service, or starts one for this command. */
  connect(): Promise<ServiceSession>;
  /** Every command of the program. */
  table: readonly CommandEntry[];
  /** What is done on this machine without a service. */
  local: LocalTools;
  screen: Screen;
  /** Aborts with the first Ctrl-C; the second ends the program. */
  signal: AbortSignal;
}

export interface ServiceSession {
  api: ApiClient;
  url: string;
  /** It was started for this command and ends with it. */
  isEmbedded: boolean;
  /** What it stores is deleted with it. */
  isTemporary: boolean;
}

/** Standard output is for results, standard error for what is said about them. */
export interface Screen {
  /** Whether standard output is a terminal. */
  isTerminal: boolean;
  /** Columns of the terminal; 80 without a terminal. */
  width: number;
  /** Results are printed as JSON. */
  json: boolean;
  /** Text of a result, with a line break at its end. On a terminal, control characters are removed. */
  print(text: string): void;
  /** Bytes of a result as they are. On a terminal, control characters are removed. */
  printBytes(bytes: Uint8Array): void;
  /** A sentence for the person at the terminal. Nothing with `--quiet`. */
  note(sentence: string): void;
  /** Progress of long work, with rate and time left. Draws only on a terminal. */
  progress(what: string): Progress;
}

export interface Progress {
  update(state: { done: number; total?: number; note?: string }): void;
  /** Removes the bar. */
  end(): void;
}
