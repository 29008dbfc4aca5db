// Makes a self-signed certificate from a few DER structures, so that no tool and no stored key is needed.
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

export interface Certificate {
  key: string;
  cert: string;
}

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  text: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
};
const DAY = 86_400_000;

export function selfSignedCertificate(hosts: readonly string[], now = Date.now()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(der(TAG.set, sequence(oid(0x55, 0x04, 0x03), der(TAG.text, Buffer.from('The small web')))));

  const body = sequence(
    context(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(now - DAY), utcTime(now + DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(mayBeTrusted(), alternativeNames(hosts))),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, ecdsaWithSha256, bitString(signature));

  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: new X509Certificate(whole).toString(),
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const sequence = (...parts: Buffer[]): Buffer => der(TAG.sequence, ...parts);
const oid = (...bytes: number[]): Buffer => der(TAG.oid, Buffer.from(bytes));
const integer = (bytes: Buffer): Buffer => der(TAG.integer, bytes);
const bitString = (bytes: Buffer): Buffer => der(TAG.bits, Buffer.from([0]), bytes);
const context = (number: number, content: Buffer): Buffer => der(0xa0 | number, content);

const utcTime = (time: number): Buffer =>
  der(TAG.time, Buffer.from(`${new Date(time).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const extension = (id: Buffer, content: Buffer): Buffer => sequence(id, der(TAG.octets, content));

/** basicConstraints CA: lets a test trust the certificate as a root. */
const mayBeTrusted = (): Buffer => extension(oid(0x55, 0x1d, 0x13), sequence(der(TAG.boolean, Buffer.from([0xff]))));

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => der(0x82, Buffer.from(host)));
  const loopback = der(0x87, Buffer.from([127, 0, 0, 1]));
  return extension(oid(0x55, 0x1d, 0x11), sequence(...names, loopback));
}
