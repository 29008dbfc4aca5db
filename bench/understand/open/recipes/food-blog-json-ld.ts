// A food blog with a complete JSON-LD recipe inside a graph, a long story, and nutrition only in the visible card.
import { each, jsonLdScript, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Smoky Black Bean Soup',
    by: 'Dana Whitfield',
    prep: 15,
    cook: 40,
    serves: 4,
    course: 'Soup',
    kcal: 310,
    parts: [
      '2 tbsp olive oil',
      '1 onion, diced',
      '2 tins black beans',
      '1 tsp smoked paprika',
      '750 ml vegetable stock',
    ],
    steps: [
      'Fry the onion in the oil until golden.',
      'Add the paprika and beans and stir for a minute.',
      'Pour in the stock and simmer for 35 minutes.',
    ],
  },
  {
    name: 'Lemon Courgette Loaf',
    by: 'Dana Whitfield',
    prep: 20,
    cook: 55,
    serves: 10,
    course: 'Cake',
    kcal: 265,
    parts: ['250 g plain flour', '200 g courgette, grated', '150 g sugar', '2 lemons', '3 eggs'],
    steps: [
      'Heat the oven to 180 °C.',
      'Beat the eggs with the sugar.',
      'Fold in everything else and bake for 55 minutes.',
    ],
  },
  {
    name: 'Ten-Minute Peanut Noodles',
    by: 'Sam Okoro',
    prep: 5,
    cook: 5,
    serves: 2,
    course: 'Main',
    kcal: 540,
    parts: ['200 g wheat noodles', '3 tbsp peanut butter', '1 tbsp soy sauce', '1 lime'],
    steps: ['Boil the noodles.', 'Whisk the rest with a splash of hot water.', 'Toss and serve.'],
  },
  {
    name: 'Slow Roast Lamb Shoulder',
    by: 'Sam Okoro',
    prep: 30,
    cook: 270,
    serves: 6,
    course: 'Main',
    kcal: 610,
    parts: ['1 lamb shoulder, about 2 kg', '6 cloves of garlic', '4 sprigs rosemary', '300 ml white wine'],
    steps: [
      'Stud the lamb with garlic and rosemary.',
      'Add the wine, cover and roast at 150 °C for four and a half hours.',
    ],
  },
  {
    name: 'Overnight Oats with Pear',
    by: 'Dana Whitfield',
    prep: 10,
    cook: 0,
    serves: 1,
    course: 'Breakfast',
    kcal: 380,
    parts: ['50 g rolled oats', '120 ml milk', '1 ripe pear', '1 tsp honey'],
    steps: ['Stir everything together.', 'Leave in the fridge overnight.'],
  },
];

const duration = (minutes: number): string =>
  minutes >= 60 ? `PT${Math.floor(minutes / 60)}H${minutes % 60 > 0 ? `${minutes % 60}M` : ''}` : `PT${minutes}M`;

export const foodBlogJsonLd = pagesOf({
  kind: 'recipe',
  name: 'food-blog-json-ld',
  items: ITEMS,
  url: ({ name }) => `https://aspoonfulofdana.example/recipes/${slug(name)}/`,
  schema: {
    type: 'object',
    properties: {
      recipe_name: { type: 'string' },
      author: { type: 'string' },
      prep_time_minutes: { type: 'integer' },
      cook_time_minutes: { type: 'integer' },
      servings: { type: 'integer' },
      ingredients: { type: 'array', items: { type: 'string' } },
      instructions: { type: 'array', items: { type: 'string' } },
      meal_type: { type: 'string', description: 'Course, e.g. dessert' },
      calories: { type: 'integer', description: 'kcal per serving' },
    },
    required: ['recipe_name', 'ingredients', 'instructions'],
  },
  jsonLd: [
    'recipe_name',
    'author',
    'prep_time_minutes',
    'cook_time_minutes',
    'servings',
    'ingredients',
    'instructions',
    'meal_type',
  ],
  html: (item) => `<!doctype html><html lang="en"><head><title>${item.name} - A Spoonful of Dana</title>${jsonLdScript({
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'Article', headline: item.name, author: { '@id': '#person' }, datePublished: '2025-08-01' },
      { '@type': 'Person', '@id': '#person', name: item.by },
      {
        '@type': 'Recipe',
        name: item.name,
        author: { '@id': '#person' },
        prepTime: duration(item.prep),
        cookTime: duration(item.cook),
        totalTime: duration(item.prep + item.cook),
        recipeYield: [String(item.serves), `${item.serves} servings`],
        recipeCategory: [item.course],
        recipeIngredient: item.parts,
        recipeInstructions: item.steps.map((text, at) => ({
          '@type': 'HowToStep',
          text,
          name: `Step ${at + 1}`,
          url: `#step-${at}`,
        })),
      },
    ],
  })}</head><body><header><a href="/">A Spoonful of Dana</a><a href="/recipes">Recipes</a></header><article><h1>${item.name}</h1><a href="#card">Jump to recipe</a>
<p>Every family has a dish that nobody ever wrote down. Ours was this one. My grandmother made it on Sundays, and when I asked how much of this or that she used, she said: enough.</p><p>I have weighed and timed it for you. If you try it, tell me in the comments how it went!</p>
<div id="card" class="wprm"><h2>${item.name}</h2><p>Prep ${item.prep} mins · Cook ${item.cook} mins · Servings ${item.serves}</p><ul>${each(item.parts, (part) => `<li><input type="checkbox"> ${part}</li>`)}</ul><ol>${each(item.steps, (step) => `<li>${step}</li>`)}</ol><p class="nutrition">Calories: ${item.kcal} kcal | Protein: 12 g | Salt: 1 g</p></div></article>
<section><h3>4 comments</h3><p>Bex: Made it twice, added 1 tsp chilli.</p></section></body></html>`,
  expected: (item) => ({
    recipe_name: item.name,
    author: item.by,
    prep_time_minutes: item.prep,
    cook_time_minutes: item.cook,
    servings: item.serves,
    ingredients: item.parts,
    instructions: item.steps,
    meal_type: item.course,
    calories: item.kcal,
  }),
});
