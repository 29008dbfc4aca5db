// A baking blog: a long story, then the recipe card in divs; other recipes around it.
import { each } from '../../../understand/labelled-page.ts';
import { listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'brothandcrumb.test';
const INGREDIENTS = [
  ['450 g', 'strong white flour'],
  ['50 g', 'rye flour'],
  ['340 ml', 'lukewarm water'],
  ['10 g', 'sea salt'],
  ['120 g', 'active sourdough starter'],
] as const;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} – Broth & Crumb</title></head><body><header class="site"><a href="/">Broth &amp; Crumb</a><ul><li><a href="/recipes">Recipes</a></li><li><a href="/about">About Tamsin</a></li><li><a href="/shop">My favourite tins</a></li></ul></header><div class="wrap">${body}</div><footer>Some links are affiliate links. © Tamsin Okoro-Bell 2026. <a href="/privacy">Privacy</a></footer></body></html>`;

export const breadRecipes = taskTemplate({
  name: 'bread-recipes',
  sites: {
    [HOST]: {
      '/': layout(
        'Soups and loaves',
        '<h1>Soups and loaves</h1><div class="latest"><a href="/recipes/harbour-sourdough">Harbour sourdough</a><a href="/recipes/leek-broth">Leek broth</a></div>',
      ),
      '/recipes': layout(
        'Recipes',
        '<h1>Recipes</h1><div class="grid"><div><a href="/recipes/harbour-sourdough">Harbour sourdough</a> 24 h</div><div><a href="/recipes/leek-broth">Leek broth</a> 40 min</div><div><a href="/recipes/soda-bread">Soda bread</a> 50 min</div></div>',
      ),
      '/recipes/harbour-sourdough': layout(
        'Harbour sourdough',
        `<h1>Harbour sourdough</h1><p>I first baked this loaf in a borrowed kitchen in 2014, with the window open and gulls shouting outside. It has changed since: less water, a little rye.</p><a class="jump" href="#card">Jump to recipe</a><p>If your kitchen is cold, give the dough two hours more. Reader Jo used 500 g of wholemeal, which works as well.</p><div class="ad">Advertisement</div><div class="card" id="card"><div class="card-title">Harbour sourdough</div><div class="card-meta"><span>Prep time: 40 minutes</span><span>Cook time: 45 minutes</span><span>Makes: 1 large loaf</span></div><div class="card-head">Ingredients</div><div class="ingredients">${each(INGREDIENTS, ([amount, name]) => `<div class="ingredient"><span class="amount">${amount}</span> <span class="name">${name}</span></div>`)}</div><div class="card-head">Method</div><div class="step">Mix flour and water and leave for an hour.</div><div class="step">Add starter and salt, and fold four times.</div><div class="step">Bake at 230 °C under a lid for 25 minutes, then 20 minutes without.</div></div><div class="comments"><div>Mara: Mine took 55 minutes!</div></div>`,
      ),
      '/recipes/leek-broth': layout(
        'Leek broth',
        '<h1>Leek broth</h1><div class="card"><div class="card-meta"><span>Prep time: 10 minutes</span><span>Cook time: 30 minutes</span></div><div class="ingredients"><div class="ingredient"><span class="amount">3</span> <span class="name">leeks</span></div></div></div>',
      ),
      '/recipes/soda-bread': layout(
        'Soda bread',
        '<h1>Soda bread</h1><div class="card"><div class="card-meta"><span>Prep time: 10 minutes</span><span>Cook time: 40 minutes</span></div><div class="ingredients"><div class="ingredient"><span class="amount">400 g</span> <span class="name">wholemeal flour</span></div></div></div>',
      ),
      '/about': layout('About', '<h1>About Tamsin</h1><p>I live in Whitstable with two dogs and a very old oven.</p>'),
    },
  },
  tasks: [
    {
      name: 'recipe-card',
      prompt: 'Recipe for the harbour sourdough: preparation time, cooking time, and all ingredients with amounts',
      urls: [`http://${HOST}/`],
      schema: object({
        prepTime: text('preparation time'),
        cookTime: text('cooking time'),
        ingredients: listOf({ amount: text(), name: text() }),
      }),
      expected: {
        prepTime: { anyOf: ['40 minutes', 'PT40M'] },
        cookTime: { anyOf: ['45 minutes', 'PT45M'] },
        ingredients: INGREDIENTS.map(([amount, name]) => ({ amount, name })),
      },
      pages: [`${HOST}/recipes/harbour-sourdough`],
    },
  ],
});
