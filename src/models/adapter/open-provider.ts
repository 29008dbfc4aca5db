// The packages of the providers, each loaded with its first use: they take 27 MB, which an idle service does not need.
import type { LanguageModel } from 'ai';
import type { ModelChoice } from '../model-choice.ts';

/** Every address and key is given: the packages would otherwise take them from the environment. */
export async function openProvider(choice: ModelChoice, fetch: typeof globalThis.fetch): Promise<LanguageModel> {
  const { provider, model, url: baseURL, key: apiKey = '' } = choice;
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      // Chat-completions, which proxies and other servers offer, too.
      return createOpenAI({ baseURL, apiKey, fetch }).chat(model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch })(model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL, apiKey, fetch })(model);
    }
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const key = choice.key === undefined ? {} : { apiKey };
      const settings = { name: 'compatible', supportsStructuredOutputs: true, includeUsage: true, fetch };
      return createOpenAICompatible({ baseURL, ...key, ...settings })(model);
    }
  }
}
