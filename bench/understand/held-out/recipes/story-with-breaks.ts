// A personal blog post with a recipe: line breaks instead of lists, emphasised labels, comments with amounts.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Skillet Cornbread',
    by: 'Mae',
    yields: '8 wedges',
    prep: '10 minutes',
    bake: '25 minutes',
    oven: '425°F',
    parts: ['1 1/2 cups cornmeal', '1/2 cup flour', '2 eggs', '1 1/4 cups buttermilk'],
    steps: ['Heat the skillet in the oven.', 'Stir everything together.', 'Pour into the hot skillet and bake.'],
  },
  {
    name: 'Blueberry Buckle',
    by: 'Mae',
    yields: '9 squares',
    prep: '20 minutes',
    bake: '45 minutes',
    oven: '375°F',
    parts: ['2 cups flour', '3/4 cup sugar', '1 pint blueberries'],
    steps: ['Cream butter and sugar.', 'Fold in the berries.', 'Bake until golden.'],
  },
  {
    name: 'Weeknight Chili',
    by: 'Otis',
    yields: '6 bowls',
    prep: '15 minutes',
    bake: '1 hour',
    oven: '300°F',
    parts: ['1 lb ground beef', '2 cans kidney beans', '1 can tomatoes', '2 tbsp chili powder'],
    steps: ['Brown the beef.', 'Add the rest and cover.'],
  },
  {
    name: 'Peach Hand Pies',
    by: 'Mae',
    yields: '12 pies',
    prep: '40 minutes',
    bake: '22 minutes',
    oven: '400°F',
    parts: ['4 peaches', '2 pie crusts', '1/3 cup brown sugar'],
    steps: ['Dice and sugar the peaches.', 'Cut circles, fill and crimp.', 'Bake on parchment.'],
  },
  {
    name: 'Sheet Pan Sausages',
    by: 'Otis',
    yields: '4 servings',
    prep: '10 minutes',
    bake: '35 minutes',
    oven: '425°F',
    parts: ['8 sausages', '2 red onions', '1 lb grapes'],
    steps: ['Scatter everything on a sheet pan.', 'Roast, shaking twice.'],
  },
];

export const storyWithBreaks = pagesOf({
  kind: 'recipe',
  name: 'story-with-breaks',
  items: ITEMS,
  url: ({ name }) => `https://maeandotis.example/blog/${slug(name)}`,
  schema: {
    type: 'object',
    properties: {
      dish: { type: 'string', description: 'Name of the dish' },
      author: { type: 'string', description: 'Who posted it' },
      yield: { type: 'string' },
      prep_time: { type: 'string' },
      bake_time: { type: 'string' },
      oven_temperature: { type: 'string' },
      ingredients: { type: 'array', items: { type: 'string' } },
      directions: { type: 'array', items: { type: 'string' } },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-US"><head><title>Mae & Otis: ${item.name}</title></head><body><div class="banner">Mae &amp; Otis cook through winter</div>
<div class="entry"><h2>${item.name}</h2><p class="posted">Posted by ${item.by} on a snowy Sunday</p><p>You know the kind of afternoon when the dog will not go out and neither will you. That is when this happens in our kitchen. It started with a recipe from a church cookbook, page 41, with a grease stain in the shape of Ohio.</p>
<p><em>Yield:</em> ${item.yields}<br><em>Prep time:</em> ${item.prep}<br><em>Bake time:</em> ${item.bake}<br><em>Oven:</em> ${item.oven}</p>
<p><strong>Ingredients</strong><br>${item.parts.join('<br>\n')}</p><p><strong>Directions</strong><br>${item.steps.map((step, at) => `${at + 1}. ${step}`).join('<br>\n')}</p><p>Leftovers, if there are any, make a fine breakfast.</p></div>
<div class="comments"><p><b>Ruth says:</b> I used 3 cups of flour and it was a brick.</p>${each(['Love this!', 'Making it tonight.'], (text) => `<p><b>Anon says:</b> ${text}</p>`)}</div></body></html>`,
  expected: (item) => ({
    dish: item.name,
    author: item.by,
    yield: item.yields,
    prep_time: item.prep,
    bake_time: item.bake,
    oven_temperature: item.oven,
    ingredients: item.parts,
    directions: item.steps,
  }),
});
