// The protocol methods that clients of a session may use: an allow-list. Methods that reach files, other programs or a
// network outside of our control are refused, and so is everything that is not listed.
import type { Params } from '../cdp.ts';

type CommandDecision =
  | { verdict: 'pass'; params: Params }
  | { verdict: 'refuse'; reason: string }
  /** The client asks to close the browser; only its own connection is closed. */
  | { verdict: 'leave' };

/** All methods of these domains are allowed, except for `REFUSED` and as `CASES` says. */
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
  // They access files of this machine.
  'DOM.setFileInputFiles',
  'DOM.getFileInfo',
  'Page.handleFileChooser',
  // Deprecated forms of Fetch whose URLs are not checked here, and one that loads what no page could.
  'Network.setRequestInterception',
  'Network.continueInterceptedRequest',
  'Network.loadNetworkResource',
  'Page.crash',
]);

/** Methods of domains that are refused otherwise: Target.sendMessageToTarget, for one, would bypass this list. */
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

// They need no device and reveal nothing about this machine.
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
const pass = (params: Params): CommandDecision => ({ verdict: 'pass', params });
const refuse = (reason: string): CommandDecision => ({ verdict: 'refuse', reason });
const checkAddress = (params: Params): CommandDecision =>
  isAllowedAddress(params.url) ? pass(params) : refuse(`The address must be one of ${ALLOWED_ADDRESSES}`);

/** Allowed under a condition, or with other parameters. */
const CASES: Record<string, (params: Params) => CommandDecision> = {
  'Browser.close': () => ({ verdict: 'leave' }),
  // Playwright sends these for every connection and context, and fails without an answer. Downloads stay denied.
  'Browser.setDownloadBehavior': ({ browserContextId, eventsEnabled }) =>
    pass({ behavior: 'deny', browserContextId, eventsEnabled }),
  'Page.setDownloadBehavior': () => pass({ behavior: 'deny' }),
  'Browser.grantPermissions': (params) =>
    isHarmless(params.permissions) ? pass(params) : refuse('One of these permissions cannot be granted'),
  'Browser.setPermission': (params) =>
    isHarmless([(params.permission as Params | undefined)?.name])
      ? pass(params)
      : refuse('This permission cannot be granted'),
  'Fetch.continueRequest': (params) => (params.url === undefined ? pass(params) : checkAddress(params)),
  'Input.dispatchDragEvent': (params) =>
    (params.data as Params | undefined)?.files === undefined ? pass(params) : refuse('Files cannot be dropped'),
  // Streams that the browser opened have numeric handles; any other handle would name something else.
  'IO.read': (params) =>
    /^\d{1,15}$/.test(String(params.handle)) ? pass(params) : refuse('Only streams of this session can be read'),
  'Page.navigate': checkAddress,
  'Target.createTarget': (params) => (params.url === '' ? pass(params) : checkAddress(params)),
  'Target.createBrowserContext': ({ disposeOnDetach, proxyServer, proxyBypassList, ...more }) => {
    const hasOthers = Object.values(more).some((value) => value !== undefined);
    if (proxyServer === undefined && proxyBypassList === undefined && !hasOthers) return pass({ disposeOnDetach });
    return refuse('A context cannot have a proxy or rights of its own');
  },
};

export function decideCommand(method: string, params: Params): CommandDecision {
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
