// A town's site whose budget is a PDF, linked from a page of documents.
import { makePdf } from '../../../../test/support/pdf.ts';
import { number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'cityofwrenfield.test';
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | City of Wrenfield</title></head><body><div class="banner">Snow emergency routes are in effect until Friday.</div><header><a href="/">City of Wrenfield</a><nav><a href="/residents">Residents</a><a href="/finance">Finance</a><a href="/permits">Permits</a></nav></header><main>${body}</main><footer>City Hall, 200 Mill Street. Open Monday to Friday, 8 to 5.</footer></body></html>`;

export const councilBudget = taskTemplate({
  name: 'council-budget',
  sites: {
    [HOST]: {
      '/': layout(
        'Home',
        '<h1>Welcome to Wrenfield</h1><ul><li><a href="/finance">City finances</a></li><li><a href="/permits">Apply for a permit</a></li></ul>',
      ),
      '/finance': layout(
        'Finance',
        '<h1>Finance department</h1><p>The council adopts a budget every December.</p><ul><li><a href="/files/budget-2026.pdf">Adopted budget 2026 (PDF, 1 MB)</a></li><li><a href="/files/budget-2025.pdf">Adopted budget 2025 (PDF, 1 MB)</a></li></ul>',
      ),
      '/permits': layout('Permits', '<h1>Permits</h1><p>A building permit costs $85.</p>'),
      '/residents': layout('Residents', '<h1>Residents</h1><p>Garbage is collected on Tuesdays.</p>'),
      '/files/budget-2026.pdf': {
        content: makePdf(
          [
            {
              heading: 'Adopted budget 2026',
              lines: [
                'City of Wrenfield',
                'Adopted on December 9, 2025',
                '',
                'Total expenditures: $48,310,000',
                'Police and fire: $19,775,000',
                'Streets and parks: $8,240,000',
                'Libraries: $2,115,000',
                'Debt service: $3,960,000',
              ],
            },
            {
              heading: 'Notes',
              lines: ['Figures are rounded to the nearest thousand dollars.', 'Finance director: Rosalind Achterberg'],
            },
          ],
          'Adopted budget 2026',
        ),
        type: 'application/pdf',
      },
      '/files/budget-2025.pdf': {
        content: makePdf(
          [
            {
              heading: 'Adopted budget 2025',
              lines: [
                'City of Wrenfield',
                'Total expenditures: $46,905,000',
                'Libraries: $2,040,000',
                'Finance director: Rosalind Achterberg',
              ],
            },
          ],
          'Adopted budget 2025',
        ),
        type: 'application/pdf',
      },
    },
  },
  tasks: [
    {
      name: 'budget-pdf',
      prompt:
        "From Wrenfield's adopted budget 2026: total expenditures, spending on libraries, and the name of the finance director",
      urls: [`http://${HOST}/finance`],
      schema: object({
        totalExpenditures: number('in dollars'),
        libraries: number('spending on libraries, in dollars'),
        financeDirector: text(),
      }),
      expected: { totalExpenditures: 48310000, libraries: 2115000, financeDirector: 'Rosalind Achterberg' },
      pages: [`${HOST}/files/budget-2026.pdf`],
    },
  ],
});
