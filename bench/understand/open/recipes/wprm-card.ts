// A food blog with a recipe card of a plug-in: amounts, units and names in parts, times in parts, groups of steps.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Smoky Black Bean Chili',
    author: 'Dana Whitlock',
    prep: 15,
    cook: 75,
    cookShown: ['1', 'hour', '15', 'minutes'],
    servings: 6,
    kcal: 340,
    cuisine: 'Mexican',
    course: 'Main Course',
    rating: 4.82,
    votes: 117,
    ing: [
      ['2', 'tbsp', 'olive oil'],
      ['1', '', 'large onion'],
      ['3', 'cans', 'black beans'],
    ],
    steps: ['Heat the oil in a heavy pot.', 'Soften the onion for ten minutes.', 'Add the beans and simmer.'],
  },
  {
    name: 'Lemon Ricotta Pancakes',
    author: 'Jo Ferris',
    prep: 10,
    cook: 20,
    cookShown: ['20', 'minutes'],
    servings: 4,
    kcal: 285,
    cuisine: 'American',
    course: 'Breakfast',
    rating: 4.5,
    votes: 32,
    ing: [
      ['1', 'cup', 'ricotta'],
      ['2', '', 'eggs'],
      ['1', 'tsp', 'lemon zest'],
    ],
    steps: ['Whisk everything except the flour.', 'Fold in the flour.', 'Fry in butter until golden.'],
  },
];

export const wprmCard = pagesOf({
  kind: 'recipe',
  name: 'wprm-card',
  items: ITEMS,
  url: ({ name }) => `https://spoonandspice.example/${slug(name)}/`,
  schema: {
    type: 'object',
    properties: {
      recipeName: { type: 'string' },
      author: { type: 'string' },
      prepTimeMinutes: { type: 'integer' },
      cookTimeMinutes: { type: 'integer' },
      servings: { type: 'integer' },
      caloriesPerServing: { type: 'integer' },
      cuisine: { type: 'string' },
      course: { type: 'string' },
      ratingValue: { type: 'number' },
      ratingCount: { type: 'integer' },
      ingredients: { type: 'array', items: { type: 'string' } },
      instructions: { type: 'array', items: { type: 'string' } },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-US"><head><title>${item.name} - Spoon &amp; Spice</title></head><body><header><a href="/">Spoon &amp; Spice</a></header><article class="post"><h1 class="entry-title">${item.name}</h1><p class="entry-meta">by <span class="entry-author"><a class="entry-author-link" rel="author" href="/about/"><span class="entry-author-name">${item.author}</span></a></span></p>
<div class="entry-content"><p>There are evenings when nothing but this will do. I have cooked it for friends, for family and, most often, for myself alone.</p><h2>Why you will love it</h2><ul><li>Ready in one pot</li><li>Freezes well</li></ul>
<div class="wprm-recipe-container"><div class="wprm-recipe"><h2 class="wprm-recipe-name">${item.name}</h2><div class="wprm-recipe-rating"><span class="wprm-recipe-rating-average">${item.rating}</span> from <span class="wprm-recipe-rating-count">${item.votes}</span> votes</div>
<div class="wprm-recipe-block-container"><span class="wprm-recipe-details-label">Prep Time </span><span class="wprm-recipe-time"><span class="wprm-recipe-details wprm-recipe-prep_time">${item.prep}</span> <span class="wprm-recipe-details-unit">minutes</span></span></div><div class="wprm-recipe-block-container"><span class="wprm-recipe-details-label">Cook Time </span><span class="wprm-recipe-time">${item.cookShown.map((part, at) => `<span class="${at % 2 ? 'wprm-recipe-details-unit' : 'wprm-recipe-details'}">${part}</span>`).join(' ')}</span></div>
<div class="wprm-recipe-block-container"><span class="wprm-recipe-details-label">Course </span><span class="wprm-recipe-course">${item.course}</span></div><div class="wprm-recipe-block-container"><span class="wprm-recipe-details-label">Cuisine </span><span class="wprm-recipe-cuisine">${item.cuisine}</span></div><div class="wprm-recipe-block-container"><span class="wprm-recipe-details-label">Servings </span><span class="wprm-recipe-servings">${item.servings}</span> <span>people</span></div><div class="wprm-recipe-block-container"><span class="wprm-recipe-details-label">Calories </span><span><span class="wprm-recipe-calories">${item.kcal}</span> <span>kcal</span></span></div>
<div class="wprm-recipe-ingredients-container"><h3>Ingredients</h3><ul class="wprm-recipe-ingredients">${item.ing.map(([a, u, n]) => `<li class="wprm-recipe-ingredient"><span class="wprm-recipe-ingredient-amount">${a}</span> ${u ? `<span class="wprm-recipe-ingredient-unit">${u}</span> ` : ''}<span class="wprm-recipe-ingredient-name">${n}</span></li>`).join('')}</ul></div><div class="wprm-recipe-instructions-container"><h3>Instructions</h3><ul class="wprm-recipe-instructions">${item.steps.map((step) => `<li class="wprm-recipe-instruction"><div class="wprm-recipe-instruction-text">${step}</div></li>`).join('')}</ul></div></div></div></div></article>
<div id="comments"><h3>12 comments</h3><ol><li><cite>Pat</cite><p>Made it twice!</p></li></ol></div></body></html>`,
  expected: (item) => ({
    recipeName: item.name,
    author: item.author,
    prepTimeMinutes: item.prep,
    cookTimeMinutes: item.cook,
    servings: item.servings,
    caloriesPerServing: item.kcal,
    cuisine: item.cuisine,
    course: item.course,
    ratingValue: item.rating,
    ratingCount: item.votes,
    ingredients: item.ing.map((parts) => parts.filter((part) => part !== '').join(' ')),
    instructions: item.steps,
  }),
});
