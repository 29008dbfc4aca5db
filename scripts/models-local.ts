// npm run models:local: looks for a model server on this machine and prints the settings for it. Downloads nothing.

interface Server {
  name: string;
  url: string;
  /** Settings that make Trawl use this model. */
  settings(model: string): string;
  start: string;
}

const compatible = (name: string, port: number, start: string): Server => ({
  name,
  url: `http://127.0.0.1:${port}/v1/models`,
  settings: (model) => `TRAWL_MODEL=compatible:${model} TRAWL_MODEL_URL=http://127.0.0.1:${port}/v1`,
  start,
});

const SERVERS: readonly Server[] = [
  {
    name: 'Ollama',
    url: 'http://127.0.0.1:11434/v1/models',
    settings: (model) => `TRAWL_MODEL=ollama:${model}`,
    start: 'OLLAMA_CONTEXT_LENGTH=32768 ollama serve   # then: ollama pull qwen3:8b',
  },
  compatible('llama.cpp', 8080, 'llama-server -m MODEL.gguf -c 32768 --port 8080'),
  compatible('LM Studio', 1234, 'start its local server in the developer tab'),
  compatible('vLLM', 8000, 'vllm serve MODEL --port 8000'),
];
const WAIT_MS = 2_000;

/** The models that the server offers; undefined if nothing that looks like one answers. */
async function modelsOf({ url }: Server): Promise<string[] | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
    const { data } = (await response.json()) as { data?: { id?: unknown }[] };
    return data?.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  } catch {
    return undefined;
  }
}

const found = await Promise.all(SERVERS.map(async (server) => ({ server, models: await modelsOf(server) })));
const running = found.filter(({ models }) => models !== undefined);
for (const { server, models = [] } of running) {
  console.log(`\n${server.name} answers at ${new URL(server.url).origin}.`);
  if (models.length === 0) console.log('  It has no model yet.');
  for (const model of models) console.log(`  ${server.settings(model)} npm start`);
}
if (running.length === 0) {
  console.log('\nNo model server answers on this machine. Start one of these, and run this command again:');
  for (const { name, start } of SERVERS) console.log(`  ${name.padEnd(10)} ${start}`);
} else {
  console.log('\nIf the server has room for more tokens than Trawl assumes, add TRAWL_MODEL_CONTEXT_TOKENS=32768.');
}
console.log('\nWhat models are used for, and what they see: docs/operate/models.md');
