// A page in many languages, and what ingestion makes of it. The version of an index follows from this, so a rule of
// analysis that changes rebuilds the index. A changed rule that changes nothing here needs a word of its own here.
import type { IndexEntry } from '../../page/index-entry.ts';
import { SHARED } from '../../page/page-owner.ts';
import { STEMMERS } from '../../text/words/stemmers.ts';
import { createPageAnalyser, joinedTerms, type PageAnalyser, type PageAnalysis } from './analyse-page.ts';
import { type PreparedPage, prepareChange } from './prepare-change.ts';

/** Languages whose words become terms in ways of their own. Of those with Snowball stems only one: each has to be loaded. */
const LANGUAGES = ['en', 'de', 'pl', 'vi'];

export const SAMPLE_LINK_TEXTS = ['Walrus guides', 'Rückwege'];

/** No script that the platform splits into words: its next version would look like a change of ours. */
const BODY = `The runners were running happily: relational conditions, agreed plans, flies and dying ponies, sized motors.
C++, C# and .NET 4.8, node.js, real-time, snake_case cost 3.14 or 1,000; e-mail don't O'Neill's AT&T well-known ﬁle naïve Ångström x²
Straßenbahnhaltestellen größer Übergrößen; l'après-midi; öğleden sonra İstanbul'da kütüphaneler; đường Việt Nam
Библиотеками ёлка; βιβλιοθήκες Όσο; הספרייה שָׁלוֹם; المكتبات كِتَاب ٣; पुस्तकालय हिंदी; 도서관에서 책을
図書館で本を読む カタカナ 图书馆 一`;

const ENTRY: Omit<IndexEntry, 'url' | 'language'> = {
  title: 'Grey seals & walruses – a guide',
  description: 'A description that the text does not repeat.',
  headings: 'Running wild\nSeehundstationen',
  body: BODY,
  countries: ['DE', 'AT'],
  publishedAt: 86_400_000,
  fetchedAt: 0,
  fileType: 'html',
  isNews: true,
  quality: 0.7,
  links: [
    { url: 'https://other.example/a?b=c#d', text: '  another   page ' },
    { url: 'http://www.sample.example.de/', text: '' },
  ],
  images: [
    { url: 'https://sample.example/img/Grey-Seal_2.jpg?x=1', width: 640, height: 480, alt: 'A seal', caption: 'Robbe' },
  ],
  imageUrl: 'https://sample.example/img/lead.png',
  simhash: '0123456789abcdef',
};

export const preparedSamples = (analyser: PageAnalyser): PreparedPage[] =>
  LANGUAGES.map((language) => {
    const url = `https://sub.sample.example.co.uk/Some%20Path/running-shoes_${language}.html?q=seals`;
    const entry = new TextEncoder().encode(JSON.stringify({ ...ENTRY, url, language }));
    return prepareChange({ change: 1, owner: SHARED, url, isVerified: true, firstSeenAt: 0, entry }, analyser)
      .prepared!;
  });

/** Everything but the compressed content: its bytes depend on the library. */
export function analysedSample(): unknown {
  const analyser = createPageAnalyser();
  const pages = preparedSamples(analyser).map(({ page: { packed: _, ...page }, analysis }) => ({
    page,
    ...described(analysis),
    withAnchors: described(analyser.withAnchors(analysis, SAMPLE_LINK_TEXTS, page.texts.language)),
  }));
  return { stemmers: STEMMERS, pages };
}

const described = ({
  terms: { vocabulary, termIds, weights },
  order,
  urlWords,
  length,
  ...analysis
}: PageAnalysis) => ({
  terms: [...termIds].map((id, at) => `${vocabulary[id]}|${weights[at]}`),
  title: joinedTerms(analysis.vocabulary, order.title),
  body: joinedTerms(analysis.vocabulary, order.body),
  urlWords,
  length,
});
