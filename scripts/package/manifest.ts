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

/** The console is built from these. The package contains it as built. */
export const BUILD_ONLY = [
  ...['esbuild', 'preact', 'preact-iso', 'preact-render-to-string', '@preact/signals', '@preact/signals-core', 'uplot'],
];

export function manifestOf({ scripts, devDependencies, ...manifest }: Manifest, lock: LockFile): Manifest {
  return {
    ...manifest,
    dependencies: neededAtRunTime({ ...lockedVersions(lock), ...manifest.dependencies }),
    // Not installed unless the user asks for it; the weights must suit the code.
    peerDependencies: { 'trawl-models': manifest.version },
    peerDependenciesMeta: { 'trawl-models': { optional: true } },
  };
}

const neededAtRunTime = (versions: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => !BUILD_ONLY.includes(name)));

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
