// Secrets in the forms of their services, and passwords as people choose them.
import type { Random } from './random.ts';

const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const BASE62 = `${UPPER}${UPPER.toLowerCase()}0123456789`;
const BASE64 = `${BASE62}+/`;
const WORDS = ['Blauwal', 'sunflower', 'Kaktus', 'montagne', 'river', 'Zitrone', 'paloma', 'tulp', 'nebbia', 'orchid'];

export function passwordOf(random: Random): string {
  return random.pick([
    () => `${random.pick(WORDS)}${random.digits('##')}${random.pick(['!', '#', '?', ''])}`,
    () => `${random.text(5, BASE62)}${random.digits('##')}${random.text(3, BASE62)}${random.pick(['$', '!', '%', ''])}`,
    () => `${random.pick(WORDS)}-${random.pick(WORDS)}-${random.digits('###')}`,
  ])();
}

const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const MAKERS: Record<string, (random: Random) => string> = {
  github: (random) => `${random.pick(['ghp', 'gho', 'ghs'])}_${random.text(36, BASE62)}`,
  gitlab: (random) => `glpat-${random.text(20, BASE62)}`,
  aws: (random) => `AKIA${random.text(16, `${UPPER}234567`)}`,
  azure: (random) => `${random.text(86, BASE64)}==`,
  google: (random) => `AIza${random.text(35, `${BASE62}_-`)}`.replace(/-$/, 'x'),
  stripe: (random) => `${random.pick(['sk_live', 'rk_live'])}_${random.text(random.pick([24, 99]), BASE62)}`,
  openai: (random) => `sk-proj-${random.text(48, BASE62)}`,
  npm: (random) => `npm_${random.text(36, BASE62)}`,
  pypi: (random) => `pypi-AgEIcHlwaS5vcmc${random.text(90, BASE62)}`,
  sendgrid: (random) => `SG.${random.text(22, BASE62)}.${random.text(43, BASE62)}`,
  shopify: (random) => `shpat_${random.text(32, HEX)}`,
  slack: (random) =>
    `xoxb-${random.digits('############')}-${random.digits('############')}-${random.text(24, BASE62)}`,
  slackhook: (random) => `T${random.text(9, UPPER)}/B${random.text(9, UPPER)}/${random.text(24, BASE62)}`,
  hex: (random) => random.text(random.pick([32, 40, 64]), HEX),
  random40: (random) => random.text(40, `${BASE62}_`).replace(/^_|_$/g, 'k'),
  userinfo: (random) =>
    `${random.pick(['app', 'shop_rw', 'svc-mail', 'backup'])}:${random.text(4, BASE62)}${random.digits('##')}${random.text(8, BASE62)}`,
  jwt: (random) =>
    `${json({ alg: 'RS256', kid: random.text(8, HEX) })}.${json({ sub: random.text(10, HEX), exp: 1.9e9 })}.${random.text(86, BASE62)}`,
  pem: (random) => {
    const lines = Array.from({ length: 12 }, () => random.text(64, BASE64)).join('\n');
    return `-----BEGIN RSA PRIVATE KEY-----\n${lines}\n-----END RSA PRIVATE KEY-----`;
  },
};

export const secretOf = (kind: string, random: Random): string => MAKERS[kind]!(random);
