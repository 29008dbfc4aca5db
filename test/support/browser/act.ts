// Scrapes of counter.test with actions.
import type { Scene } from '../use-service.ts';

export interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  details?: { path: (string | number)[]; message: string }[];
  data: {
    markdown: string;
    rawHtml: string;
    actions?: {
      screenshots?: string[];
      scrapes?: { url: string; html: string }[];
      javascriptReturns?: { type: string; value: unknown }[];
      pdfs?: string[];
    };
    metadata: Record<string, unknown>;
  };
}
export type Step = Record<string, unknown> & { type: string };

/** Without a path, it is the front page. */
export function actionsOn(scene: Scene) {
  const at = (path: string) => scene.web.url('counter.test', path);

  async function act(actions: Step[], options: { path?: string; timeout?: number; [name: string]: unknown } = {}) {
    const { path = '/', ...others } = options;
    const { status, body } = await scene.service.scrape<Scraped>({
      url: at(path),
      formats: ['rawHtml'],
      actions,
      ...others,
    });
    return { status, ...body };
  }
  const script = (text: string): Step => ({ type: 'executeJavascript', script: text });
  return { at, act, script };
}
