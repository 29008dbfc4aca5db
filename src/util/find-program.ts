// Which programs are on this machine. Looks for the files only; nothing is started.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The first of these programs in the folders of a PATH, those named first before the others. */
export function findProgram(names: readonly string[], searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** As a setting chooses it: `off`, the path of a file, or `auto`. */
export function chosenProgram(choice: string, names: readonly string[], searchPath: string): string | undefined {
  if (choice === 'off') return undefined;
  return choice === 'auto' ? findProgram(names, searchPath) : [resolve(choice)].find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
