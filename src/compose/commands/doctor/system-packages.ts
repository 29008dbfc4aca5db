// How an operator installs the system programs that Trawl uses: the Debian packages that `npm start` installs as root.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../../../data/system-packages.json');

export type SystemProgram = 'browser' | 'sandbox' | 'tesseract' | 'ffmpeg';

export function installHint(program: SystemProgram): string {
  const packages = JSON.parse(readFileSync(FILE, 'utf8')) as Record<SystemProgram, string[]>;
  return `On Debian: apt-get install ${packages[program].join(' ')}`;
}
