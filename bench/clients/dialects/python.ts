// Python clients of other wires: version 1 of the SDK, LangChain's SearxNG wrapper, and LiteLLM.
import { installPip } from '../../install.ts';
import { type Client, clientFolder } from '../client.ts';
import { openPython, pythonWith } from '../python.ts';

const SDK = '4.54.0';
const COMMUNITY = '0.4.2';
const LITELLM = '1.106.2';

export const pythonSdkV1: Client = {
  name: 'Python SDK, V1FirecrawlApp',
  version: SDK,
  open: (scene) => openPython('sdk-v1', pythonWith(SDK), scene),
};

export const langChainSearx: Client = {
  name: 'LangChain Python, SearxSearchWrapper',
  version: COMMUNITY,
  open: (scene) =>
    openPython('searx', installPip(clientFolder('langchain-community'), [`langchain-community==${COMMUNITY}`]), scene),
};

export const liteLlm: Client = {
  name: 'LiteLLM search',
  version: LITELLM,
  open: (scene) => openPython('litellm', installPip(clientFolder('litellm'), [`litellm==${LITELLM}`]), scene),
};
