// Stand-ins for the catalogues of papers and for GitHub on loopback, each under a path of its own and in its own documented
// format. They find entries by any word of the query.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CataloguePaper {
  title: string;
  abstract: string;
  authors: [given: string, family: string][];
  date: string;
  arxiv?: string;
  doi?: string;
  pmid?: string;
  pmcid?: string;
  openalex?: string;
  categories?: string[];
  citations?: number;
  pdf?: string;
  /** OpenAlex ids of the works that it cites. */
  cites?: string[];
  related?: string[];
  /** Who has it. */
  in: ('openalex' | 'arxiv' | 'crossref' | 'pubmed')[];
}

export interface CatalogueRepo {
  full_name: string;
  description: string;
  readme?: string;
  license?: string | null;
  stars?: number;
  issues?: { number: number; title: string; body: string; isPull?: boolean }[];
}

export type Source = 'openalex' | 'arxiv' | 'crossref' | 'pubmed' | 'github';

export interface Catalogues {
  url: string;
  /** Settings that let a service ask all of them. */
  settings: Record<string, string>;
  asked: { source: Source; path: string; parameters: URLSearchParams; headers: IncomingMessage['headers'] }[];
  /** Answers for one source from now on, or as usual again. */
  behave(source: Source, behaviour?: (response: ServerResponse) => void): void;
  stop(): Promise<void>;
}

interface Data {
  papers: CataloguePaper[];
  repos?: CatalogueRepo[];
  /** Files by path, for example /arxiv/pdf/1706.03762. */
  files?: Record<string, { type: string; bytes: Buffer }>;
}

const SOURCES: Source[] = ['openalex', 'arxiv', 'crossref', 'pubmed', 'github'];

export async function startCatalogues({ papers, repos = [], files = {} }: Data): Promise<Catalogues> {
  const asked: Catalogues['asked'] = [];
  const behaviours = new Map<Source, (response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://catalogues.test');
    const file = files[pathname];
    if (file) {
      response.writeHead(200, { 'content-type': file.type }).end(file.bytes);
      return;
    }
    const [, source, ...rest] = pathname.split('/') as [string, Source, ...string[]];
    const path = `/${rest.join('/')}`;
    asked.push({ source, path, parameters: searchParams, headers: request.headers });
    const behaviour = behaviours.get(source);
    if (behaviour) {
      behaviour(response);
      return;
    }
    const having = papers.filter((paper) => source !== 'github' && paper.in.includes(source));
    const [status, type, body] =
      source === 'github' ? github(repos, path, searchParams) : ANSWERS[source](having, path, searchParams);
    response.writeHead(status, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    settings: Object.fromEntries(SOURCES.map((name) => [`TRAWL_${name.toUpperCase()}_URL`, `${url}/${name}`])),
    asked,
    behave(source, behaviour) {
      if (behaviour) behaviours.set(source, behaviour);
      else behaviours.delete(source);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Reply = [status: number, type: string, body: string];
type Answer = (papers: CataloguePaper[], path: string, parameters: URLSearchParams) => Reply;

const json = (value: unknown, status = 200): Reply => [status, 'application/json', JSON.stringify(value)];
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function matching<T>(entries: T[], textOf: (entry: T) => string, query: string): T[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const noise = new Set(['all', 'and', 'the', 'tiab', 'author', 'cat', 'submitteddate']);
  return entries.filter((entry) =>
    words.some((word) => !noise.has(word) && textOf(entry).toLowerCase().includes(word)),
  );
}

const textOf = ({ title, abstract }: CataloguePaper) => `${title} ${abstract}`;
const page = <T>(all: T[], start: number, size: number) => all.slice(start, start + size);

const ANSWERS: Record<Exclude<Source, 'github'>, Answer> = {
  openalex(papers, path, parameters) {
    if (path !== '/works') {
      const id = decodeURIComponent(path.slice('/works/'.length)).toLowerCase();
      const found = papers.find((paper) => openalexIds(paper).includes(id));
      return found ? json(work(found)) : json({ error: 'Not found' }, 404);
    }
    const [relation, id = ''] = (parameters.get('filter') ?? '').split(':');
    const seed = papers.find(({ openalex }) => openalex === id);
    const has = (list: string[] | undefined, openalex: string | undefined) => openalex && list?.includes(openalex);
    const related: Record<string, CataloguePaper[]> = {
      cites: papers.filter(({ cites }) => cites?.includes(id)),
      cited_by: papers.filter(({ openalex }) => has(seed?.cites, openalex)),
      related_to: papers.filter(({ openalex }) => has(seed?.related, openalex)),
    };
    const all = related[relation!] ?? matching(papers, textOf, parameters.get('search') ?? '');
    const size = Number(parameters.get('per-page'));
    return json({
      meta: { count: all.length },
      results: page(all, (Number(parameters.get('page')) - 1) * size, size).map(work),
    });
  },
  arxiv(papers, path, parameters) {
    if (path !== '/api/query') return [404, 'text/html', 'No such paper.'];
    const id = parameters.get('id_list');
    const query = parameters.get('search_query') ?? '';
    const wanted = /cat:([\w.]+)/.exec(query)?.[1];
    const all = id ? papers.filter(({ arxiv }) => arxiv === id) : matching(papers, textOf, query);
    const found = all.filter(({ categories }) => !wanted || categories?.includes(wanted));
    const shown = page(found, Number(parameters.get('start')), Number(parameters.get('max_results')));
    const entries = shown.map(
      ({ arxiv, title, abstract, authors, date, categories = [], doi }) => `<entry>
        <id>http://arxiv.org/abs/${arxiv}v2</id><title>${escaped(title)}</title><summary>${escaped(abstract)}</summary>
        <published>${date}T00:00:00Z</published><updated>${date}T00:00:00Z</updated>
        ${authors.map((name) => `<author><name>${escaped(name.join(' '))}</name></author>`).join('')}
        ${categories.map((term) => `<category term="${term}" scheme="x"/>`).join('')}
        ${doi ? `<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">${doi}</arxiv:doi>` : ''}
      </entry>`,
    );
    const total = `<o:totalResults xmlns:o="http://a9.com/-/spec/opensearch/1.1/">${found.length}</o:totalResults>`;
    const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${total}${entries.join('')}</feed>`;
    return [200, 'application/atom+xml', feed];
  },
  crossref(papers, path, parameters) {
    const item = ({ doi, title, abstract, authors, date, citations = 0, pdf }: CataloguePaper) => ({
      DOI: doi,
      title: [title],
      abstract: `<jats:p>${abstract}</jats:p>`,
      author: authors.map(([given, family]) => ({ given, family })),
      published: { 'date-parts': [date.split('-').map(Number)] },
      'is-referenced-by-count': citations,
      link: pdf ? [{ URL: pdf, 'content-type': 'application/pdf' }] : [],
    });
    if (path !== '/works') {
      const found = papers.find(({ doi }) => doi === decodeURIComponent(path.slice('/works/'.length)));
      return found ? json({ message: item(found) }) : [404, 'text/plain', 'Resource not found.'];
    }
    const all = matching(papers, textOf, parameters.get('query') ?? '');
    const shown = page(all, Number(parameters.get('offset')), Number(parameters.get('rows')));
    return json({ message: { 'total-results': all.length, items: shown.map(item) } });
  },
  pubmed(papers, path, parameters) {
    if (path.endsWith('/esearch.fcgi')) {
      const term = parameters.get('term') ?? '';
      const [, id] = /^(\w+)\[(?:uid|pmcid)\]$/.exec(term) ?? [];
      const all = id ? papers.filter(({ pmid, pmcid }) => pmid === id || pmcid === id) : matching(papers, textOf, term);
      const shown = page(all, Number(parameters.get('retstart')), Number(parameters.get('retmax')));
      return json({ esearchresult: { count: String(all.length), idlist: shown.map(({ pmid }) => pmid) } });
    }
    const ids = (parameters.get('id') ?? '').split(',');
    const articles = papers.filter(({ pmid }) => ids.includes(pmid ?? '')).map(article);
    return [200, 'text/xml', `<?xml version="1.0"?><PubmedArticleSet>${articles.join('')}</PubmedArticleSet>`];
  },
};

const openalexIds = ({ openalex, arxiv, doi, pmid, pmcid }: CataloguePaper): string[] =>
  [openalex, arxiv && `doi:10.48550/arxiv.${arxiv}`, `doi:${doi}`, `pmid:${pmid}`, `pmcid:${pmcid}`].map((id) =>
    String(id).toLowerCase(),
  );

const work = ({ openalex, doi, arxiv, pmid, title, abstract, authors, date, citations = 0, pdf }: CataloguePaper) => ({
  id: `https://openalex.org/${openalex}`,
  doi: doi ? `https://doi.org/${doi}` : null,
  ids: {
    openalex: `https://openalex.org/${openalex}`,
    ...(pmid && { pmid: `https://pubmed.ncbi.nlm.nih.gov/${pmid}` }),
  },
  display_name: title,
  publication_date: date,
  authorships: authors.map((name) => ({ author: { display_name: name.join(' ') } })),
  cited_by_count: citations,
  primary_location: null,
  best_oa_location: pdf ? { pdf_url: pdf, landing_page_url: null } : null,
  locations: arxiv ? [{ landing_page_url: `http://arxiv.org/abs/${arxiv}`, pdf_url: null }] : [],
  abstract_inverted_index: Object.fromEntries(
    [...Map.groupBy(abstract.split(' ').entries(), ([, word]) => word)].map(([word, places]) => [
      word,
      places.map(([at]) => at),
    ]),
  ),
});

const article = ({ pmid, pmcid, doi, title, abstract, authors, date }: CataloguePaper): string => {
  const [year, month, day] = date.split('-');
  const names = authors.map(
    ([given, family]) =>
      `<Author><LastName>${escaped(family)}</LastName><ForeName>${escaped(given)}</ForeName></Author>`,
  );
  const ids = [
    ['pubmed', pmid],
    ['doi', doi],
    ['pmc', pmcid],
  ].flatMap(([type, id]) => (id ? [`<ArticleId IdType="${type}">${id}</ArticleId>`] : []));
  return `<PubmedArticle><MedlineCitation><PMID Version="1">${pmid}</PMID><Article>
    <ArticleTitle>${escaped(title)}</ArticleTitle>
    <Abstract><AbstractText Label="BACKGROUND">${escaped(abstract)}</AbstractText></Abstract>
    <AuthorList>${names.join('')}</AuthorList>
    <ArticleDate><Year>${year}</Year><Month>${month}</Month><Day>${day}</Day></ArticleDate>
    </Article></MedlineCitation><PubmedData><ArticleIdList>${ids.join('')}</ArticleIdList>
    <ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.9999/cited</ArticleId></ArticleIdList></Reference>
    </ReferenceList></PubmedData></PubmedArticle>`;
};

function github(repos: CatalogueRepo[], path: string, parameters: URLSearchParams): Reply {
  const query = parameters.get('q') ?? '';
  const words = query.replace(/\b[\w-]+:(?:"[^"]*"|\S+)/g, '');
  const wanted = [...query.matchAll(/\brepo:(\S+)/g)].map(([, name]) => name);
  const license = /\blicense:"([^"]+)"/.exec(query)?.[1];
  const minStars = Number(/\bstars:(\d+)\.\./.exec(query)?.[1] ?? 0);
  const inScope = repos.filter(
    ({ full_name, license: own, stars = 0 }) =>
      (wanted.length === 0 || wanted.includes(full_name)) &&
      (path !== '/search/repositories' || ((!license || own?.toLowerCase() === license) && stars >= minStars)),
  );
  const repository = ({ full_name, description, license: own, stars = 0 }: CatalogueRepo) => ({
    full_name,
    description,
    html_url: `https://github.com/${full_name}`,
    license: own ? { spdx_id: own } : null,
    stargazers_count: stars,
    has_issues: true,
  });
  const [, , owner, name, leaf] = path.split('/');
  if (path.startsWith('/repos/')) {
    const repo = repos.find(({ full_name }) => full_name === `${owner}/${name}`);
    if (!repo || (leaf === 'readme' && !repo.readme)) return json({ message: 'Not Found' }, 404);
    return leaf === 'readme' ? [200, 'text/plain', repo.readme!] : json(repository(repo));
  }
  const issues = inScope.flatMap(({ full_name, issues: own = [] }) =>
    own
      .filter(({ isPull = false }) => query.includes(isPull ? 'is:pr' : 'is:issue'))
      .map(({ number, title, body, isPull }) => ({
        html_url: `https://github.com/${full_name}/${isPull ? 'pull' : 'issues'}/${number}`,
        title,
        body,
      })),
  );
  const items =
    path === '/search/issues'
      ? matching(issues, ({ title, body }) => `${title} ${body}`, words)
      : matching(inScope, (repo) => `${repo.full_name} ${repo.description} ${repo.readme}`, words).map(repository);
  return json({ total_count: items.length, items });
}
