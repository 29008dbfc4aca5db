// Output to the terminal.

export const say = (line = ''): void => console.log(line);

/** Whether a person may be reading along. */
export const isTerminal = (): boolean => process.stdout.isTTY === true;

/** Writes one sentence to standard error and sets a failing exit code. */
export function sayFailure(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
