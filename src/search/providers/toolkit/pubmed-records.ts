// Reads whole records of PubMed (PubmedArticleSet): ids, title, abstract, authors and dates.
import type { Paper } from '../../../contracts/search/paper.ts';
import { parseXml } from '../../../markup/xml/parse-xml.ts';
import { XmlError } from '../../../markup/xml/xml-error.ts';
import { attribute, childOf, childrenOf, textOf, type XmlElement } from '../../../markup/xml/xml-tree.ts';
import { idsIn } from '../../papers/paper-id.ts';
import { plainText } from './answer-fields.ts';
import { problem } from './answer-problem.ts';
import { MAX_ABSTRACT, newPaper } from './paper-record.ts';

/** Renders the PDF of what is in PubMed Central, without the page that the archive itself puts in front. */
const FULL_TEXTS = 'https://europepmc.org/articles';

export function readPubmedPapers(xml: string): Paper[] {
  const root = parse(xml);
  if (root.name !== 'PubmedArticleSet') throw problem('malformed');
  return childrenOf(root, 'PubmedArticle').flatMap((article) => readArticle(article) ?? []);
}

function parse(xml: string): XmlElement {
  try {
    return parseXml(xml);
  } catch (error) {
    if (error instanceof XmlError) throw problem('malformed');
    throw error;
  }
}

function readArticle(element: XmlElement): Paper | undefined {
  const article = at(element, 'MedlineCitation', 'Article');
  const pmid = idsIn(`pmid:${textAt(element, 'MedlineCitation', 'PMID')}`).pmid;
  if (!article || pmid === undefined) return undefined;
  // The lists of references have ids too, so the path matters.
  const others = childrenOf(at(element, 'PubmedData', 'ArticleIdList') ?? NOTHING, 'ArticleId');
  const named = others.map((id) => {
    const type = attribute(id, 'IdType');
    return `${type === 'pmc' ? 'pmcid' : (type ?? '')}:${textOf(id).trim()}`;
  });
  const ids = { ...idsIn(...named), pmid };
  const parts = childrenOf(at(article, 'Abstract') ?? NOTHING, 'AbstractText');
  return newPaper({
    ids,
    title: plainText(textAt(article, 'ArticleTitle')),
    abstract: plainText(parts.map(labelled).join(' '), MAX_ABSTRACT),
    authors: childrenOf(at(article, 'AuthorList') ?? NOTHING, 'Author').map(nameOf),
    created: publishedOn(element, article),
    fullTexts: ids.pmcid === undefined ? [] : [`${FULL_TEXTS}/${ids.pmcid}?pdf=render`],
  });
}

function labelled(part: XmlElement): string {
  const label = attribute(part, 'Label');
  return label === undefined ? textOf(part) : `${label}: ${textOf(part)}`;
}

function nameOf(author: XmlElement): string {
  const name = [textAt(author, 'ForeName'), textAt(author, 'LastName')].filter(Boolean).join(' ');
  return plainText(name || textAt(author, 'CollectiveName'), 200);
}

/** The electronic date, else when PubMed got the record. */
function publishedOn(element: XmlElement, article: XmlElement): string | undefined {
  const history = childrenOf(at(element, 'PubmedData', 'History') ?? NOTHING, 'PubMedPubDate');
  const date =
    at(article, 'ArticleDate') ?? history.find((one) => attribute(one, 'PubStatus') === 'pubmed') ?? history[0];
  if (!date) return undefined;
  const [year, month, day] = ['Year', 'Month', 'Day'].map((name) => textAt(date, name));
  return `${year}-${(month || '01').padStart(2, '0')}-${(day || '01').padStart(2, '0')}`;
}

const NOTHING: XmlElement = { name: '', attributes: {}, children: [] };

const at = (element: XmlElement, ...path: string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((parent, name) => parent && childOf(parent, name), element);

const textAt = (element: XmlElement, ...path: string[]): string => textOf(at(element, ...path) ?? NOTHING).trim();
