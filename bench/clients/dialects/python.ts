// Python clients of other wires: version 1 of the SDK, LangChain's wrappers, LiteLLM, and the SDKs of Tavily, Exa and Cohere.
import { installPip, LONG_INSTALL_MS } from '../../install.ts';
import { type Client, clientFolder } from '../client.ts';
import { openPython, pythonWith } from '../python.ts';

const SDK = '4.54.0';

export const pythonSdkV1: Client = {
  name: 'Python SDK, V1FirecrawlApp',
  version: SDK,
  open: (scene) => openPython('sdk-v1', pythonWith(SDK), scene),
};

/** `folder` and `what`: the installation, which clients may share, and the cases in bench/clients/python. */
const pythonClient = (
  name: string,
  version: string,
  { folder, what, requirements }: { folder: string; what: string; requirements: string[] },
): Client => ({
  name,
  version,
  open: (scene) => openPython(what, installPip(clientFolder(folder), requirements, LONG_INSTALL_MS), scene),
});

const COMMUNITY = '0.4.2';
const community = { folder: 'langchain-community', requirements: [`langchain-community==${COMMUNITY}`] };

export const langChainSearx = pythonClient('LangChain Python, SearxSearchWrapper', COMMUNITY, {
  ...community,
  what: 'searx',
});

export const langChainBrave = pythonClient('LangChain Python, BraveSearchWrapper', COMMUNITY, {
  ...community,
  what: 'brave',
});

export const langChainJina = pythonClient('LangChain Python, JinaSearchAPIWrapper', COMMUNITY, {
  ...community,
  what: 'jina',
});

const LITELLM = '1.106.2';

export const liteLlm = pythonClient('LiteLLM search and rerank', LITELLM, {
  ...{ folder: 'litellm', what: 'litellm' },
  requirements: [`litellm==${LITELLM}`],
});

const TAVILY = '0.8.5';
const EXA = '2.27.0';
const COHERE = '7.3.1';
const sdks = {
  folder: 'python-dialects',
  requirements: [`tavily-python==${TAVILY}`, `exa-py==${EXA}`, `cohere==${COHERE}`],
};

export const tavilyPython = pythonClient('Tavily Python SDK', TAVILY, { ...sdks, what: 'tavily' });
export const exaPython = pythonClient('Exa Python SDK', EXA, { ...sdks, what: 'exa' });
export const cohere = pythonClient('Cohere Python SDK', COHERE, { ...sdks, what: 'cohere' });
