// What the program says to the person who started it.

export const say = (line = ''): void => console.log(line);

/** One sentence on standard error; the program ends with a failure. */
export function sayFailure(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
