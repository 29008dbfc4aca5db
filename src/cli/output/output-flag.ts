// The flag of commands that can write their results to files.
import { statSync } from 'node:fs';
import type { Flag } from '../command.ts';

export const OUTPUT_FLAG: Flag = {
  type: 'string',
  short: 'o',
  value: 'FILE',
  text: 'Write to this file; with a / at its end, a file for each result.',
};

export type Target = { kind: 'print' } | { kind: 'file' | 'folder'; path: string };

export function targetOf(output: unknown): Target {
  if (typeof output !== 'string') return { kind: 'print' };
  const isFolder = /[/\\]$/.test(output) || (statSync(output, { throwIfNoEntry: false })?.isDirectory() ?? false);
  return { kind: isFolder ? 'folder' : 'file', path: output };
}
