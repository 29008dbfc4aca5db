// The wall that runs a script: the browser has to solve a sum, and to look like one that a person uses.
import { createHash } from 'node:crypto';
import type { FingerprintedRequest } from './fingerprint-server.ts';

/** Each is an expression that is true in the browser of a person. */
const CHECKS: Readonly<Record<string, string>> = {
  webdriver: 'navigator.webdriver !== true',
  headless: '!/Headless/.test(navigator.userAgent + JSON.stringify(navigator.userAgentData))',
  plugins: 'navigator.plugins.length > 0 && navigator.plugins[0].name.length > 0',
  chrome: "typeof window.chrome === 'object'",
  languages: 'navigator.languages.join() === LANGUAGES && navigator.language === navigator.languages[0]',
  agent: 'navigator.userAgent === AGENT',
  brands: 'navigator.userAgentData.brands.map((b) => b.brand + b.version).join() === BRANDS',
  platform: "navigator.platform.startsWith(navigator.userAgentData.platform.split(' ')[0])",
  screen: 'screen.width >= innerWidth && screen.height > innerHeight && screen.colorDepth >= 24 && outerWidth > 0',
  zone: "typeof Intl.DateTimeFormat().resolvedOptions().timeZone === 'string'",
  pointer: "matchMedia('(pointer: fine)').matches && navigator.maxTouchPoints === 0",
  worker:
    'new Promise((done) => { const source = "postMessage(navigator.userAgentData.brands.map((b) => b.brand + b.version).join())"; new Worker(URL.createObjectURL(new Blob([source]))).onmessage = ({ data }) => done(data === BRANDS); })',
  webgl: "document.createElement('canvas').getContext('webgl') !== null",
};

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The page that a browser has to get through. It reloads itself with the solution in a cookie. */
export function scriptChallenge({ headers }: FingerprintedRequest): string {
  const agent = headers['user-agent'] ?? '';
  const known = {
    LANGUAGES: (headers['accept-language'] ?? '')
      .split(',')
      .map((tag) => tag.split(';')[0])
      .join(),
    AGENT: agent,
    BRANDS: [...(headers['sec-ch-ua'] ?? '').matchAll(/"([^"]+)";v="(\d+)"/g)]
      .map(([, brand, version]) => `${brand}${version}`)
      .join(),
  };
  const checks = Object.entries(CHECKS).map(([name, test]) => `[${JSON.stringify(name)}, () => ${test}]`);
  return `<!doctype html><html><head><title>One moment</title></head><body><p>One moment</p><script>(async () => {
    const { LANGUAGES, AGENT, BRANDS } = ${JSON.stringify(known)};
    const failed = [];
    for (const [name, test] of [${checks.join()}]) {
      try { if (!(await test())) failed.push(name); } catch { failed.push(name); }
    }
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(AGENT));
    const sum = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('').slice(0, 16);
    document.cookie = 'sum=' + sum + '; path=/';
    document.cookie = 'failed=' + failed.join('.') + '; path=/';
    if (failed.length === 0) location.reload();
  })()</script></body></html>`;
}

/** Whether the request carries the solution, and no check has failed. */
export function isPerson({ headers }: FingerprintedRequest): boolean {
  const cookies = (headers.cookie ?? '').split('; ');
  return cookies.includes(`sum=${hash(headers['user-agent'] ?? '')}`) && cookies.includes('failed=');
}
