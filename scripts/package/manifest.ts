// The package.json of the npm package. npm ignores lock files of packages that it installs from a file, so the locked
// version of every package is a dependency: users get what was tested.

interface LockedPackage {
  version: string;
  dev?: boolean;
  optional?: boolean;
}

interface LockFile {
  packages: Record<string, LockedPackage>;
}

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  scripts?: unknown;
  devDependencies?: unknown;
  [field: string]: unknown;
}

export function manifestOf({ scripts, devDependencies, ...manifest }: Manifest, lock: LockFile): Manifest {
  return {
    ...manifest,
    dependencies: { ...lockedVersions(lock), ...manifest.dependencies },
    // Not installed unless the user asks for it; the weights must suit the code.
    peerDependencies: { 'trawl-models': manifest.version },
    peerDependenciesMeta: { 'trawl-models': { optional: true } },
  };
}

/** Without packages of which two versions are needed, and those for one platform: others ask for them by version. */
function lockedVersions({ packages }: LockFile): Record<string, string> {
  const versions = new Map<string, Set<string>>();
  for (const [path, { version, dev, optional }] of Object.entries(packages)) {
    if (path === '' || dev || optional) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  const single = [...versions].filter(([, all]) => all.size === 1).map(([name, all]) => [name, [...all][0]!] as const);
  return Object.fromEntries(single.sort(([a], [b]) => (a < b ? -1 : 1)));
}
