// Fills in what the headless shell lacks and the browser of a person has: the PDF viewer's plug-ins and `window.chrome`.
// Sites take their absence for a sign of automation. A full Chromium has them, and then nothing is changed.
import type { Page } from 'playwright-core';

// Runs before the scripts of a page. Bound functions and proxies of native ones show no source of ours.
const FILL = `{
  const native = (work) => work.bind(undefined);
  const replace = (owner, name, value) => {
    const { get, ...rest } = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { ...rest, get: new Proxy(get, { apply: () => value }) });
  };
  const list = (kind, items, keyOf) => {
    const made = Object.create(kind.prototype);
    const hidden = (value) => ({ value, configurable: true });
    items.forEach((item, at) => {
      Object.defineProperty(made, at, { value: item, enumerable: true, configurable: true });
      Object.defineProperty(made, keyOf(item), hidden(item));
    });
    return Object.defineProperties(made, {
      length: hidden(items.length),
      item: hidden(native((at) => items[at] ?? null)),
      namedItem: hidden(native((name) => items.find((item) => keyOf(item) === name) ?? null)),
      [Symbol.iterator]: hidden(native(() => items[Symbol.iterator]())),
    });
  };
  const own = (kind, fields) => {
    const made = Object.create(kind.prototype);
    for (const [name, value] of Object.entries(fields)) Object.defineProperty(made, name, { value, configurable: true });
    return made;
  };

  if (navigator.plugins.length === 0 && !/Mobile/.test(navigator.userAgent)) {
    const description = 'Portable Document Format';
    const types = ['application/pdf', 'text/pdf'].map((type) => own(MimeType, { type, suffixes: 'pdf', description }));
    const names = ['PDF Viewer', 'Chrome PDF Viewer', 'Chromium PDF Viewer', 'Microsoft Edge PDF Viewer', 'WebKit built-in PDF'];
    const plugins = names.map((name) =>
      own(Plugin, { name, filename: 'internal-pdf-viewer', description, length: types.length, 0: types[0], 1: types[1] }),
    );
    for (const type of types) Object.defineProperty(type, 'enabledPlugin', { value: plugins[0], configurable: true });
    const pluginList = list(PluginArray, plugins, ({ name }) => name);
    Object.defineProperty(pluginList, 'refresh', { value: native(() => {}), configurable: true });
    replace(Navigator.prototype, 'plugins', pluginList);
    replace(Navigator.prototype, 'mimeTypes', list(MimeTypeArray, types, ({ type }) => type));
    replace(Navigator.prototype, 'pdfViewerEnabled', true);
  }

  if (!('chrome' in window)) {
    const start = performance.timeOrigin;
    const app = {
      isInstalled: false,
      InstallState: { DISABLED: 'disabled', INSTALLED: 'installed', NOT_INSTALLED: 'not_installed' },
      RunningState: { CANNOT_RUN: 'cannot_run', READY_TO_RUN: 'ready_to_run', RUNNING: 'running' },
      getDetails: native(() => null),
      getIsInstalled: native(() => false),
      runningState: native(() => 'cannot_run'),
    };
    const csi = native(() => ({ onloadT: Date.now(), startE: Math.round(start), pageT: performance.now(), tran: 15 }));
    const loadTimes = native(() => ({
      requestTime: start / 1000,
      startLoadTime: start / 1000,
      wasFetchedViaSpdy: true,
      wasNpnNegotiated: true,
      npnNegotiatedProtocol: 'h2',
      connectionInfo: 'h2',
    }));
    const value = { loadTimes, csi, app };
    Object.defineProperty(window, 'chrome', { value, writable: true, enumerable: true, configurable: false });
  }
}`;

export const fillHeadlessGaps = (page: Page): Promise<unknown> => page.addInitScript(FILL);
