// The options of scrapes and jobs, encrypted: they may hold the headers and cookies with which a caller signs in somewhere.
import { createEncryption, type Encryption } from './encryption.ts';

export interface SealedOptions {
  seal(options: unknown, teamId: string): string;
  /** Empty if they were sealed with another secret: what the scrape found can still be read. */
  open(text: string, teamId: string): unknown;
}

/** The secret is read on first use, so that merely opening a data folder creates none in it. */
export function createSealedOptions(readSecret: () => Uint8Array): SealedOptions {
  let made: Encryption | undefined;
  const encryption = (): Encryption => {
    made ??= createEncryption(readSecret(), 'options');
    return made;
  };
  const contextOf = (teamId: string) => ['options', teamId];

  return {
    seal: (options, teamId) =>
      Buffer.from(encryption().encrypt(Buffer.from(JSON.stringify(options ?? null)), contextOf(teamId))).toString(
        'base64',
      ),
    open(text, teamId) {
      // Rows of earlier versions are plain JSON.
      if (/^[{n]/.test(text)) return JSON.parse(text);
      const opened = encryption().decrypt(Buffer.from(text, 'base64'), contextOf(teamId));
      return opened ? JSON.parse(Buffer.from(opened).toString()) : {};
    },
  };
}
