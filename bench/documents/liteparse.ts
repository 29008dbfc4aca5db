// liteparse alone, without Trawl's own steps.
import { LiteParse } from '@llamaindex/liteparse';

const parser = new LiteParse({
  ocrEnabled: false,
  quiet: true,
  outputFormat: 'markdown',
  imageMode: 'off',
  maxPages: 10_000,
});

export const toMarkdown = async (bytes: Buffer): Promise<string> => (await parser.parse(bytes)).text;
