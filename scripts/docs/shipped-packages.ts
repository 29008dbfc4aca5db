// The packages of others that come with Trawl: what the lock file installs for its users, and what the console contains.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ShippedPackage {
  name: string;
  version: string;
  /** As its package.json says, an SPDX expression. */
  licence: string;
  /** Texts of the licence files; none for what is not installed on every machine, such as builds for one platform. */
  texts: string[];
}

interface LockedPackage {
  version: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  os?: string[];
  cpu?: string[];
}

const TEXT_FILES = /^(?:licen[cs]e|unlicense|copying|notice|third-?party)/i;

/** What the lock file in `folder` installs for users; the texts are those of the packages installed there. */
export function shippedPackages(folder: string, { withTexts }: { withTexts: boolean }): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const found = new Map<string, ShippedPackage>();
  for (const [path, { version, license, dev, devOptional, os, cpu }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const texts = os || cpu || !withTexts ? [] : textsIn(join(folder, path));
    found.set(`${name} ${version}`, { name, version, licence: license ?? 'unknown', texts });
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function textsIn(folder: string): string[] {
  if (!existsSync(folder))
    throw new Error(`${folder} is not installed. Run \`npm test\` or \`node scripts/setup.mjs\`.`);
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (each) => each.isFile() && TEXT_FILES.test(each.name),
  );
  return files
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}
