// What a client of a session may ask of its browser: an allow-list. Whatever reaches files, other programs or a network that
// is not ours to watch is refused, and so is everything that is not listed.

export type Params = Record<string, unknown>;

export type Judgement =
  | { verdict: 'pass'; params: Params }
  | { verdict: 'refuse'; reason: string }
  /** The client thinks that it ends the browser; it ends its own connection. */
  | { verdict: 'leave' };

/** Allowed but for the methods below. */
const DOMAINS = new Set([
  'Accessibility',
  'Animation',
  'Audits',
  'CSS',
  'CacheStorage',
  'Console',
  'DOM',
  'DOMDebugger',
  'DOMSnapshot',
  'DOMStorage',
  'Debugger',
  'DeviceOrientation',
  'Emulation',
  'EventBreakpoints',
  'Fetch',
  'HeapProfiler',
  'IndexedDB',
  'Input',
  'Inspector',
  'LayerTree',
  'Log',
  'Media',
  'Network',
  'Overlay',
  'Page',
  'Performance',
  'PerformanceTimeline',
  'Profiler',
  'Runtime',
  'Schema',
  'Security',
  'ServiceWorker',
  'Storage',
  'WebAudio',
  'WebAuthn',
]);

const REFUSED = new Set([
  // Files of this machine.
  'DOM.setFileInputFiles',
  'DOM.getFileInfo',
  'Page.handleFileChooser',
  // Old ways of what Fetch does, and a way to load what no page could.
  'Network.setRequestInterception',
  'Network.continueInterceptedRequest',
  'Network.loadNetworkResource',
  'Page.crash',
]);

/** Of domains with more that must not be reached than may: sendMessageToTarget, for one, would pass by this list. */
const ALLOWED = new Set([
  'Browser.cancelDownload',
  'Browser.getVersion',
  'Browser.getWindowBounds',
  'Browser.getWindowForTarget',
  'Browser.resetPermissions',
  'Browser.setContentsSize',
  'Browser.setWindowBounds',
  'IO.close',
  'Target.activateTarget',
  'Target.attachToBrowserTarget',
  'Target.attachToTarget',
  'Target.autoAttachRelated',
  'Target.closeTarget',
  'Target.detachFromTarget',
  'Target.disposeBrowserContext',
  'Target.getBrowserContexts',
  'Target.getTargetInfo',
  'Target.getTargets',
  'Target.setAutoAttach',
  'Target.setDiscoverTargets',
]);

// What needs no device and shows nothing of this machine.
const PERMISSIONS = new Set([
  'backgroundSync',
  'clipboard-read',
  'clipboard-sanitized-write',
  'clipboard-write',
  'clipboardReadWrite',
  'clipboardSanitizedWrite',
  'durableStorage',
  'geolocation',
  'notifications',
  'persistent-storage',
  'sensors',
  'storage-access',
  'storageAccess',
  'topLevelStorageAccess',
]);

const ALLOWED_ADDRESSES = 'http, https, data and about:blank';
const pass = (params: Params): Judgement => ({ verdict: 'pass', params });
const refuse = (reason: string): Judgement => ({ verdict: 'refuse', reason });
const checkAddress = (params: Params): Judgement =>
  isAllowedAddress(params.url) ? pass(params) : refuse(`The address must be one of ${ALLOWED_ADDRESSES}`);

/** Allowed under a condition, or changed. */
const CASES: Record<string, (params: Params) => Judgement> = {
  'Browser.close': () => ({ verdict: 'leave' }),
  // Playwright asks for them with every connection and every context; without an answer it would not go on.
  'Browser.setDownloadBehavior': ({ browserContextId, eventsEnabled }) =>
    pass({ behavior: 'deny', browserContextId, eventsEnabled }),
  'Page.setDownloadBehavior': () => pass({ behavior: 'deny' }),
  'Browser.grantPermissions': (params) =>
    isHarmless(params.permissions) ? pass(params) : refuse('One of these permissions cannot be given'),
  'Browser.setPermission': (params) =>
    isHarmless([(params.permission as Params | undefined)?.name])
      ? pass(params)
      : refuse('This permission cannot be given'),
  'Fetch.continueRequest': (params) => (params.url === undefined ? pass(params) : checkAddress(params)),
  'Input.dispatchDragEvent': (params) =>
    (params.data as Params | undefined)?.files === undefined ? pass(params) : refuse('Files cannot be dropped'),
  // A stream that the browser has opened has a number; anything else would be a name of something.
  'IO.read': (params) =>
    /^\d{1,15}$/.test(String(params.handle)) ? pass(params) : refuse('Only streams of this session can be read'),
  'Page.navigate': checkAddress,
  'Target.createTarget': (params) => (params.url === '' ? pass(params) : checkAddress(params)),
  'Target.createBrowserContext': ({ disposeOnDetach, proxyServer, proxyBypassList, ...more }) => {
    const other = Object.values(more).some((value) => value !== undefined);
    if (proxyServer === undefined && proxyBypassList === undefined && !other) return pass({ disposeOnDetach });
    return refuse('A context cannot have a proxy or rights of its own');
  },
};

export function judge(method: string, params: Params): Judgement {
  const special = Object.hasOwn(CASES, method) ? CASES[method] : undefined;
  if (special) return special(params);
  const [domain = ''] = method.split('.', 1);
  if (ALLOWED.has(method) || (DOMAINS.has(domain) && !REFUSED.has(method))) return pass(params);
  return refuse('This method is not available in a session');
}

function isAllowedAddress(address: unknown): boolean {
  if (typeof address !== 'string') return false;
  const url = URL.parse(address);
  return url !== null && (/^(https?|data):$/.test(url.protocol) || url.href === 'about:blank');
}

const isHarmless = (names: unknown): boolean =>
  Array.isArray(names) && names.every((name) => typeof name === 'string' && PERMISSIONS.has(name));
