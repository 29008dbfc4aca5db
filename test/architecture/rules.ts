// The rules of the house. Each takes the files of src and returns its violations in words; none knows where they come from,
// so that rules.test.ts can plant a violation and see it caught.
import type { Import, SourceFile } from './source.ts';

export type Rule = (files: readonly SourceFile[]) => string[];

const STAGES = [
  'crawl',
  'encoders',
  'fetch',
  'index',
  'jobs',
  'media',
  'models',
  'monitor',
  'parse',
  'peers',
  'policy',
  'redact',
  'search',
  'sessions',
  'store',
  'transform',
  'understand',
];
const BASE = ['util', 'urls', 'text', 'archive', 'runtime'];
const LOWER = [...BASE, 'page', 'contracts', 'markup', 'net'];

/** What each folder of src may import besides itself; `type:x` only by `import type`. Compose and main import anything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  util: [],
  urls: ['util'],
  text: ['util'],
  archive: ['util'],
  runtime: ['util', 'urls'],
  page: [...BASE, 'type:contracts'],
  contracts: [...BASE, 'page'],
  markup: [...BASE, 'page', 'contracts'],
  net: [...BASE, 'page', 'contracts', 'markup'],
  ...Object.fromEntries(STAGES.map((stage) => [stage, [...LOWER, ...STAGES.map((other) => `type:${other}`)]])),
  'page-threads': [...LOWER, 'transform', 'understand'],
  config: [...LOWER, ...STAGES],
  operations: [...LOWER, ...STAGES],
  calls: [...BASE, 'page', 'contracts', 'operations', 'type:policy'],
  dialects: [...BASE, 'page', 'contracts', 'markup', 'calls', 'type:operations'],
  client: [...BASE, 'page', 'contracts'],
  mcp: [...BASE, 'page', 'contracts', 'client'],
  api: [
    ...BASE,
    'page',
    'contracts',
    'client',
    'mcp',
    'operations',
    'calls',
    'dialects',
    'type:peers',
    'type:policy',
    'type:store',
    'type:sessions',
  ],
  cli: [...BASE, 'page', 'contracts', 'client', 'mcp', 'type:store'],
};

/** Implementations of ports, and the factories that start programs, threads and browsers. */
const ADAPTERS = [
  /^src\/store\/(sqlite|postgres|blobs|data-folder)\//,
  /^src\/index\/(?!page-index\.ts$)/,
  /^src\/fetch\/(http-engine\.ts$|browser\/)/,
  /^src\/page-threads\//,
  /^src\/parse\/process\//,
  /^src\/media\/(?!media\.ts$)/,
  /^src\/encoders\/(?!encoders\.ts$)/,
  /^src\/models\/(adapter\/|create-models\.ts$)/,
  /^src\/search\/providers\/adapters\//,
  /^src\/search\/federation\/federation\.ts$/,
  /^src\/sessions\/(create-sessions\.ts$|open-session\.ts$|multiplexer\/|sandbox\/)/,
];

const inSrc = (file: string) => file.split('/').slice(1);
const folderOf = (file: string): string => (inSrc(file).length > 1 ? inSrc(file)[0]! : 'main');
const isRoot = (file: string): boolean => ['main', 'compose'].includes(folderOf(file));

interface Edge extends Import {
  from: string;
  to: string;
}

const edgesOf = (files: readonly SourceFile[]): Edge[] =>
  files.flatMap(({ path, imports }) =>
    imports.flatMap((each) => (/^(?:src|web)\//.test(each.to ?? '') ? [{ ...each, from: path, to: each.to! }] : [])),
  );
const describeEdge = ({ from, to }: Edge) => `${from} -> ${to}`;

export const importsExist: Rule = (files) => {
  const known = new Set(files.map(({ path }) => path));
  return edgesOf(files)
    .filter(({ to }) => !known.has(to))
    .map(describeEdge);
};

export const importsGoInwards: Rule = (files) =>
  edgesOf(files)
    .filter(({ from, to, isTypeOnly }) => {
      const [outer, inner] = [folderOf(from), folderOf(to)];
      if (isRoot(from) || outer === inner) return false;
      const allowed = MAY_IMPORT[outer] ?? [];
      return !(allowed.includes(inner) || (isTypeOnly && allowed.includes(`type:${inner}`)));
    })
    .map(describeEdge);

export const adaptersAreChosenInCompose: Rule = (files) =>
  edgesOf(files)
    .filter(({ from, to, isTypeOnly }) => {
      const isAdapter = ADAPTERS.some((pattern) => pattern.test(to));
      return isAdapter && !isTypeOnly && folderOf(from) !== 'compose' && folderOf(from) !== folderOf(to);
    })
    .map(describeEdge);

/** Type-only imports count: two files that need each other's types are one thought. */
export const noCycles: Rule = (files) => {
  const next = Map.groupBy(edgesOf(files), ({ from }) => from);
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, 'done');
  };
  for (const { path } of files) visit(path, []);
  return cycles;
};

/** Requests are validated in the main thread. In another one, the validator would only cost start time and memory. */
export const threadsLoadNoValidator: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found: string[] = [];
  const visit = (thread: string, path: string, seen: Set<string>) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { specifier, to, isTypeOnly } of byPath.get(path)?.imports ?? []) {
      if (isTypeOnly) continue;
      if (specifier === 'zod') found.push(`${thread} loads ${path}`);
      else if (to !== undefined) visit(thread, to, seen);
    }
  };
  for (const { path } of files) if (path.endsWith('-thread.ts')) visit(path, path, new Set());
  return found;
};

export const noReexports: Rule = (files) =>
  files.flatMap(({ path, imports }) =>
    imports.filter(({ isReexport }) => isReexport).map(({ specifier }) => `${path}: export from ${specifier}`),
  );

const MAX_LINES = 300;
export const filesAreShort: Rule = (files) =>
  files
    .filter(({ text }) => text.split('\n').length > MAX_LINES + 1)
    .map(({ path, text }) => `${path}: ${text.split('\n').length - 1} lines`);

export const filesSayTheirPurpose: Rule = (files) =>
  files.filter(({ text }) => !text.startsWith('//')).map(({ path }) => path);

const MAX_FILES = 14;
export const foldersAreSmall: Rule = (files) => {
  const byFolder = Map.groupBy(files, ({ path }) => path.split('/').slice(0, -1).join('/'));
  return [...byFolder]
    .filter(([, members]) => members.length > MAX_FILES)
    .map(([folder, members]) => `${folder}: ${members.length} files`);
};

/** The face of a folder is the file of its name inside it, never a file beside it. */
export const facesAreInside: Rule = (files) => {
  const folders = new Set(files.map(({ path }) => path.split('/').slice(0, -1).join('/')));
  return files.map(({ path }) => path).filter((path) => folders.has(path.replace(/\.ts$/, '')));
};

const users = (files: readonly SourceFile[], allowed: RegExp, uses: (file: SourceFile) => boolean): string[] =>
  files.filter((file) => !allowed.test(file.path) && uses(file)).map(({ path }) => path);
const someName = (names: Set<string>, pattern: RegExp) => [...names].some((name) => pattern.test(name));

export const onlyConfigReadsTheEnvironment: Rule = (files) =>
  users(files, /^src\/config\//, ({ members }) => someName(members, /^process\.env\b/));

// What runs inside the sandbox is not this process: it has no network, and its output is the answer.
const SANDBOX = 'sessions\\/sandbox\\/inside';
export const onlyCliPrints: Rule = (files) =>
  users(files, new RegExp(`^src/(cli|${SANDBOX})/`), ({ members }) =>
    someName(members, /^console\.|^process\.std(out|err)\.write$/),
  );

const SOCKET_MODULE = /^(node:)?(http|https|http2|net|tls|dns|dgram|dns\/promises|undici|impit|ws|postgres|aws4fetch)$/;
const SOCKET_CALL = /^((globalThis\.)?fetch|new (WebSocket|EventSource|XMLHttpRequest))$/;
/** The client and the database driver connect to what their operator names; everything else goes through the checks of net. */
export const onlyNetTouchesSockets: Rule = (files) =>
  users(
    files,
    new RegExp(`^src/(net/|client/http-connection\\.ts$|store/postgres/database/|store/blobs/s3/|${SANDBOX}/)`),
    ({ imports, calls }) =>
      someName(calls, SOCKET_CALL) ||
      imports.some(({ specifier, isTypeOnly }) => !isTypeOnly && SOCKET_MODULE.test(specifier)),
  );

const NODE_HTTP = 'src/net/http/node-http.ts';
export const nodeHttpIsNotImported: Rule = (files) =>
  users(
    files,
    new RegExp(`^(${NODE_HTTP}$|src/${SANDBOX}/)`),
    ({ imports, calls }) =>
      someName(calls, /^process\.getBuiltinModule$/) ||
      imports.some(({ specifier, isTypeOnly }) => !isTypeOnly && /^(node:)?https?$/.test(specifier)),
  );

/** Where a connection is repeated after its certificate was found to be invalid, which is recorded with what it gives. */
const REPEATS_UNVERIFIED =
  /^src\/(net\/connections\/exchange|net\/impersonation\/impersonation|fetch\/browser\/browser-engine|crawl\/robots\/robots)\.ts$/;
const SKIPS_VERIFICATION = /\b(verifyTls|rejectUnauthorized): false|\b(ignoreTlsErrors|ignoreHTTPSErrors): true/;
export const certificatesAreVerifiedFirst: Rule = (files) =>
  users(files, REPEATS_UNVERIFIED, ({ text }) => SKIPS_VERIFICATION.test(text));

/** An owner or a viewer that is made elsewhere could show a team what belongs to another. */
export const onlyPageOwnerMakesViewers: Rule = (files) =>
  users(files, /^src\/page\/page-owner\.ts$/, ({ text }) => /\bas (PageOwner|Viewer)\b/.test(text));

/** The wall clock may jump. `headless-gaps.ts` runs in pages, which see the time of their browser. */
const READS_WALL_CLOCK = /^src\/(runtime\/service-clock|fetch\/browser\/page\/headless-gaps)\.ts$/;
export const onlyClocksReadTheTime: Rule = (files) =>
  users(
    files,
    READS_WALL_CLOCK,
    ({ members, text }) => members.has('Date.now') || /\bnew Date\(\)|(?<![\w.])Date\(\)/.test(text),
  );

/** Programs of their own (threads, processes) keep their state in the module, because the module is their main function. */
const ENTRY_POINTS = new Set(['src/sessions/sandbox/inside/run-node.ts']);
export const noModuleVariables: Rule = (files) =>
  files
    .filter(({ path }) => !ENTRY_POINTS.has(path))
    .flatMap(({ path, moduleVariables }) => moduleVariables.map((name) => `${path}: let ${name}`));

/** Errors that one stage throws and catches itself, named by the decision they cause. Callers only ever see a ServiceError. */
const INTERNAL_ERRORS: Readonly<Record<string, string>> = {
  ArchiveDamage: 'an uploaded archive is read up to there, and the answer says so',
  ActionFailure: 'an action of a scrape failed; actions.ts adds which one',
  OutOfTime: 'an action had no time left; actions.ts adds which one',
  BrowserFault: 'the page or its browser died: the engine tries another browser',
  CdpError: 'the browser of a session refused a command: the view or session ends, or the viewer is not answered',
  DataFolderError: 'the data folder cannot be used; the start ends with its text',
  OpenElsewhere: 'another process has the session of a scrape: the call is forwarded to it',
  SelectorTooComplex: 'a selector used up the steps of its page: the page thread answers with its text',
  StoreError: 'an engine that the settings name cannot be used; the start ends with its text',
  BodiesElsewhere: 'a call of the store needs bodies from the object store: they are fetched, and the call is repeated',
  S3Fault:
    'the object store refused or failed: s3-requests.ts repeats it, or it becomes a ServiceError or the text of a start',
  IndexUnavailable:
    'OpenSearch did not answer, or refused: callers get INDEX_UNAVAILABLE, and the indexer comes back later',
  SettingError: 'a setting cannot be parsed; config adds its name',
  XmlError: 'a file is not XML, or exceeds a limit; whoever reads it decides what that means',
  LeaseLost: 'the lease of a task was lost: the worker drops its outcome',
  ModelProblem: 'a language model cannot answer; models tries again or another way, else it becomes a ServiceError',
  ProviderProblem: 'a search provider cannot answer; federation pauses its key, or asks the others',
  ConfigError: 'the settings do not work together: the program says so and does not start',
  UsageError: 'a command was typed wrongly: the program says so',
  ApiError: 'the service refused a call of a client: the command line says so, an MCP tool answers with it',
  ProtocolError: 'a request of an MCP client names what does not exist: the client gets the error of its protocol',
};
export const onlyServiceErrorsAreThrown: Rule = (files) =>
  files.flatMap(({ path, thrownClasses }) =>
    path === 'src/util/assert.ts'
      ? []
      : thrownClasses
          .filter((name) => name !== 'ServiceError' && !(name in INTERNAL_ERRORS))
          .map((name) => `${path}: throw new ${name}`),
  );

export const complexityIsNotSuppressed: Rule = (files) =>
  files
    .filter(({ text }) => /biome-ignore lint\/complexity/.test(text))
    .map(({ path }) => `${path}: a suppressed complexity rule`);
