// The models for the npm package: the package `trawl-models`, installed beside it.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { readVersion } from '../../runtime/version.ts';
import type { InstalledModels } from './installed-models.ts';

const PACKAGE = 'trawl-models';
const RUNTIME = 'onnxruntime-node';
const ROOT = join(import.meta.dirname, '../../..');

/** `root`: the folder of the npm package, below node_modules. */
export const packagedModels = (root = ROOT): InstalledModels => {
  const folder = folderOf(PACKAGE, root);
  return {
    folder,
    installCommand: installCommand(root),
    state() {
      const runtime = folder && folderOf(RUNTIME, folder);
      if (!runtime) return { is: 'missing' };
      if (hasLibrary(runtime)) return { is: 'ready' };
      const problem = `The model runtime has no library for this machine (${process.platform} ${process.arch}).`;
      return { is: 'unusable', problem };
    },
  };
};

/** npm decides where a package is: below the one that needs it, or beside it. */
function folderOf(name: string, from: string): string | undefined {
  try {
    return dirname(createRequire(join(from, 'package.json')).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

function hasLibrary(runtime: string): boolean {
  const versions = join(runtime, 'bin');
  if (!existsSync(versions)) return false;
  return readdirSync(versions).some((version) => existsSync(join(versions, version, process.platform, process.arch)));
}

function installCommand(root: string): string {
  const version = readVersion();
  const file = `./${PACKAGE}-${version}.tgz`;
  // Without --ignore-scripts, the runtime would download libraries for graphics cards.
  if (root.includes(`${sep}_npx${sep}`)) return `npx --ignore-scripts -p ./trawl-${version}.tgz -p ${file} trawl`;
  // A project has a package.json; npm's folder for the programs of all projects has none.
  const scope = existsSync(join(root, '../..', 'package.json')) ? '' : '--global ';
  return `npm install ${scope}--ignore-scripts ${file}`;
}
