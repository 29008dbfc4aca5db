// A separate process that moves a data folder, and that a test kills. It prints a line for each step. Arguments: the folder,
// the URL of the database, and the secret.
import { moveFolder } from '../../../../../src/store/tools/migrate/move-folder.ts';

const [from, url, secret] = process.argv.slice(2) as [string, string, string];
const onProgress = (words: string) => process.stdout.write(`${words}\n`);
await moveFolder({ from, url, secret: Buffer.from(secret, 'hex'), onProgress });
