// What commands do on this machine, each part loaded on first use: `trawl --help` must not wait for a service.
import type { LocalTools } from '../../cli/local-tools.ts';
import { readClientSettings } from '../../config/client.ts';

const config = async () => (await import('../../config/settings.ts')).readConfig();

export const createLocalTools = (): LocalTools => ({
  client: readClientSettings(),
  async findService() {
    const [{ findService }, { dataFolder }] = await Promise.all([
      import('./find-service.ts'),
      import('../../config/storage/data-folder.ts'),
    ]);
    return findService(dataFolder());
  },
  async startEmbedded(note) {
    const [settings, { startEmbedded }] = await Promise.all([config(), import('./embedded.ts')]);
    return startEmbedded(settings, note);
  },
  async openKeyRing() {
    const { openKeyRing } = await import('./keys.ts');
    return openKeyRing(await config());
  },
  async openConsole(service) {
    const { openConsoleOf } = await import('./console.ts');
    return openConsoleOf(await config(), service);
  },
  async examine(options) {
    const { examine } = await import('./doctor/doctor.ts');
    return examine(await config(), options);
  },
  async backup(target, copy, say) {
    const { openBackup } = await import('./backup.ts');
    return openBackup(await config(), say).backup(target, copy);
  },
  async restore(source, say) {
    const { openRestore } = await import('./backup.ts');
    const { dataDir, restore } = openRestore(await config(), say);
    return { dataDir, ...(await restore(source)) };
  },
  async migrate(from, say) {
    const { moveIntoEngines } = await import('./migrate.ts');
    return moveIntoEngines(await config(), from, say);
  },
  async serve(options, signal) {
    const { serve } = await import('./serve.ts');
    await serve(options, signal);
  },
  settings: async () => Object.values((await import('../../config/settings.ts')).SETTINGS),
  explain,
});

/** Errors whose text was written for the operator. */
const FOR_PEOPLE = new Set(['ConfigError', 'DataFolderError', 'SettingError', 'ServiceError', 'StoreError']);

function explain(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is in use by another program. Set TRAWL_PORT to a free port.`;
  if (code === 'EADDRNOTAVAIL')
    return `This machine has no network address ${address}. Set TRAWL_HOST to one that it has.`;
  if (code === 'EACCES' && port !== undefined)
    return `This program may not listen on port ${port}. Set TRAWL_PORT to one above 1023.`;
  return FOR_PEOPLE.has(error.constructor.name) ? error.message : undefined;
}
