// The assistants that `trawl mcp install` knows, and where each keeps its list of MCP servers.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClientSettings } from '../local-tools.ts';
import { UsageError } from '../usage-error.ts';

export interface Assistant {
  name: string;
  title: string;
  /** The file of its settings. */
  file: string;
  /** The property of that file that has the servers by their names. */
  list: string;
  /** What each entry has besides. */
  entry?: object;
}

const FILE = join(import.meta.dirname, '../../../data/assistants.json');

export function readAssistants({ home, applicationFolder }: Pick<ClientSettings, 'home' | 'applicationFolder'>) {
  if (home === undefined || applicationFolder === undefined) {
    throw new UsageError('This user has no home folder, so the settings of assistants cannot be found.');
  }
  const assistants: readonly Assistant[] = JSON.parse(readFileSync(FILE, 'utf8'));
  return assistants.map((each) => ({
    ...each,
    file: each.file.replace('{home}', home).replace('{applications}', applicationFolder),
  }));
}

/** Whether this user seems to have it: its settings, or the folder for them, are there. */
export const isHere = ({ file }: Assistant, { home }: Pick<ClientSettings, 'home'>): boolean =>
  existsSync(file) || (dirname(file) !== home && existsSync(dirname(file)));

export function assistantNamed(all: readonly Assistant[], name: string): Assistant {
  const found = all.find((each) => each.name === name);
  if (found) return found;
  const names = all.map((each) => each.name).join(', ');
  throw new UsageError(`${JSON.stringify(name)} is not an assistant that can be set up. Known are: ${names}.`);
}
