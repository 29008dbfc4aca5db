// Finds programs on this machine by their files; nothing is started.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The first of these programs in the folders of a PATH. Earlier names take precedence. */
export function findProgram(names: readonly string[], searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** `choice` is the value of a setting: `off`, `auto` or the path of a file. */
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
