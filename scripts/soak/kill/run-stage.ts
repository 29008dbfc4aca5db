// What runs work on: a small shop for each run, a receiver of webhook calls, and a scripted model. All of it survives the kills.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelReply, type ReplyRule, startModelServer } from '../../../test/support/models/model-server.ts';
import { type Handler, page, send } from '../../../test/support/web/reply.ts';
import { startWeb, type Web } from '../../../test/support/web.ts';

export interface RunStage {
  web: Web;
  /** Settings that make a service use the scripted model for agents. */
  modelSettings: Record<string, string>;
  /** The start page of a run's own shop. */
  shop(name: string): string;
  items(name: string): string[];
  hook(name: string): string;
  /** The bodies received there, in order. */
  calls(name: string): string[];
  /** Which turns of its conversation the model was asked for, in order. */
  turns(name: string): number[];
  /** Resolves when the next webhook call arrives. That call gets no answer. */
  holdNextCall(): Promise<void>;
  /** Calls are answered again. */
  answerCalls(): void;
  /** Number of pages, model turns and webhook calls that were answered. */
  readonly activity: number;
  stop(): Promise<void>;
}

const SHOPS = 'stock.test';
const HOOKS = 'calls.test';
const ITEMS = 6;
/** Long enough that kills hit runs in all their parts. */
const ANSWER_MS = 40;
const numbers = Array.from({ length: ITEMS }, (_, at) => at + 1);

export async function startRunStage(): Promise<RunStage> {
  const received = new Map<string, string[]>();
  const turns = new Map<string, number[]>();
  let activity = 0;
  let held: PromiseWithResolvers<void> | undefined;

  const shops: Handler = async (exchange) => {
    await sleep(ANSWER_MS);
    activity += 1;
    const content = shopPage(exchange.path);
    send(exchange, content ?? page('Not sold here'), { status: content === undefined ? 404 : 200 });
  };
  const hooks: Handler = async (exchange) => {
    const name = exchange.tail;
    received.set(name, [...(received.get(name) ?? []), (await exchange.body()).toString()]);
    activity += 1;
    if (!held) return send(exchange, '');
    held.resolve();
    held = undefined;
    if (!exchange.signal.aborted) await once(exchange.signal, 'abort');
  };
  const web = await startWeb({ [SHOPS]: { '/*': shops, '/': shops }, [HOOKS]: { '/*': hooks } });
  const shop = (name: string) => web.url(SHOPS, `/${name}/`);
  const items = (name: string) => numbers.map((number) => `${shop(name)}item/${number}`);

  const rule: ReplyRule = async ({ messages }) => {
    await sleep(ANSWER_MS);
    activity += 1;
    const name = /\brun-\d+\b/.exec(messages.map(({ text }) => text).join('\n'))?.[0] ?? '';
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    turns.set(name, [...(turns.get(name) ?? []), turn]);
    return replyTo(turn, [shop(name), ...items(name)]);
  };
  const model = await startModelServer(rule);

  return {
    web,
    modelSettings: model.settings(),
    shop,
    items,
    hook: (name) => web.url(HOOKS, `/${name}`),
    calls: (name) => received.get(name) ?? [],
    turns: (name) => turns.get(name) ?? [],
    holdNextCall() {
      held ??= Promise.withResolvers<void>();
      return held.promise;
    },
    answerCalls() {
      held = undefined;
    },
    get activity() {
      return activity;
    },
    async stop() {
      await model.close();
      await web.stop();
    },
  };
}

/** `/run-7/` lists the items, `/run-7/item/3` is one of them. */
function shopPage(path: string): string | undefined {
  const [, name, , number] = /^\/(run-\d+)\/(item\/(\d+))?$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  if (number === undefined) {
    const links = numbers.map((item) => `<li><a href="/${name}/item/${item}">Kettle ${item}</a></li>`);
    return page(`Kettles of ${name}`, `<p>We sell ${ITEMS} kettles.</p><ul>${links.join('')}</ul>`);
  }
  const facts = `<dl><dt>Price</dt><dd>€${priceOf(Number(number))}</dd><dt>Colour</dt><dd>red</dd></dl>`;
  return page(`Kettle ${number}`, `<p>A kettle for the stove, made of steel.</p>${facts}`);
}

const priceOf = (item: number): string => `${20 + item}.50`;

/** Reads the pages one after the other, records what they say, and ends. */
function replyTo(turn: number, urls: readonly string[]): ModelReply {
  const call = (name: string, input: unknown): ModelReply => ({ toolCalls: [{ name, input }] });
  const url = urls[turn];
  if (url !== undefined) return call('scrape', { url });
  if (turn > urls.length) return call('finish', {});
  const kettles = numbers.map((item) => ({ name: `Kettle ${item}`, price: Number(priceOf(item)) }));
  return call('record', { data: { kettles }, sources: [] });
}
