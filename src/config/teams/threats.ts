// Settings of the risk services that threat protection asks.
import { resolve } from 'node:path';
import { z } from 'zod';
import { SettingError } from '../../util/setting-error.ts';
import { baseUrl, list, readBy, setting } from '../rules.ts';

const WEB_RISK_URL = 'https://webrisk.googleapis.com';

export const THREAT_SETTINGS = {
  webRiskKey: setting(
    'TRAWL_WEB_RISK_KEY',
    'none',
    z.string().min(1).optional(),
    'Key for Google Web Risk (Lookup API), which threat protection then asks about URLs.',
    true,
  ),
  webRiskUrl: setting(
    'TRAWL_WEB_RISK_URL',
    WEB_RISK_URL,
    baseUrl.default(WEB_RISK_URL),
    'Base URL of Web Risk. It may be private.',
  ),
  riskUrl: setting(
    'TRAWL_RISK_URL',
    'none',
    readBy(readRiskUrl).optional(),
    'A risk service of your own, which answers with `{"score": 0..100}`. With `{url}` in it, the URL is put there (GET); without, it gets `{"url": ...}` (POST). It may be private.',
    // It may contain a key.
    true,
  ),
  riskHeader: setting(
    'TRAWL_RISK_HEADER',
    'none',
    readBy(readHeader).optional(),
    'A header for TRAWL_RISK_URL that carries a secret, e.g. `Authorization: Bearer SECRET`.',
    true,
  ),
  threatLists: setting(
    'TRAWL_THREAT_LISTS',
    'none',
    z
      .string()
      .transform((text) => list(text).map(readSource))
      .default(() => []),
    'Lists of known threats: URLs and paths, separated by commas. Hosts files, lists of domains or URLs, URLhaus CSV. Downloaded when first needed, and every hour while needed. They may be private.',
  ),
};

function readRiskUrl(text: string): string {
  const [url, other] = ['x', 'y'].map((value) => URL.parse(text.replaceAll('{url}', value)));
  if (!url || !other || !/^https?:$/.test(url.protocol)) throw new SettingError('it must be an http or https URL');
  if (url.origin !== other.origin) throw new SettingError('{url} must not be in the host');
  return text;
}

function readHeader(text: string): { name: string; value: string } {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(\S.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new SettingError('it must have the form `Name: value`');
  return { name, value };
}

const readSource = (text: string): string => (/^https?:\/\//i.test(text) && URL.canParse(text) ? text : resolve(text));
