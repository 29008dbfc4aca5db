// Why the answer is as it is: a timeline with one sentence a step, and details to unfold.
import type { SearchExplanation } from '../../../../../src/contracts/search/search.ts';
import { count, duration, plural } from '../../../ui/data/format.ts';
import { Table } from '../../../ui/data/table.tsx';
import { plainLine } from '../../../ui/data/untrusted.ts';
import { Words } from '../../../ui/text/words.tsx';
import type { Found } from './find-explanation.ts';
import { type StoryStep, storyOf } from './timeline.ts';

export function Why({ found }: { found: Found }) {
  return 'scrape' in found ? (
    <ol class="why" aria-label="Why this answer">
      {storyOf(found.scrape).map((step) => (
        <Step key={step.id} step={step} />
      ))}
    </ol>
  ) : (
    <WhySearch explained={found.search} />
  );
}

function Step({ step: { title, tone, text, ms, details } }: { step: StoryStep }) {
  return (
    <li class={`why-step why-${tone}`}>
      <div class="why-head">
        <h3>{title}</h3>
        {ms !== undefined && <span class="small faint number">{duration(ms)}</span>}
      </div>
      <p>
        <Words text={plainLine(text, MAX_DETAIL)} />
      </p>
      {details.length > 0 && (
        <details>
          <summary class="small">Details</summary>
          <dl class="why-details small">
            {details.map(({ label, text: detail }, at) => (
              <div key={at}>
                <dt>{label}</dt>
                <dd>
                  <bdi>{plainLine(detail, MAX_DETAIL)}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}

const MAX_DETAIL = 2_000;

const MAX_DROPPED = 50;

function WhySearch({ explained: { providers, dropped, timing } }: { explained: SearchExplanation }) {
  return (
    <div class="stack">
      <p>
        {plural(providers.length, 'source was asked', 'sources were asked')}. {dropSentence(dropped.length)}
      </p>
      <Table
        caption="Who was asked"
        columns={[
          { id: 'provider', title: 'Provider', cell: ({ provider }) => provider },
          { id: 'source', title: 'For', cell: ({ source }) => source },
          { id: 'state', title: 'State', cell: ({ state, problem }) => (problem ? `${state}: ${problem}` : state) },
          { id: 'results', title: 'Results', align: 'end', cell: ({ results }) => count(results) },
          { id: 'ms', title: 'Time', align: 'end', cell: ({ ms }) => duration(ms) },
        ]}
        rows={providers}
        rowKey={({ provider, source }) => `${provider} ${source}`}
      />
      {dropped.length > 0 && (
        <Table
          caption="Results that were left out"
          columns={[
            { id: 'url', title: 'Left out', cell: ({ url }) => plainLine(url, 200) },
            { id: 'provider', title: 'From', cell: ({ provider }) => provider },
            { id: 'reason', title: 'Why', cell: ({ reason }) => reason },
          ]}
          rows={dropped.slice(0, MAX_DROPPED).map((row, at) => ({ ...row, at }))}
          rowKey={({ at }) => at}
        />
      )}
      <dl class="why-details small">
        {Object.entries(timing).map(([step, ms]) => (
          <div key={step}>
            <dt>{step}</dt>
            <dd>{duration(ms)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const dropSentence = (dropped: number): string =>
  dropped === 0 ? 'Every result that fits is listed.' : `${plural(dropped, 'result was', 'results were')} left out.`;
